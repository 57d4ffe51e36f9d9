"""Deployed runs that fail: each stands in the journal once, under Prefect's id, and the webhook is told once."""

import errno
import json
import os
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hook import Hook

from flows.build import Job, run_job
from flows.errors import ConfigError, GateError, LeaseHeldError
from flows.settings import Settings
from flows.store import journal
from flows.store.home import Home, open_home, read_home
from flows.store.lease import Lease
from flows.watch import SERVED_WEBHOOK, attempt, tell_of_crash, tell_of_failure, watched, when_free

Build = Callable[..., tuple[Any, Any]]
BEGUN = datetime(2026, 3, 10, 3, tzinfo=UTC)
ID = "0bbd2445-a97b-4b0c-a187-a4c58bbc9e22"


@pytest.fixture
def hook() -> Iterator[Hook]:
    found = Hook()
    yield found
    found.close()


@pytest.fixture(autouse=True)
def _nobody_was_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("flows.notice._told", set())


@pytest.fixture
def home(settings: Settings, hook: Hook, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    """A home as a run of `quarry serve` finds it: the settings in a file, what serve knew in the environment."""
    found = open_home(settings)
    (tmp_path / "quarry.toml").write_text(f'home = "{found.path}"\nwebhook = "{hook.url}"\n')
    monkeypatch.setenv("QUARRY_HOME", str(found.path))
    return found


def runs(home: Home) -> list[tuple[str, str, str, str]]:
    return [(r["run_id"], r["flow"], r["state"], r["message"]) for r in journal.read(home, "runs")]


def log(home: Home) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (home / "journal" / "log.jsonl").read_text().splitlines()]


def fail(problem: Exception, flow: str = "nightly") -> None:
    with pytest.raises(type(problem)), watched(flow, ID, lambda _: None):
        raise problem


@pytest.mark.parametrize(
    ("problem", "state", "message"),
    [
        (ConfigError("swap the dates"), "failed", "swap the dates"),
        (GateError("rule a of table b"), "gated", "rule a of table b"),
        (OSError(errno.ENOSPC, "No space left on device"), "failed", "the disk is full"),
        (ZeroDivisionError("division by zero"), "failed", "unexpected ZeroDivisionError"),
    ],
)
def test_a_failure_before_the_lease(problem: Exception, state: str, message: str, home: Home, hook: Hook) -> None:
    fail(problem)
    ((run_id, flow, ended, said),) = runs(home)
    assert (run_id, flow, ended) == (ID, "nightly", state)
    assert said.startswith(message)
    assert [body for _, _, body in hook.told] == [{"run_id": ID, "flow": "nightly", "state": state, "message": said}]
    (line,) = log(home)
    assert (line["run_id"], line["level"], line["message"]) == (ID, "error", said)


@pytest.mark.parametrize("known", [SERVED_WEBHOOK, "QUARRY_WEBHOOK"])
def test_settings_that_broke_meanwhile(
    known: str, home: Home, hook: Hook, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "quarry.toml").write_text("sources = [")
    monkeypatch.setenv(known, hook.url)
    with pytest.raises(ConfigError, match="TOML"), watched("nightly", ID, lambda _: None):
        pytest.fail("there are no settings to work with")
    ((run_id, _, state, message),) = runs(home)
    assert (run_id, state) == (ID, "failed")
    assert "TOML" in message
    assert len(hook.told) == 1
    assert [line["level"] for line in log(home)] == ["error"]


def test_a_home_that_is_gone_is_told_too(home: Home, hook: Hook) -> None:
    (home / "home.json").unlink()
    fail(ConfigError("no home"))
    assert len(hook.told) == 1


