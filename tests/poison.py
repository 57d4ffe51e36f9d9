"""A built dataset of which one file at a time is replaced by a poisoned one, as the gate's tests need it."""

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
from conftest import LESSONS, POSTS, Record, write_corpus

from expectations import table as contract
from flows.build import build_here
from flows.gate import gate
from flows.gate.check import Check
from flows.settings import Settings, Source
from flows.store import files, snapshots
from flows.store.snapshots import Manifest

Rows = list[dict[str, Any]]
Change = Callable[[Rows], Rows]

# Two triples in one lesson, and copies of one triple in two others: what splits can leak.
_COPIES = ("moon", "ocean")
MORE_LESSONS: list[Record] = [
    {"lesson_id": name, "title": f"A lesson about the {name}", "text": "The moon pulls on the ocean. It bulges twice."}
    for name in _COPIES
]
MORE_POSTS: list[Record] = [
    {"post_id": "p1", "lesson_id": "rust", "kind": "question",
     "text": "If iron is painted twice, why does it still rust where a stone has hit it?"},
    {"post_id": "p2", "lesson_id": "rust", "parent_id": "p1", "kind": "answer",
     "text": "Paint only keeps the water out. Where the stone has broken through both coats, water and oxygen reach "
             "the bare iron, and from there the rust creeps on below the paint."},
]  # fmt: skip
for name in _COPIES:
    MORE_POSTS += [
        {"post_id": f"{name}-1", "lesson_id": name, "kind": "question",
         "text": "If the moon pulls everything towards it, why is there a bulge on the far side?"},
        {"post_id": f"{name}-2", "lesson_id": name, "parent_id": f"{name}-1", "kind": "answer",
         "text": POSTS[1]["text"]},
    ]  # fmt: skip


class Poison:
    """The dataset, and candidates made from it."""

    def __init__(self, folder: Path, models: Path) -> None:
        shutil.copytree(models, folder / "home" / "models")
        corpus = write_corpus(folder / "corpus", [*LESSONS, *MORE_LESSONS], [*POSTS, *MORE_POSTS])
        source = Source(name="small", kind="jsonl", path=corpus)
        settings = Settings(home=folder / "home", buckets=3, pseudonym_key="secret", sources=[source])
        run, outcome = build_here(settings, plain=True)
        self.home, self.manifest, self.content = run.home, outcome.manifest, outcome.manifest.content

    def candidate(self, name: str, change: Change) -> Manifest:
        """A candidate in which the largest file of a table was replaced by changed rows."""
        victim = self._largest(name)
        rows = change(files.read(self.home / victim.path).to_pylist())
        return self.replaced(name, pa.Table.from_pylist(rows, schema=contract(name).schema))

    def replaced(self, name: str, rows: pa.Table) -> Manifest:
        """A candidate in which the largest file of a table was replaced by these rows, whatever their schema."""
        victim = self._largest(name)
        path = self.home / "lake" / name / "poisoned.parquet"
        pa.parquet.write_table(rows, path)
        ref = replace(victim, path=path.relative_to(self.home.path).as_posix(), rows=rows.num_rows)
        changed = [ref.as_dict() if f["path"] == victim.path else f for f in self.content["files"]]
        return snapshots.make({**self.content, "files": changed})

    def rows(self, name: str) -> pa.Table:
        """The rows of a table's largest file."""
        return files.read(self.home / self._largest(name).path)

    def _largest(self, name: str) -> files.FileRef:
        return max(self.manifest.of_table(name), key=lambda ref: ref.rows)

    def stops(self, candidate: Manifest, before: Manifest | None = None) -> list[Check]:
        """The checks that stop a candidate."""
        return [check for check in gate.evaluate(self.home, candidate, before) if check.stops]

    def stopping(self, candidate: Manifest, before: Manifest | None = None) -> list[str]:
        """The names of the rules that stop a candidate."""
        return [check.name for check in self.stops(candidate, before)]


def first(**values: Any) -> Change:
    """Other values in the first row."""
    return lambda rows: [{**rows[0], **values}, *rows[1:]]
