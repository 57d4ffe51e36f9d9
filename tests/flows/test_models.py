"""The registry of models: what is damaged is refused, and what is compared is compared on the same rows."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from flows import models, training
from flows.errors import ConfigError, StoreError
from flows.labels import LEAST
from flows.settings import Settings
from flows.store.home import Home, open_home
from transforms.usefulness.labels import part_of

Damage = Callable[[Path], object]


@pytest.fixture
def home(settings: Settings) -> Home:
    models.load_model.cache_clear()
    return open_home(settings)


def folder(home: Home, task: str = "usefulness") -> Path:
    return home / "models" / str(models.current_id(home, task))


def change(**entries: Any) -> Damage:
    """Damage that gives the description other entries; None takes one away."""

    def damage(model: Path) -> None:
        path = model / "model.json"
        found = {**json.loads(path.read_text()), **entries}
        path.write_text(json.dumps({name: value for name, value in found.items() if value is not None}))

    return damage


def flip(model: Path) -> None:
    """One bit of one weight."""
    path = model / "weights.safetensors"
    body = bytearray(path.read_bytes())
    body[-3] ^= 1
    path.write_bytes(body)


def swap(model: Path) -> None:
    """Whole weights, but of another model."""
    (other,) = (path for path in model.parent.glob("*/weights.safetensors") if path.parent != model)
    shutil.copy(other, model)


def write(name: str, body: bytes) -> Damage:
    """Other contents of one of its files."""
    return lambda model: (model / name).write_bytes(body)


DAMAGES = [
    flip,
    swap,
    lambda model: (model / "weights.safetensors").unlink(),
    write("weights.safetensors", bytes(100)),
    write("model.json", b"[]"),
    write("model.json", b"[" * 100_000),
    write("model.json", b"\xff"),
    change(weights="0"),
    change(weights=3),
    change(task="triples"),
    change(model_id="another"),
    change(metrics="good"),
    change(metrics={"accuracy": "good"}),
    change(options=None),
]


@pytest.mark.parametrize("task", ["usefulness", "reasoning_type"])
@pytest.mark.parametrize("damage", DAMAGES, ids=range(len(DAMAGES)))
def test_a_damaged_model_is_refused_with_what_to_do(home: Home, task: str, damage: Damage) -> None:
    model = folder(home, task)
    assert models.load_model(home.path, task, model.name)
    damage(model)
    models.load_model.cache_clear()
    with pytest.raises(StoreError, match="remove that folder and run `quarry build`") as error:
        models.load_model(home.path, task, model.name)
    assert model.name in str(error.value)


def test_whatever_a_reader_stumbles_over_is_told_with_its_model(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("out of memory")

    monkeypatch.setattr("transforms.usefulness.model.Classifier.from_files", fail)
    with pytest.raises(StoreError, match="out of memory"):
        models.load_model(home.path, "usefulness", folder(home).name)


def test_a_model_of_an_older_version_is_trained_again(home: Home) -> None:
    model = folder(home, "reasoning_type")
    whole = (model / "model.json").read_bytes()
    change(weights=None)(model)
    with pytest.raises(StoreError, match="older version: run `quarry build`"):
        models.load_model(home.path, "reasoning_type", model.name)
    assert models.ensure_model(home, "reasoning_type", {}).id == model.name
    assert (model / "model.json").read_bytes() == whole
    assert models.load_model(home.path, "reasoning_type", model.name)


def test_a_lost_description_and_a_broken_pointer(home: Home) -> None:
    shutil.rmtree(folder(home, "reasoning_type"))
    assert models.current(home, "reasoning_type") is None
    (home / "models" / "reasoning_type.current").write_bytes(b"\xff\xfe")
    with pytest.raises(StoreError, match="remove it"):
        models.current_id(home, "reasoning_type")


def give(home: Home, *rows: tuple[str, int]) -> None:
    found = [{"task": "usefulness", "record_id": text, "text": text, "label": str(useful)} for text, useful in rows]
    (home / "annotations" / "labels.jsonl").write_text("".join(json.dumps(row) + "\n" for row in found))


def rows(number: int, test: bool, invert: bool = False) -> list[tuple[str, int]]:
    """As many questions of each class, all of the held-out part or none."""
    found: list[tuple[str, int]] = []
    for useful, pattern in ((1, "Why does number {} matter to the theory?"), (0, "Did you see my post {}, lol?")):
        texts = (pattern.format(n) for n in range(1000))
        mine = [text for text in texts if (part_of(text) == "test") == test][:number]
        found += [(text, useful != invert) for text in mine]
    return found


def test_the_one_before_is_measured_on_the_new_labels(home: Home) -> None:
    give(home, *rows(40, test=False), *rows(8, test=True))
    first = training.train_task(home, "usefulness", {})
    assert (first.current, first.why) == (True, "the labels changed")
    assert first.before is not None
    assert first.before.metrics["test_rows"] == first.candidate.metrics["test_rows"] == 16
    assert first.candidate.metrics["accuracy"] == 1
    # But it says on how many rows it was trained, not on how many it would be today.
    bundled_rows = models.describe(home, first.before.id).metrics["train_rows"]
    assert first.before.metrics["train_rows"] == bundled_rows != first.candidate.metrics["train_rows"]
    # What was learned says the contrary of the new labels, whatever it reached on the old ones.
    give(home, *rows(40, test=False, invert=True), *rows(9, test=True, invert=True))
    second = training.train_task(home, "usefulness", {})
    assert second.before is not None
    assert (second.before.id, second.before.metrics["accuracy"]) == (first.candidate.id, 0)
    assert (second.candidate.metrics["accuracy"], second.current) == (1, True)
    assert second.before.metrics["test_rows"] == second.candidate.metrics["test_rows"] == 18


def test_a_worse_candidate_needs_force(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    give(home, *rows(20, test=False), *rows(5, test=True))
    first = training.train_task(home, "usefulness", {})
    train = models.TASKS["usefulness"].train

    def worse(*arguments: Any) -> Any:
        arrays, description, metrics = train(*arguments)
        return arrays, description, {**metrics, "accuracy": 0.5}

    monkeypatch.setattr(models.TASKS["usefulness"], "train", worse)
    found = training.train_task(home, "usefulness", {"kind": "cnn"})
    assert (found.current, models.current_id(home, "usefulness")) == (False, first.candidate.id)
    assert "worse on the same held-out rows (--force" in found.why
    forced = training.train_task(home, "usefulness", {"kind": "cnn"}, force=True)
    assert (forced.current, forced.why) == (True, "forced")
    assert models.current_id(home, "usefulness") == forced.candidate.id == found.candidate.id


def test_without_rows_to_compare_on_nothing_becomes_current_by_itself(home: Home) -> None:
    give(home, *rows(LEAST, test=False))
    first = training.train_task(home, "usefulness", {})
    assert first.candidate.metrics["accuracy"] is None
    assert first.candidate.results == "not measured"
    second = training.train_task(home, "usefulness", {"kind": "cnn"})
    assert not second.current
    assert "no held-out rows" in second.why
    assert training.train_task(home, "usefulness", {"kind": "cnn"}, force=True).current


def test_a_current_model_that_cannot_be_used_gives_way(home: Home) -> None:
    flip(folder(home))
    found = training.train_task(home, "usefulness", {"kind": "cnn"})
    assert found.current
    assert "cannot be used" in found.why
    assert found.before is not None
    assert found.before.results == "not measured"


def test_a_kind_that_needs_a_package_names_it_and_no_labels(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    from transforms.usefulness import minilm

    minilm._files.cache_clear()
    monkeypatch.setattr(minilm, "find_spec", lambda _: None)
    with pytest.raises(ConfigError, match=r"^MiniLM's weights"):
        training.train_task(home, "usefulness", {"kind": "encoder"})
    with pytest.raises(ConfigError, match=r"^unknown kind"):
        training.train_task(home, "usefulness", {"kind": "forest"})
