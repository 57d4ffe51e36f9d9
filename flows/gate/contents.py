"""Table rules about what each file holds: the declared schema, row rules and personal data."""

from collections.abc import Iterable
from dataclasses import replace
from functools import reduce

import duckdb
import pyarrow as pa
import pyarrow.compute as pc

from expectations.contract import Table, TableRule
from flows.gate.check import Check
from flows.gate.rows import first_broken
from transforms.privacy import contains_personal_data

_EXAMPLES = 3
# Cheap and too wide on purpose: only what it finds is given to the scrubber.
_SUSPICIOUS = r"@|\d[ ().\-]{0,2}\d[ ().\-]{0,2}\d"


def check_contents(table: Table, rows: pa.Table) -> list[Check]:
    """The rules of one table that each of its files keeps or breaks by itself."""
    rules = [rule for rule in table.rules if rule.check == "no_personal_data"]
    return [*_row_rules(table, rows), *(_personal_data(table, rule, rows) for rule in rules)]


def merge(files: Iterable[list[Check]]) -> list[Check]:
    """The checks of a table from those of its files: rows add up, the first examples are shown."""
    return [reduce(_worse, of_one_rule) for of_one_rule in zip(*files, strict=True)]


def _worse(one: Check, other: Check) -> Check:
    if one.result == "passed" or other.result == "broken":
        return other
    return replace(one, rows_failing=one.rows_failing + other.rows_failing)


def check_schema(table: Table, schemas: list[pa.Schema]) -> Check:
    """Whether every file of a table has the columns and types of the contract."""
    wrong = [schema for schema in schemas if not schema.equals(table.schema)]
    if not wrong:
        return Check(table.name, "schema_as_declared", "passed", "fail")
    differences = sorted(set(map(str, wrong[0])) ^ set(map(str, table.schema)))
    return Check(table.name, "schema_as_declared", "failed", "fail", "; ".join(differences[:_EXAMPLES]), len(wrong))


def _row_rules(table: Table, rows: pa.Table) -> list[Check]:
    """Rows that break a row rule were rejected when their file was written: here there are none."""
    try:
        broken = first_broken(rows, table.row_rules) if table.row_rules and rows.num_rows else pa.array([], pa.string())
    except duckdb.Error as problem:
        message = str(problem).splitlines()[0]
        return [Check(table.name, rule.name, "broken", "fail", message) for rule in table.row_rules]
    found = []
    for rule in table.row_rules:
        failing = pc.fill_null(pc.equal(broken, rule.name), False) if len(broken) else broken
        count = pc.sum(failing).as_py() if len(broken) else 0
        if not count:
            found.append(Check(table.name, rule.name, "passed", "fail"))
            continue
        examples = rows.filter(failing).slice(0, _EXAMPLES)
        found.append(Check(table.name, rule.name, "failed", "fail", _keys(table, examples), count))
    return found


def _keys(table: Table, rows: pa.Table) -> str:
    named = table.key or ("stage", "record_id", "reason")  # rejects have no key of their own
    return ", ".join("/".join(str(row[column]) for column in named) for row in rows.select(named).to_pylist())


def _personal_data(table: Table, rule: TableRule, rows: pa.Table) -> Check:
    failing: set[int] = set()
    for name in rule.columns:
        column = rows[name]
        if pa.types.is_list(column.type):
            column = pc.binary_join(column, "\n")
        suspects = pc.indices_nonzero(pc.fill_null(pc.match_substring_regex(column, _SUSPICIOUS), False))
        texts = column.take(suspects).to_pylist()
        failing |= {row for row, text in zip(suspects.to_pylist(), texts, strict=True) if contains_personal_data(text)}
    if not failing:
        return Check(table.name, rule.name, "passed", rule.severity)
    # The examples must not publish what the rule protects.
    examples = rows.take(sorted(failing)[:_EXAMPLES])
    return Check(table.name, rule.name, "failed", rule.severity, _keys(table, examples), len(failing))
