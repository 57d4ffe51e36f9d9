"""Table rules about what each file holds: the declared schema, row rules and personal data."""

from collections.abc import Iterable
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from expectations.contract import Severity, Table, TableRule
from flows.gate.check import EXAMPLES, SCHEMA, Check, judged, shown
from flows.gate.personal import changes
from flows.gate.rows import first_broken


class Seen(NamedTuple):
    """What one file shows of one rule: how many rows fail, the first of them, or why nobody can tell."""

    rule: str
    severity: Severity
    rows: int
    examples: list[str]
    problem: str | None = None


def naming(table: Table) -> tuple[str, ...]:
    """The columns by which a row of the table is named; rejects have no key of their own."""
    return table.key or ("stage", "record_id", "reason")


def keys(table: Table, rows: pa.Table) -> list[str]:
    """The names of the first rows."""
    first = rows.select(naming(table)).slice(0, EXAMPLES).to_pylist()
    return ["/".join("null" if value is None else str(value) for value in row.values()) for row in first]


def check_contents(table: Table, rows: pa.Table) -> list[Seen]:
    """The rules of one table that each of its files keeps or breaks by itself."""
    rules = [rule for rule in table.rules if rule.check == "no_personal_data"]
    return [*_row_rules(table, rows), *(_personal_data(table, rule, rows) for rule in rules)]


def merge(table: Table, files: Iterable[list[Seen]]) -> list[Check]:
    """The checks of a table from what its files show: rows add up, and the first examples of all files are shown."""
    return [_merged(table, seen) for seen in zip(*files, strict=True)]


def _merged(table: Table, files: tuple[Seen, ...]) -> Check:
    rule, severity, *_ = files[0]
    if problem := next((seen.problem for seen in files if seen.problem), None):
        return Check(table.name, rule, "broken", severity, problem)
    examples = [example for seen in files for example in seen.examples]
    return judged(table.name, rule, severity, sum(seen.rows for seen in files), examples)


def check_schema(table: Table, schemas: list[pa.Schema]) -> Check:
    """Whether every file of a table has the columns and types of the contract."""
    wrong = [schema for schema in schemas if not schema.equals(table.schema)]
    if not wrong:
        return Check(table.name, SCHEMA, "passed", "fail")
    differences = sorted(set(map(str, wrong[0])) ^ set(map(str, table.schema)))
    observed = f"{len(wrong)} of {len(schemas)} files: {shown(differences)}"
    return Check(table.name, SCHEMA, "failed", "fail", observed)


def _row_rules(table: Table, rows: pa.Table) -> list[Seen]:
    """Rows that break a row rule were rejected when their file was written: here there are none."""
    if not table.row_rules:
        return []
    broken, raising = first_broken(rows, table.row_rules)
    if broken.null_count == len(broken):
        return [Seen(rule.name, "fail", 0, [], raising.get(rule.name)) for rule in table.row_rules]
    return [
        Seen(rule.name, "fail", 0, [], raising[rule.name])
        if rule.name in raising
        else _failing(table, rule.name, "fail", rows, pc.equal(broken, rule.name))
        for rule in table.row_rules
    ]


def _failing(table: Table, rule: str, severity: Severity, rows: pa.Table, mask: pa.ChunkedArray) -> Seen:
    count = pc.sum(mask).as_py() or 0
    return Seen(rule, severity, count, keys(table, rows.filter(mask)) if count else [])


def _personal_data(table: Table, rule: TableRule, rows: pa.Table) -> Seen:
    failing = sorted({row for name in rule.columns for row in changes(rows, table, name)})
    # The examples must not publish what the rule protects.
    examples = keys(table, rows.take(failing[:EXAMPLES])) if failing else []
    return Seen(rule.name, rule.severity, len(failing), examples)
