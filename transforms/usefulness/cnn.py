"""The paper's network: convolutions of width 3, 4 and 5 over word vectors, max over time, dropout, one logit."""

from collections.abc import Iterator
from copy import deepcopy

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from transforms.usefulness.calibration import fit_mixture
from transforms.usefulness.filters import largest
from transforms.usefulness.labels import Labelled, Settings
from transforms.usefulness.tokens import Words, cut
from transforms.usefulness.vectors import Vectors

Floats = NDArray[np.float64]
MAX_WORDS = 60
SCALE = 2.0  # length of a word's vector: filters start about as large
PLACES = 10.0  # words; a word's place is one more channel, so that the largest value tells how long a text is
_MEMORY = 0.995  # of the running mean of the weights: single steps scatter widely on few labels


class TextCnn(nn.Module):
    """Kim's CNN on frozen pre-trained vectors; the vectors are not part of the weights."""

    def __init__(self, settings: Settings, dimension: int) -> None:
        super().__init__()
        self.convolutions = nn.ModuleList(
            nn.Conv1d(dimension + 1, settings.filters, width) for width in settings.widths
        )
        self.dropout = nn.Dropout(settings.dropout)
        self.output = nn.Linear(settings.filters * len(settings.widths), 1)
        self.widest = max(settings.widths)
        # Stands before every text, so that filters can tell a first word.
        drawn = torch.randn(dimension, generator=torch.Generator().manual_seed(settings.seed))
        self.register_buffer("start", SCALE * drawn / drawn.norm())

    def forward(self, embedded: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
        """Logits of embedded texts; a window counts if it begins inside its text, whatever the padding behind."""
        places = torch.arange(embedded.shape[1], dtype=embedded.dtype)[None, :].expand(embedded.shape[:2])
        places = places * (places < lengths[:, None]) / PLACES
        channels = torch.cat([embedded, places[:, :, None]], dim=2).transpose(1, 2)
        pooled = []
        for convolution in self.convolutions:
            found = torch.relu(convolution(channels))
            inside = torch.arange(found.shape[2])[None, :] < lengths[:, None]
            pooled.append((found * inside[:, None, :]).amax(dim=2))
        logits: torch.Tensor = self.output(self.dropout(torch.cat(pooled, dim=1))).squeeze(1)
        return logits


def cnn_shapes(settings: Settings, dimension: int) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Names and shapes of the network's weights, one by one, without making it."""
    yield "start", (dimension,)
    yield "output.weight", (1, settings.filters * len(settings.widths))
    yield "output.bias", (1,)
    for number, width in enumerate(settings.widths):
        yield f"convolutions.{number}.weight", (settings.filters, dimension + 1, width)
        yield f"convolutions.{number}.bias", (settings.filters,)


class Texts:
    """Texts as rows of a small table of the words that occur in them."""

    def __init__(self, texts: list[str], vectors: Vectors, network: TextCnn) -> None:
        words: Words = cut(texts)
        rows = vectors.of(words.distinct)
        rows = SCALE * rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
        start = network.get_buffer("start").double().numpy()
        self.table = torch.from_numpy(np.vstack([np.zeros_like(start), start, rows]))  # padding, start, words
        self.lengths = np.minimum(words.counts, MAX_WORDS) + 1
        self.ids = np.zeros((len(texts), MAX_WORDS + 1 + network.widest), dtype=np.int64)
        self.ids[:, 0] = 1
        text = np.repeat(np.arange(len(texts)), words.counts)
        place = np.arange(len(text)) - words.starts[text]
        kept = place < MAX_WORDS
        self.ids[text[kept], place[kept] + 1] = words.positions[kept] + 2
        self.widest = network.widest

    def batch(self, rows: NDArray[np.int64], kind: torch.dtype) -> tuple[torch.Tensor, torch.Tensor]:
        """The embedded texts of these rows, no wider than the longest needs, and their lengths."""
        lengths = self.lengths[rows]
        wide = int(lengths.max()) + self.widest - 1
        return self.table[torch.from_numpy(self.ids[rows, :wide])].to(kind), torch.from_numpy(lengths)


class Cnn:
    """A trained network with its calibration."""

    def __init__(self, network: TextCnn, mixture: Floats) -> None:
        self.network, self.mixture = network.double().eval(), mixture

    def logits(self, texts: list[str], vectors: Vectors) -> Floats:
        """Calibrated log-odds of usefulness."""
        return np.asarray(self.mixture[0] * _raw(self.network, Texts(texts, vectors, self.network)) + self.mixture[1])


def _raw(network: TextCnn, texts: Texts) -> Floats:
    """What the network's `forward` gives, in a small part of its time."""
    with torch.inference_mode():
        places = torch.arange(MAX_WORDS + 1, dtype=torch.float64) / PLACES
        pooled = [
            largest(each.get_parameter("weight"), each.get_parameter("bias"), texts.table, texts.ids, places)
            for each in network.convolutions
        ]
        weights, offset = network.output.weight[0].double(), network.output.bias.double()
        return (torch.relu(torch.cat(pooled, dim=1)) @ weights + offset).numpy()


def fit_cnn(training: list[Labelled], validation: list[Labelled], settings: Settings, vectors: Vectors) -> Cnn:
    """Fit on the training rows, stop early and calibrate by the validation rows."""
    with torch.random.fork_rng(devices=[]):  # leave the caller's random state alone
        torch.manual_seed(settings.seed)
        network = TextCnn(settings, vectors.dimension)
        inputs = Texts([row.text for row in training], vectors, network)
        held = Texts([row.text for row in validation], vectors, network)
        targets = torch.tensor([float(row.useful) for row in training])
        useful = np.array([row.useful for row in validation], dtype=np.float64)
        _descend(network, inputs, targets, held, useful, settings)
    raw = _raw(network, held)
    both = 0 < useful.sum() < len(useful)
    return Cnn(network, fit_mixture(raw[:, None], useful) if both else np.array([1.0, 0.0]))


def _descend(
    network: TextCnn, inputs: Texts, targets: torch.Tensor, held: Texts, useful: Floats, settings: Settings
) -> None:
    """Adam; what is judged on the validation rows and kept is the running mean of the weights."""
    rng = np.random.default_rng(settings.seed)
    optimiser = torch.optim.Adam(network.parameters(), lr=settings.learning_rate)
    mean, steps = deepcopy(network).eval(), 0
    kept, best, waited = mean.state_dict(), float("inf"), 0
    for _ in range(settings.epochs):
        network.train()
        for rows in _batches(inputs.lengths, settings.batch, rng):
            embedded, lengths = inputs.batch(rows, torch.float32)
            shown = torch.rand(embedded.shape[:2])[:, :, None] >= settings.word_dropout
            optimiser.zero_grad()
            logits = network(embedded * shown, lengths)
            loss = nn.functional.binary_cross_entropy_with_logits(logits, targets[torch.from_numpy(rows)])
            loss.backward()  # type: ignore[no-untyped-call]
            optimiser.step()
            steps += 1
            _approach(mean, network, 1 - min(_MEMORY, steps / (steps + 10)))
        held_loss = _loss(_raw(mean, held), useful)
        waited += 1
        if held_loss < best - 1e-4 or not len(useful):
            best, waited = held_loss, 0
            kept = {name: value.clone() for name, value in mean.state_dict().items()}
        if waited >= settings.patience:
            break
    network.load_state_dict(kept)
    network.eval()


def _approach(mean: TextCnn, network: TextCnn, share: float) -> None:
    with torch.no_grad():
        for old, new in zip(mean.parameters(), network.parameters(), strict=True):
            old.lerp_(new, share)


def _loss(logits: Floats, useful: Floats) -> float:
    return float((np.logaddexp(0, logits) - useful * logits).mean()) if len(useful) else 0.0


def _batches(lengths: NDArray[np.int64], size: int, rng: np.random.Generator) -> list[NDArray[np.int64]]:
    """Random batches of texts of like length: little padding is convolved."""
    order = rng.permutation(len(lengths))
    found = []
    for start in range(0, len(order), size * 20):
        some = order[start : start + size * 20]
        some = some[np.argsort(lengths[some], kind="stable")]
        found += [some[i : i + size] for i in range(0, len(some), size)]
    return [found[i] for i in rng.permutation(len(found))]
