"""What every row goes through before its file is written: the scrubber, and the row rules of its table.

A row that breaks a rule becomes a reject under the rule's name.
"""

from dataclasses import replace

import duckdb
import pyarrow as pa

from expectations import table as contract
from expectations.contract import RowRule
from flows.gate.personal import without
from flows.stages import Stage
from transforms.result import Result, Units


def cleared(stage: Stage, result: Result) -> Result:
    """What may be written of a result: nothing personal in its texts, no row that breaks a rule of its table."""
    found = apply_row_rules(stage, result)
    tables = {name: without(rows, contract(name)) for name, rows in found.tables.items()}
    return replace(found, tables=tables, rejects=without(found.rejects, contract("rejects")))


def apply_row_rules(stage: Stage, result: Result) -> Result:
    """The result without the rows that break a rule of their table, and with a reject for each of them."""
    tables, rejects, units = dict(result.tables), [result.rejects], dict(result.units)
    for name, rows in result.tables.items():
        rules = contract(name).row_rules
        if not rules or not rows.num_rows:
            continue
        # A rule that cannot be evaluated rejects nothing: the gate tells of it, and publishes nothing.
        broken, _ = first_broken(rows, rules)
        if broken.null_count == len(broken):
            continue
        tables[name] = rows.filter(broken.is_null())
        failing = rows.append_column("reason", broken).filter(broken.is_valid()).to_pylist()
        rejects.append(_rejects(stage.name, name, failing))
        for row in failing:
            before = units.get(row["lesson_id"], Units())
            # Where a unit may give many rows, the lost row is one more unit that came in and was not kept.
            change = Units(0, -1) if stage.row_is_unit else Units(1, 0)
            units[row["lesson_id"]] = before + change
    return replace(result, tables=tables, rejects=pa.concat_tables(rejects), units=units)


def first_broken(rows: pa.Table, rules: tuple[RowRule, ...]) -> tuple[pa.ChunkedArray, dict[str, str]]:
    """For each row the name of the first rule that it breaks, or null; and the rules that raise, with their fault."""
    try:
        return _first_broken(rows, rules), {}
    except duckdb.Error:
        raising: dict[str, str] = {}
        for rule in rules:
            try:
                _first_broken(rows, (rule,))
            except duckdb.Error as problem:
                raising[rule.name] = fault(problem)
        return _first_broken(rows, tuple(rule for rule in rules if rule.name not in raising)), raising


def fault(problem: duckdb.Error) -> str:
    """What kind of error a rule raised: its message may hold what people wrote."""
    return type(problem).__name__


def _first_broken(rows: pa.Table, rules: tuple[RowRule, ...]) -> pa.ChunkedArray:
    """As in SQL, a rule of nulls is not broken."""
    if not rules or not rows.num_rows:
        return pa.chunked_array([pa.nulls(rows.num_rows, pa.string())])
    cases = " ".join(f"when not ({rule.expression}) then '{rule.name}'" for rule in rules)
    with duckdb.connect(config={"threads": 1}) as connection:  # other buckets have the other cores
        connection.register("rows", rows)
        found = connection.sql(f"select case {cases} end as broken from rows").to_arrow_table()
    return found["broken"].cast(pa.string())


def _rejects(stage: str, name: str, failing: list[dict[str, object]]) -> pa.Table:
    key = contract(name).key
    return pa.Table.from_pylist(
        [
            {
                "stage": stage,
                "record_id": "/".join(str(row[column]) for column in key),
                "lesson_id": row["lesson_id"],
                "reason": row["reason"],
                "detail": f"a row of {name}",
                "text": row.get("text") or row.get("question"),
            }
            for row in failing
        ],
        schema=contract("rejects").schema,
    )
