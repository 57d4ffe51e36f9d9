"""Reasoning types on Cao & Wang's questions: rules alone, the bundled labels alone, and 5-fold cross-validation.

The models with MiniLM's second opinion are measured where its optional package is installed.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean
from time import perf_counter

from expectations.types import REASONING_TYPES
from transforms.types.labels import Labelled
from transforms.types.rules import read, reasoning_type
from transforms.types.train import train_types
from transforms.usefulness.minilm import installed

BUNDLED = Path(__file__).resolve().parents[2] / "data" / "labels" / "reasoning_type"
FOLDS = 5
DIVISIONS = 3  # several divisions into folds: one alone may be lucky by a point


def accuracy(right: Sequence[str], found: Sequence[str]) -> float:
    """Share of equal labels."""
    return sum(a == b for a, b in zip(right, found, strict=True)) / len(right)


def macro_f1(right: Sequence[str], found: Sequence[str]) -> float:
    """Mean over the ten types of the harmonic mean of precision and recall."""
    hits = Counter(a for a, b in zip(right, found, strict=True) if a == b)
    support, named = Counter(right), Counter(found)
    return sum(2 * hits[k] / max(support[k] + named[k], 1) for k in REASONING_TYPES) / len(REASONING_TYPES)


def fold_of(text: str, division: int = 0) -> int:
    """The part of a question, by a stable hash, so that the same question never trains and tests."""
    salted = text.lower() + "\n" * division
    return int(hashlib.sha256(salted.encode()).hexdigest()[:8], 16) % FOLDS


def cross_validated(rows: Sequence[Labelled], division: int, second_opinion: bool) -> list[str]:
    """The type of each question by a model that saw the other folds only."""
    found = [""] * len(rows)
    for fold in range(FOLDS):
        training = [row for row in rows if fold_of(row.text, division) != fold]
        model = train_types(training, second_opinion)
        held = [number for number, row in enumerate(rows) if fold_of(row.text, division) == fold]
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
    # The rules were written with every other row in view, from the first on; the rest is the fairer test of them.
    by_rules = [reasoning_type(read(text)) for text in texts]
    _print("rules alone, rows not read while writing them", right[1::2], by_rules[1::2])
    _print("rules alone, nothing learned", right, by_rules)
    for second_opinion in (False, True) if installed() else (False,):
        kind = ", with MiniLM's second opinion" if second_opinion else ""
        bundled = train_types(bundled_labels(), second_opinion)
        start = perf_counter()
        by_bundled = bundled.predict(texts)
        rate = len(texts) / (perf_counter() - start)
        _print(f"trained on the bundled labels alone{kind}", right, by_bundled)
        print(f"types: the same: {rate:.0f} questions a second, in one process")
        ways = [cross_validated(rows, division, second_opinion) for division in range(DIVISIONS)]
        _print(f"{FOLDS}-fold cross-validation{kind}", right, ways[0])
        for name, measure in (("accuracy", accuracy), ("macro-F1", macro_f1)):
            found = [measure(right, way) for way in ways]
            print(f"types: {DIVISIONS} divisions into folds{kind}: {name} {fmean(found):.3f}, "
                  f"{min(found):.3f} to {max(found):.3f}")  # fmt: skip


def _print(name: str, right: Sequence[str], found: Sequence[str]) -> None:
    print(f"types: {name}: accuracy {accuracy(right, found):.3f}, macro-F1 {macro_f1(right, found):.3f}", flush=True)
