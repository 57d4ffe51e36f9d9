"""Labelled questions of the task `reasoning_type`, and the name of the model that they determine (no torch needed)."""

from collections.abc import Sequence
from dataclasses import dataclass

from expectations.types import REASONING_TYPES
from transforms.digest import digest

VERSION = 1  # raise it when features, rules or training change what a model means


class BadLabels(ValueError):
    """The labels cannot train a model; the message says why and what to do."""


@dataclass(frozen=True)
class Labelled:
    """One question with its reasoning type; a question may come several times, from several annotators."""

    text: str
    label: str


def check(labels: Sequence[Labelled]) -> list[Labelled]:
    """The labels in a fixed order, or an error that names what is wrong with them."""
    unknown = sorted({row.label for row in labels} - set(REASONING_TYPES))
    if unknown:
        raise BadLabels(f"unknown reasoning types: {', '.join(unknown)}; known are {', '.join(REASONING_TYPES)}")
    rows = sorted((row for row in labels if row.text.strip()), key=lambda row: (row.text, row.label))
    if len({row.label for row in rows}) < 2:
        raise BadLabels("labels of at least two reasoning types are needed to train")
    return rows


def types_model_id(labels: Sequence[Labelled], second_opinion: bool = False) -> str:
    """The name that the labels and the kind of model determine, whatever the labels' order."""
    rows = sorted((row.text, row.label) for row in labels if row.text.strip())
    return ("types-minilm-" if second_opinion else "types-") + digest(rows, VERSION, length=12)
