import numpy as np
import pytest
import torch

from transforms.usefulness.cnn import MAX_WORDS, Cnn, TextCnn, Texts
from transforms.usefulness.labels import Labelled, Settings
from transforms.usefulness.vectors import TableVectors

ODD = ["", "?", "why", "why is", "why " * MAX_WORDS, "osmosis " * (MAX_WORDS - 1), "friction " * 500, "no such words"]


def network_of(widths: tuple[int, ...], vectors: TableVectors) -> TextCnn:
    torch.manual_seed(3)
    return TextCnn(Settings(widths=widths, filters=7), vectors.dimension).double().eval()


@pytest.mark.parametrize("widths", [(3, 4, 5), (1,), (9, 2)])
def test_looking_up_gives_what_convolving_gives(
    widths: tuple[int, ...], labels: list[Labelled], small_vectors: TableVectors
) -> None:
    texts = [row.text for row in labels[:300]] + ODD
    network = network_of(widths, small_vectors)
    found = Cnn(network, np.array([1.0, 0.0])).logits(texts, small_vectors)
    with torch.inference_mode():
        convolved = network(*Texts(texts, small_vectors, network).batch(np.arange(len(texts)), torch.float64))
    assert np.abs(found - convolved.numpy()).max() < 4e-7
    assert np.ptp(found) > 0.1


def test_what_is_found_does_not_depend_on_the_batch(labels: list[Labelled], small_vectors: TableVectors) -> None:
    texts = [row.text for row in labels[:300]] + ODD
    model = Cnn(network_of((3, 4, 5), small_vectors), np.array([1.0, 0.0]))
    alone = np.concatenate([model.logits([text], small_vectors) for text in texts])
    assert np.abs(model.logits(texts, small_vectors) - alone).max() < 1e-12
    assert np.abs(model.logits(texts[::-1], small_vectors)[::-1] - alone).max() < 1e-12
