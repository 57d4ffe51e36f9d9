"""Killed with their servers and workers around them: nothing survives, no slot stays taken, the next run completes."""

import json
import os
import random
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
import pytest
from conftest import LESSONS, POSTS, write_corpus

from flows.notice import GONE
from flows.store import journal, snapshots
from flows.store.home import read_home

pytestmark = pytest.mark.slow
PROJECT = Path(__file__).resolve().parents[2]
MOMENTS = 4
FINAL = ("COMPLETED", "FAILED", "CRASHED", "CANCELLED")
QUARRY = [sys.executable, "-m", "flows.cli.main"]
Scene = dict[str, Any]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def ask(url: str, body: dict[str, Any] | None = None) -> Any:
    data = json.dumps(body).encode() if body is not None else None
    request = urllib.request.Request(url, data, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=20) as answer:
        return json.load(answer)


def until(what: Callable[[], Any], seconds: float = 120) -> Any:
    """Wait for something to be true, whatever does not answer meanwhile."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        try:
            if found := what():
                return found
        except OSError:
            pass
        time.sleep(0.2)
    pytest.fail("waited too long")


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory, trained: Path) -> Scene:
    """A corpus, the home that an unharmed build makes of it, and how long that takes."""
    folder = tmp_path_factory.mktemp("operations")
    corpus = write_corpus(folder / "corpus", LESSONS, POSTS)
    (folder / "quarry.toml").write_text(f'buckets = 3\n[[sources]]\nname = "small"\nkind = "jsonl"\npath = "{corpus}"')
    found: Scene = {"folder": folder, "models": trained, "unharmed": folder / "unharmed"}
    started = time.monotonic()
    assert start(found, found["unharmed"], "build").wait(300) == 0
    return found | {"seconds": time.monotonic() - started}


def start(scene: Scene, home: Path, *arguments: str, **options: Any) -> "subprocess.Popen[str]":
    if not home.exists():
        shutil.copytree(scene["models"], home / "models")
    environment = {**os.environ, "PYTHONPATH": str(PROJECT), "QUARRY_CONFIG": str(scene["folder"] / "quarry.toml"),
                   "QUARRY_HOME": str(home), "QUARRY_PSEUDONYM_KEY": "secret", "HOME": str(home)}  # fmt: skip
    return subprocess.Popen([*QUARRY, *arguments], env=environment, cwd=home, text=True, **options)


def survivors(home: Path) -> list[psutil.Process]:
    """Every process that works in this home, whoever started it."""
    found = []
    for process in psutil.process_iter():
        try:
            if process.environ().get("QUARRY_HOME") == str(home) and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
        except psutil.Error:
            continue
    return found


def check_as_if_unharmed(scene: Scene, home: Path) -> None:
    right, found = (snapshots.current(read_home(path)) for path in (scene["unharmed"], home))
    assert found == right
    for ref in right.files:
        assert (home / ref.path).read_bytes() == (scene["unharmed"] / ref.path).read_bytes()
    assert not (home / "lease.json").exists()


@pytest.mark.parametrize("number", range(MOMENTS))
def test_a_build_killed_with_its_own_server(number: int, scene: Scene, tmp_path: Path) -> None:
    home = tmp_path / "home"
    process = start(scene, home, "build")
    # Each quarter of a build has its moment.
    time.sleep(scene["seconds"] * (number + random.Random().random()) / MOMENTS)
    process.kill()
    process.wait(30)
    until(lambda: not survivors(home), 30)
    again = start(scene, home, "build", stderr=subprocess.PIPE)
    _, errors = again.communicate(timeout=300)
    assert (again.returncode, errors) == (0, "")
    check_as_if_unharmed(scene, home)
    ends = [run["state"] for run in journal.read(read_home(home), "runs")]
    assert ends in (["done"], ["failed", "done"], ["failed", "unchanged"], ["done", "unchanged"])
    with sqlite3.connect(home / "prefect" / "prefect.db") as database:
        states = {state for (state,) in database.execute("select state_type from flow_run")}
    assert states <= {"COMPLETED", "CRASHED"}


def test_a_build_killed_beside_the_service(scene: Scene, tmp_path: Path) -> None:
    home = tmp_path / "home"
    served = Served(scene, home)
    try:
        process = start(scene, home, "build")
        (begun,) = until(lambda: ask(f"{served.api}/flow_runs/filter", {"flows": {"name": {"any_": ["build"]}}}))
        process.kill()
        process.wait(30)
        (run,) = until(lambda: journal.read(read_home(home), "runs"))
        assert (run["run_id"], run["message"]) == (begun["name"], GONE)
        assert until(lambda: served.state(begun["id"]) == "CRASHED")
    finally:
        served.process.send_signal(signal.SIGTERM)
        served.process.wait(60)


class Served:
    """`quarry serve`, started for a home."""

    def __init__(self, scene: Scene, home: Path) -> None:
        port, health = free_port(), free_port()
        arguments = ("serve", "--port", str(port), "--health-port", str(health))
        self.home, self.api = home, f"http://127.0.0.1:{port}/api"
        self.process = start(scene, home, *arguments, stderr=subprocess.PIPE)
        until(lambda: ask(f"http://127.0.0.1:{health}/health")["worker"])

    def begin_a_night(self) -> str:
        """Start the deployment `nightly`; the id of the run, which has begun."""
        (nightly,) = [d for d in ask(f"{self.api}/deployments/filter", {}) if d["name"] == "nightly"]
        begun: str = ask(f"{self.api}/deployments/{nightly['id']}/create_flow_run", {})["id"]
        until(lambda: self.state(begun) not in ("SCHEDULED", "PENDING"))
        return begun

    def made_up_for(self, killed: str) -> str:
        """The run that the service starts by itself for a night that was killed."""
        asked = [run for run in ask(f"{self.api}/flow_runs/filter", {}) if not run["auto_scheduled"]]
        return next((str(run["id"]) for run in asked if run["id"] != killed), "")

    def state(self, flow_run: str) -> str:
        found: str = ask(f"{self.api}/flow_runs/{flow_run}")["state"]["type"]
        return found


def test_a_night_killed_with_everything_around_it(scene: Scene, tmp_path: Path) -> None:
    home = tmp_path / "home"
    first = Served(scene, home)
    night = first.begin_a_night()
    time.sleep(random.Random().uniform(0, 3))
    first.process.kill()
    first.process.wait(30)
    until(lambda: not survivors(home), 40)
    second = Served(scene, home)
    try:
        again = until(lambda: second.made_up_for(night)) if second.state(night) == "CRASHED" else second.begin_a_night()
        assert until(lambda: second.state(again) in FINAL and second.state(again)) == "COMPLETED"
    finally:
        second.process.send_signal(signal.SIGTERM)
        second.process.wait(60)
    check_as_if_unharmed(scene, home)
    assert survivors(home) == []


def test_a_run_that_outlived_its_worker_keeps_no_slot(scene: Scene, tmp_path: Path) -> None:
    """The next service leaves it alone, and notices when it dies too."""
    home = tmp_path / "home"
    first = Served(scene, home)
    night = first.begin_a_night()
    (run,) = [p for p in survivors(home) if p.environ().get("PREFECT__FLOW_RUN_ID") == night]
    run.suspend()
    (worker,) = [p for p in survivors(home) if p.cmdline()[1:5] == ["-m", "prefect", "worker", "start"]]
    worker.kill()
    assert first.process.wait(60) == 1
    second = Served(scene, home)
    try:
        assert second.state(night) == "RUNNING"
        run.kill()
        again = until(lambda: second.made_up_for(night))
        assert until(lambda: second.state(again) in FINAL and second.state(again)) == "COMPLETED"
        assert second.state(night) == "CRASHED"
    finally:
        second.process.send_signal(signal.SIGTERM)
        second.process.wait(60)
    check_as_if_unharmed(scene, home)


@pytest.mark.parametrize("part", ["server", "worker"])
def test_a_part_that_is_killed_ends_the_service_with_a_clear_message(part: str, scene: Scene, tmp_path: Path) -> None:
    home = tmp_path / "home"
    served = Served(scene, home)
    (victim,) = [p for p in survivors(home) if p.cmdline()[1:5] == ["-m", "prefect", part, "start"]]
    victim.kill()
    _, errors = served.process.communicate(timeout=60)
    assert served.process.returncode == 1
    assert "server or worker died" in errors
    until(lambda: not survivors(home), 30)
