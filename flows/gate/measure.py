"""What later candidates are compared with: rows and distributions of each source, kept in the manifest."""

from typing import Any

import duckdb

from expectations.contract import Column, Table, TableRule

Shares = dict[str, int]

# A name of a source holds no colon.
_SOURCE = "split_part(lesson_id, ':', 1)"


def measure(connection: duckdb.DuckDBPyConnection, tables: list[Table]) -> dict[str, Any]:
    """The rows of each source in tables that may not shrink, and the distributions that drift rules look at."""
    counts = {t.name: _counts(connection, t) for t in tables if any(r.check == "not_shrunk" for r in t.rules)}
    drifting = [(table, rule) for table in tables for rule in table.rules if rule.check == "no_drift"]
    shares = {profile_name(table, rule): _shares(connection, table, rule) for table, rule in drifting}
    return {"counts": counts, "shares": shares}


def profile_name(table: Table, rule: TableRule) -> str:
    """Where the manifest keeps the distribution that a rule looks at."""
    return f"{table.name}.{rule.columns[0]}"


def _counts(connection: duckdb.DuckDBPyConnection, table: Table) -> Shares:
    query = f'select {_SOURCE}, count(*) from "{table.name}" group by 1 order by 1'
    return dict(connection.execute(query).fetchall())


def _shares(connection: duckdb.DuckDBPyConnection, table: Table, rule: TableRule) -> dict[str, Shares]:
    (column,) = (c for c in table.columns if c.name in rule.columns)
    query = f'select {_SOURCE}, {_group(table, column)}, count(*) from "{table.name}" group by 1, 2 order by 1, 2'
    found: dict[str, Shares] = {}
    for source, group, count in connection.execute(query).fetchall():
        found.setdefault(source, {})[group] = count
    return found


def _group(table: Table, column: Column) -> str:
    """Categories count as they are, numbers in tenths, prose by its length, all else by being there or not."""
    name = f'"{column.name}"'
    if column.values:
        group = name
    elif column.type == "number":
        group = f"printf('%.1f', floor({name} * 10) / 10)"
    elif column.name in table.prose:
        group = f"printf('%d+ characters', (2 ** least(floor(log2(length({name}) + 1)), 10))::int)"
    else:
        group = f"case when {name} is not null then 'known' end"
    return f"coalesce({group}, 'null')"
