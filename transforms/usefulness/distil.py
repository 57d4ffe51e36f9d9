"""A slow teacher for a fast model: the encoder scores training questions and variants of them, the blend learns both.

Variants (in the manner of Tang et al. 2019): some content words exchanged, some words left out, two questions joined.
They need not make sense; what the teacher says of them shows the fast model where the teacher draws its line.
"""

import numpy as np

from transforms.usefulness.blend import Blend, fit_halves
from transforms.usefulness.calibration import fit_mixture, sigmoid
from transforms.usefulness.encoder import fit_encoder
from transforms.usefulness.forms import is_content
from transforms.usefulness.labels import Labelled, Settings
from transforms.usefulness.tokens import normalise
from transforms.usefulness.vectors import Vectors

TRUST = 0.5  # share of the teacher in the target of a question that has a label
JOIN, EXCHANGE, OMIT = 0.3, 0.4, 0.08


def fit_distilled(training: list[Labelled], validation: list[Labelled], settings: Settings, vectors: Vectors) -> Blend:
    """Teacher and both halves on the training rows; the validation rows, which no half saw, decide the mixture."""
    teacher = fit_encoder(training, validation, settings)
    texts = [row.text for row in training]
    more = variants(texts, settings.variants * len(texts), settings.seed)
    told = sigmoid(teacher.quick_logits(texts + more))
    labels = np.array([row.useful for row in training], dtype=np.float64)
    targets = np.concatenate([(1 - TRUST) * labels + TRUST * told[: len(texts)], told[len(texts) :]])
    linear, quadratic = fit_halves(texts + more, targets, settings, vectors)
    useful = np.array([row.useful for row in validation], dtype=np.float64)
    student = Blend(linear, quadratic, np.array([0.5, 1.5, 0.0]))
    if not 0 < useful.sum() < len(useful):
        return student
    unseen = student.halves([row.text for row in validation], vectors)
    return Blend(linear, quadratic, fit_mixture(unseen, useful))


def variants(texts: list[str], wanted: int, seed: int) -> list[str]:
    """New questions made of the words of others; the same for the same texts and seed."""
    rng = np.random.default_rng(seed)
    cut = [found for found in (normalise(text).split() for text in texts) if found]
    found: dict[str, None] = {}
    for _ in range(wanted if cut else 0):
        one, other = (cut[i] for i in rng.integers(len(cut), size=2))
        if rng.random() < JOIN:
            made = one[: rng.integers(1, len(one) + 1)] + other[rng.integers(len(other)) :]
        else:
            named = [word for word in other if is_content(word)] or other
            draws = rng.random((len(one), 2))
            made = [
                named[rng.integers(len(named))] if is_content(word) and exchange < EXCHANGE else word
                for word, (exchange, omit) in zip(one, draws, strict=True)
                if omit >= OMIT
            ]
        if len(made) > 2:
            found[" ".join(made)] = None
    return list(found)
