"""The classifier: convolutions of width 3, 4 and 5 over word vectors, max over time, dropout, one logit."""

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from transforms.usefulness.labels import Settings
from transforms.usefulness.tokens import encode, vectors


class TextCnn(nn.Module):
    """Kim's CNN on frozen pre-trained vectors; the vectors are not part of the weights."""

    def __init__(self, settings: Settings, dimension: int) -> None:
        super().__init__()
        self.convolutions = nn.ModuleList(nn.Conv1d(dimension, settings.filters, width) for width in settings.widths)
        self.dropout = nn.Dropout(settings.dropout)
        self.output = nn.Linear(settings.filters * len(settings.widths), 1)

    def forward(self, embedded: torch.Tensor) -> torch.Tensor:
        """Logits of a batch of embedded texts (batch × tokens × dimension)."""
        channels = embedded.transpose(1, 2)
        pooled = [torch.relu(c(channels)).amax(dim=2) for c in self.convolutions]
        logits: torch.Tensor = self.output(self.dropout(torch.cat(pooled, dim=1))).squeeze(1)
        return logits


@dataclass(frozen=True)
class Classifier:
    """A trained network with its temperature, ready to score texts."""

    model_id: str
    network: TextCnn
    temperature: float

    def scores(self, texts: list[str], batch: int = 256) -> NDArray[np.float64]:
        """Probability of usefulness for each text.

        In double precision, so that after rounding a score does not depend on the batch it was computed in.
        """
        if not texts:
            return np.zeros(0)
        table = torch.from_numpy(vectors()).double()
        network = self.network.double().eval()
        found = []
        with torch.inference_mode():
            for start in range(0, len(texts), batch):
                ids = torch.from_numpy(encode(texts[start : start + batch]))
                longest = max(int((ids != len(table) - 1).sum(dim=1).max()), 5)
                found.append(torch.sigmoid(network(table[ids[:, : longest + 4]]) / self.temperature))
        return np.round(torch.cat(found).numpy(), 6)
