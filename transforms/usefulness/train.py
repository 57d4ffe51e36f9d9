"""Train the classifier on labelled questions; the same labels and settings always give the same model."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from transforms.usefulness.blend import fit_blend
from transforms.usefulness.cnn import fit_cnn
from transforms.usefulness.encoder import fit_encoder
from transforms.usefulness.labels import Labelled, Settings, apart, distinct, model_id, part_of, require_both_classes
from transforms.usefulness.metrics import measure
from transforms.usefulness.model import Classifier
from transforms.usefulness.storage import Model
from transforms.usefulness.vectors import Vectors, WordLlamaVectors


@dataclass(frozen=True)
class Trained:
    """A classifier and how it did on the frozen test part."""

    classifier: Classifier
    metrics: dict[str, float | None]


def train(
    labels: list[Labelled], settings: Settings, vectors: Vectors | None = None, beside: Iterable[Labelled] = ()
) -> Trained:
    """Fit on the training and validation parts, report on the test part, which the model never sees.

    `beside` are labels of another origin, such as the bundled ones: the fewer labels, the more they help.
    """
    vectors = vectors or WordLlamaVectors()
    lent = apart(beside, labels)
    parts = divide(labels)
    model = fit(parts["train"], parts["validation"], settings, vectors, lent)
    classifier = Classifier(model_id(labels, settings, vectors.name, lent), settings, model, vectors)
    rows = float(len(parts["train"]) + len(parts["validation"]))
    return Trained(classifier, {**held_out(classifier, labels), "train_rows": rows})


def divide(labels: list[Labelled]) -> dict[str, list[Labelled]]:
    """The parts of the frozen split."""
    rows = distinct(labels)
    return {name: [r for r in rows if part_of(r.text) == name] for name in ("train", "validation", "test")}


def fit(
    training: list[Labelled],
    validation: list[Labelled],
    settings: Settings,
    vectors: Vectors,
    beside: list[Labelled] | None = None,
) -> Model:
    """One model; the blend needs no rows to stop by, so it learns from the validation rows too."""
    if settings.kind == "blend":
        require_both_classes(training + validation)
        return fit_blend(training + validation, settings, vectors, beside)
    require_both_classes(training)
    if settings.kind == "cnn":
        return fit_cnn(training, validation, settings, vectors)
    return fit_encoder(training, validation, settings)


def held_out(classifier: Classifier, labels: list[Labelled]) -> dict[str, float | None]:
    """How any classifier does on the test part of these labels, which none was ever fitted on; null without one."""
    test = divide(labels)["test"]
    useful = np.array([row.useful for row in test], dtype=bool)
    found = measure(classifier.scores([row.text for row in test]), useful)
    found["majority"] = max(float(useful.mean()), 1 - float(useful.mean())) if len(useful) else 0.0
    return {
        **{name: round(value, 4) if len(useful) else None for name, value in found.items()},
        "test_rows": float(len(useful)),
    }
