"""Tables that are kept as JSON lines, which a killed run or an editor may have broken: which line is a row."""

from datetime import datetime
from typing import Any

from expectations.contract import Column, Table

_VALUES: dict[str, type | tuple[type, ...]] = {"text": str, "integer": int, "number": (int, float), "boolean": bool}


def is_row(table: Table, found: Any) -> bool:
    """Whether what a line decodes to is a row of the table."""
    return isinstance(found, dict) and all(_fits(column, found.get(column.name)) for column in table.columns)


def _fits(column: Column, value: Any) -> bool:
    if value is None:
        return not column.required
    if column.type == "time":
        return _is_time(value)
    return isinstance(value, _VALUES[column.type]) and (not column.values or value in column.values)


def _is_time(value: Any) -> bool:
    try:
        return datetime.fromisoformat(value).tzinfo is not None
    except (TypeError, ValueError):
        return False


def row_condition(table: Table) -> str:
    """The same in SQL, for rows that DuckDB has read with the table's types."""
    terms = [f'"{column.name}" is not null' for column in table.columns if column.required]
    for column in table.columns:
        if column.values:
            values = ", ".join(f"'{value}'" for value in column.values)
            terms.append(f'("{column.name}" is null or "{column.name}" in ({values}))')
    return " and ".join(terms)
