"""Where the home holds some records: by their ids in the lake, by their words in pages, releases and annotations."""

import gzip
import json
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from crawlers.redact import DISTINCT, Text, holds, strings, text_of
from flows.stages import STAGES
from flows.store import snapshots
from flows.store.home import Home, write_text
from flows.store.json_lines import lines_of, object_in

_IDS = ("post_id", "quiz_id", "question_id", "triple_id", "record_id", "detail", "merged_into", "lesson_id")
# Derived tables first: what they hold is found by ids that the tables before them still tell.
_ORDER = [name for stage in reversed(STAGES) for name in stage.writes]
_TAKEN_DOWN = "taken_down"


@dataclass
class Remains:
    """The ids of some records and of all that was made of them, and their words."""

    ids: set[str] = field(default_factory=set)
    texts: set[Text] = field(default_factory=set)


def ids_at(home: Home, addresses: frozenset[str]) -> set[str]:
    """The ids of lessons and posts at some addresses, in any file of the lake."""
    found: set[str] = set()
    for table, key in (("lessons", "lesson_id"), ("posts", "post_id")):
        for _, rows in _rows(home, table):
            found.update(rows.filter(_in(rows["url"], set(addresses)))[key].to_pylist())
    return found


def known(home: Home, names: set[str]) -> set[str]:
    """Those of some ids and addresses that stand in any file of the lake."""
    found: set[str] = set()
    for table in ("lessons", "posts", "quizzes"):
        for _, rows in _rows(home, table):
            for column in {"lesson_id", "post_id", "quiz_id", "url"}.intersection(rows.column_names):
                found.update(rows[column].filter(_in(rows[column], names)).to_pylist())
    return found


def find(home: Home, entries: frozenset[str]) -> Remains:
    """Follow some entries through all files of the lake, old ones too: posts, questions, triples."""
    remains = Remains({*entries, *ids_at(home, entries)})
    for table, owners, key in (
        ("lessons", ("lesson_id",), "lesson_id"),
        ("posts", ("post_id", "lesson_id"), "post_id"),
        ("quizzes", ("quiz_id", "lesson_id"), "quiz_id"),
        ("questions", ("post_id", "lesson_id"), "question_id"),
        ("triples", ("question_id", "lesson_id", "answer_post_ids"), "triple_id"),
    ):
        found: set[str] = set()
        for _, rows in _rows(home, table):
            mine = rows.filter(_any(rows, owners, remains.ids))
            found.update(mine[key].to_pylist())
            if table != "triples":
                remains.texts |= {text_of(text) for row in mine.to_pylist() for text in _own(row)}
        remains.ids |= found
    for _, rows in _rows(home, "rejects"):
        # What later stages reject may be text of another record, as of the question that an answer was no answer to.
        mine = _held(rows.filter(pc.equal(rows["stage"], "ingest")), remains.ids)
        remains.texts |= {text_of(text) for text in mine["text"].to_pylist() if text}
    return remains


def _own(row: dict[str, Any]) -> Iterator[str]:
    yield from strings([row.get(name) for name in ("text", "title", "options", "captions")])


def files_with(home: Home, remains: Remains) -> list[str]:
    """The files of the lake that hold the records, and what killed runs left; derived ones first."""
    found = []
    for path in _lake(home):
        if path.name.startswith("."):
            found.append(path)
            continue
        try:
            rows = pq.read_table(path)
        except (OSError, pa.ArrowException):
            found.append(path)  # nobody can tell what a broken file holds
            continue
        if _held(rows, remains.ids).num_rows:
            found.append(path)
    return [path.relative_to(home.path).as_posix() for path in found]


def snapshots_with(home: Home, paths: set[str]) -> list[str]:
    """The snapshots that name some files, stopped candidates too; the current one is never among them."""
    current = snapshots.current_id(home)
    found = []
    for path in sorted((home / "snapshots").rglob("*.json")):
        name = path.relative_to(home / "snapshots").with_suffix("").as_posix()
        if name == current:
            continue
        try:
            named = {entry["path"] for entry in json.loads(path.read_text())["files"]}
        except (ValueError, KeyError, TypeError):
            continue  # a broken manifest holds no text
        if named & paths:
            found.append(name)
    return found


