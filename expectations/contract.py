"""What a table contract is, and its projection to an Arrow schema.

A contract is plain data: columns with a sentence each, a key, row rules (a failing row becomes a reject)
and table rules (a failing table stops the publication). Nothing here reads or writes data.
"""

from dataclasses import dataclass
from typing import Literal

import pyarrow as pa

from expectations.prose import ADDRESSES, EXEMPT, TEXTUAL

CAPTIONS = pa.list_(pa.struct([("start", pa.float64()), ("end", pa.float64()), ("text", pa.string())]))

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
        "schema", "unique", "foreign_key", "complete", "not_empty", "no_leakage", "no_shared_text", "known",
        "not_shrunk", "not_fewer", "no_drift", "no_personal_data", "accounting", "holds",
    ]  # fmt: skip
    columns: tuple[str, ...] = ()
    # The other table, and its column for the last of ours; columns before the last have the same name there.
    references: tuple[str, str] | None = None
    # Columns in which a row agrees with the row that it refers to, wherever both are known.
    alike: tuple[str, ...] = ()
    # What holds for each of our rows `t`, with the row `o` that it refers to and what the manifest says as `$given`.
    expression: str = ""
    # Where in the manifest that stands.
    given: tuple[str, ...] = ()
    severity: Severity = "fail"
    # The setting (section, key, value) by which the operator asks for what the rule forbids: then it only warns.
    warns_under: tuple[str, str, str] | None = None
    meaning: str = ""


# A character that can be seen: no blank, line break or invisible one.
VISIBLE = r"[^\s\pZ\pC]"


def has_text(column: str) -> str:
    """The expression that a text has something to be seen."""
    return f"regexp_matches({column}, '{VISIBLE}')"


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(f"`{name}`" for name in names)


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
    def prose(self) -> tuple[str, ...]:
        """The columns of the table's files that may hold what people wrote, so that they are scrubbed and checked."""
        if self.stored != "snapshot":
            return ()
        ours = (c for c in self.columns if c.type in TEXTUAL and not (c.joined or c.values or c.pattern))
        return tuple(c.name for c in ours if c.name not in EXEMPT)

    @property
    def addresses(self) -> tuple[str, ...]:
        """The columns of the table's files that hold addresses, of which those that are a person's are dropped."""
        return tuple(c.name for c in self.columns if c.name in ADDRESSES and self.stored == "snapshot")

    @property
    def rules(self) -> tuple[TableRule, ...]:
        """The rules that follow from the columns and the key, and then the table's own."""
        found = [TableRule("schema_as_declared", "schema", meaning="Columns and types are those of the contract.")]
        if self.key:
            meaning = f"{', '.join(self.key)} is unique."
            found.append(TableRule("unique_key", "unique", self.key, meaning=meaning))
        if self.prose:
            meaning = f"No e-mail address, phone number or mention stands in {_listed(self.prose)}"
            meaning += f", and {_listed(self.addresses)} leads to a page, not to a person." if self.addresses else "."
            searched = (*self.prose, *self.addresses)
            found.append(TableRule("no_personal_data", "no_personal_data", searched, meaning=meaning))
        return (*found, *self._size_rules, *self.table_rules)

    @property
    def _size_rules(self) -> tuple[TableRule, ...]:
        """That a source keeps filling the table; where other rows say which ones there must be, that is rule enough."""
        if self.stored != "snapshot" or not self.key or any(rule.check == "complete" for rule in self.table_rules):
            return ()
        rows = self.name.replace("_", " ")
        far, fifth = f"No source has far fewer {rows} than it had.", f"No source has a fifth fewer {rows} than it had."
        return (
            TableRule(f"{self.name}_not_shrunk", "not_shrunk", meaning=far),
            TableRule(f"{self.name}_not_fewer", "not_fewer", severity="warn", meaning=fifth),
        )

    def empty(self) -> pa.Table:
        """A typed table with no rows."""
        return self.schema.empty_table()
