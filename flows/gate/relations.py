"""Table rules between tables and over groups: evaluated in DuckDB, on the files of the candidate snapshot."""

import duckdb

from expectations.contract import Table, TableRule
from flows.gate.check import Check

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
