"""Immutable Parquet files that know, per lesson, what they were computed from."""

import hashlib
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from expectations import table as contract
from flows.errors import StoreError
from flows.store.home import staged

_KEY = b"quarry"


@dataclass(frozen=True)
class FileRef:
    """One file of a snapshot, by its path relative to the home."""

    path: str
    table: str
    stage: str
    bucket: str
    rows: int
    bytes: int
    sha256: str

    def as_dict(self) -> dict[str, Any]:
        """Plain data for the manifest."""
        return asdict(self)


def write(path: Path, rows: pa.Table, name: str, footer: dict[str, Any]) -> None:
    """Write a table sorted by key, with its footer; equal rows give equal bytes."""
    table = contract(name)
    order = table.key or ("record_id", "reason", "detail", "lesson_id", "text")  # a total order for rejects too
    rows = rows.select(table.schema.names).cast(table.schema)
    if rows.num_rows:
        rows = rows.sort_by([(column, "ascending") for column in order])
    rows = rows.combine_chunks().replace_schema_metadata({_KEY: json.dumps(footer, sort_keys=True).encode()})
    with staged(path) as temporary:
        pq.write_table(rows, temporary, compression="zstd", compression_level=3, store_schema=True)


def reference(home: Path, path: Path, name: str, footer: dict[str, Any]) -> FileRef:
    """Measure a finished file for the manifest."""
    return FileRef(
        path=path.relative_to(home).as_posix(),
        table=name,
        stage=footer["stage"],
        bucket=footer["bucket"],
        rows=pq.read_metadata(path).num_rows,
        bytes=path.stat().st_size,
        sha256=sha256(path),
    )


def intact(home: Path, ref: FileRef) -> bool:
    """Whether a file of a snapshot is still what the manifest says."""
    path = home / ref.path
    return path.is_file() and path.stat().st_size == ref.bytes and sha256(path) == ref.sha256


def sha256(path: Path) -> str:
    """Digest of a file's bytes."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def footer(path: Path) -> dict[str, Any]:
    """What the file says about itself."""
    try:
        found: dict[str, Any] = json.loads(pq.read_schema(path).metadata[_KEY])
        return found
    except (OSError, pa.ArrowException, TypeError, KeyError, ValueError):
        raise StoreError(f"{path} is broken or missing: run `quarry verify --repair`, then `quarry build`") from None


def schema(path: Path) -> pa.Schema:
    """The schema of a file, without its footer."""
    try:
        return pq.read_schema(path).remove_metadata()
    except (OSError, pa.ArrowException):
        raise StoreError(f"{path} is broken or missing: run `quarry verify --repair`, then `quarry build`") from None


def read(path: Path) -> pa.Table:
    """All rows of a file, without its footer."""
    try:
        return pq.read_table(path).replace_schema_metadata(None)
    except (OSError, pa.ArrowException):
        raise StoreError(f"{path} is broken or missing: run `quarry verify --repair`, then `quarry build`") from None
