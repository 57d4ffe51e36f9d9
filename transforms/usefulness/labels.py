"""Labelled questions, training settings, and the model name that the two determine (no torch needed)."""

import hashlib
from dataclasses import asdict, dataclass
from importlib.metadata import version
from typing import Any

from transforms.digest import digest
from transforms.usefulness.tokens import normalise


@dataclass(frozen=True)
class Labelled:
    """One labelled question."""

    text: str
    useful: bool


@dataclass(frozen=True)
class Settings:
    """Everything that shapes a training run."""

    widths: tuple[int, ...] = (3, 4, 5)  # Kim 2014, section 3.1
    filters: int = 100
    dropout: float = 0.5
    learning_rate: float = 1e-3
    weight_decay: float = 1e-4
    batch: int = 50
    epochs: int = 30
    patience: int = 5
    seed: int = 7

    def as_dict(self) -> dict[str, Any]:
        """Plain data for manifests and fingerprints."""
        return {**asdict(self), "widths": list(self.widths)}


def part_of(text: str) -> str:
    """Train (80 %), validation (10 %) or test (10 %), by a stable hash of the text: the frozen split."""
    point = int(hashlib.sha256(normalise(text).encode()).hexdigest()[:8], 16) / 16**8
    return "train" if point < 0.8 else "validation" if point < 0.9 else "test"


def model_id(labels: list[Labelled], settings: Settings) -> str:
    """The name that labels, settings and libraries determine."""
    rows = sorted((normalise(row.text), row.useful) for row in labels)
    libraries = [version("torch").partition("+")[0], version("wordllama")]
    return "usefulness-" + digest(rows, settings.as_dict(), libraries, length=12)
