"""Runs that are ended from outside: asked to end they tell so themselves, killed they are told of, once."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from hook import Hook

from flows.explanations import INTERRUPTED
from flows.notice import GONE, report_killed
from flows.serve import _look_around
from flows.settings import PROJECT, Settings
from flows.store import begun, journal
from flows.store.catalog import connect
from flows.store.home import Home, open_home, read_home
from flows.store.lease import Lease

Build = Callable[..., tuple[Any, Any]]
# A build that waits where it would ask its sources.
WAITING = """
import time
import flows.build
flows.build.prepare = lambda *_: (print("begun", flush=True), time.sleep(600))
from flows.cli.main import main
main()
"""
BEGUN = datetime(2026, 3, 10, 3, tzinfo=UTC)


@pytest.fixture
def hook() -> Iterator[Hook]:
    found = Hook()
    yield found
    found.close()


@pytest.fixture
def ended_by(
    quarry: Callable[..., Result], settings: Settings, hook: Hook, tmp_path: Path
) -> Callable[[signal.Signals], tuple[int, str]]:
    """Begin a build in a process of its own and end it by a signal; its exit code and standard error."""
    file = tmp_path / "quarry.toml"
    file.write_text(f'webhook = "{hook.url}"\n{file.read_text()}')

    def run(signum: signal.Signals) -> tuple[int, str]:
        environment = {**os.environ, "PYTHONPATH": str(PROJECT)}
        with subprocess.Popen([sys.executable, "-c", WAITING, "build", "--plain"], env=environment, cwd=tmp_path,
                              text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:  # fmt: skip
            assert process.stdout
            assert process.stderr
            assert process.stdout.readline() == "begun\n"
            process.send_signal(signum)
            return process.wait(60), process.stderr.read()

    return run


def marks(home: Home) -> list[Path]:
    return list((home / "journal" / "begun").iterdir())


def runs(home: Home) -> list[tuple[str, str, str]]:
    return [(row["flow"], row["state"], row["message"]) for row in journal.read(home, "runs")]


@pytest.mark.parametrize("signum", [signal.SIGTERM, signal.SIGINT])
def test_a_build_that_is_asked_to_end_tells_so(
    signum: signal.Signals, ended_by: Any, settings: Settings, hook: Hook
) -> None:
    assert ended_by(signum) == (1, f"quarry: {INTERRUPTED}\n")
    home = read_home(settings.home)
    assert runs(home) == [("build", "failed", INTERRUPTED)]
    assert [body["message"] for _, _, body in hook.told] == [INTERRUPTED]
    assert not (home / "lease.json").exists()
    assert marks(home) == []


def test_a_build_that_is_killed_is_told_of_once(
    ended_by: Any, build: Build, settings: Settings, quarry: Callable[..., Result], hook: Hook
) -> None:
    assert ended_by(signal.SIGKILL) == (-9, "")
    home = read_home(settings.home)
    before = sorted(home.path.rglob("*"))
    shown = json.loads(quarry("status", "--json").stdout)
    assert (shown["message"], shown["running"]) == (GONE, None)
    assert shown["last_run"].startswith("build failed")
    assert (sorted(home.path.rglob("*")), runs(home), hook.told) == (before, [], [])  # who looks writes nothing
    settings.webhook = hook.url
    build()
    build()
    assert runs(home) == [("build", "failed", GONE), ("build", "done", None), ("build", "unchanged", None)]
    (killed, *_) = journal.read(home, "runs")
    assert killed["started_at"] < killed["finished_at"]
    told = {"run_id": killed["run_id"], "flow": "build", "state": "failed", "message": GONE}
    assert [body for _, _, body in hook.told] == [told]
    assert marks(home) == []
    with connect(home) as connection:
        assert connection.execute("select count(*), count(distinct run_id) from runs").fetchone() == (3, 3)


def test_a_run_that_works_and_one_that_told_its_end_were_not_killed(home: Home) -> None:
    with Lease(home, "build") as lease:
        begun.begin(home, lease, "works", "build", BEGUN)
        assert begun.left_behind(home) == []
        kill(home, "works")
        assert [run["run_id"] for run in begun.left_behind(home)] == ["works"]
    row = {"run_id": "works", "flow": "build", "started_at": BEGUN, "finished_at": BEGUN, "state": "done"}
    journal.append(home, "runs", [{**row, "stages": "{}"}])  # it was killed just after its end
    report_killed(home, None)
    assert [row["state"] for row in journal.read(home, "runs")] == ["done"]
    assert marks(home) == []


def test_a_run_of_another_machine_works_while_its_lease_does(home: Home) -> None:
    with Lease(home, "build") as lease:
        lease.holder["host"] = "elsewhere"
        begun.begin(home, lease, "far", "build", BEGUN)
        lease._write()
        assert begun.left_behind(home) == []
        holder = json.loads((home / "lease.json").read_text())
        (home / "lease.json").write_text(json.dumps({**holder, "expires": time.time() - 1}))
        assert [run["run_id"] for run in begun.left_behind(home)] == ["far"]


@pytest.mark.parametrize("text", ["", "[]", "{", '{"run_id": "x", "flow": "build", "started_at": 5}'])
def test_a_broken_mark_is_none(text: str, home: Home) -> None:
    (home / "journal" / "begun").mkdir()
    (home / "journal" / "begun" / "x.json").write_text(text)
    assert begun.left_behind(home) == []


def test_the_service_tells_of_a_killed_run_when_its_worker_does_not(settings: Settings) -> None:
    home = open_home(settings)
    with Lease(home, "build") as lease:
        begun.begin(home, lease, "a", "build", BEGUN)
    kill(home, "a")
    gone = _look_around(home, settings, set())
    assert (gone, runs(home)) == ({"a"}, [])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("flows.serve.bury_killed", lambda _: None)
        assert _look_around(home, settings, gone) == set()
    assert runs(home) == [("build", "failed", GONE)]


def kill(home: Home, run_id: str) -> None:
    """Let a mark be that of a process that is gone."""
    path = home / "journal" / "begun" / f"{run_id}.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "process_mark": "another boot 1"}))
