"""Logistic regression on blocks of hashed n-grams: the baseline, and one half of the default model."""

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from transforms.usefulness.forms import Forms
from transforms.usefulness.ngrams import BITS, BLOCKS, Grams, contrast, inverse_frequency, lengths
from transforms.usefulness.tokens import Words

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Linear:
    """For each block, the inverse document frequency and the coefficient of every place; then a few dense numbers."""

    frequencies: dict[str, Floats]
    coefficients: dict[str, Floats]
    dense: Floats
    offset: float

    def logits(self, words: Words, forms: Forms, dense: Floats) -> Floats:
        """The sum over blocks, each block's vector at length 1, plus the dense part."""
        total = dense @ self.dense + self.offset
        for name, frequency in self.frequencies.items():
            grams = BLOCKS[name](words, forms)
            each = (frequency * self.coefficients[name])[grams.place]
            sums = np.bincount(grams.text, weights=each, minlength=grams.texts)
            total = total + sums / lengths(grams, frequency)
        return np.asarray(total)


def fit_linear(
    words: Words,
    forms: Forms,
    dense: Floats,
    useful: Floats,
    blocks: tuple[str, ...],
    strength: float,
    contrasted: bool = False,
) -> Linear:
    """Maximum likelihood with a penalty of |w|² / (2 · strength), by L-BFGS in double precision.

    `contrasted` also weighs an n-gram by how unevenly it is spread over the classes (Wang and Manning 2012).
    """
    entries: list[tuple[Grams, Floats, int]] = []
    frequencies: dict[str, Floats] = {}
    for position, name in enumerate(blocks):
        grams = BLOCKS[name](words, forms)
        frequency = inverse_frequency(grams)
        if contrasted:
            frequency = frequency * contrast(grams, useful)
        frequencies[name] = frequency
        value = frequency[grams.place] / lengths(grams, frequency)[grams.text]
        known = value > 0
        entries.append((Grams(grams.text[known], grams.place[known], grams.texts), value[known], position << BITS))
    text = np.concatenate([g.text for g, _, _ in entries])
    place, column = np.unique(np.concatenate([g.place + shift for g, _, shift in entries]), return_inverse=True)
    entry = Entries(text, column, np.concatenate([v for _, v, _ in entries]), len(place))
    weights = _minimise(entry, dense, useful, strength)
    coefficients = {}
    for position, name in enumerate(blocks):
        inside = (place >> BITS) == position
        coefficients[name] = np.zeros(1 << BITS)
        coefficients[name][place[inside] & ((1 << BITS) - 1)] = weights[: len(place)][inside]
    return Linear(frequencies, coefficients, weights[len(place) : -1], float(weights[-1]))


@dataclass(frozen=True)
class Entries:
    """A sparse matrix of texts by places, as plain lists of entries."""

    row: NDArray[np.int64]
    column: NDArray[np.int64]
    value: Floats
    columns: int


def _minimise(entries: Entries, dense: Floats, useful: Floats, strength: float) -> Floats:
    size = entries.columns
    weights = torch.zeros(size + dense.shape[1] + 1, dtype=torch.float64, requires_grad=True)
    optimiser = torch.optim.LBFGS([weights], max_iter=100, tolerance_grad=1e-3, line_search_fn="strong_wolfe")

    def closure() -> torch.Tensor:
        w = weights.detach().numpy()
        sums = np.bincount(entries.row, weights=w[entries.column] * entries.value, minlength=len(useful))
        logits = sums + dense @ w[size:-1] + w[-1]
        error = 1 / (1 + np.exp(-np.clip(logits, -500, 500))) - useful
        slope = np.bincount(entries.column, weights=error[entries.row] * entries.value, minlength=size)
        penalty = np.append(w[:-1], 0.0)  # the offset is free
        gradient = np.concatenate([slope, dense.T @ error, [error.sum()]]) + penalty / strength
        weights.grad = torch.from_numpy(gradient)
        loss = np.logaddexp(0, logits) - useful * logits
        return torch.tensor(loss.sum() + np.square(penalty).sum() / (2 * strength))

    optimiser.step(closure)  # type: ignore[no-untyped-call]
    return weights.detach().numpy()
