"""What people made of triples' texts, as the stages are given it: by bucket, with a version for each lesson."""

from collections import defaultdict
from typing import Any

import pyarrow as pa

from flows.records import Bucketed, bucket_of
from flows.store.home import Home
from flows.store.json_lines import read_stored
from transforms.digest import digest

EDITS = pa.schema([(name, pa.string()) for name in (
    "triple_id", "lesson_id", "draft", "source_version", "context", "prompt", "question",
)])  # fmt: skip


def edits(home: Home) -> dict[str, Bucketed]:
    """The edits that are the last word on their triple, in every bucket of the home."""
    last: dict[str, dict[str, Any]] = {}
    for row in sorted(read_stored(home / "annotations" / "reviews.jsonl"), key=lambda row: str(row.get("reviewed_at"))):
        last[str(row.get("triple_id"))] = row
    lessons: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in last.values():
        if row.get("verdict") == "edited" and isinstance(row.get("lesson_id"), str):
            lessons[row["lesson_id"]].append({name: row.get(name) for name in EDITS.names})
    found: dict[str, list[str]] = {f"{number:03d}": [] for number in range(home.buckets)}
    for lesson in sorted(lessons):
        found[bucket_of(lesson, home.buckets)].append(lesson)
    return {
        bucket: Bucketed(
            pa.Table.from_pylist([row for lesson in names for row in lessons[lesson]], schema=EDITS),
            {lesson: digest(sorted(lessons[lesson], key=lambda row: row["triple_id"])) for lesson in names},
        )
        for bucket, names in found.items()
    }
