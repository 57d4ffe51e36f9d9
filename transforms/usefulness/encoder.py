"""The most accurate and slowest model: MiniLM with its upper layers fitted to the labels."""

from collections.abc import Iterator

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from transforms.usefulness.calibration import fit_mixture
from transforms.usefulness.labels import Labelled, Settings
from transforms.usefulness.minilm import LAYERS, WIDTH, embed, pieces_of, pre_trained
from transforms.usefulness.tokens import MAX_CHARS, normalise
from transforms.usefulness.vectors import Vectors

Floats = NDArray[np.float64]


class Upper(nn.Module):
    """The layers that are fitted, the mean over pieces, and one logit."""

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self.layers = nn.ModuleList(
            pre_trained(LAYERS - settings.tuned_layers + i) for i in range(settings.tuned_layers)
        )
        self.dropout = nn.Dropout(0.2)
        self.output = nn.Linear(WIDTH, 1)

    def forward(self, states: torch.Tensor, visible: torch.Tensor) -> torch.Tensor:
        """Logits of texts from what the lower layers made of them."""
        for layer in self.layers:
            states = layer(states, visible)
        mean = (states * visible[:, :, None]).sum(dim=1) / visible.sum(dim=1, keepdim=True)
        logits: torch.Tensor = self.output(self.dropout(mean)).squeeze(1)
        return logits


class Encoder:
    """A fitted upper part with its calibration."""

    def __init__(self, upper: Upper, mixture: Floats, tuned_layers: int) -> None:
        self.upper, self.mixture, self.tuned_layers = upper.eval(), mixture, tuned_layers

    def logits(self, texts: list[str], vectors: Vectors | None = None) -> Floats:
        """Calibrated log-odds of usefulness; MiniLM brings its own vectors.

        In double precision and in groups of equal length, so that no score depends on its neighbours.
        """
        upper = self.upper.double()
        found = np.zeros(len(texts))
        with torch.inference_mode():
            for rows, states in _lower(texts, self.tuned_layers, torch.float64):
                found[rows] = upper(states, torch.ones(states.shape[:2], dtype=torch.bool)).numpy()
        return np.asarray(self.mixture[0] * found + self.mixture[1])


def _form(text: str) -> str:
    return normalise(text[:MAX_CHARS])


def _equal_lengths(lengths: list[int], size: int = 128) -> Iterator[NDArray[np.int64]]:
    """Rows in groups of one length each."""
    each = np.array(lengths)
    for length in np.unique(each):
        rows = np.flatnonzero(each == length)
        for start in range(0, len(rows), size):
            yield rows[start : start + size]


def _lower(texts: list[str], tuned_layers: int, kind: torch.dtype) -> Iterator[tuple[NDArray[np.int64], torch.Tensor]]:
    """What the fixed layers make of each text, group by group."""
    layers = [pre_trained(i).to(kind).eval() for i in range(LAYERS - tuned_layers)]
    pieces = pieces_of([_form(text) for text in texts])
    with torch.no_grad():
        for rows in _equal_lengths([len(ids) for ids in pieces]):
            states = embed(torch.tensor([pieces[i] for i in rows])).to(kind)
            for layer in layers:
                states = layer(states, torch.ones(states.shape[:2], dtype=torch.bool))
            yield rows, states


def _padded(states: list[torch.Tensor]) -> tuple[torch.Tensor, torch.Tensor]:
    lengths = torch.tensor([len(state) for state in states])
    return nn.utils.rnn.pad_sequence(states, batch_first=True), torch.arange(int(lengths.max())) < lengths[:, None]


def fit_encoder(training: list[Labelled], validation: list[Labelled], settings: Settings) -> Encoder:
    """Fit the upper layers on the training rows for a fixed number of rounds, calibrate on the validation rows."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(settings.seed)
        upper = Upper(settings)
        states: list[torch.Tensor] = [torch.empty(0)] * len(training)
        for rows, group in _lower([row.text for row in training], settings.tuned_layers, torch.float32):
            for row, state in zip(rows, group, strict=True):  # computed once: these layers never change
                states[row] = state
        targets = torch.tensor([float(row.useful) for row in training])
        _descend(upper, states, targets, settings)
    useful = np.array([row.useful for row in validation], dtype=np.float64)
    plain = Encoder(upper, np.array([1.0, 0.0]), settings.tuned_layers)
    if not 0 < useful.sum() < len(useful):
        return plain
    raw = plain.logits([row.text for row in validation])
    return Encoder(upper, fit_mixture(raw[:, None], useful), settings.tuned_layers)


def _descend(upper: Upper, states: list[torch.Tensor], targets: torch.Tensor, settings: Settings) -> None:
    rng = np.random.default_rng(settings.seed)
    size, lengths = 32, np.array([len(state) for state in states])
    optimiser = torch.optim.AdamW(upper.parameters(), lr=settings.encoder_rate, weight_decay=0.01)
    steps = settings.encoder_epochs * -(-len(states) // size)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, settings.encoder_rate, steps + 1, pct_start=0.1)
    upper.train()
    for _ in range(settings.encoder_epochs):
        order = rng.permutation(len(states))
        near = [order[i : i + 20 * size] for i in range(0, len(order), 20 * size)]
        near = [some[np.argsort(lengths[some], kind="stable")] for some in near]  # texts of like length together
        batches = [some[i : i + size] for some in near for i in range(0, len(some), size)]
        for number in rng.permutation(len(batches)):
            rows = batches[number]
            optimiser.zero_grad()
            logits = upper(*_padded([states[i] for i in rows]))
            loss = nn.functional.binary_cross_entropy_with_logits(logits, targets[torch.from_numpy(rows)])
            loss.backward()  # type: ignore[no-untyped-call]
            optimiser.step()
            schedule.step()
