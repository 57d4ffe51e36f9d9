"""The registry of models: `models/<id>/` holds weights (safetensors), a description and metrics; data, never code.

An id is determined by labels, settings and libraries, so a model that is there need not be trained again.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flows.errors import StoreError
from flows.labels import is_useful, labels_of
from flows.store.faults import point
from flows.store.home import Home, staged, write_text

if TYPE_CHECKING:
    from transforms.usefulness.labels import Labelled


@dataclass(frozen=True)
class ModelRef:
    """A trained model by its id, with what its description says."""

    id: str
    labels: str
    metrics: dict[str, float]


def ensure_model(home: Home, task: str, notice: Callable[[str], None] = lambda _: None) -> ModelRef:
    """The current model of a task, trained first if labels or settings are new."""
    from transforms.usefulness.labels import Settings, model_id

    settings = Settings()
    rows, origin = _rows(home, task)
    name = model_id(rows, settings)
    if not (home / "models" / name / "model.json").is_file():
        import torch

        from transforms.usefulness.train import train

        notice(f"training the {task} model on {len(rows)} {origin} labels")
        # One thread: the same weights on every machine, and no slowdown where cores are busy.
        torch.set_num_threads(1)
        trained = train(rows, settings)
        arrays, description = trained.classifier.to_files()
        _save(home, name, arrays, {**description, "task": task, "labels": origin, "metrics": trained.metrics})
    point(f"{task} model ready")
    described = _describe(home.path, name)
    return ModelRef(name, origin, described["metrics"])


def expected_id(home: Home, task: str) -> str:
    """The id of the model that a build would use; nothing is trained."""
    from transforms.usefulness.labels import Settings, model_id

    return model_id(_rows(home, task)[0], Settings())


def _rows(home: Home, task: str) -> "tuple[list[Labelled], str]":
    from transforms.usefulness.labels import Labelled

    pairs, origin = labels_of(home, task)
    return [Labelled(text, is_useful(label)) for text, label in pairs], origin


def _save(home: Home, name: str, arrays: dict[str, Any], description: dict[str, Any]) -> None:
    from safetensors.numpy import save_file

    folder = home / "models" / name
    with staged(folder / "weights.safetensors") as temporary:
        save_file(arrays, temporary)
    # The description comes last: a model without it does not exist.
    write_text(folder / "model.json", json.dumps(description, indent=1, sort_keys=True))


def _describe(home: Path, name: str) -> dict[str, Any]:
    path = home / "models" / name / "model.json"
    try:
        found: dict[str, Any] = json.loads(path.read_text())
        return found
    except (OSError, ValueError):
        raise StoreError(f"the model {path.parent} is broken: remove that folder and run `quarry build`") from None


@lru_cache(maxsize=4)
def load_model(home: Path, task: str, name: str) -> object:
    """A stored model, ready to use; loaded once for each process."""
    from safetensors import SafetensorError
    from safetensors.numpy import load_file

    from transforms.usefulness.model import Classifier

    description = _describe(home, name)
    try:
        return Classifier.from_files(load_file(home / "models" / name / "weights.safetensors"), description)
    except (OSError, SafetensorError, ValueError) as problem:
        raise StoreError(
            f"the model {home / 'models' / name} cannot be loaded ({problem}): remove it and run `quarry build`"
        ) from None
