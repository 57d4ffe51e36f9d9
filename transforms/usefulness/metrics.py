"""How good scores are: accuracy, macro-F1, area under the curve, calibration error."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
_BINS = 10


def measure(scores: Floats, useful: Flags, threshold: float = 0.5) -> dict[str, float]:
    """All four, 0.0 when there is nothing to measure on."""
    if not len(useful):
        return {"accuracy": 0.0, "macro_f1": 0.0, "auc": 0.0, "calibration_error": 0.0}
    predicted = scores >= threshold
    return {
        "accuracy": float((predicted == useful).mean()),
        "macro_f1": (f1(predicted, useful) + f1(~predicted, ~useful)) / 2,
        "auc": auc(scores, useful),
        "calibration_error": calibration_error(scores, useful),
    }


def f1(predicted: Flags, actual: Flags) -> float:
    """Harmonic mean of precision and recall; 0 when nothing is found right."""
    both = int((predicted & actual).sum())
    return 2 * both / max(int(predicted.sum()) + int(actual.sum()), 1)


def auc(scores: Floats, useful: Flags) -> float:
    """How often a useful question scores above one that is not; ties count half; 0.5 with one class only."""
    positive, negative = int(useful.sum()), int((~useful).sum())
    if not positive or not negative:
        return 0.5
    _, inverse, counts = np.unique(scores, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[inverse]
    return float((ranks[useful].sum() - positive * (positive + 1) / 2) / (positive * negative))


def calibration_error(scores: Floats, useful: Flags) -> float:
    """Mean distance between score and share of useful questions over ten equal bins (Guo et al. 2017)."""
    bins = np.minimum((scores * _BINS).astype(int), _BINS - 1)
    counts = np.bincount(bins, minlength=_BINS)
    gaps = np.abs(np.bincount(bins, weights=scores - useful, minlength=_BINS))
    return float(gaps.sum() / max(int(counts.sum()), 1))
