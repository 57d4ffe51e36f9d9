"""The gate: every rule on the candidate snapshot, before the pointer moves."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path

import pyarrow as pa

from expectations import TABLES
from expectations.contract import Table
from flows.errors import GateError
from flows.gate import great, history
from flows.gate.check import Check
from flows.gate.contents import check_contents, check_schema, merge
from flows.gate.relations import check_accounting, check_relations
from flows.store import files
from flows.store.catalog import open_at
from flows.store.home import Home
from flows.store.snapshots import Manifest

CHECKED = [table for table in TABLES.values() if table.stored == "snapshot"]


def evaluate(
    home: Home, candidate: Manifest, before: Manifest | None = None, data_docs: Path | None = None
) -> list[Check]:
    """All checks of a candidate, in the order of the contracts."""
    before = history.comparable(candidate, before)
    found = [
        check_schema(table, [files.schema(home / ref.path) for ref in candidate.of_table(table.name)])
        for table in CHECKED
    ]
    if any(check.stops for check in found):
        return found  # with a wrong schema no other rule can be trusted
    with open_at(home, candidate) as connection:
        for table in CHECKED:
            found += _check_rows(home, table, candidate, data_docs)
            found += check_relations(connection, table)
            found += check_accounting(connection, table, candidate)
            found += history.check_history(table, candidate, before)
    return found


def _check_rows(home: Home, table: Table, candidate: Manifest, data_docs: Path | None) -> list[Check]:
    """What is read file by file, so that the text of only one file at a time is in memory."""
    contents, narrow = [], []
    for ref in candidate.of_table(table.name):
        rows = files.read(home / ref.path)
        contents.append(check_contents(table, rows))
        narrow.append(great.narrowed(table, rows))
    if not narrow:
        narrow = [great.narrowed(table, table.empty())]
    return merge(contents) + great.check_table(table, pa.concat_tables(narrow), data_docs)


def accept(checks: Sequence[Check], rules: Collection[str]) -> list[Check]:
    """The checks, with those failures that an operator accepts marked as such; `rule` or `table.rule`."""
    return [
        replace(c, result="accepted") if c.stops and {c.rule, f"{c.table}.{c.rule}"} & set(rules) else c for c in checks
    ]


def stop_if_bad(checks: Sequence[Check]) -> None:
    """Fail with the first rule that forbids publication, and how many more there are."""
    stopping = [check for check in checks if check.stops]
    if not stopping:
        return
    first, more = stopping[0], len(stopping) - 1
    what = "could not be evaluated" if first.result == "broken" else f"fails for {first.rows_failing} rows"
    raise GateError(
        f"rule {first.rule} of table {first.table} {what} ({first.observed})"
        + (f", and {more} more rules fail" if more else "")
        + "; the last snapshot stays current. `quarry status` shows all of them; mend the data, or publish knowingly "
        f"with `quarry build --accept {first.table}.{first.rule}`"
    )
