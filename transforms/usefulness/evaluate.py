"""Random splits: the spread of every metric, beside TF-IDF with logistic regression on the same rows."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from transforms.usefulness.calibration import sigmoid
from transforms.usefulness.errors import BadLabels
from transforms.usefulness.forms import describe
from transforms.usefulness.labels import Labelled, Settings, apart, distinct, require_both_classes
from transforms.usefulness.linear import fit_linear
from transforms.usefulness.metrics import measure
from transforms.usefulness.tokens import cut
from transforms.usefulness.train import fit
from transforms.usefulness.vectors import Vectors, WordLlamaVectors

HELD = 300  # rows for testing, and as many for validation; a fifth when there are few
_STRENGTH = 1.0  # scikit-learn's default


@dataclass(frozen=True)
class Spread:
    """Mean and standard deviation over splits."""

    mean: float
    deviation: float

    def __str__(self) -> str:
        return f"{self.mean:.3f} ± {self.deviation:.3f}"


@dataclass(frozen=True)
class Comparison:
    """The model and the baseline on the same splits, metric by metric."""

    splits: int
    model: dict[str, Spread]
    baseline: dict[str, Spread]
    ahead: Spread  # accuracy of the model minus that of the baseline, split by split


def evaluate_splits(
    labels: list[Labelled],
    settings: Settings,
    splits: int = 20,
    vectors: Vectors | None = None,
    beside: Iterable[Labelled] = (),
) -> Comparison:
    """Train and test on `splits` random divisions; the settings' seed decides which."""
    if splits < 1:
        raise ValueError(f"at least one split is needed, not {splits}")
    require_both_classes(labels)
    vectors = vectors or WordLlamaVectors()
    rows, lent = distinct(labels), apart(beside, labels)
    held = min(HELD, len(rows) // 5)
    if held < 1:
        raise BadLabels(f"{len(rows)} labels are too few to divide: at least five are needed")
    found: list[dict[str, float]] = []
    theirs: list[dict[str, float]] = []
    for number in range(splits):
        order = np.random.default_rng([settings.seed, number]).permutation(len(rows))
        test, validation, training = ([rows[i] for i in part] for part in np.split(order, [held, 2 * held]))
        useful = np.array([row.useful for row in test], dtype=bool)
        texts = [row.text for row in test]
        logits = fit(training, validation, settings, vectors, lent).logits(texts, vectors)
        found.append(measure(sigmoid(logits), useful))
        theirs.append(measure(baseline(training + validation, texts, vectors), useful))
    ahead = [a["accuracy"] - b["accuracy"] for a, b in zip(found, theirs, strict=True)]
    return Comparison(splits, _spreads(found), _spreads(theirs), _spread(ahead))


def baseline(training: list[Labelled], texts: list[str], vectors: Vectors) -> NDArray[np.float64]:
    """Scores by TF-IDF of words and characters with logistic regression."""
    words, others = cut([row.text for row in training]), cut(texts)
    useful = np.array([row.useful for row in training], dtype=np.float64)
    nothing = np.zeros((len(training), 0))
    blocks = ("words", "characters")
    model = fit_linear(words, describe(words.distinct, vectors), nothing, useful, blocks, _STRENGTH)
    return sigmoid(model.logits(others, describe(others.distinct, vectors), np.zeros((len(texts), 0))))


def _spread(values: list[float]) -> Spread:
    return Spread(float(np.mean(values)), float(np.std(values, ddof=1)) if len(values) > 1 else 0.0)


def _spreads(found: list[dict[str, float]]) -> dict[str, Spread]:
    return {name: _spread([each[name] for each in found]) for name in found[0]}
