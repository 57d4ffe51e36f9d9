"""The expectations that the gate hands to Great Expectations, as plain data derived from a contract."""

from typing import Any

from expectations.contract import Table

_PRESENT = "ExpectColumnValuesToNotBeNull"


def expectations(table: Table) -> list[dict[str, Any]]:
    """What Great Expectations checks on one table: type, arguments, rule name and severity."""
    found: list[dict[str, Any]] = []
    for column in (c for c in table.columns if not c.joined):
        if column.required:
            found.append(_expectation(f"{column.name}_not_null", _PRESENT, column=column.name))
        if column.values:
            found.append(
                _expectation(
                    f"{column.name}_in_set",
                    "ExpectColumnValuesToBeInSet",
                    column=column.name,
                    value_set=list(column.values),
                )
            )
        if column.pattern:
            pattern = rf"\A(?:{column.pattern})\Z"  # `$` would let a line break follow
            found.append(
                _expectation(
                    f"{column.name}_in_form", "ExpectColumnValuesToMatchRegex", column=column.name, regex=pattern
                )
            )
    for rule in table.rules:
        if rule.check == "unique":
            found.append(_unique(rule.name, rule.columns, rule.severity))
        elif rule.check == "known":
            found.append(_expectation(rule.name, _PRESENT, severity=rule.severity, column=rule.columns[0]))
        elif rule.check == "not_empty":
            found.append(_expectation(rule.name, "ExpectTableRowCountToBeBetween", severity=rule.severity, min_value=1))
    return found


def rule_names(table: Table) -> list[str]:
    """Every rule of a table, whoever evaluates it."""
    own = [rule.name for rule in table.row_rules] + [rule.name for rule in table.rules]
    return list(dict.fromkeys([*own, *(entry["rule"] for entry in expectations(table))]))


def _unique(name: str, columns: tuple[str, ...], severity: str) -> dict[str, Any]:
    if len(columns) == 1:
        return _expectation(name, "ExpectColumnValuesToBeUnique", severity=severity, column=columns[0])
    return _expectation(name, "ExpectCompoundColumnsToBeUnique", severity=severity, column_list=list(columns))


def _expectation(rule: str, kind: str, severity: str = "fail", **arguments: Any) -> dict[str, Any]:
    return {"rule": rule, "kind": kind, "severity": severity, "arguments": arguments}
