"""Questions scored per second, tokenising included: the default model against the plain CNN, on the same questions."""

import json
import time
from pathlib import Path

import numpy as np

from transforms.usefulness.labels import Settings, read_labels
from transforms.usefulness.model import Classifier
from transforms.usefulness.train import train

BUNDLED = Path(__file__).parents[2] / "data" / "labels" / "usefulness"
QUESTIONS, BASELINE_QUESTIONS = 100_000, 2_000


def report() -> None:
    """Print how long a training takes and how many questions each model scores in a second."""
    lines = [line for path in sorted(BUNDLED.glob("*.jsonl")) for line in path.read_text(encoding="utf-8").splitlines()]
    labels = read_labels(json.loads(line) for line in lines)
    rates = {}
    for kind, count in (("cnn", BASELINE_QUESTIONS), ("blend", QUESTIONS)):
        began = time.perf_counter()
        classifier = train(labels, Settings(kind=kind)).classifier
        print(f"usefulness: {kind} trained on {len(labels)} labels in {time.perf_counter() - began:.1f} s")
        rates[kind] = _rate(classifier, _mixed([row.text for row in labels], count))
        print(f"usefulness: {kind} scores {rates[kind]:,.0f} questions/s")
    print(f"usefulness: the default is {rates['blend'] / rates['cnn']:.0f} times as fast as the plain CNN")


def _mixed(texts: list[str], count: int) -> list[str]:
    """Distinct questions of natural length: the first words of one and the last words of another."""
    chosen = np.random.default_rng(7).integers(len(texts), size=(count, 2))
    halves = [(text.split()[: len(text.split()) // 2], text.split()[len(text.split()) // 2 :]) for text in texts]
    return [" ".join(halves[a][0] + halves[b][1]) for a, b in chosen.tolist()]


def _rate(classifier: Classifier, texts: list[str]) -> float:
    began = time.perf_counter()
    classifier.scores(texts)
    return len(texts) / (time.perf_counter() - began)
