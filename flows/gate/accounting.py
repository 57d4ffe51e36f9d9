"""The accounting law: what came into a stage is kept or rejected, and all of it is in the tables."""

from collections.abc import Collection
from typing import Any

import duckdb

from expectations import table as contract
from expectations.contract import Table
from flows.gate.check import EXAMPLES, Check
from flows.stages import STAGES, Stage
from flows.store.snapshots import Manifest


def check_accounting(
    connection: duckdb.DuckDBPyConnection, table: Table, candidate: Manifest, tables: Collection[str]
) -> list[Check]:
    """The accounting rule of one table, over all stages whose tables can be read."""
    rules = [rule for rule in table.rules if rule.check == "accounting"]
    if not rules:
        return []
    rejects = dict(connection.execute('select stage, count(*) from "rejects" group by 1').fetchall())
    wrong, rows = [], 0
    for stage in STAGES:
        if counts := candidate.content["stages"].get(stage.name):
            off, shown = _unaccounted(connection, stage, counts, rejects.get(stage.name, 0), tables)
            wrong += [shown] if off else []
            rows += off
    if not wrong:
        return [Check(table.name, rule.name, "passed", rule.severity) for rule in rules]
    observed = "; ".join(wrong[:EXAMPLES])
    return [Check(table.name, rule.name, "failed", rule.severity, observed, rows) for rule in rules]


def _unaccounted(
    connection: duckdb.DuckDBPyConnection, stage: Stage, counts: dict[str, Any], rejects: int, tables: Collection[str]
) -> tuple[int, str]:
    """How many rows of a stage are not where its counts say, and what is there instead."""
    rows_in, kept, dropped = counts["rows_in"], counts["kept"], counts["merged"] + sum(counts["rejected"].values())
    there = _rows(connection, stage, kept) if _counts_rows(stage) and set(stage.writes) <= set(tables) else kept
    off = abs(rows_in - kept - dropped) + abs(rejects - dropped) + abs(there - kept)
    said = f"{stage.name}: {rows_in} in, {kept} kept, {dropped} dropped"
    found = f"{there} rows and {rejects} rejects" if there != kept else f"{rejects} rejects"
    return off, f"{said}, but {found}"


def _counts_rows(stage: Stage) -> bool:
    """Whether kept units are rows, and no rule of the stage's tables names each row that is missing."""
    complete = any(rule.check == "complete" for name in stage.writes for rule in contract(name).rules)
    return stage.row_is_unit and not complete


def _rows(connection: duckdb.DuckDBPyConnection, stage: Stage, expected: int) -> int:
    """The rows in a stage's tables; a doubled one counts once, since another rule names it."""
    rows = sum(_count(connection, f'select count(*) from "{name}"') for name in stage.writes)
    if rows == expected:
        return rows
    keys = {name: ", ".join(f'"{column}"' for column in contract(name).key) for name in stage.writes}
    return sum(_count(connection, f'select count(distinct ({key})) from "{name}"') for name, key in keys.items())


def _count(connection: duckdb.DuckDBPyConnection, query: str) -> int:
    found = connection.execute(query).fetchone()
    return int(found[0]) if found else 0
