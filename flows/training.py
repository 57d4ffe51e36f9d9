"""Train a model on purpose: register a candidate, compare it with the current one, and decide which is current."""

from dataclasses import asdict, dataclass, replace
from typing import Any

from flows import models
from flows.errors import QuarryError
from flows.labels import labels_to_train_on
from flows.model_tasks import TASKS, Pairs, explained, labelled, training_options
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
    pairs, origin = labels_to_train_on(home, task)
    before = models.current(home, task)
    candidate = models.train_model(home, task, pairs, origin, options)
    if before is None or before.id == candidate.id:
        current, why = True, "it is the first of its kind" if before is None else "it is the current one, trained again"
    else:
        before, problem = _judged(home, task, before, pairs)
        current, why = (True, f"the one before cannot be used ({problem})") if problem else _better(before, candidate)
    if force and not current:
        current, why = True, "forced"
    if current:
        models.make_current(home, task, candidate.id)
    return Training(task, len(pairs), candidate, before, current, why)


def _judged(home: Home, task: str, ref: ModelRef, pairs: Pairs) -> tuple[ModelRef, str | None]:
    """A model measured on the held-out part of these labels, whatever it was trained on; or why it cannot be."""
    try:
        found = TASKS[task].measure(models.load_model(home.path, task, ref.id), pairs)
    except QuarryError as problem:
        return replace(ref, metrics={}), str(problem)
    return replace(ref, metrics={**ref.metrics, **found}), None


def _better(before: ModelRef, candidate: ModelRef) -> tuple[bool, str]:
    """Whether a candidate should become current, and why; both were measured on the same rows."""
    if before.labels_digest != candidate.labels_digest:
        return True, "the labels changed"
    ours, theirs = candidate.metrics["accuracy"], before.metrics["accuracy"]
    if ours is None or theirs is None:
        return False, "there are no held-out rows to compare on (--force makes it current)"
    if ours >= theirs:
        return True, "it is not worse on the same held-out rows"
    return False, "it is worse on the same held-out rows (--force makes it current)"


def compare_splits(home: Home, splits: int, options: dict[str, Any]) -> list[tuple[str, str, str]]:
    """Accuracy, macro-F1, AUC and calibration error over random splits, beside TF-IDF with logistic regression."""
    import torch

    from transforms.usefulness.evaluate import evaluate_splits

    torch.set_num_threads(1)
    pairs, _ = labels_to_train_on(home, "usefulness")
    own, vectors = training_options(home.path, options)
    with explained("usefulness"):
        found = evaluate_splits(labelled(pairs), own, splits, vectors)
    return [(name, str(spread), str(found.baseline[name])) for name, spread in found.model.items()]
