"""The gate: every rule on the candidate snapshot, before the pointer moves."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path

import pyarrow as pa

from expectations import TABLES
from expectations.contract import Table
from flows.errors import GateError
from flows.gate import great, history
from flows.gate.accounting import check_accounting
from flows.gate.check import Check
from flows.gate.contents import check_contents, check_schema, merge
from flows.gate.relations import check_relations, connect
from flows.gate.remedy import acceptance
from flows.store import files
from flows.store.home import Home
from flows.store.snapshots import Manifest

CHECKED = [table for table in TABLES.values() if table.stored == "snapshot"]


def evaluate(
    home: Home, candidate: Manifest, before: Manifest | None = None, data_docs: Path | None = None
) -> list[Check]:
    """All checks of a candidate, in the order of the contracts; a table with a wrong schema has no other check."""
    found = [
        check_schema(table, [files.schema(home / ref.path) for ref in candidate.of_table(table.name)])
        for table in CHECKED
    ]
    # What a rule says of wrong columns is worth nothing, and neither is what one says that only reads them.
    sound = [check.table for check in found if check.result == "passed"]
    past = history.earlier(home, before)
    with connect(home, candidate, sound) as connection:
        for table in (table for table in CHECKED if table.name in sound):
            found += _check_rows(home, table, candidate, data_docs)
            found += check_relations(connection, table, candidate, sound)
            found += check_accounting(connection, table, candidate, sound)
            found += history.check_history(table, candidate, past)
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
    return merge(table, contents) + great.check_table(table, pa.concat_tables(narrow), data_docs)


def accept(checks: Sequence[Check], rules: Collection[str]) -> list[Check]:
    """The checks, with those failures that an operator accepts marked as such; `rule` or `table.rule`.

    A wrong schema cannot be accepted, since nothing else is known of that table, nor can a check that is broken.
    """
    return [
        replace(check, result="accepted")
        if check.stops and check.acceptable and {check.rule, check.name} & set(rules)
        else check
        for check in checks
    ]


def stop_if_bad(checks: Sequence[Check], candidate: Manifest | None = None, before: Manifest | None = None) -> None:
    """Fail with the first rule that forbids publication, how many more there are, and what stays current."""
    stopping = [check for check in checks if check.stops]
    if not stopping:
        return
    first, more = stopping[0], len(stopping) - 1
    also = f", and {more} more rule{'s' if more > 1 else ''}" if more else ""
    stays = "the last snapshot stays current" if before else "no snapshot is current yet"
    kept = f" and candidate {candidate.id} is kept" if candidate else ""
    accepting = acceptance(checks)
    accept = f", or publish knowingly with `{accepting}`" if accepting else ""
    raise GateError(
        f"rule {first.rule} of table {first.table} {first.outcome}{also}; {stays}{kept}. "
        f"`quarry status` shows all of them and what to do: mend the data{accept}"
    )