def test_a_run_that_told_itself_is_told_once(home: Home, settings: Settings, hook: Hook) -> None:
    def conduct(_: object) -> Any:
        raise ConfigError("the export has not arrived")

    settings.webhook = hook.url
    with pytest.raises(ConfigError), watched("nightly", ID, lambda _: None):
        run_job(settings, Job("nightly"), conduct, run_id=ID)
    tell_of_failure("nightly", ID, "Flow run encountered an exception", BEGUN)
    tell_of_crash("nightly", ID, BEGUN, "Process exited with status code: 1.")
    assert runs(home) == [(ID, "nightly", "failed", "the export has not arrived")]
    assert len(hook.told) == 1
    assert [line["message"] for line in log(home)] == ["the export has not arrived"]


def test_a_run_that_is_tried_again_and_fails_again_is_told_again(home: Home, hook: Hook) -> None:
    """`Retry` in the UI keeps the id; what a killed process could not tell, the worker tells under the same one."""
    for count, why in ((1, "the site is down"), (2, "the site is still down")):
        tell_of_failure("nightly", attempt(ID, count), why, BEGUN)
        tell_of_crash("nightly", attempt(ID, count), BEGUN, "Process exited with status code: 1.")
    tell_of_crash("nightly", attempt(ID, 3), BEGUN, "Process exited with status code: -9.")
    assert [run[0] for run in runs(home)] == [ID, f"{ID}-2", f"{ID}-3"]
    assert len(hook.told) == 3


def test_a_disk_that_takes_no_journal_either(home: Home, hook: Hook, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(journal, "append", full)
    fail(ConfigError("the first reason"))
    tell_of_failure("nightly", ID, "Flow run encountered an exception", BEGUN)
    assert [body["message"] for _, _, body in hook.told] == ["the first reason"]


def test_what_prefect_refuses_before_the_first_line(home: Home, hook: Hook) -> None:
    tell_of_failure("backfill", ID, "Validation of flow parameters failed", BEGUN)
    (run,) = journal.read(home, "runs")
    assert (run["run_id"], run["state"], run["started_at"]) == (ID, "failed", BEGUN.isoformat())
    assert len(hook.told) == 1


@pytest.mark.parametrize(
    ("said", "killed"),
    [
        ("Process exited with status code: -9. Process exited due to a SIGKILL signal.", True),
        ("Process exited with status code: 137. Process was killed.", True),
        ("Flow run process exited with non-zero status code 143.", True),
        ("its worker was killed too; what it had finished is kept", True),
        ("Process exited with status code: 1. Process exited with a general error.", False),
        ("Flow run process exited with non-zero status code 2.", False),
    ],
)
def test_only_a_signal_kills(said: str, killed: bool, home: Home) -> None:
    tell_of_crash("nightly", ID, BEGUN, said)
    (run,) = journal.read(home, "runs")
    assert run["message"].startswith("killed: ") is killed
    assert said in run["message"]
    assert run["started_at"] == BEGUN.isoformat() < run["finished_at"]


def test_a_good_run_has_prefects_id_everywhere(build: Build, settings: Settings) -> None:
    _, first = build()
    run, _ = run_job(settings, Job("nightly"), lambda _: first, run_id=ID)
    assert run.run_id == ID
    assert journal.read(read_home(settings.home), "runs")[-1]["run_id"] == ID


def test_a_run_waits_for_the_lease_and_then_fails_for_good(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only who has not begun waits: a run that lost its lease half-way would fail again and again."""
    monkeypatch.setattr("flows.watch._LOOK_AGAIN_SECONDS", 0)
    home, said, other = open_home(settings), [], []

    def conduct(_: object) -> Any:
        raise LeaseHeldError("this run lost its lease")

    def say(message: str) -> None:
        said.append(message)
        other.pop().__exit__()

    other.append(Lease(home, "gc").__enter__())
    with pytest.raises(LeaseHeldError, match="lost its lease"):
        run_job(settings, Job("nightly"), conduct, patience=lambda take: when_free(take, say))
    assert len(said) == 1
    assert said[0].startswith("waiting: `quarry gc`")
    assert [state for _, _, state, _ in runs(home)] == ["failed"]
