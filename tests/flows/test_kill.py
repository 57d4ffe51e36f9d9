"""The fourth law: a build killed at any point leaves the old or the new state, and the next one ends as if unharmed."""

import json
import random
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest
from conftest import LESSONS, POSTS, write_corpus

from flows.store import catalog, maintenance, snapshots
from flows.store.home import read_home

POINTS = [
    "collected",
    "usefulness model ready",
    "ingest lessons written",
    "ingest rejects written",
    "stage questions done",
    "scores scores written",
    "spans quiz_spans written",
    "triples triples written",
    "clusters clusters written",
    "stage splits done",
    "order written",
    "manifest written",
    "pointer moved",
    "catalog rebuilt",
]
RANDOM_MOMENTS = 8


class Zygote:
    def __init__(self) -> None:
        path = Path(__file__).with_name("zygote.py")
        project = path.parents[2]
        self.process = subprocess.Popen(
            [sys.executable, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=project,
            env={"PYTHONPATH": str(project), "PATH": "/usr/bin:/bin", "OMP_NUM_THREADS": "1"},
        )  # fmt: skip

    def build(self, home: Path, corpus: Path, **order: Any) -> dict[str, Any]:
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(json.dumps({"home": str(home), "corpus": str(corpus), **order}) + "\n")
        self.process.stdin.flush()
        found: dict[str, Any] = json.loads(self.process.stdout.readline())
        return found


@pytest.fixture(scope="module")
def zygote() -> Iterator[Zygote]:
    found = Zygote()
    yield found
    found.process.stdin.close()  # type: ignore[union-attr]
    found.process.wait()


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory, trained: Path, zygote: Zygote) -> dict[str, Any]:
    """A home with a first snapshot, a changed corpus, and the home that an unharmed second build makes."""
    folder = tmp_path_factory.mktemp("kill")
    first = write_corpus(folder / "first", LESSONS, POSTS)
    extra = {"post_id": "r9", "lesson_id": "rust", "kind": "question", "text": "Does paint stop rust under a scratch?"}
    second = write_corpus(folder / "second", LESSONS, [*POSTS, extra])
    shutil.copytree(trained, folder / "before" / "models")
    assert zygote.build(folder / "before", first)["status"] == 0
    shutil.copytree(folder / "before", folder / "unharmed")
    done = zygote.build(folder / "unharmed", second)
    assert done["status"] == 0
    return {"folder": folder, "second": second, "seconds": done["seconds"]}


def state(home: Path) -> dict[str, bytes]:
    """Everything that a reader of the current snapshot can see."""
    manifest = snapshots.current(read_home(home))
    names = [ref.path for ref in manifest.files] + [f"snapshots/{manifest.id}.json", "snapshots/CURRENT"]
    return {name: (home / name).read_bytes() for name in names}


def check_readable(home_path: Path, allowed: list[str]) -> None:
    home = read_home(home_path)
    manifest = snapshots.current(home)
    assert manifest.id in allowed
    assert list(maintenance.damage(home, manifest)) == []
    with duckdb.connect(str(catalog.ensure(home)), read_only=True) as connection:
        assert connection.execute("select count(*) > 0 from triples").fetchone() == (True,)


def kill_and_build_again(scene: dict[str, Any], zygote: Zygote, home: Path, **order: Any) -> int:
    shutil.copytree(scene["folder"] / "before", home)
    status: int = zygote.build(home, scene["second"], **order)["status"]
    states = [snapshots.current(read_home(scene["folder"] / name)).id for name in ("before", "unharmed")]
    check_readable(home, states)
    assert zygote.build(home, scene["second"])["status"] == 0
    assert state(home) == state(scene["folder"] / "unharmed")
    return status


@pytest.mark.parametrize("point", POINTS)
def test_killed_at_a_named_point(point: str, scene: dict[str, Any], zygote: Zygote, tmp_path: Path) -> None:
    assert kill_and_build_again(scene, zygote, tmp_path / "home", kill_at=point) == -signal.SIGKILL


@pytest.mark.parametrize("number", range(RANDOM_MOMENTS))
def test_killed_at_a_random_moment(number: int, scene: dict[str, Any], zygote: Zygote, tmp_path: Path) -> None:
    moment = random.Random(number).uniform(0, scene["seconds"])
    assert kill_and_build_again(scene, zygote, tmp_path / "home", kill_after=moment) in (0, -signal.SIGKILL)


def test_a_first_build_killed_leaves_nothing_current(
    scene: dict[str, Any], zygote: Zygote, tmp_path: Path, trained: Path
) -> None:
    home = tmp_path / "home"
    shutil.copytree(trained, home / "models")
    assert zygote.build(home, scene["second"], kill_at="stage triples done")["status"] == -signal.SIGKILL
    assert snapshots.current_id(read_home(home)) is None
    assert zygote.build(home, scene["second"])["status"] == 0
    assert state(home) == state(scene["folder"] / "unharmed")
