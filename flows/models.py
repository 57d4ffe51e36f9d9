"""The registry of models: `models/<id>/` holds weights (safetensors), a description and metrics; data, never code.

An id is determined by labels, options, code and libraries. One small file for each task names the current model.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from flows.errors import StoreError
from flows.fingerprint import source_digest
from flows.labels import labels_of
from flows.model_tasks import TASKS, Pairs
from flows.store.faults import point
from flows.store.home import Home, staged, write_text
from transforms.digest import digest


@dataclass(frozen=True)
class ModelRef:
    """A trained model by its id, with what its description says."""

    id: str
    labels: str  # imported or bundled
    labels_digest: str
    metrics: dict[str, float]


def ensure_model(
    home: Home, task: str, options: dict[str, Any], notice: Callable[[str], None] = lambda _: None
) -> ModelRef:
    """The current model of a task; trained first, and made current, when labels or options are new."""
    pairs, origin = labels_of(home, task)
    name = expected_id(home, task, options)
    if not (home / "models" / name / "model.json").is_file():
        notice(f"training the {task} model on {len(pairs)} {origin} labels")
        name = train_model(home, task, pairs, origin, options).id
    make_current(home, task, name)
    point(f"{task} model ready")
    return describe(home, name)


def expected_id(home: Home, task: str, options: dict[str, Any]) -> str:
    """The id of the model that a build uses; it may not exist yet.

    The current one stays while its labels and code are: `quarry train` may have made it with options that are not in
    the settings. Options in the settings win over that.
    """
    pairs, _ = labels_of(home, task)
    current = current_id(home, task)
    if current and (home / "models" / current / "model.json").is_file():
        found = _description(home.path, current)
        same = found["labels_digest"] == labels_digest(pairs) and found["code"] == source_digest(TASKS[task].module)
        if same and options in ({}, found["options"]):
            return current
    return model_name(task, pairs, options)


def train_model(home: Home, task: str, pairs: Pairs, origin: str, options: dict[str, Any]) -> ModelRef:
    """Train and register a model; it does not become current by that."""
    from safetensors.numpy import save_file

    name, code = model_name(task, pairs, options), source_digest(TASKS[task].module)
    arrays, description, metrics = TASKS[task].train(pairs, options)
    about = {"task": task, "model_id": name, "labels": origin, "labels_digest": labels_digest(pairs), "code": code,
             "metrics": metrics, "options": options}  # fmt: skip
    folder = home / "models" / name
    with staged(folder / "weights.safetensors") as temporary:
        save_file(arrays, temporary)
    # The description comes last: a model without it does not exist.
    write_text(folder / "model.json", json.dumps({**description, **about}, indent=1, sort_keys=True))
    return describe(home, name)


def model_name(task: str, pairs: Pairs, options: dict[str, Any]) -> str:
    """The id that labels, options, code and libraries determine."""
    found = TASKS[task]
    libraries = [(name, version(name).partition("+")[0]) for name in found.libraries]
    parts = (labels_digest(pairs), options, source_digest(found.module), libraries)
    return f"{task}-{digest(*parts, length=12)}"


def labels_digest(pairs: Pairs) -> str:
    """Digest of a set of labels, whatever its order."""
    return digest(sorted(pairs))


def current_id(home: Home, task: str) -> str | None:
    """The id of the current model of a task, if there is one."""
    try:
        return (home / "models" / f"{task}.current").read_text().strip() or None
    except FileNotFoundError:
        return None


def make_current(home: Home, task: str, name: str) -> None:
    """Make a registered model the one that builds use."""
    if current_id(home, task) != name:
        write_text(home / "models" / f"{task}.current", name + "\n")


def describe(home: Home, name: str) -> ModelRef:
    """What is known about a registered model."""
    found = _description(home.path, name)
    return ModelRef(name, found["labels"], found["labels_digest"], found["metrics"])


def _description(home: Path, name: str) -> dict[str, Any]:
    path = home / "models" / name / "model.json"
    try:
        found: dict[str, Any] = json.loads(path.read_text())
        if not {"labels", "labels_digest", "metrics", "code", "options"} <= set(found):
            raise ValueError
        return found
    except (OSError, ValueError):
        raise StoreError(f"the model {path.parent} is broken: remove that folder and run `quarry build`") from None


@lru_cache(maxsize=4)
def load_model(home: Path, task: str, name: str) -> object:
    """A stored model, ready to use; loaded once for each process."""
    from safetensors import SafetensorError
    from safetensors.numpy import load_file

    description = _description(home, name)
    try:
        return TASKS[task].load(load_file(home / "models" / name / "weights.safetensors"), description)
    except (OSError, SafetensorError, ValueError) as problem:
        raise StoreError(
            f"the model {home / 'models' / name} cannot be loaded ({problem}): remove it and run `quarry build`"
        ) from None
