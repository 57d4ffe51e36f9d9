"""Made-up labelled questions with a rule behind them, so that a model has something to find."""

import numpy as np
import pytest

from transforms.usefulness.labels import Labelled, Settings
from transforms.usefulness.tokens import cut
from transforms.usefulness.train import Trained, train
from transforms.usefulness.vectors import TableVectors

_THINGS = ("osmosis", "inflation", "a catalyst", "friction", "mitosis", "a recursive call", "entropy", "an ionic bond")
_USEFUL = (
    "Why does {0} depend on {1}?",
    "How is {0} different from {1}?",
    "What happens to {1} if {0} stops?",
    "Is {0} the cause of {1} or the other way round?",
)
_OTHER = (
    "Can you upload the video about {0} again?",
    "Does anyone know when the quiz on {0} and {1} opens?",
    "At 3:15, why did he say {0}, lol?",
    "Who else is bored by {0} and {1} like me?",
)


@pytest.fixture(scope="session")
def labels() -> list[Labelled]:
    """Some hundred distinct questions, of both classes."""
    pairs = [(a, b) for a in _THINGS for b in _THINGS if a != b]
    found = {
        Labelled(pattern.format(a, b), useful): None
        for patterns, useful in ((_USEFUL, True), (_OTHER, False))
        for pattern in patterns
        for a, b in pairs
    }
    return list(found)


@pytest.fixture(scope="session", params=["blend", "cnn"])
def trained(request: pytest.FixtureRequest, labels: list[Labelled]) -> Trained:
    """Each kind of model, small and trained once."""
    return train(labels, Settings(kind=request.param, filters=20, epochs=6, rank=32))


@pytest.fixture(scope="session")
def small_vectors(labels: list[Labelled]) -> TableVectors:
    """Eight random numbers for each word: enough where speed matters and similarity does not."""
    words = sorted(cut([row.text for row in labels]).distinct)
    return TableVectors(words, np.random.default_rng(5).normal(size=(len(words), 8)).astype(np.float32))
