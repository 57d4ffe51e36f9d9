"""The data dictionary: `docs/tables.md`, written from the contracts.

Run `python -m expectations.dictionary > docs/tables.md` after changing a contract.
"""

from expectations.catalogue import TABLES
from expectations.contract import Table

HEADER = """# Tables

Written from the contracts in `expectations/`: change them there, then run `make docs`.
All times are UTC. Columns marked *joined* come from a side table and exist only in the catalog's view.
"""


def section(table: Table) -> str:
    """One table of the dictionary as Markdown."""
    lines = [f"## `{table.name}`", "", table.meaning, ""]
    lines += [f"Key: {', '.join(f'`{k}`' for k in table.key)}." if table.key else "No key.", ""]
    lines += ["| column | type | meaning |", "| --- | --- | --- |"]
    for column in table.columns:
        kind = column.type + ("" if column.required else ", may be null") + (", *joined*" if column.joined else "")
        values = " One of " + ", ".join(f"`{v}`" for v in column.values) + "." if column.values else ""
        lines.append(f"| `{column.name}` | {kind} | {column.meaning}{values} |")
    rules = [(r.name, "a row that breaks it is rejected", r.meaning) for r in table.row_rules]
    rules += [(r.name, "stops the build" if r.severity == "fail" else "warns", r.meaning) for r in table.rules]
    if rules:
        lines += ["", "| rule | effect | meaning |", "| --- | --- | --- |"]
        lines += [f"| `{name}` | {effect} | {meaning} |" for name, effect, meaning in rules]
    return "\n".join(lines) + "\n"


def document() -> str:
    """The whole dictionary."""
    return "\n".join([HEADER, *(section(t) for t in TABLES.values())])


if __name__ == "__main__":
    print(document(), end="")
