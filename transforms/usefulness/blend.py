"""The default model: logistic regression on n-grams and skeletons, mixed with a quadratic form on word vectors."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from transforms.usefulness.calibration import fit_mixture, stratified_folds
from transforms.usefulness.forms import describe
from transforms.usefulness.labels import Labelled, Settings
from transforms.usefulness.linear import Linear, fit_linear
from transforms.usefulness.pooled import Quadratic, compress, expand, pool, signs, solve
from transforms.usefulness.tokens import cut
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
        linear = self.linear.logits(words, forms, signs(words, forms))
        return np.column_stack([linear, self.quadratic.values(words, forms)])


def fit_blend(
    rows: list[Labelled], settings: Settings, vectors: Vectors, beside: list[Labelled] | None = None
) -> Blend:
    """Fit both halves on all rows, and their mixture on what each says of rows it was not fitted on.

    Labels of another origin (`beside`) help the quadratic half, at half weight; they never decide the mixture.
    """
    everyone = rows + (beside or [])
    own, useful = np.arange(len(rows)), np.array([row.useful for row in rows], dtype=np.float64)
    lent = np.arange(len(rows), len(everyone))
    numbers = _numbers([row.text for row in everyone], vectors)
    targets = np.array([1.0 if row.useful else -1.0 for row in everyone])
    penalties = np.where(np.arange(len(everyone)) < len(rows), settings.penalty, 2 * settings.penalty)

    def quadratic(chosen: NDArray[np.int64]) -> tuple[NDArray[np.int64], Floats, float]:
        centre = float(targets[chosen].mean())
        used = np.concatenate([chosen, lent])
        return used, solve(numbers[used], targets[used] - centre, penalties[used]), centre

    unseen = np.zeros((len(rows), 2))
    for fold in stratified_folds(useful, settings.seed):
        inside = np.setdiff1d(own, fold)
        linear = _fit_linear([rows[i] for i in inside], settings, vectors)
        words = cut([rows[i].text for i in fold])
        forms = describe(words.distinct, vectors)
        unseen[fold, 0] = linear.logits(words, forms, signs(words, forms))
        used, weights, centre = quadratic(inside)
        unseen[fold, 1] = expand(numbers[fold], numbers[used], weights) + centre
    used, weights, centre = quadratic(own)
    return Blend(
        _fit_linear(rows, settings, vectors),
        compress(numbers[used], weights, settings.rank, centre),
        fit_mixture(unseen, useful),
    )


def _numbers(texts: list[str], vectors: Vectors) -> Floats:
    words = cut(texts)
    return pool(words, describe(words.distinct, vectors))


def _fit_linear(rows: list[Labelled], settings: Settings, vectors: Vectors) -> Linear:
    words = cut([row.text for row in rows])
    forms = describe(words.distinct, vectors)
    useful = np.array([row.useful for row in rows], dtype=np.float64)
    return fit_linear(words, forms, signs(words, forms), useful, BLOCKS, settings.strength, contrasted=True)
