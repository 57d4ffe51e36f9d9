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

# Columns that hold what people wrote, in whatever table.
PROSE = ("text", "title", "context", "prompt", "question", "options", "detail")


@dataclass(frozen=True)
class Column:
    """One column: its type, what it means, and what values it may take."""

    name: str
    type: str
    meaning: str
    required: bool = True
    values: tuple[str, ...] = ()
    # A regular expression that the whole value must match.
    pattern: str | None = None
    # A joined column lives in a side table; only the catalog's view carries it.
    joined: bool = False


@dataclass(frozen=True)
class RowRule:
    """A boolean SQL expression over one row; a row for which it is false is rejected under this name."""

    name: str
    expression: str
    meaning: str


@dataclass(frozen=True)
class TableRule:
    """A property that only the whole table shows, named after the check that evaluates it."""

    name: str
    check: Literal[
        "schema", "unique", "foreign_key", "not_empty", "no_leakage", "known", "not_shrunk", "no_drift",
        "no_personal_data", "accounting",
    ]  # fmt: skip
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
        """The schema of the table's files: every column that is not joined by the view.

        Files may hold a null anywhere: that a required value is there is a rule, which the gate can report.
        """
        return pa.schema([(c.name, TYPES[c.type]) for c in self.columns if not c.joined])

    @property
    def rules(self) -> tuple[TableRule, ...]:
        """The rules that follow from the columns and the key, and then the table's own."""
        found = [TableRule("schema_as_declared", "schema", meaning="Columns and types are those of the contract.")]
        if self.key:
            meaning = f"{', '.join(self.key)} is unique."
            found.append(TableRule("unique_key", "unique", self.key, meaning=meaning))
        written = tuple(c.name for c in self.columns if c.type in ("text", "texts") and not c.joined and not c.values)
        prose = tuple(name for name in written if name in PROSE)
        if prose:
            meaning = (
                "No e-mail address, phone number or mention stands in the text: the scrubber would change nothing."
            )
            found.append(TableRule("no_personal_data", "no_personal_data", prose, meaning=meaning))
        return (*found, *self.table_rules)

    def empty(self) -> pa.Table:
        """A typed table with no rows."""
        return self.schema.empty_table()
