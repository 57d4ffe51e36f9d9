"""Probabilities that mean what they say: logistic calibration on rows the model was not fitted on."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
FOLDS = 5
_PENALTY = 1e-3  # keeps the weights finite when a few rows are told apart perfectly


def sigmoid(logits: Floats) -> Floats:
    """Log-odds to probabilities."""
    return np.asarray(1 / (1 + np.exp(-np.clip(logits, -500, 500))))


def stratified_folds(useful: Floats, seed: int, folds: int = FOLDS) -> list[NDArray[np.int64]]:
    """Disjoint sets of rows with both classes in each; none when a class has too few rows to divide."""
    smallest = int(min(useful.sum(), len(useful) - useful.sum()))
    count = min(folds, smallest // 2)
    if count < 2:
        return []
    rng = np.random.default_rng(seed)
    number = np.empty(len(useful), dtype=np.int64)
    for value in (0.0, 1.0):
        rows = np.flatnonzero(useful == value)
        number[rng.permutation(rows)] = np.arange(len(rows)) % count
    return [np.flatnonzero(number == k) for k in range(count)]


def fit_mixture(columns: Floats, useful: Floats) -> Floats:
    """Weights of the columns and an offset, by maximum likelihood (Newton); ones where nothing is known."""
    if not columns.any():
        return np.append(np.ones(columns.shape[1]) / columns.shape[1], 0.0)
    inputs = np.column_stack([columns, np.ones(len(columns))])
    weights = np.zeros(inputs.shape[1])
    penalty = _PENALTY * len(useful) * np.append(np.ones(columns.shape[1]), 0.0)
    for _ in range(50):
        found = sigmoid(inputs @ weights)
        slope = inputs.T @ (found - useful) + penalty * weights
        curve = (inputs * (found * (1 - found))[:, None]).T @ inputs + np.diag(penalty + 1e-9)
        step = np.linalg.solve(curve, slope)
        weights = weights - step
        if np.abs(step).max() < 1e-9:
            break
    return weights
