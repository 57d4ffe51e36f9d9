"""Labels of a task: the imported ones when there are any, else those that come with the project.

Where annotators differ, the majority decides.
"""

import json
from collections import Counter
from pathlib import Path
from typing import Any

from flows.errors import ConfigError, StoreError
from flows.settings import BUNDLED_LABELS
from flows.store.home import Home


def labels_of(home: Home, task: str) -> tuple[list[tuple[str, str]], str]:
    """Pairs of text and label, and where they come from: `imported` or `bundled`."""
    imported = _imported(home, task)
    return (imported, "imported") if imported else (bundled(task), "bundled")


def bundled(task: str) -> list[tuple[str, str]]:
    """The labels in `data/labels/`."""
    found = []
    for path in sorted((BUNDLED_LABELS / task).glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            found.append((row["text"], str(row.get("label", row.get("useful")))))
    if not found:
        raise ConfigError(f"there are no labels for {task} in {BUNDLED_LABELS}: restore them from the repository")
    return found


def _imported(home: Home, task: str) -> list[tuple[str, str]]:
    votes: dict[str, Counter[str]] = {}
    for row in imported_rows(home, task):
        votes.setdefault(row["text"], Counter())[row["label"]] += 1
    found = []
    for text, counts in votes.items():
        (label, most), *others = counts.most_common()
        if not others or others[0][1] < most:  # a tie says nothing
            found.append((text, label))
    return found


def imported_rows(home: Home, task: str) -> list[dict[str, Any]]:
    """The imported labels of a task, one row for each annotator and text."""
    path: Path = home / "annotations" / "labels.jsonl"
    if not path.is_file():
        return []
    try:
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]
        return [{**row, "text": row["text"], "label": row["label"]} for row in rows if row["task"] == task]
    except (ValueError, KeyError, TypeError):
        raise StoreError(f"{path} is broken: restore it from a backup, or import the labels again") from None
