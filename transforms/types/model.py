"""A linear model over the features and word vectors of a question, with the rules as its prior.

It may hold a second opinion, which is asked only where the linear model is unsure.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from expectations.types import REASONING_TYPES
from transforms.types.features import features
from transforms.types.opinion import WIDTH as OPINION_WIDTH
from transforms.types.opinion import Opinion, probabilities
from transforms.types.rules import Reading, read, reasoning_type
from transforms.types.vectors import PARTS, WIDTH, part_vectors

_ARRAYS = ("model_id", "names", "rule_log_odds", "scales", "vector_weights", "weights")


class BadModel(ValueError):
    """Arrays that are not a model of this version."""


@dataclass(frozen=True)
class TypesModel:
    """Names of features, the scale of each, and weights: a column for each type."""

    model_id: str
    names: tuple[str, ...]
    scales: NDArray[np.float32]  # for each name: rare features weigh more
    weights: NDArray[np.float32]  # a row for each name
    vector_weights: NDArray[np.float32]  # a row for each dimension of the parts' vectors
    rule_log_odds: float  # the prior's, for the type that the rules name
    opinion: Opinion | None = None

    @cached_property
    def _rows(self) -> dict[str, int]:
        return {name: row for row, name in enumerate(self.names)}

    def predict(self, texts: Sequence[str]) -> list[str]:
        """The most probable type of each question, one by one, so that no row depends on its batch."""
        return [REASONING_TYPES[int(self.probabilities(read(text)).argmax())] for text in texts]

    def probabilities(self, reading: Reading) -> NDArray[np.float64]:
        """The probability of each type, with the second opinion if there is one."""
        found = probabilities(self.log_odds(reading))
        return found if self.opinion is None else self.opinion.revise(found, reading.whole)

    def log_odds(self, reading: Reading) -> NDArray[np.float64]:
        """Unnormalised log-probability of each type by the linear model."""
        rows, values = encode(features(reading), self._rows, self.scales)
        odds = values @ self.weights[rows].astype(np.float64)
        odds += part_vectors(reading).astype(np.float64) @ self.vector_weights
        odds[REASONING_TYPES.index(reasoning_type(reading))] += self.rule_log_odds
        return np.asarray(odds, dtype=np.float64)

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """Plain arrays, which hold no code; the names are UTF-8 bytes, one a line."""
        opinion = {} if self.opinion is None else {"opinion_weights": self.opinion.weights}
        return {
            **opinion,
            "model_id": _as_bytes(self.model_id),
            "names": _as_bytes("\n".join(self.names)),
            "rule_log_odds": np.array([self.rule_log_odds], dtype=np.float64),
            "scales": self.scales,
            "vector_weights": self.vector_weights,
            "weights": self.weights,
        }

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> "TypesModel":
        """The model that `to_arrays` wrote."""
        missing = set(_ARRAYS) - set(arrays)
        if missing:
            raise BadModel(f"not a model of reasoning types: {', '.join(sorted(missing))} missing; train it again")
        names = tuple(bytes(arrays["names"]).decode().split("\n"))
        scales, weights, vector_weights = (
            np.asarray(arrays[name], dtype=np.float32) for name in ("scales", "weights", "vector_weights")
        )
        types = len(REASONING_TYPES)
        expected = ((len(names),), (len(names), types), (PARTS * WIDTH, types))
        if (scales.shape, weights.shape, vector_weights.shape) != expected:
            raise BadModel(f"weights of shape {weights.shape} do not fit {len(names)} features; train it again")
        prior = float(arrays["rule_log_odds"][0])
        model_id = bytes(arrays["model_id"]).decode()
        return cls(model_id, names, scales, weights, vector_weights, prior, _opinion(arrays.get("opinion_weights")))


def _opinion(weights: NDArray[Any] | None) -> Opinion | None:
    if weights is None:
        return None
    if weights.shape != (OPINION_WIDTH + 1, len(REASONING_TYPES)):
        raise BadModel(f"opinion weights of shape {weights.shape} do not fit; train it again")
    return Opinion(np.asarray(weights, dtype=np.float32))


def encode(
    found: Mapping[str, float], rows: Mapping[str, int], scales: NDArray[np.float32]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Rows of the known features and their scaled values, together of length one."""
    known = [(rows[name], value) for name, value in found.items() if name in rows]
    places = np.array([row for row, _ in known], dtype=np.int64)
    values = np.array([value for _, value in known], dtype=np.float64) * scales[places]
    return places, values / max(float(np.linalg.norm(values)), 1e-9)


def _as_bytes(text: str) -> NDArray[np.uint8]:
    return np.frombuffer(text.encode(), dtype=np.uint8).copy()
