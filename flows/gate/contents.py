"""Table rules about what the files hold: the declared schema, row rules, personal data, and the accounting."""

import duckdb
import pyarrow as pa
import pyarrow.compute as pc

from expectations.contract import Table, TableRule
from flows.gate.check import Check
from flows.gate.rows import first_broken
from flows.store.snapshots import Manifest
from transforms.privacy import contains_personal_data

_EXAMPLES = 3
# Cheap and too wide on purpose: only what it finds is given to the scrubber.
_SUSPICIOUS = r"@|\d[ ().\-]{0,2}\d[ ().\-]{0,2}\d"


def check_contents(table: Table, rows: pa.Table, candidate: Manifest) -> list[Check]:
    """The rules of one table that need nothing but its rows and the manifest."""
    checks = _row_rules(table, rows)
    for rule in table.rules:
        if rule.check == "no_personal_data":
            checks.append(_personal_data(table, rule, rows))
        elif rule.check == "accounting":
            checks.append(_accounting(table, rule, rows, candidate))
    return checks


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
    return ", ".join("/".join(str(row[column]) for column in table.key) for row in rows.to_pylist())


def _personal_data(table: Table, rule: TableRule, rows: pa.Table) -> Check:
    failing: list[str] = []
    for name in rule.columns:
        column = rows[name]
        if pa.types.is_list(column.type):
            column = pc.list_flatten(column)
        suspects = column.filter(pc.fill_null(pc.match_substring_regex(column, _SUSPICIOUS), False))
        failing += [text for text in suspects.to_pylist() if contains_personal_data(text)]
    if not failing:
        return Check(table.name, rule.name, "passed", rule.severity)
    # The examples must not publish what the rule protects.
    shown = ", ".join(f"a text of {len(text)} characters" for text in failing[:_EXAMPLES])
    return Check(table.name, rule.name, "failed", rule.severity, shown, len(failing))


def _accounting(table: Table, rule: TableRule, rows: pa.Table, candidate: Manifest) -> Check:
    counted = {entry["values"]: entry["counts"] for entry in pc.value_counts(rows["stage"]).to_pylist()}
    wrong = []
    for name, stage in candidate.content["stages"].items():
        dropped = stage["merged"] + sum(stage["rejected"].values())
        if stage["rows_in"] != stage["kept"] + dropped or counted.get(name, 0) != dropped:
            counts = f"{stage['rows_in']} in, {stage['kept']} kept, {dropped} dropped, {counted.get(name, 0)} rejects"
            wrong.append(f"{name}: {counts}")
    if not wrong:
        return Check(table.name, rule.name, "passed", rule.severity)
    return Check(table.name, rule.name, "failed", rule.severity, "; ".join(wrong[:_EXAMPLES]), len(wrong))
