"""Usefulness on LearningQ's labels: plain CNN, TF-IDF with logistic regression and the default model, same splits.

Run by itself (`python -m benchmarks.reproduce.usefulness DATA`) it adds the encoder, which needs the optional MiniLM
package and takes minutes for each split.
"""

import json
import sys
import time
from pathlib import Path

import numpy as np

from transforms.usefulness.evaluate import Spread, evaluate_splits
from transforms.usefulness.labels import KINDS, Labelled, Settings, read_labels
from transforms.usefulness.metrics import measure
from transforms.usefulness.train import train

BUNDLED = Path(__file__).parents[2] / "data" / "labels" / "usefulness"
METRICS = ("accuracy", "macro_f1", "auc", "calibration_error")


def _read(paths: list[Path]) -> list[Labelled]:
    return read_labels(json.loads(line) for path in paths for line in path.read_text(encoding="utf-8").splitlines())


def report(data: Path, kinds: tuple[str, ...] = ("blend", "cnn")) -> None:
    """Print 20 random splits of the reference labels, then the bundled labels alone against all of them."""
    reference = _read([data / "learningq" / "usefulness_dev.jsonl"])
    print(f"usefulness: {len(reference)} labels, 20 random splits (300 test, 300 validation, the rest training)")
    for kind in kinds:
        found = evaluate_splits(reference, Settings(kind=kind))
        if kind == kinds[0]:
            print("  TF-IDF + logistic regression  " + _line(found.baseline))
        print(f"  {kind:<28}  " + _line(found.model) + f"  ahead of TF-IDF {found.ahead}", flush=True)
    bundled = _read(sorted(BUNDLED.glob("*.jsonl")))
    began = time.perf_counter()
    classifier = train(bundled, Settings()).classifier
    seconds = time.perf_counter() - began
    scores = classifier.scores([row.text for row in reference])
    values = measure(scores, np.array([row.useful for row in reference], dtype=bool))
    print(f"  trained on the {len(bundled)} bundled labels alone ({seconds:.1f} s): accuracy {values['accuracy']:.3f}")


def _line(found: dict[str, Spread]) -> str:
    return "  ".join(f"{name} {found[name]}" for name in METRICS)


if __name__ == "__main__":
    report(Path(sys.argv[1]), KINDS)
