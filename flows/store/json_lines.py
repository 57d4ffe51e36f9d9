"""JSON lines: only "\\n" ends a line, since other line breaks (U+2028, U+0085) may stand inside a text."""

import json
from pathlib import Path
from typing import Any

from flows.errors import StoreError

Row = dict[str, Any]


def lines_of(path: Path, encoding: str = "utf-8", errors: str = "strict") -> list[str]:
    """The lines of a file, with their ends."""
    with path.open(encoding=encoding, errors=errors, newline="\n") as file:
        return list(file)


def object_in(line: str) -> Row | None:
    """The JSON object that a line holds, if it holds one."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def read_stored(path: Path) -> list[Row]:
    """The rows of a file in `annotations/`, in the order in which they first came."""
    if not path.is_file():
        return []
    found = []
    try:
        for line in lines_of(path):
            if line.strip():
                row = object_in(line)
                if row is None:
                    raise ValueError
                found.append(row)
    except ValueError:
        raise StoreError(f"{path} is broken: restore it from a backup, or remove it and import again") from None
    return found
