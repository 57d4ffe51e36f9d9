"""Records on their way to workers on other machines: files in the home, for the length of a run.

A scheduler would keep every table that it passes on. These files hold raw text, so none of them may stay behind: who
comes next under the lease removes what a killed run left.
"""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa

from flows.store.home import Home, staged


@contextmanager
def exchange(home: Home) -> Iterator[None]:
    """A folder that is empty at the beginning and gone at the end; called under the lease."""
    remove(home)
    try:
        yield
    finally:
        remove(home)


def remove(home: Home) -> None:
    """Remove the folder with all that is in it."""
    if (home / "exchange").exists():
        shutil.rmtree(home / "exchange")


def write(home: Home, name: str, rows: pa.Table) -> Path:
    """Leave a table for whoever is told of the path."""
    path = home / "exchange" / f"{name}.arrow"
    packed = pa.ipc.IpcWriteOptions(compression="zstd")
    with staged(path) as temporary, pa.ipc.new_file(str(temporary), rows.schema, options=packed) as writer:
        writer.write_table(rows)
    return path


def read(path: Path) -> pa.Table:
    """A table that was left here."""
    with pa.OSFile(str(path)) as file, pa.ipc.open_file(file) as reader:
        return reader.read_all()
