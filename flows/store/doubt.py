"""What a broken manifest may name: until somebody restores or removes the manifest, none of that may go."""

import re
from collections.abc import Callable

from flows.store.home import Home

_PATH = re.compile(r'"(lake/[^"\\]+\.parquet)"')


def may_name(home: Home, snapshot_id: str) -> Callable[[str], bool]:
    """Whether a broken manifest may name a file of the lake, by its path.

    A manifest names one file for each table and bucket, so that one it still tells of rules out the others.
    """
    try:
        text = (home / "snapshots" / f"{snapshot_id}.json").read_text(encoding="utf-8", errors="replace")
    except OSError:
        text = ""
    told = {_place(path): path for path in _PATH.findall(text) if (home / path).is_file()}
    return lambda path: path.endswith(".parquet") and told.get(_place(path), path) == path


def _place(path: str) -> str:
    """Table, stage and bucket of a file: its path up to the digest of what determines it."""
    return path.rpartition("-")[0]
