"""Train a model on purpose: register a candidate, compare it with the current one, and decide which is current."""

from dataclasses import asdict, dataclass
from typing import Any

from flows import models
from flows.errors import ConfigError
from flows.labels import labels_of
from flows.model_tasks import training_options
from flows.models import ModelRef
from flows.store.home import Home


@dataclass(frozen=True)
class Training:
    """A candidate beside the model that was current, and what became of it."""

    task: str
    rows: int
    candidate: ModelRef
    before: ModelRef | None
    current: bool
    why: str

    def as_dict(self) -> dict[str, Any]:
        """Plain data for scripts."""
        return asdict(self)


def train_task(home: Home, task: str, options: dict[str, Any], force: bool = False) -> Training:
    """Train on the imported or bundled labels; unchanged labels never make a worse one current."""
    pairs, origin = labels_of(home, task)
    name = models.current_id(home, task)
    before = models.describe(home, name) if name else None
    candidate = models.train_model(home, task, pairs, origin, options)
    if before is None or before.id == candidate.id:
        current, why = True, "it is the first of its kind" if before is None else "it is the current one, trained again"
    elif before.labels_digest != candidate.labels_digest:
        current, why = True, "the labels changed"
    elif candidate.metrics["accuracy"] >= before.metrics["accuracy"]:
        current, why = True, "it is not worse on the same held-out rows"
    else:
        current, why = force, "forced" if force else "it is worse on the same held-out rows (--force makes it current)"
    if current:
        models.make_current(home, task, candidate.id)
    return Training(task, len(pairs), candidate, before, current, why)


def compare_splits(home: Home, splits: int, options: dict[str, Any]) -> list[tuple[str, str, str]]:
    """Accuracy, macro-F1, AUC and calibration error over random splits, beside TF-IDF with logistic regression."""
    import torch

    from transforms.usefulness.evaluate import evaluate_splits
    from transforms.usefulness.labels import read_labels

    torch.set_num_threads(1)
    pairs, _ = labels_of(home, "usefulness")
    try:
        rows = read_labels({"text": text, "label": label} for text, label in pairs)
        own, vectors = training_options(options)
        found = evaluate_splits(rows, own, splits, vectors)
    except ValueError as problem:
        raise ConfigError(f"usefulness labels: {problem}") from None
    return [(name, str(spread), str(found.baseline[name])) for name, spread in found.model.items()]
