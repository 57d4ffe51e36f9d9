"""A small private corpus and homes for it; the bundled model is trained once for all tests."""

import fcntl
import json
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from flows.build import Job, build_here
from flows.model_tasks import TASKS
from flows.models import ensure_model
from flows.pipeline import Outcome
from flows.run import Run
from flows.settings import Settings, Source
from flows.store.home import open_home

Record = dict[str, Any]

LESSONS: list[Record] = [
    {
        "lesson_id": "tides",
        "kind": "video",
        "title": "Why tides come twice a day",
        "subject": "earth science",
        "license": "CC-BY-4.0",
        "captions": [
            {"start": 0, "text": "The moon pulls on the ocean."},
            {"start": 8, "text": "Water on the near side is pulled more strongly than the solid earth."},
            {"start": 19, "text": "Water on the far side is pulled less strongly, so it is left behind."},
            {"start": 31.5, "text": "That is why there are two bulges and two high tides a day."},
        ],
    },
    {
        "lesson_id": "rust",
        "title": "Rust and how to slow it",
        "subject": "chemistry",
        "text": "Iron rusts when it meets water and oxygen. Salt speeds it up because it carries charge. "
        "A coat of zinc protects the iron, since zinc gives its electrons away first. Paint only keeps water out.",
    },
    {"lesson_id": 7, "title": "A lesson without words"},
]

POSTS: list[Record] = [
    {"post_id": "t1", "lesson_id": "tides", "kind": "question", "author": "Mina",
     "text": "At 0:19 you say the far side is left behind. If the moon pulls everything towards it, "
             "why is there a bulge on the far side?"},
    {"post_id": "t2", "lesson_id": "tides", "parent_id": "t1", "thread_id": "t1", "kind": "answer", "author": "Tom",
     "accepted": True, "votes": 4, "license": "CC-BY-4.0",
     "text": "The pull of the moon gets weaker with distance. The far water is pulled less than the solid earth below "
             "it, so the earth is drawn away from that water and the water stays behind as a second bulge."},
    {"post_id": "t3", "lesson_id": "tides", "parent_id": "t1", "thread_id": "t1", "kind": "comment",
     "author": "Mina", "text": "Thanks, write me at mina@example.org or 030 555-0199!"},
    {"post_id": "t4", "lesson_id": "tides", "kind": "question", "text": "Why two tides and not one? Is it the sun??"},
    {"post_id": "r1", "lesson_id": "rust", "kind": "question", "created_at": "2024-05-01T10:00:00Z",
     "text": "When zinc is scratched through, does the iron below it begin to rust at once?"},
    {"post_id": "r2", "lesson_id": "rust", "parent_id": "r1", "kind": "answer",
     "text": "No. The zinc around the scratch keeps giving its electrons to the iron, and as long as there is zinc "
             "near by, the iron does not lose its own. Only when the zinc is used up does the iron begin to rust."},
    {"post_id": "r3", "lesson_id": "rust", "kind": "post", "text": "Warum rostet Eisen eigentlich schneller am Meer, "
     "wenn dort doch derselbe Sauerstoff in der Luft ist?"},
    {"post_id": "r4", "lesson_id": "rust", "kind": "question", "text": "Why two tides and not one?"},
    {"post_id": 99, "lesson_id": 7, "kind": "question", "text": "What is this lesson about?", "extra": {"a": 1}},
]  # fmt: skip

QUIZZES: list[Record] = [
    {"quiz_id": "q1", "lesson_id": "tides", "text": "Why is there a bulge on the far side?", "hint_seconds": 20,
     "options": ["the sun", "the water is left behind"], "answer": 1},
    {"quiz_id": "q2", "lesson_id": "rust", "text": "What protects the iron?"},
]  # fmt: skip

BAD_POSTS = [
    "not json at all",
    '{"post_id": "no-lesson", "text": "Which lesson is this?"}',
    '{"post_id": "orphan", "lesson_id": "gone", "text": "Is anyone here?"}',
    '{"text": "no id"}',
    '{"post_id": "empty", "lesson_id": "rust", "text": "  "}',
    '{"post_id": "typed", "lesson_id": "rust", "text": 5}',
    '{"post_id": "r2", "lesson_id": "rust", "text": "another text under a used id"}',
    "[1, 2]",
]


def write_corpus(folder: Path, lessons: list[Record], posts: list[Record], bad: list[str] = BAD_POSTS) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, rows, raw in (("lessons", lessons, []), ("posts", posts, bad), ("quizzes", QUIZZES, [])):
        lines = [json.dumps(row, ensure_ascii=False) for row in rows] + raw
        (folder / f"{name}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


_status = pytest.StashKey[int]()


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    session.config.stash[_status] = int(exitstatus)


@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config: pytest.Config) -> None:
    """Leave at once: at a slow exit DuckDB's bindings complain that pytest still holds them."""
    sys.stdout.flush()
    sys.stderr.flush()
    if _status in config.stash and not hasattr(config, "workerinput"):
        os._exit(config.stash[_status])


@pytest.fixture(autouse=True)
def _no_settings_from_outside(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("QUARRY_HOME", "QUARRY_CONFIG", "PREFECT_API_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    return write_corpus(tmp_path / "corpus", LESSONS, POSTS)


@pytest.fixture(scope="session")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder `models/` with the bundled models; pytest's workers share it."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    home = open_home(Settings(home=folder / "trained", sources=[]))
    with (folder / "trained.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        for task in TASKS:
            ensure_model(home, task, {})  # the second worker finds them there
    return home / "models"


@pytest.fixture
def settings(tmp_path: Path, corpus: Path, trained: Path) -> Settings:
    """Settings for a fresh home with the small corpus as its one source."""
    home = tmp_path / "home"
    shutil.copytree(trained, home / "models")
    source = Source(name="small", kind="jsonl", path=corpus)
    return Settings(home=home, buckets=3, pseudonym_key="secret", sources=[source])


@pytest.fixture
def build(settings: Settings) -> Callable[..., tuple[Run, Outcome]]:
    """Build plainly, in this process."""

    def run(changed: Settings | None = None, **job: Any) -> tuple[Run, Outcome]:
        return build_here(changed or settings.model_copy(deep=True), plain=True, job=Job(**job))

    return run
