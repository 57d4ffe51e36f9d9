"""The gate: every table rule on the candidate snapshot, before the pointer moves."""

from collections.abc import Sequence

import pyarrow as pa

from expectations import TABLES
from flows.errors import GateError
from flows.gate.check import Check
from flows.gate.great import check_table
from flows.gate.relations import check_relations
from flows.store import files
from flows.store.catalog import open_at
from flows.store.home import Home
from flows.store.snapshots import Manifest


def evaluate(home: Home, candidate: Manifest) -> list[Check]:
    """All checks of a candidate, in the order of the contracts."""
    found: list[Check] = []
    with open_at(home, candidate) as connection:
        for table in TABLES.values():
            if table.stored == "snapshot":
                rows = pa.concat_tables([files.read(home / ref.path) for ref in candidate.of_table(table.name)])
                found += check_table(table, rows)
                found += check_relations(connection, table)
    return found


def stop_if_bad(checks: Sequence[Check]) -> None:
    """Fail with the first rule that forbids publication, and how many more there are."""
    stopping = [check for check in checks if check.stops]
    if not stopping:
        return
    first, more = stopping[0], len(stopping) - 1
    what = "could not be evaluated" if first.result == "broken" else f"fails for {first.rows_failing} rows"
    raise GateError(
        f"rule {first.rule} of table {first.table} {what} ({first.observed})"
        + (f", and {more} more rules stop it" if more else "")
        + "; the last snapshot stays current: see `quarry status`"
    )
