"""Train the model of reasoning types: softmax regression, full batches, no chance involved."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
import torch

from expectations.types import REASONING_TYPES
from transforms.types.features import features
from transforms.types.labels import Labelled, check, types_model_id
from transforms.types.model import RULE_LOG_ODDS, TypesModel, encode
from transforms.types.rules import read, reasoning_type

LEAST_COUNT = 2  # a feature seen once teaches nothing about other questions
PENALTY = 0.05  # on the squared weights, beside the summed loss, from this many labels on
MANY_LABELS = (
    3000  # with fewer, the penalty grows by the square, so that few labels correct the rules but do not replace them
)
RARE_CLASS_BOOST = 0.3  # exponent: 0 counts every label alike, 1 every type alike
STEPS = 100


def train_types(labels: Sequence[Labelled]) -> TypesModel:
    """The model that these labels determine, whatever their order."""
    rows = check(labels)
    readings = [read(row.text) for row in rows]
    found = [features(reading) for reading in readings]
    counts = Counter(name for row in found for name in row)
    names = tuple(sorted(name for name, count in counts.items() if count >= LEAST_COUNT))
    place = {name: row for row, name in enumerate(names)}
    encoded = [encode(row, place) for row in found]
    prior = torch.zeros(len(rows), len(REASONING_TYPES), dtype=torch.float64)
    for row, reading in enumerate(readings):
        prior[row, REASONING_TYPES.index(reasoning_type(reading))] = RULE_LOG_ODDS
    targets = [REASONING_TYPES.index(row.label) for row in rows]
    sizes = Counter(targets)
    share = [(len(rows) / len(sizes) / sizes[target]) ** RARE_CLASS_BOOST for target in targets]
    penalty = PENALTY * max(1.0, MANY_LABELS / len(rows)) ** 2
    weights = _fit(encoded, prior, torch.tensor(targets), torch.tensor(share, dtype=torch.float64), len(names), penalty)
    return TypesModel(types_model_id(labels), names, weights.astype(np.float32))


def _fit(
    encoded: list[tuple[np.ndarray, np.ndarray]],
    prior: torch.Tensor,
    targets: torch.Tensor,
    share: torch.Tensor,
    size: int,
    penalty: float,
) -> np.ndarray:
    """Weights by L-BFGS from zero: the problem is convex, so the start does not matter."""
    columns = torch.from_numpy(np.concatenate([rows for rows, _ in encoded]))
    values = torch.from_numpy(np.concatenate([values for _, values in encoded]))
    lengths = torch.tensor([len(rows) for rows, _ in encoded])
    owners = torch.repeat_interleave(torch.arange(len(encoded)), lengths)
    matrix = torch.sparse_coo_tensor(
        torch.stack([owners, columns]), values, (len(encoded), size), check_invariants=True
    )
    matrix = matrix.coalesce()
    weights = torch.zeros(size, len(REASONING_TYPES), dtype=torch.float64, requires_grad=True)
    optimiser = torch.optim.LBFGS([weights], max_iter=STEPS, history_size=10, line_search_fn="strong_wolfe")

    def loss() -> torch.Tensor:
        optimiser.zero_grad()
        logits = torch.sparse.mm(matrix, weights) + prior
        each = torch.nn.functional.cross_entropy(logits, targets, reduction="none")
        total = (each * share).sum() + penalty / 2 * (weights**2).sum()
        total.backward()  # type: ignore[no-untyped-call]
        return total

    optimiser.step(loss)  # type: ignore[no-untyped-call]
    return weights.detach().numpy()
