"""Usefulness on LearningQ's labels: TF-IDF with logistic regression and every kind of model, on the same splits.

The encoder needs the optional package with MiniLM, and a minute for each split.
"""

import json
import time
from pathlib import Path

import numpy as np

from transforms.usefulness import minilm
from transforms.usefulness.blend import fit_blend
from transforms.usefulness.evaluate import Spread, evaluate_splits
from transforms.usefulness.labels import KINDS, Labelled, Settings, read_labels
from transforms.usefulness.metrics import measure
from transforms.usefulness.train import train
from transforms.usefulness.vectors import WordLlamaVectors

BUNDLED = Path(__file__).parents[2] / "data" / "labels" / "usefulness"
METRICS = ("accuracy", "macro_f1", "auc", "calibration_error")
FEW, DRAWS, JUDGES = (100, 300, 1000), 6, 1500


def _read(paths: list[Path]) -> list[Labelled]:
    return read_labels(json.loads(line) for path in paths for line in path.read_text(encoding="utf-8").splitlines())


def report(data: Path) -> None:
    """Print 20 random splits of the reference labels, then what the bundled labels are worth."""
    reference = _read([data / "learningq" / "usefulness_dev.jsonl"])
    bundled = _read(sorted(BUNDLED.glob("*.jsonl")))
    print(f"usefulness: {len(reference)} labels, 20 random splits (300 test, 300 validation, the rest training)")
    for kind in KINDS:
        if kind == "encoder" and not minilm.installed():
            print("  encoder: not measured, its optional package is not installed")
            continue
        found = evaluate_splits(reference, Settings(kind=kind))
        if kind == KINDS[0]:
            print("  TF-IDF + logistic regression  " + _line(found.baseline))
        print(f"  {kind:<28}  " + _line(found.model) + f"  ahead of TF-IDF {found.ahead}", flush=True)
    found = evaluate_splits(reference, Settings(), beside=bundled)
    print("  blend, bundled labels beside  " + _line(found.model) + f"  ahead of TF-IDF {found.ahead}", flush=True)
    _bundled_alone(reference, bundled)
    for count in FEW:
        _few(reference, bundled, count)


def _bundled_alone(reference: list[Labelled], bundled: list[Labelled]) -> None:
    began = time.perf_counter()
    classifier = train(bundled, Settings()).classifier
    seconds = time.perf_counter() - began
    accuracy = measure(classifier.scores([row.text for row in reference]), _useful(reference))["accuracy"]
    print(f"  trained on the {len(bundled)} bundled labels alone ({seconds:.1f} s): accuracy {accuracy:.3f}")


def _few(reference: list[Labelled], bundled: list[Labelled], count: int) -> None:
    """What bundled labels beside a few of one's own are worth, over several draws."""
    vectors, rng = WordLlamaVectors(), np.random.default_rng(3)
    alone: list[float] = []
    helped: list[float] = []
    for _ in range(DRAWS):
        order = rng.permutation(len(reference))
        own, others = [reference[i] for i in order[:count]], [reference[i] for i in order[-JUDGES:]]
        for beside, found in ((None, alone), (bundled, helped)):
            logits = fit_blend(own, Settings(), vectors, beside).logits([row.text for row in others], vectors)
            found.append(float(((logits >= 0) == _useful(others)).mean()))
    print(f"  {count} labels: accuracy {np.mean(alone):.3f}; with the bundled ones beside {np.mean(helped):.3f}")


def _useful(rows: list[Labelled]) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    return np.array([row.useful for row in rows], dtype=bool)


def _line(found: dict[str, Spread]) -> str:
    return "  ".join(f"{name} {found[name]}" for name in METRICS)
