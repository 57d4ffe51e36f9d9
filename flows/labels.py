"""Labels of a task: the imported ones when there are enough, else those that come with the project.

Where annotators differ, the majority decides; a question in another case or spacing is the same question.
"""

import json
from collections import Counter
from typing import Any

from flows.errors import ConfigError, StoreError
from flows.settings import BUNDLED_LABELS
from flows.store.home import Home
from flows.store.json_lines import lines_of, read_stored
from transforms.usefulness.tokens import normalise

Pairs = list[tuple[str, str]]  # text and label
LEAST = 10  # labels in each of two classes: with fewer, chance decides what is learned and nothing is left to test on
_CLASSES = {"usefulness": {"1": "useful", "0": "not useful"}}


def labels_of(home: Home, task: str) -> tuple[Pairs, str]:
    """What a build trains on, and where it comes from: `imported` or `bundled`."""
    imported = _imported(home, task)
    return (bundled(task), "bundled") if _lacking(task, imported) else (imported, "imported")


def labels_to_train_on(home: Home, task: str) -> tuple[Pairs, str]:
    """The same for those who train on purpose: imported labels that are too few are an error."""
    problem = shortage(home, task)
    if problem:
        raise ConfigError(f"{problem}; label more (`quarry labels export --task {task}`)")
    return labels_of(home, task)


def shortage(home: Home, task: str) -> str | None:
    """What the imported labels of a task lack to train a model; nothing where there are none."""
    return _lacking(task, _imported(home, task)) if imported_rows(home, task) else None


def shortages(home: Home) -> list[str]:
    """For every task whose imported labels are too few, that the bundled ones are used instead."""
    found = [shortage(home, task) for task in ("usefulness", "reasoning_type")]
    return [f"{problem}; the bundled labels are used until then" for problem in found if problem]


def bundled(task: str) -> Pairs:
    """The labels in `data/labels/`."""
    files = sorted((BUNDLED_LABELS / task).glob("*.jsonl"))
    rows = [json.loads(line) for path in files for line in lines_of(path)]
    if not rows:
        raise ConfigError(f"there are no labels for {task} in {BUNDLED_LABELS}: restore them from the repository")
    return [(row["text"], str(row.get("label", row.get("useful")))) for row in rows]


def imported_rows(home: Home, task: str) -> list[dict[str, Any]]:
    """The imported labels of a task, one row for each annotator, record and round."""
    path = home / "annotations" / "labels.jsonl"
    rows = read_stored(path)
    if not all(isinstance(row.get(name), str) for row in rows for name in ("task", "text", "label")):
        raise StoreError(f"{path} is broken: restore it from a backup, or remove it and import again")
    return [row for row in rows if row["task"] == task]


def _imported(home: Home, task: str) -> Pairs:
    votes: dict[str, Counter[str]] = {}
    written: dict[str, str] = {}
    for row in imported_rows(home, task):
        text = normalise(row["text"])
        votes.setdefault(text, Counter())[row["label"]] += 1
        written[text] = min(written.get(text, row["text"]), row["text"])  # whatever the order of import
    found = []
    for text, counts in votes.items():
        (label, most), *others = counts.most_common()
        if not others or others[0][1] < most:  # a tie says nothing
            found.append((written[text], label))
    return found


def _lacking(task: str, pairs: Pairs) -> str | None:
    counts = Counter(label for _, label in pairs)
    if sum(count >= LEAST for count in counts.values()) >= 2:
        return None
    names = _CLASSES.get(task, {label: label for label in sorted(counts)})
    have = ", ".join(f"{counts[label]} {name}" for label, name in names.items()) or "none"
    wanted = "both classes" if task in _CLASSES else "two types"
    return f"training on imported {task} labels needs {LEAST} or more of {wanted}, and there are only: {have}"
