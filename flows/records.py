"""Raw records of all sources, divided into buckets of whole lessons, each lesson with its version."""

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import orjson
import pyarrow as pa
import pyarrow.compute as pc

from transforms.digest import digest
from transforms.fields import optional_id
from transforms.ingest import RECORDS

_CHUNK = 20_000
Key = tuple[str, str]  # type and id of a record


@dataclass(frozen=True)
class Line:
    """One line of a source: its type when the file tells, its bytes, and when it was first archived."""

    body: bytes
    type: str
    fetched_at: datetime | None = None
    verdict: str | None = None


@dataclass
class Bucket:
    """The records of one bucket, and the version of each of its lessons."""

    rows: list[dict[str, Any]] = field(default_factory=list)
    chunks: list[pa.Table] = field(default_factory=list)
    marks: dict[str, list[bytes]] = field(default_factory=lambda: defaultdict(list))

    def add(self, row: dict[str, Any], mark: bytes) -> None:
        """Take one record; rows are packed now and then, so that memory holds text and no dictionaries."""
        self.rows.append(row)
        self.marks[row["lesson_id"]].append(mark)
        if len(self.rows) >= _CHUNK:
            self._pack()

    def _pack(self) -> None:
        self.chunks.append(pa.Table.from_pylist(self.rows, schema=RECORDS))
        self.rows = []

    def close(self) -> pa.Table:
        """All records; what is not known yet is null."""
        self._pack()
        self.chunks = [pa.concat_tables(self.chunks)]
        return self.chunks[0]

    def finish(self, elsewhere: dict[Key, str]) -> "Bucketed":
        """The records with the version of their lesson in each row, and those that another lesson holds marked."""
        (table,) = self.chunks
        lessons = table["lesson_id"].to_pylist()
        if elsewhere:
            keys = zip(table["type"].to_pylist(), table["record_id"].to_pylist(), strict=True)
            holders = [h if (h := elsewhere.get(key, lesson)) != lesson else None
                       for key, lesson in zip(keys, lessons, strict=True)]  # fmt: skip
            for lesson, holder in zip(lessons, holders, strict=True):
                if holder:  # what the lesson yields depends on it
                    self.marks[lesson].append(holder.encode())
            table = _with_column(table, "elsewhere", holders)
        versions = {lesson: digest([m.hex() for m in sorted(marks)]) for lesson, marks in self.marks.items()}
        return Bucketed(_with_column(table, "lesson_version", [versions[lesson] for lesson in lessons]), versions)


def _with_column(table: pa.Table, name: str, values: list[str | None]) -> pa.Table:
    index = RECORDS.get_field_index(name)
    return table.set_column(index, RECORDS.field(index), pa.array(values, pa.string()))


@dataclass(frozen=True)
class Bucketed:
    """A finished bucket: its rows, and the version of each lesson."""

    rows: pa.Table
    versions: dict[str, str]


def bucket_of(lesson_id: str, buckets: int) -> str:
    """The bucket that holds a lesson: the same on every machine and every day."""
    return f"{int(hashlib.sha256(lesson_id.encode('utf-8', 'replace')).hexdigest()[:8], 16) % buckets:03d}"


def divide(
    sources: Iterable[tuple[str, str, Iterator[Line]]], buckets: int, takedowns: frozenset[str] = frozenset()
) -> dict[str, Bucketed]:
    """Divide the lines of all sources (name, language, lines) into buckets, empty ones included."""
    found = {f"{number:03d}": Bucket() for number in range(buckets)}
    for name, language, lines in sources:
        for line in lines:
            row = _row(name, language, line, takedowns)
            # The version leaves out when a record was fetched: fetching it again changes nothing.
            shaping = (row["type"], row["record_id"], row["body"], language, row["taken_down"])
            mark = hashlib.blake2b(repr(shaping).encode("utf-8", "replace"), digest_size=16).digest()
            found[bucket_of(row["lesson_id"], buckets)].add(row, mark)
    elsewhere = _holders([bucket.close() for bucket in found.values()])
    return {bucket: rows.finish(elsewhere) for bucket, rows in found.items()}


def _holders(tables: list[pa.Table]) -> dict[Key, str]:
    """For each id that stands in several lessons, which may lie in several buckets, the lesson that keeps it.

    A lesson that is there wins over one that is not; then the record that sorts first wins, as within one lesson, so
    that the order of the lines does not matter.
    """
    keys = ["type", "record_id"]
    slim = pa.concat_tables([table.select([*keys, "lesson_id"]) for table in tables])
    there = set(slim.filter(pc.equal(slim["type"], "lesson"))["lesson_id"].to_pylist())
    counts = slim.filter(pc.not_equal(slim["type"], "bad")).group_by(keys).aggregate([("lesson_id", "count_distinct")])
    shared = counts.filter(pc.greater(counts["lesson_id_count_distinct"], 1))
    contested = set(zip(shared["type"].to_pylist(), shared["record_id"].to_pylist(), strict=True))
    rows: list[dict[str, Any]] = []
    for table in tables if contested else ():
        rows += table.filter(pc.is_in(table["record_id"], pc.unique(shared["record_id"]))).to_pylist()
    found: dict[Key, str] = {}
    for row in sorted(rows, key=lambda r: (r["lesson_id"] not in there, r["taken_down"], r["body"], r["lesson_id"])):
        if (row["type"], row["record_id"]) in contested:
            found.setdefault((row["type"], row["record_id"]), row["lesson_id"])
    return found


def _row(source: str, language: str, line: Line, takedowns: frozenset[str]) -> dict[str, Any]:
    body, canonical = _parse(line.body)
    native = optional_id(body, f"{line.type}_id") if body is not None else None
    row = {
        "source": source,
        "type": line.type,
        "fetched_at": line.fetched_at,
        "verdict": line.verdict,
        "lesson_version": "",
        "source_language": language,
        "taken_down": False,
        "elsewhere": None,
    }
    if body is None or native is None:
        mark = hashlib.sha256(line.body).hexdigest()[:12]
        raw = line.body.decode("utf-8", "replace")
        return {**row, "type": "bad", "record_id": f"{source}:line-{mark}", "lesson_id": f"{source}:?", "body": raw}
    lesson = native if line.type == "lesson" else optional_id(body, "lesson_id") or "?"
    ids = {"record_id": f"{source}:{native}", "lesson_id": f"{source}:{lesson}"}
    taken_down = bool(takedowns & {*ids.values(), str(body.get("url"))})
    return {**row, **ids, "body": canonical, "taken_down": taken_down}


def _parse(line: bytes) -> tuple[dict[str, Any] | None, str]:
    """The record of a line and its canonical JSON; none when the line is no JSON object."""
    try:
        body = orjson.loads(line)
        canonical = orjson.dumps(body, option=orjson.OPT_SORT_KEYS).decode()
    except (orjson.JSONDecodeError, TypeError):
        # The standard library also reads what is JSON only in spirit, such as NaN or half a surrogate pair.
        try:
            body = json.loads(line.decode("utf-8", "replace"))
            canonical = json.dumps(body, sort_keys=True)
        except (ValueError, RecursionError):
            return None, ""
    return (body, canonical) if isinstance(body, dict) else (None, "")
