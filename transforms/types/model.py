"""A linear model over the features of a question, with the rules as its prior."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from expectations.types import REASONING_TYPES
from transforms.types.features import features
from transforms.types.rules import Reading, read, reasoning_type

# The prior's log-odds for the type that the rules name: few labels correct the rules, many replace them.
RULE_LOG_ODDS = 3.0


class BadModel(ValueError):
    """Arrays that are not a model of this version."""


@dataclass(frozen=True)
class TypesModel:
    """Names of features and a weight for each of them and each type."""

    model_id: str
    names: tuple[str, ...]
    weights: NDArray[np.float32]  # a row for each name, a column for each type

    @cached_property
    def _rows(self) -> dict[str, int]:
        return {name: row for row, name in enumerate(self.names)}

    def predict(self, texts: Sequence[str]) -> list[str]:
        """The most probable type of each question, one by one, so that no row depends on its batch."""
        return [REASONING_TYPES[int(self.log_odds(read(text)).argmax())] for text in texts]

    def log_odds(self, reading: Reading) -> NDArray[np.float64]:
        """Unnormalised log-probability of each type."""
        rows, values = encode(features(reading), self._rows)
        odds: NDArray[np.float64] = values @ self.weights[rows].astype(np.float64)
        odds[REASONING_TYPES.index(reasoning_type(reading))] += RULE_LOG_ODDS
        return odds

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """Plain arrays, which hold no code: weights, and the names as UTF-8 bytes, one a line."""
        return {
            "weights": self.weights,
            "names": np.frombuffer("\n".join(self.names).encode(), dtype=np.uint8).copy(),
            "model_id": np.frombuffer(self.model_id.encode(), dtype=np.uint8).copy(),
        }

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> "TypesModel":
        """The model that `to_arrays` wrote."""
        missing = {"weights", "names", "model_id"} - set(arrays)
        if missing:
            raise BadModel(f"not a model of reasoning types: {', '.join(sorted(missing))} missing; train it again")
        names = tuple(bytes(arrays["names"]).decode().split("\n"))
        weights = np.asarray(arrays["weights"], dtype=np.float32)
        if weights.shape != (len(names), len(REASONING_TYPES)):
            raise BadModel(f"{len(names)} features do not fit weights of shape {weights.shape}; train it again")
        return cls(bytes(arrays["model_id"]).decode(), names, weights)


def encode(found: Mapping[str, float], rows: Mapping[str, int]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Rows of the known features and their values, scaled so that a question's values have length one."""
    known = [(rows[name], value) for name, value in found.items() if name in rows]
    values = np.array([value for _, value in known], dtype=np.float64)
    return np.array([row for row, _ in known], dtype=np.int64), values / max(float(np.linalg.norm(values)), 1e-9)
