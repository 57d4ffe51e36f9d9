"""Table rules between tables, over groups, and against the manifest: in DuckDB, on the candidate's files."""

import duckdb

from expectations.contract import Table, TableRule
from flows.gate.check import Check, CheckResult
from flows.store.snapshots import Manifest

_EXAMPLES = 3


def check_relations(connection: duckdb.DuckDBPyConnection, table: Table) -> list[Check]:
    """The foreign keys and leakage rules of one table, over its view in the connection."""
    return [
        _check(connection, table, rule, _QUERIES[rule.check](table, rule))
        for rule in table.rules
        if rule.check in _QUERIES
    ]


def _orphans(table: Table, rule: TableRule) -> str:
    assert rule.references is not None
    (column,), (other, key) = rule.columns, rule.references
    return f'select "{column}" as example from "{table.name}" where "{column}" not in (select "{key}" from "{other}")'


def _leaks(table: Table, rule: TableRule) -> str:
    group, part = rule.columns
    return f'select "{group}" as example from "{table.name}" group by "{group}" having count(distinct "{part}") > 1'


_QUERIES = {"foreign_key": _orphans, "no_leakage": _leaks}


def _check(connection: duckdb.DuckDBPyConnection, table: Table, rule: TableRule, query: str) -> Check:
    try:
        found = connection.execute(
            f"select count(*), list(example order by example)[:{_EXAMPLES}] from ({query})"
        ).fetchone()
        assert found is not None
    except duckdb.Error as problem:
        return Check(table.name, rule.name, "broken", rule.severity, str(problem).splitlines()[0])
    count, examples = found
    if not count:
        return Check(table.name, rule.name, "passed", rule.severity)
    observed = ", ".join(str(example) for example in examples)
    return Check(table.name, rule.name, "failed", rule.severity, observed, count)


def check_accounting(connection: duckdb.DuckDBPyConnection, table: Table, candidate: Manifest) -> list[Check]:
    """Whether, for every stage, what came in is kept or rejected, and each reject is there."""
    counted = dict(connection.execute('select stage, count(*) from "rejects" group by 1').fetchall())
    wrong = []
    for name, stage in candidate.content["stages"].items():
        dropped = stage["merged"] + sum(stage["rejected"].values())
        if stage["rows_in"] != stage["kept"] + dropped or counted.get(name, 0) != dropped:
            counts = f"{stage['rows_in']} in, {stage['kept']} kept, {dropped} dropped, {counted.get(name, 0)} rejects"
            wrong.append(f"{name}: {counts}")
    result: CheckResult = "failed" if wrong else "passed"
    shown = "; ".join(wrong[:_EXAMPLES]) or None
    rules = [rule for rule in table.rules if rule.check == "accounting"]
    return [Check(table.name, rule.name, result, rule.severity, shown, len(wrong)) for rule in rules]
