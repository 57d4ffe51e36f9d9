"""What a table contract is, and its projection to an Arrow schema.

A contract is plain data: columns with a sentence each, a key, row rules (a failing row becomes a reject)
and table rules (a failing table stops the publication). Nothing here reads or writes data.
"""

from dataclasses import dataclass
from typing import Literal

import pyarrow as pa

CAPTIONS = pa.list_(pa.struct([("start", pa.float64()), ("text", pa.string())]))

TYPES: dict[str, pa.DataType] = {
    "text": pa.string(),
    "integer": pa.int64(),
    "number": pa.float64(),
    "boolean": pa.bool_(),
    "time": pa.timestamp("us", tz="UTC"),
    "texts": pa.list_(pa.string()),
    "integers": pa.list_(pa.int64()),
    "captions": CAPTIONS,
}

Severity = Literal["fail", "warn"]


@dataclass(frozen=True)
class Column:
    """One column: its type, what it means, and what values it may take."""

    name: str
    type: str
    meaning: str
    required: bool = True
    values: tuple[str, ...] = ()
    # A joined column lives in a side table; only the catalog's view carries it.
    joined: bool = False


@dataclass(frozen=True)
class RowRule:
    """A boolean SQL expression over one row; a row for which it is not true is rejected under this name."""

    name: str
    expression: str
    meaning: str


@dataclass(frozen=True)
class TableRule:
    """A property that only the whole table shows, named after the check that evaluates it."""

    name: str
    check: Literal["unique", "foreign_key", "not_empty", "no_leakage"]
    columns: tuple[str, ...] = ()
    references: tuple[str, str] | None = None
    severity: Severity = "fail"
    meaning: str = ""


@dataclass(frozen=True)
class Table:
    """The whole contract of one table."""

    name: str
    meaning: str
    key: tuple[str, ...]
    columns: tuple[Column, ...]
    row_rules: tuple[RowRule, ...] = ()
    table_rules: tuple[TableRule, ...] = ()
    # Journals and annotations are not part of snapshots: their files are append-only JSON lines.
    stored: Literal["snapshot", "journal", "annotations"] = "snapshot"

    @property
    def schema(self) -> pa.Schema:
        """The schema of the table's files: every column that is not joined by the view."""
        return pa.schema(
            [pa.field(c.name, TYPES[c.type], nullable=not c.required) for c in self.columns if not c.joined]
        )

    @property
    def rules(self) -> tuple[TableRule, ...]:
        """The key's uniqueness, which follows from the key, and then the table's own rules."""
        if not self.key:
            return self.table_rules
        unique = TableRule("unique_key", "unique", self.key, meaning=f"{', '.join(self.key)} is unique")
        return (unique, *self.table_rules)

    def empty(self) -> pa.Table:
        """A typed table with no rows."""
        return self.schema.empty_table()
