"""Questions scored per second, tokenising included: each model against plain convolutions in the same run."""

import json
import time
from pathlib import Path

import numpy as np
import torch

from transforms.usefulness import minilm
from transforms.usefulness.cnn import Cnn, Texts
from transforms.usefulness.labels import Labelled, Settings, read_labels
from transforms.usefulness.model import Classifier
from transforms.usefulness.train import train
from transforms.usefulness.vectors import Vectors

BUNDLED = Path(__file__).parents[2] / "data" / "labels" / "usefulness"
EXAMPLES, QUESTIONS, CONVOLVED = 5_000, 100_000, 2_000


def report() -> None:
    """Print how long a training takes and how many questions each model scores in a second."""
    lines = [line for path in sorted(BUNDLED.glob("*.jsonl")) for line in path.read_text(encoding="utf-8").splitlines()]
    labels = read_labels(json.loads(line) for line in lines)
    examples, questions = _mixed(labels, EXAMPLES, 5), [row.text for row in _mixed(labels, QUESTIONS, 7)]
    for kind, count in (("cnn", QUESTIONS), ("blend", QUESTIONS), ("encoder", 200)):
        if kind == "encoder" and not minilm.installed():
            continue
        began = time.perf_counter()
        classifier = train(examples, Settings(kind=kind)).classifier
        print(f"usefulness: {kind} trained on {EXAMPLES:,} examples in {time.perf_counter() - began:.1f} s")
        if isinstance(classifier.model, Cnn):
            baseline = _convolving(classifier.model, classifier.vectors, questions[:CONVOLVED])
            print(f"usefulness: plain convolutions score {baseline:,.0f} questions/s")
        rate = _rate(classifier, questions[:count])
        print(f"usefulness: {kind} scores {rate:,.0f} questions/s; ratio {rate / baseline:.1f}")


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


def _convolving(model: Cnn, vectors: Vectors, texts: list[str]) -> float:
    """The rate of the network as it is trained."""
    began = time.perf_counter()
    inputs = Texts(texts, vectors, model.network)
    order = np.argsort(inputs.lengths, kind="stable")
    with torch.inference_mode():
        for start in range(0, len(order), 256):
            model.network(*inputs.batch(order[start : start + 256], torch.float64))
    return len(texts) / (time.perf_counter() - began)
