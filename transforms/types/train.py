"""Train the model of reasoning types: softmax regression, full batches, no chance involved."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray

from expectations.types import REASONING_TYPES
from transforms.types.features import RULE_FEATURES, features
from transforms.types.labels import Labelled, check, types_model_id
from transforms.types.model import TypesModel, encode
from transforms.types.opinion import LAYER_WIDTH, Opinion
from transforms.types.rules import read, reasoning_type
from transforms.types.vectors import part_vectors

LEAST_COUNT = 2  # a feature seen once teaches nothing about other questions
# Few labels correct the rules, many replace them: below the first number of labels the penalties on squared weights
# grow, and above the second the prior for the type that the rules name fades.
PENALTY, MANY_LABELS = 0.1, 3000
RULE_LOG_ODDS, FEW_LABELS = 3.0, 1000
RARE_TYPE_BOOST = 0.3  # exponent: 0 counts every label alike, 1 every type alike
OPINION_PENALTY = 0.5
STEPS = 100


def train_types(labels: Sequence[Labelled], second_opinion: bool = False) -> TypesModel:
    """The model that these labels determine, whatever their order; a second opinion needs MiniLM's package."""
    rows = check(labels)
    readings = [read(row.text) for row in rows]
    found = [features(reading) for reading in readings]
    counts = Counter(name for row in found for name in row)
    names = tuple(sorted(name for name, count in counts.items() if count >= LEAST_COUNT))
    scales = np.array([_scale(name, counts[name], len(rows)) for name in names], dtype=np.float32)
    place = {name: row for row, name in enumerate(names)}
    matrix = _matrix([encode(row, place, scales) for row in found], len(names))
    vectors = torch.from_numpy(np.stack([part_vectors(reading) for reading in readings]).astype(np.float64))
    types = [REASONING_TYPES.index(reasoning_type(reading)) for reading in readings]
    log_odds = RULE_LOG_ODDS * min(1.0, FEW_LABELS / len(rows))
    prior = log_odds * torch.eye(len(REASONING_TYPES), dtype=torch.float64)[types]
    targets = [REASONING_TYPES.index(row.label) for row in rows]
    sizes = Counter(targets)
    share = [(len(rows) / len(sizes) / sizes[target]) ** RARE_TYPE_BOOST for target in targets]
    caution = max(1.0, MANY_LABELS / len(rows)) ** 2
    target, shares = torch.tensor(targets), torch.tensor(share, dtype=torch.float64)
    weights = _fit(matrix, vectors, prior, target, shares, PENALTY * caution).astype(np.float32)
    known = len(names)
    texts = [reading.whole for reading in readings]
    opinion = _opinion(texts, target, shares, OPINION_PENALTY * caution) if second_opinion else None
    model_id = types_model_id(labels, second_opinion)
    return TypesModel(model_id, names, scales, weights[:known], weights[known:], log_odds, opinion)


def _opinion(texts: list[str], targets: torch.Tensor, share: torch.Tensor, penalty: float) -> Opinion:
    """Softmax regression over standardised states; what standardises them is folded into the weights."""
    from transforms.types.encoder import states

    found = np.stack([states(text) for text in texts]).astype(np.float64)
    centre, scale = found.mean(axis=0), (found.std(axis=0) + 1e-6) * np.sqrt(LAYER_WIDTH)
    columns = torch.from_numpy(np.column_stack([(found - centre) / scale, np.ones(len(texts))]))
    nothing = torch.zeros(len(texts), 0, dtype=torch.float64).to_sparse()
    prior = torch.zeros(len(texts), len(REASONING_TYPES), dtype=torch.float64)
    weights = _fit(nothing, columns, prior, targets, share, penalty)
    slopes = weights[:-1] / scale[:, None]
    return Opinion(np.vstack([slopes, weights[-1] - centre @ slopes]).astype(np.float32))


def _scale(name: str, count: int, rows: int) -> float:
    """Inverse document frequency; what comes from rules has a fixed scale, since being frequent is its strength."""
    return 3.0 if name.startswith(RULE_FEATURES) else float(np.log((rows + 1) / (count + 1)) + 1)


def _matrix(encoded: list[tuple[NDArray[np.int64], NDArray[np.float64]]], width: int) -> torch.Tensor:
    columns = torch.from_numpy(np.concatenate([places for places, _ in encoded]))
    values = torch.from_numpy(np.concatenate([values for _, values in encoded]))
    lengths = torch.tensor([len(places) for places, _ in encoded])
    owners = torch.repeat_interleave(torch.arange(len(encoded)), lengths)
    shape = (len(encoded), width)
    return torch.sparse_coo_tensor(torch.stack([owners, columns]), values, shape, check_invariants=True).coalesce()


def _fit(
    matrix: torch.Tensor,
    vectors: torch.Tensor,
    prior: torch.Tensor,
    targets: torch.Tensor,
    share: torch.Tensor,
    penalty: float,
) -> NDArray[np.float64]:
    """Weights by L-BFGS from zero: the problem is convex, so the start does not matter."""
    width = matrix.shape[1]
    weights = torch.zeros(width + vectors.shape[1], prior.shape[1], dtype=torch.float64, requires_grad=True)
    optimiser = torch.optim.LBFGS([weights], max_iter=STEPS, history_size=10, line_search_fn="strong_wolfe")

    def loss() -> torch.Tensor:
        optimiser.zero_grad()
        logits = torch.sparse.mm(matrix, weights[:width]) + vectors @ weights[width:] + prior
        each = torch.nn.functional.cross_entropy(logits, targets, reduction="none")
        total = (each * share).sum() + penalty / 2 * (weights**2).sum()
        total.backward()  # type: ignore[no-untyped-call]
        return total

    optimiser.step(loss)  # type: ignore[no-untyped-call]
    found: NDArray[np.float64] = weights.detach().numpy()
    return found
