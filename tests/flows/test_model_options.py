"""What the settings say about models: their kind, and word vectors from a file."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from flows import models
from flows.errors import ConfigError
from flows.explain import explain
from flows.model_tasks import TASKS
from flows.settings import Settings
from flows.store import snapshots
from flows.word_vectors import digest_of

Build = Callable[..., Any]
WORDS = ["why", "how", "does", "the", "tide", "rust", "is", "?", "what", "water"]


def glove(folder: Path, numbers: int = 4) -> Path:
    path = folder / "vectors.txt"
    path.write_text("".join(f"{word} {' '.join(['0.5', '-1'] * (numbers // 2))}\n" for word in WORDS))
    return path


def trained_with(outcome: Any) -> str:
    return str(outcome.manifest.content["models"]["usefulness"]["id"])


def test_a_kind_in_the_settings_wins_until_another_is_named(build: Build, settings: Settings) -> None:
    run, first = build()
    paper = settings.model_copy(deep=True)
    paper.usefulness.kind = "cnn"
    reasons = {reason.stage: reason.why for reason in explain(run.home, paper, first.manifest)}
    assert "model changed" in reasons["scores"]
    assert "model changed" not in reasons["spans"]
    _, second = build(paper)
    assert trained_with(second) != trained_with(first)
    _, third = build()  # nothing named: what is current stays
    assert trained_with(third) == trained_with(second)


def test_word_vectors_come_from_a_file(build: Build, settings: Settings, tmp_path: Path) -> None:
    own = settings.model_copy(deep=True)
    own.usefulness.vectors = glove(tmp_path)
    run, outcome = build(own)
    assert sum(ref.rows for ref in outcome.manifest.of_table("scores")) > 0
    assert snapshots.current_id(run.home) == outcome.manifest.id


def test_a_model_is_bound_to_the_contents_of_its_vectors(build: Build, settings: Settings, tmp_path: Path) -> None:
    own = settings.model_copy(deep=True)
    own.usefulness.vectors = path = glove(tmp_path)
    run, first = build(own)
    # The same contents elsewhere: nothing is trained, and they are found there.
    (tmp_path / "elsewhere").mkdir()
    own.usefulness.vectors = path.rename(tmp_path / "elsewhere" / "other.txt")
    _, moved = build(own)
    assert (trained_with(moved), moved.unchanged) == (trained_with(first), True)
    models.load_model.cache_clear()
    assert models.load_model(run.home.path, "usefulness", trained_with(first))
    # Other contents of the same size under the same name, and the file as old as before.
    state = own.usefulness.vectors.stat()
    own.usefulness.vectors.write_text(own.usefulness.vectors.read_text().replace("0.5", "0.7"))
    os.utime(own.usefulness.vectors, ns=(state.st_atime_ns, state.st_mtime_ns))
    assert "model changed" in {r.stage: r.why for r in explain(run.home, own, moved.manifest)}["scores"]
    _, replaced = build(own)
    assert trained_with(replaced) != trained_with(first)
    # A model whose vectors are gone says so.
    models.load_model.cache_clear()
    with pytest.raises(ConfigError, match=r"usefulness\.vectors, or train another"):
        models.load_model(run.home.path, "usefulness", trained_with(first))


def test_a_file_of_vectors_is_read_for_its_digest_once(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = glove(tmp_path)
    found = digest_of(settings.home, path)
    with monkeypatch.context() as patch:
        patch.setattr("hashlib.file_digest", lambda *_: 1 / 0)
        assert digest_of(settings.home, path) == found
    (settings.home / "models" / "vectors.json").write_text("broken")
    assert digest_of(settings.home, path) == found


def test_vectors_that_cannot_be_read_are_refused(build: Build, settings: Settings, tmp_path: Path) -> None:
    own = settings.model_copy(deep=True)
    own.usefulness.vectors = tmp_path / "nowhere.txt"
    with pytest.raises(ConfigError, match="not a file"):
        TASKS["usefulness"].options(own)
    own.usefulness.vectors = glove(tmp_path)
    own.usefulness.vectors.write_text("why 0.5 1\nhow 0.5\n")
    with pytest.raises(ConfigError, match=r"^usefulness\.vectors: .*vectors\.txt: GloVe word 2"):
        build(own)


def test_the_suffix_of_binary_vectors_may_be_in_capitals(tmp_path: Path) -> None:
    (tmp_path / "models").mkdir()
    (tmp_path / "W2V.BIN").write_bytes(b"1 1\n")
    assert digest_of(tmp_path, tmp_path / "W2V.BIN").startswith("binary-")
