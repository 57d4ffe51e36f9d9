"""The default model: logistic regression on n-grams and skeletons, mixed with a quadratic form on word vectors."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from transforms.usefulness.calibration import fit_mixture, stratified_folds
from transforms.usefulness.forms import Forms, describe
from transforms.usefulness.labels import Labelled, Settings
from transforms.usefulness.linear import Linear, fit_linear
from transforms.usefulness.pooled import Quadratic, compress, expand, pool, sizes, solve
from transforms.usefulness.tokens import Words, cut
from transforms.usefulness.vectors import Vectors

Floats = NDArray[np.float64]
BLOCKS = ("words", "skeletons")


@dataclass(frozen=True)
class Blend:
    """Both halves and how they are mixed into one calibrated logit."""

    linear: Linear
    quadratic: Quadratic
    mixture: Floats  # weight of the linear logit, weight of the quadratic value, offset

    def logits(self, texts: list[str], vectors: Vectors) -> Floats:
        """Calibrated log-odds of usefulness."""
        return np.asarray(self.halves(texts, vectors) @ self.mixture[:2] + self.mixture[2])

    def halves(self, texts: list[str], vectors: Vectors) -> Floats:
        """What each half says, before they are mixed."""
        words = cut(texts)
        forms = describe(words.distinct, vectors)
        linear = self.linear.logits(words, forms, sizes(words, forms))
        return np.column_stack([linear, self.quadratic.values(words, forms)])


def fit_blend(rows: list[Labelled], settings: Settings, vectors: Vectors) -> Blend:
    """Fit both halves on all rows, and their mixture on what each says of rows it was not fitted on."""
    useful = np.array([row.useful for row in rows], dtype=np.float64)
    texts = [row.text for row in rows]
    words = cut(texts)
    forms = describe(words.distinct, vectors)
    numbers = pool(words, forms)
    unseen = np.zeros((len(rows), 2))
    for fold in stratified_folds(useful, settings.seed):
        inside = np.setdiff1d(np.arange(len(rows)), fold)
        linear = _fit_linear([texts[i] for i in inside], useful[inside], settings, vectors)
        outside = cut([texts[i] for i in fold])
        outside_forms = describe(outside.distinct, vectors)
        unseen[fold, 0] = linear.logits(outside, outside_forms, sizes(outside, outside_forms))
        centre, weights = _fit_quadratic(numbers[inside], useful[inside], settings)
        unseen[fold, 1] = expand(numbers[fold], numbers[inside], weights) + centre
    centre, weights = _fit_quadratic(numbers, useful, settings)
    return Blend(
        _on(words, forms, useful, settings),
        compress(numbers, weights, settings.rank, centre),
        fit_mixture(unseen, useful),
    )


def _on(words: Words, forms: Forms, useful: Floats, settings: Settings) -> Linear:
    return fit_linear(words, forms, sizes(words, forms), useful, BLOCKS, settings.strength)


def _fit_linear(texts: list[str], useful: Floats, settings: Settings, vectors: Vectors) -> Linear:
    words = cut(texts)
    return _on(words, describe(words.distinct, vectors), useful, settings)


def _fit_quadratic(numbers: Floats, useful: Floats, settings: Settings) -> tuple[float, Floats]:
    targets = 2 * useful - 1
    centre = float(targets.mean())
    return centre, solve(numbers, targets - centre, settings.penalty)