def remove_annotations(home: Home, remains: Remains) -> int:
    """Remove labels, reviews and judgements of what was made of the records; how many."""
    removed = 0
    words = {text.words for text in remains.texts if len(text.words) >= DISTINCT}
    for path in sorted((home / "annotations").glob("*.jsonl")):
        kept = []
        lines = lines_of(path, errors="replace")
        for line in lines:
            row = _row(line)
            about = {row.get(name) for name in ("record_id", "triple_id", "item_id")}
            if not about & remains.ids and text_of(str(row.get("text") or "")).words not in words:
                kept.append(line)
        if len(kept) < len(lines):
            write_text(path, "".join(kept))
            removed += len(lines) - len(kept)
    return removed


def remove_pages(home: Home, remains: Remains) -> list[str]:
    """Remove reports that show the records' words, releases that hold them, and their words from the journal."""
    found = []
    for path in sorted((home / "journal").glob("*.jsonl")):
        lines = lines_of(path, errors="replace")
        clean = [_without_words(line, remains.texts) for line in lines]
        if clean != lines:
            write_text(path, "".join(clean))
            found.append(path)
    for path in _files(home / "reports"):
        if any(holds(text, remains.texts) for text in _contents(path)):
            path.unlink()
            found.append(path)
    ids = re.compile("|".join(rf"(?<![\w-]){re.escape(name)}(?![\w-])" for name in sorted(remains.ids)))
    for release in sorted((home / "releases").iterdir()):
        inside = _files(release) if release.is_dir() else [release]
        if any(ids.search(text) for path in inside for text in _contents(path)):
            shutil.rmtree(release) if release.is_dir() else release.unlink()
            found.append(release)
    return [path.relative_to(home.path).as_posix() for path in found]


def _without_words(line: str, texts: set[Text]) -> str:
    if not holds(line, texts):
        return line
    row = {name: None if holds(str(value), texts) else value for name, value in _row(line).items()}
    return json.dumps(row, sort_keys=True) + "\n"


def _row(line: str) -> dict[str, Any]:
    return object_in(line) or {}  # half a line may be left by a run that was killed


def _contents(path: Path) -> Iterator[str]:
    """The texts inside a file, whatever its form."""
    if path.suffix == ".parquet":
        for batch in pq.ParquetFile(path).iter_batches():
            for row in batch.to_pylist():
                yield from strings(list(row.values()))
        return
    data = path.read_bytes()
    yield (gzip.decompress(data) if path.suffix == ".gz" else data).decode("utf-8", "replace")


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def _lake(home: Home) -> list[Path]:
    return sorted(_files(home / "lake"), key=lambda path: (_rank(path), path.name))


def _rank(path: Path) -> int:
    if path.parent.name == "rejects":  # those of ingest tell what became of a record that no table holds
        return len(_ORDER) if path.name.startswith("ingest-") else -1
    return _ORDER.index(path.parent.name) if path.parent.name in _ORDER else -1


def _rows(home: Home, table: str) -> Iterator[tuple[Path, pa.Table]]:
    for path in _files(home / "lake" / table):
        if not path.name.startswith("."):
            try:
                yield path, pq.read_table(path)
            except (OSError, pa.ArrowException):
                continue  # it goes in any case


def _held(rows: pa.Table, ids: set[str]) -> pa.Table:
    """The rows of a table that are about some ids; that a record was taken down may be said."""
    if "reason" in rows.column_names:
        told = pc.or_(pc.is_valid(rows["text"]), pc.is_valid(rows["detail"]))
        rows = rows.filter(pc.and_(pc.not_equal(rows["reason"], _TAKEN_DOWN), told))
    return rows.filter(_any(rows, (*_IDS, "answer_post_ids"), ids))


def _any(rows: pa.Table, columns: tuple[str, ...], ids: set[str]) -> pa.ChunkedArray:
    found = pa.chunked_array([pa.array([False] * rows.num_rows, pa.bool_())])
    for name in columns:
        if name not in rows.column_names:
            continue
        if pa.types.is_list(rows.schema.field(name).type):
            mask = pa.chunked_array([pa.array([bool(ids & set(v or ())) for v in rows[name].to_pylist()], pa.bool_())])
        else:
            mask = _in(rows[name], ids)
        found = pc.or_(found, mask)
    return found


def _in(column: pa.ChunkedArray, values: set[str]) -> pa.ChunkedArray:
    return pc.is_in(column, value_set=pa.array(sorted(values), pa.string()))
