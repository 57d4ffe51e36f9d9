"""The journal: one line for every run and every check, failed ones too; lines are only ever added."""

import json
import os
from typing import Any

from flows.store.home import Home


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
    """All whole rows of a journal, oldest first."""
    path = home / "journal" / f"{name}.jsonl"
    if not path.is_file():
        return []
    found = []
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        try:
            found.append(json.loads(line))
        except ValueError:
            continue  # half a line, left by a run that was killed
    return found
