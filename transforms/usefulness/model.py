"""The classifier: convolutions of width 3, 4 and 5 over word vectors, max over time, dropout, one logit."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from transforms.usefulness.labels import Settings
from transforms.usefulness.tokens import encode, vectors


FORMAT = 1


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

    def to_files(self) -> tuple[dict[str, NDArray[np.float32]], dict[str, Any]]:
        """Weights as arrays, and a description that can be read back."""
        weights = {name: weight.float().numpy() for name, weight in self.network.state_dict().items()}
        return weights, {"format": FORMAT, "model_id": self.model_id, "temperature": self.temperature}

    @classmethod
    def from_files(cls, arrays: dict[str, NDArray[np.float32]], description: dict[str, Any]) -> "Classifier":
        """A stored classifier; a clear error when it was stored by another version or is damaged."""
        if description.get("format") != FORMAT:
            raise ValueError(f"it has format {description.get('format')}, this version reads {FORMAT}")
        network = TextCnn(Settings(), vectors().shape[1])
        try:
            network.load_state_dict({name: torch.from_numpy(array) for name, array in arrays.items()})
        except RuntimeError:
            raise ValueError("its weights do not fit the network") from None
        return cls(description["model_id"], network, float(description["temperature"]))
