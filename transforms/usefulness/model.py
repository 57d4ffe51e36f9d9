"""A trained classifier: scores for texts, and its form as plain arrays and plain data."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from transforms.usefulness.calibration import sigmoid
from transforms.usefulness.labels import Settings
from transforms.usefulness.storage import READERS, Arrays, Model, arrays_of, read_settings
from transforms.usefulness.vectors import Vectors, WordLlamaVectors

FORMAT = 1
_AT_ONCE = 8192  # texts: bounds memory, and large enough that most of their words repeat


@dataclass(frozen=True)
class Classifier:
    """A trained model with its name, ready to score texts."""

    model_id: str
    settings: Settings
    model: Model
    vectors: Vectors

    def scores(self, texts: list[str], batch: int = _AT_ONCE) -> NDArray[np.float64]:
        """Probability of usefulness for each text.

        In double precision, so that after rounding a score does not depend on the batch it was computed in.
        """
        if not texts:
            return np.zeros(0)
        found = [self.model.logits(texts[i : i + batch], self.vectors) for i in range(0, len(texts), batch)]
        return np.round(sigmoid(np.concatenate(found)), 6)

    def to_files(self) -> tuple[Arrays, dict[str, Any]]:
        """Arrays for a weights file and plain data for a JSON file beside it."""
        description = {
            "format": FORMAT,
            "model_id": self.model_id,
            "vectors": self.vectors.name,
            "dimension": self.vectors.dimension,
            "settings": self.settings.as_dict(),
        }
        return arrays_of(self.model), description

    @classmethod
    def from_files(cls, arrays: Arrays, description: dict[str, Any], vectors: Vectors | None = None) -> "Classifier":
        """The classifier that `to_files` described; anything that does not fit is a ValueError that says what."""
        vectors = vectors or WordLlamaVectors()
        if description.get("format") != FORMAT:
            raise ValueError(
                f"the usefulness model has format {description.get('format')!r}, this version reads {FORMAT}: "
                "train it again with `quarry train`"
            )
        if (description.get("vectors"), description.get("dimension")) != (vectors.name, vectors.dimension):
            raise ValueError(
                f"the usefulness model was trained on the vectors {description.get('vectors')!r} "
                f"({description.get('dimension')!r} numbers each), not on {vectors.name!r} ({vectors.dimension})"
            )
        name = description.get("model_id")
        if not isinstance(name, str) or not name:
            raise ValueError("the description of the usefulness model names no model_id")
        settings = read_settings(description.get("settings"))
        return cls(name, settings, READERS[settings.kind](arrays, settings, vectors.dimension), vectors)
