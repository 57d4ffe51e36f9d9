"""Questions scored per second, tokenising included: the default model against the plain CNN, on the same questions."""

import json
import time
from pathlib import Path

import numpy as np

from transforms.usefulness import minilm
from transforms.usefulness.labels import Labelled, Settings, read_labels
from transforms.usefulness.model import Classifier
from transforms.usefulness.train import train

BUNDLED = Path(__file__).parents[2] / "data" / "labels" / "usefulness"
EXAMPLES, QUESTIONS = 5_000, 100_000


def report() -> None:
    """Print how long a training takes and how many questions each model scores in a second."""
    lines = [line for path in sorted(BUNDLED.glob("*.jsonl")) for line in path.read_text(encoding="utf-8").splitlines()]
    labels = read_labels(json.loads(line) for line in lines)
    examples, questions = _mixed(labels, EXAMPLES, 5), [row.text for row in _mixed(labels, QUESTIONS, 7)]
    rates = {}
    for kind, count in (("cnn", 2_000), ("blend", QUESTIONS), ("encoder", 200)):
        if kind == "encoder" and not minilm.installed():
            continue
        began = time.perf_counter()
        classifier = train(examples, Settings(kind=kind)).classifier
        print(f"usefulness: {kind} trained on {EXAMPLES:,} examples in {time.perf_counter() - began:.1f} s")
        rates[kind] = _rate(classifier, questions[:count])
        print(f"usefulness: {kind} scores {rates[kind]:,.0f} questions/s")
    print(f"usefulness: the default is {rates['blend'] / rates['cnn']:.0f} times as fast as the plain CNN")


def _mixed(labels: list[Labelled], count: int, seed: int) -> list[Labelled]:
    """Distinct questions of natural length: the first words of one, with its label, and the last words of another."""
    chosen = np.random.default_rng(seed).integers(len(labels), size=(count, 2))
    words = [row.text.split() for row in labels]
    halves = [(each[: len(each) // 2], each[len(each) // 2 :]) for each in words]
    return [Labelled(" ".join(halves[a][0] + halves[b][1]), labels[a].useful) for a, b in chosen.tolist()]


def _rate(classifier: Classifier, texts: list[str]) -> float:
    began = time.perf_counter()
    classifier.scores(texts)
    return len(texts) / (time.perf_counter() - began)
