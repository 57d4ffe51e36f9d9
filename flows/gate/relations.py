"""Table rules between tables and over groups of rows: in DuckDB, on the candidate's files."""

from collections.abc import Collection
from typing import Any

import duckdb

from expectations import TABLES
from expectations.contract import Severity, Table, TableRule
from flows.gate.check import EXAMPLES, Check, judged
from flows.gate.contents import naming
from flows.gate.rows import fault
from flows.stages import WRITER
from flows.store.catalog import literal
from flows.store.home import Home
from flows.store.snapshots import Manifest


def connect(home: Home, candidate: Manifest, tables: Collection[str]) -> duckdb.DuckDBPyConnection:
    """A connection in memory with a view of the files of each of these tables, as they are."""
    connection = duckdb.connect(config={"temp_directory": str(home / ".duckdb")})
    for name in tables:
        paths = ", ".join(literal(str(home / ref.path)) for ref in candidate.of_table(name))
        connection.execute(f'create view "{name}" as select * from read_parquet([{paths}])')
    return connection


def check_relations(
    connection: duckdb.DuckDBPyConnection, table: Table, candidate: Manifest, tables: Collection[str]
) -> list[Check]:
    """The rules of one table that compare its rows with each other and with those of tables that can be read."""
    return [
        _check(connection, table, rule, severity(rule, candidate), _given(rule, candidate))
        for rule in table.rules
        if rule.check in _QUERIES and _reads(table, rule) <= set(tables)
    ]


def severity(rule: TableRule, candidate: Manifest) -> Severity:
    """What a failure does under the settings of the candidate."""
    if rule.warns_under is None:
        return rule.severity
    section, key, value = rule.warns_under
    return "warn" if candidate.content["settings"][section][key] == value else rule.severity


def _given(rule: TableRule, candidate: Manifest) -> dict[str, Any]:
    """What the candidate's manifest says of the rule."""
    found: Any = candidate.content
    for name in rule.given:
        found = found[name]
    return {"given": found} if rule.given else {}


def _reads(table: Table, rule: TableRule) -> set[str]:
    other = {rule.references[0]} if rule.references else set()
    also = {"complete": {"rejects"}, "no_shared_text": {"triples"}}.get(rule.check, set())
    return {table.name} | other | also | ({"lessons"} if "lesson_id" in rule.alike else set())


def _orphans(table: Table, rule: TableRule) -> str:
    """Rows that refer to a row that is not there, or whose other columns disagree with it.

    A null refers to nothing, and one on the other side matches nothing: that either is missing is another rule's word.
    """
    assert rule.references is not None
    (*shared, last), (other, key) = rule.columns, rule.references
    listed = any(column.type == "texts" for column in table.columns if column.name == last)
    rows = f'(select *, unnest("{last}") as item from "{table.name}")' if listed else f'"{table.name}"'
    pairs = [*((name, name) for name in shared), ("item" if listed else last, key)]
    joined = " and ".join(f'o."{theirs}" = t."{ours}"' for ours, theirs in pairs)
    known = " and ".join(f't."{ours}" is not null' for ours, _ in pairs)
    unlike = [(name, _unlike(name)) for name in rule.alike]
    wrong = " or ".join([f'o."{key}" is null', *(fault for _, fault in unlike)])
    # What the row is called, and what of it leads nowhere or is not alike.
    faults = [(last, pairs[-1][0], f'o."{key}" is null')] if last not in table.key else []
    faults += [(name, name, fault) for name, fault in unlike]
    more = [f"""case when {fault} then concat(' ({name} ', t."{ours}", ')') end""" for name, ours, fault in faults]
    return (
        f"select concat({', '.join([_key(table), *more])}) as example "
        f'from {rows} t left join "{other}" o on {joined} where {known} and ({wrong})'
    )


def _unlike(name: str) -> str:
    """That two rows disagree; if the other one is of no lesson at all, that is its own rule's word."""
    sound = f' and exists (select 1 from "lessons" l where l."{name}" = o."{name}")' if name == "lesson_id" else ""
    return f'(o."{name}" <> t."{name}"{sound})'


def _broken(table: Table, rule: TableRule) -> str:
    """Rows of which something does not hold; a row that is not there is another rule's word."""
    joined = ""
    if rule.references:
        ((column,), (other, key)) = rule.columns, rule.references
        joined = f'join "{other}" o on o."{key}" = t."{column}"'
    return f'select {_key(table)} as example from "{table.name}" t {joined} where not ({rule.expression})'


def _missing(table: Table, rule: TableRule) -> str:
    """Keys of the other table that stand neither here nor among the rejects of the stage that writes this table."""
    assert rule.references is not None
    ((column,), (other, key)) = rule.columns, rule.references
    stage = literal(WRITER[table.name].name)
    return (
        f'select t."{key}" as example from "{other}" t where t."{key}" is not null '
        f'and not exists (select 1 from "{table.name}" o where o."{column}" = t."{key}") '
        f'and not exists (select 1 from "rejects" r where r.stage = {stage} and r.record_id = t."{key}")'
    )


def _leaks(table: Table, rule: TableRule) -> str:
    group, part = rule.columns
    parts = f"""string_agg(distinct "{part}", ', ' order by "{part}")"""
    return (
        f"""select "{group}" || ' (' || {parts} || ')' as example from "{table.name}" """
        f'where {_declared(table, part)} group by "{group}" having count(distinct "{part}") > 1'
    )


def _shared(table: Table, rule: TableRule) -> str:
    """Texts of triples that stand in two parts, as published; case and marks aside."""
    assert rule.references is not None
    other, part = rule.references
    texts = [
        f"""select '{name}' as kind, coalesce(w."{name}", t."{name}") as text, s."{part}" as part, t.triple_id as id
            from triples t join "{table.name}" w using (triple_id) join "{other}" s using (triple_id)
            where {_declared(TABLES[other], part)}"""
        for name in rule.columns
    ]
    parts = "string_agg(distinct part, ', ' order by part)"
    return (
        f"select kind || ' of ' || min(id) || ' (' || {parts} || ')' as example from ({' union all '.join(texts)}) "
        r"group by kind, trim(regexp_replace(lower(text), '[^\pL\pN]+', ' ', 'g')) having count(distinct part) > 1"
    )


def _declared(table: Table, name: str) -> str:
    """That a part is one of those that there are; another one is another rule's word."""
    (column,) = (column for column in table.columns if column.name == name)
    return f'"{name}" in ({", ".join(map(literal, column.values))})'


_QUERIES = {
    "foreign_key": _orphans,
    "complete": _missing,
    "no_leakage": _leaks,
    "no_shared_text": _shared,
    "holds": _broken,
}


def _key(table: Table) -> str:
    columns = ", ".join(f't."{name}"' for name in naming(table))
    return f"concat_ws('/', {columns})"


def _check(
    connection: duckdb.DuckDBPyConnection, table: Table, rule: TableRule, severity: Severity, given: dict[str, Any]
) -> Check:
    query = _QUERIES[rule.check](table, rule)
    try:
        found = connection.execute(f"select count(*), min(example, {EXAMPLES}) from ({query})", given).fetchone()
        assert found is not None
    except duckdb.Error as problem:
        return Check(table.name, rule.name, "broken", severity, fault(problem))
    count, examples = found
    return judged(table.name, rule.name, severity, count, examples or ())
