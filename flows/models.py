"""The registry of models: `models/<id>/` holds weights (safetensors), a description and metrics; data, never code.

An id is determined by labels, options, code and libraries. One small file for each task names the current model.
The description holds the digest of the weights; a model without one was made before there was any, and is made again.
"""

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from flows.errors import ConfigError, StoreError
from flows.fingerprint import source_digest
from flows.labels import labels_of, shortage
from flows.model_tasks import TASKS, Metrics, Pairs
from flows.store.faults import point
from flows.store.home import Home, staged, write_text
from transforms.digest import digest


@dataclass(frozen=True)
class ModelRef:
    """A trained model by its id, with what its description says."""

    id: str
    labels: str  # imported or bundled
    labels_digest: str
    metrics: Metrics

    @property
    def results(self) -> str:
        """The metrics in words."""
        if not self.metrics.get("test_rows"):
            return "not measured"  # no held-out rows, or the model cannot be used
        return ", ".join(
            f"{name} {'-' if value is None else f'{value:g}'}" for name, value in sorted(self.metrics.items())
        )


def ensure_model(
    home: Home, task: str, options: dict[str, Any], notice: Callable[[str], None] = lambda _: None
) -> ModelRef:
    """The current model of a task; trained first, and made current, when labels or options are new."""
    pairs, origin = labels_of(home, task)
    if problem := shortage(home, task):
        notice(f"{problem}; the bundled labels are used")
    name = expected_id(home, task, options)
    if not _is_made(home, name):
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
    if current and _is_made(home, current):
        found = _description(home.path, current)
        same = found["labels_digest"] == labels_digest(pairs) and found["code"] == source_digest(TASKS[task].module)
        if same and options in ({}, found["options"]):
            return current
    return model_name(task, pairs, options)


def train_model(home: Home, task: str, pairs: Pairs, origin: str, options: dict[str, Any]) -> ModelRef:
    """Train and register a model; it does not become current by that."""
    from safetensors.numpy import save

    name, code = model_name(task, pairs, options), source_digest(TASKS[task].module)
    arrays, description, metrics = TASKS[task].train(home.path, pairs, options)
    weights = save(arrays)
    about = {"task": task, "model_id": name, "labels": origin, "labels_digest": labels_digest(pairs), "code": code,
             "metrics": metrics, "options": options, "weights": _weights_digest(weights)}  # fmt: skip
    folder = home / "models" / name
    # The description goes first and comes last: a model without it does not exist.
    (folder / "model.json").unlink(missing_ok=True)
    with staged(folder / "weights.safetensors") as temporary:
        temporary.write_bytes(weights)
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
    path = home / "models" / f"{task}.current"
    try:
        return path.read_text().strip() or None
    except FileNotFoundError:
        return None
    except UnicodeDecodeError:
        raise StoreError(f"{path} is broken: remove it and run `quarry build`") from None


def current(home: Home, task: str) -> ModelRef | None:
    """What is known about the current model of a task, if there is one."""
    name = current_id(home, task)
    return describe(home, name) if name and (home / "models" / name / "model.json").is_file() else None


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
        kinds = {"labels": str, "labels_digest": str, "code": str, "metrics": dict, "options": dict}
        if not all(isinstance(found.get(key), kind) for key, kind in kinds.items()):
            raise ValueError
        if not all(value is None or type(value) in (int, float) for value in found["metrics"].values()):
            raise ValueError
        return found
    except (OSError, ValueError, AttributeError, RecursionError):
        raise StoreError(f"the model {path.parent} is broken: remove that folder and run `quarry build`") from None


def _is_made(home: Home, name: str) -> bool:
    """Whether a model is there, whole and of today's form."""
    return (home / "models" / name / "model.json").is_file() and "weights" in _description(home.path, name)


def _weights_digest(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()


@lru_cache(maxsize=4)
def load_model(home: Path, task: str, name: str) -> object:
    """A stored model, ready to use; loaded once for each process."""
    from safetensors.numpy import load

    description, folder = _description(home, name), home / "models" / name
    if "weights" not in description:
        raise StoreError(f"the model {folder} was made by an older version: run `quarry build`, which trains it again")
    try:
        if (description.get("task"), description.get("model_id")) != (task, name):
            raise ValueError("its description is that of another model")
        body = (folder / "weights.safetensors").read_bytes()
        if _weights_digest(body) != description["weights"]:
            raise ValueError("its weights are not those that were trained")
        return TASKS[task].load(home, load(body), description)
    except ConfigError:
        raise  # what the model needs beside its own files
    except Exception as problem:  # whatever damaged data makes its readers stumble over
        raise StoreError(
            f"the model {folder} cannot be loaded ({problem}): remove that folder and run `quarry build`"
        ) from problem
