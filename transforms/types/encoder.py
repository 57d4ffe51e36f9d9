"""What MiniLM, a small pre-trained transformer, makes of a question (needs the optional package with its weights)."""

from functools import lru_cache

import numpy as np
import torch
from numpy.typing import NDArray

from transforms.types.opinion import LAYERS_READ
from transforms.usefulness.minilm import LAYERS, Layer, embed, pieces_of, pre_trained


@lru_cache(maxsize=1)
def _layers() -> list[Layer]:
    return [pre_trained(number).eval() for number in range(LAYERS)]


@lru_cache(maxsize=5000)
def states(text: str) -> NDArray[np.float32]:
    """The mean states of the upper layers, side by side; one text at a time, so that none depends on its batch."""
    pieces = torch.tensor(pieces_of([text]))
    means = []
    with torch.inference_mode():
        found, visible = embed(pieces), torch.ones(pieces.shape, dtype=torch.bool)
        for layer in _layers():
            found = layer(found, visible)
            means.append(found.mean(dim=1))
    upper: NDArray[np.float32] = torch.cat(means[-LAYERS_READ:], dim=1).squeeze(0).numpy()
    return upper
