"""Reasoning types on Cao & Wang's questions: rules alone, the bundled labels alone, and 5-fold cross-validation."""

import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from expectations.types import REASONING_TYPES
from transforms.types.labels import Labelled
from transforms.types.rules import read, reasoning_type
from transforms.types.train import train_types

BUNDLED = Path(__file__).resolve().parents[2] / "data" / "labels" / "reasoning_type"
FOLDS = 5


def accuracy(right: Sequence[str], found: Sequence[str]) -> float:
    """Share of equal labels."""
    return sum(a == b for a, b in zip(right, found, strict=True)) / len(right)


def macro_f1(right: Sequence[str], found: Sequence[str]) -> float:
    """Mean over the ten types of the harmonic mean of precision and recall."""
    hits = Counter(a for a, b in zip(right, found, strict=True) if a == b)
    support, named = Counter(right), Counter(found)
    return sum(2 * hits[k] / max(support[k] + named[k], 1) for k in REASONING_TYPES) / len(REASONING_TYPES)


def fold_of(text: str) -> int:
    """The part of a question, by a stable hash, so that the same question never trains and tests."""
    return int(hashlib.sha256(text.lower().encode()).hexdigest()[:8], 16) % FOLDS


def cross_validated(rows: Sequence[Labelled]) -> list[str]:
    """The type of each question by a model that saw the other folds only."""
    found = [""] * len(rows)
    for fold in range(FOLDS):
        model = train_types([row for row in rows if fold_of(row.text) != fold])
        held = [number for number, row in enumerate(rows) if fold_of(row.text) == fold]
        for number, label in zip(held, model.predict([rows[n].text for n in held]), strict=True):
            found[number] = label
    return found


def bundled_labels() -> list[Labelled]:
    """The labels that ship with Quarry."""
    lines = [line for path in sorted(BUNDLED.glob("*.jsonl")) for line in path.read_text("utf-8").splitlines() if line]
    return [Labelled(row["text"], row["label"]) for row in map(json.loads, lines)]


def report(data: Path) -> None:
    """Print accuracy and macro-F1 on `reasoning_types`."""
    lines = (data / "reasoning_types" / "questions_dev.jsonl").read_text("utf-8").splitlines()
    rows = [Labelled(row["question"], row["resolve_type"]) for row in map(json.loads, lines)]
    right, texts = [row.label for row in rows], [row.text for row in rows]
    ways = {
        "rules alone, nothing learned": [reasoning_type(read(text)) for text in texts],
        "trained on the bundled labels alone": train_types(bundled_labels()).predict(texts),
        f"{FOLDS}-fold cross-validation": cross_validated(rows),
    }
    # The rules were written with every other row in view, from the first on; the rest is the fairer test of them.
    unread = [reasoning_type(read(text)) for text in texts[1::2]]
    print(f"types: rules alone, rows not read while writing them: accuracy {accuracy(right[1::2], unread):.3f}, "
          f"macro-F1 {macro_f1(right[1::2], unread):.3f}")  # fmt: skip
    for name, found in ways.items():
        print(f"types: {name}: accuracy {accuracy(right, found):.3f}, macro-F1 {macro_f1(right, found):.3f}")
