"""The journal: one line for every run and every check, failed ones too; lines are only ever added."""

import json
import os
from typing import Any

from expectations import table
from expectations.lines import is_row
from flows.store.home import Home
from flows.store.json_lines import lines_of, object_in


def append(home: Home, name: str, rows: list[dict[str, Any]]) -> None:
    """Add rows to `journal/<name>.jsonl` and flush them to disk."""
    if not rows:
        return
    path = home / "journal" / f"{name}.jsonl"
    body = "".join(json.dumps(row, sort_keys=True, default=str) + "\n" for row in rows).encode()
    with path.open("ab+") as file:
        if file.tell() and not _ends_a_line(path):
            body = b"\n" + body  # a run died in the middle of a line
        file.write(body)
        file.flush()
        os.fsync(file.fileno())


def _ends_a_line(path: os.PathLike[str]) -> bool:
    with open(path, "rb") as file:
        file.seek(-1, os.SEEK_END)
        return file.read(1) == b"\n"


def read(home: Home, name: str) -> list[dict[str, Any]]:
    """All rows of a journal, oldest first; what is no row, such as half a line of a run that was killed, is skipped."""
    path, contract = home / "journal" / f"{name}.jsonl", table(name)
    if not path.is_file():
        return []
    rows = (object_in(line) for line in lines_of(path, errors="replace"))
    return [row for row in rows if row is not None and is_row(contract, row)]
