"""Train the classifier on labelled questions; the same labels and settings always give the same model."""

from dataclasses import dataclass

import numpy as np
import torch

from transforms.usefulness.labels import Labelled, Settings, model_id, part_of
from transforms.usefulness.model import Classifier, TextCnn
from transforms.usefulness.tokens import encode, normalise, vectors


@dataclass(frozen=True)
class Trained:
    """A classifier and how it did on the part held out for validation and test."""

    classifier: Classifier
    metrics: dict[str, float]


def train(labels: list[Labelled], settings: Settings) -> Trained:
    """Fit on the training part, stop early by the validation part, report on the test part."""
    rows = sorted(set(labels), key=lambda row: (normalise(row.text), row.useful))
    parts = {name: [r for r in rows if part_of(r.text) == name] for name in ("train", "validation", "test")}
    torch.manual_seed(settings.seed)
    table = torch.from_numpy(vectors())
    data = {name: _tensors(found, table) for name, found in parts.items()}
    network = TextCnn(settings, table.shape[1])
    _fit(network, data["train"], data["validation"], settings)
    temperature = _temperature(network, *data["validation"])
    classifier = Classifier(model_id(labels, settings), network, temperature)
    right = np.array([r.useful for r in parts["test"]])
    predicted = classifier.scores([r.text for r in parts["test"]]) >= 0.5
    metrics = {
        "accuracy": round(float((right == predicted).mean()), 4) if len(right) else 0.0,
        "majority": round(float(max(right.mean(), 1 - right.mean())), 4) if len(right) else 0.0,
        "train_rows": float(len(parts["train"])),
        "test_rows": float(len(parts["test"])),
    }
    return Trained(classifier, metrics)


Tensors = tuple[torch.Tensor, torch.Tensor]


def _tensors(rows: list[Labelled], table: torch.Tensor) -> Tensors:
    ids = torch.from_numpy(encode([r.text for r in rows]))
    return table[ids], torch.tensor([float(r.useful) for r in rows])


def _fit(network: TextCnn, training: Tensors, validation: Tensors, settings: Settings) -> None:
    inputs, targets = training
    optimiser = torch.optim.Adam(
        network.parameters(), lr=settings.learning_rate, weight_decay=settings.weight_decay
    )
    loss = torch.nn.BCEWithLogitsLoss()
    best, best_weights, waited = float("inf"), network.state_dict(), 0
    for _ in range(settings.epochs):
        network.train()
        order = torch.randperm(len(inputs))
        for start in range(0, len(order), settings.batch):
            chosen = order[start : start + settings.batch]
            optimiser.zero_grad()
            loss(network(inputs[chosen]), targets[chosen]).backward()
            optimiser.step()
        network.eval()
        with torch.inference_mode():
            current = float(loss(network(validation[0]), validation[1])) if len(validation[1]) else 0.0
        if current < best - 1e-4:
            best, waited = current, 0
            best_weights = {name: weight.clone() for name, weight in network.state_dict().items()}
        else:
            waited += 1
            if waited >= settings.patience:
                break
    network.load_state_dict(best_weights)


def _temperature(network: TextCnn, inputs: torch.Tensor, targets: torch.Tensor) -> float:
    """The divisor of the logits that fits the validation part best: calibration by one number."""
    if not len(targets):
        return 1.0
    with torch.inference_mode():
        logits = network.eval()(inputs)
        candidates = [0.5 + 0.05 * step for step in range(71)]
        losses = [float(torch.nn.functional.binary_cross_entropy_with_logits(logits / t, targets)) for t in candidates]
    return round(candidates[int(np.argmin(losses))], 2)
