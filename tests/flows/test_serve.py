"""The service for one machine: schedules and ports that it refuses, the night that was missed, what a run inherits."""

import asyncio
import json
import os
import re
import socket
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
import yaml
from prefect.client.schemas.objects import FlowRun
from prefect.server.schemas.schedules import CronSchedule
from pydantic import ValidationError
from typer.testing import CliRunner

from flows.cli.main import app
from flows.deployments import POOL, environment, form, is_at_work
from flows.errors import ConfigError
from flows.explanations import INTERRUPTED, SERVER_GONE
from flows.notice import KILLED
from flows.prefect_flows import DEPLOYED, backfill
from flows.prefect_server import OwnServer, bound_log
from flows.schedule import missed_night, next_night
from flows.serve import check_ports
from flows.settings import CAMPUS, PROJECT, Schedule, Settings
from flows.store import journal
from flows.store.home import Home


def at(cron: str = "0 3 * * *", timezone: str = "UTC") -> Settings:
    return Settings(schedule=Schedule(cron=cron, timezone=timezone), sources=[])


@pytest.mark.parametrize("timezone", ["Atlantis/Capital", "Europe", "", "../etc/passwd", "CET "])
def test_a_time_zone_that_is_none(timezone: str) -> None:
    with pytest.raises(ValidationError, match="is no time zone"):
        at(timezone=timezone)


@pytest.mark.parametrize(
    "cron",
    ["", "every night", "@daily", "0 25 * * *", "61 3 * * *", "0 0 30 2 *", "0 3 * *",
     "0 3 * * * *", "0 3 * * * * *", "0 3 LW * *", "0 3 * * 5L", "R 3 * * *", "r(0-5) 3 * * *", "H 3 * * *"],
)  # fmt: skip
def test_a_cron_line_that_is_none(cron: str) -> None:
    with pytest.raises(ValidationError, match="is no cron line"):
        at(cron=cron)


@pytest.mark.parametrize("cron", ["0 3 * * *", "*/15 1-5 * * mon-fri", "30 2 1 */2 *"])
def test_a_schedule_that_can_be_read(cron: str) -> None:
    assert next_night(at(cron, "Europe/Berlin"), datetime(2026, 1, 1, tzinfo=UTC)).year == 2026


@pytest.mark.parametrize("cron", ["0 3 * * *", "0 3 */2 * 1", "30 2 L * *", "*/15 1-5 * * mon-fri", "0 3 * * 1/2"])
@pytest.mark.parametrize("day", ["2026-01-01", "2026-03-28", "2026-10-24", "2026-10-25"])
def test_nights_are_when_prefect_starts_them(cron: str, day: str) -> None:
    now = datetime.fromisoformat(f"{day}T12:07:30").replace(tzinfo=UTC)
    (begins,) = asyncio.run(CronSchedule(cron=cron, timezone="Europe/Berlin").get_dates(1, now))
    assert next_night(at(cron, "Europe/Berlin"), now) == begins


def test_a_taken_port_is_refused_before_anything_starts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUARRY_HOME", str(tmp_path / "home"))
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        found = CliRunner().invoke(app, ["serve", "--port", port])
    assert found.exit_code == 2
    assert f"port {port}" in found.stderr
    assert not (tmp_path / "home").exists()


def test_one_port_for_two_is_refused_before_anything_starts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUARRY_HOME", str(tmp_path / "home"))
    found = CliRunner().invoke(app, ["serve", "--port", "4300", "--health-port", "4300"])
    assert found.exit_code == 2
    assert "port 4300 is wanted twice" in found.stderr
    assert not (tmp_path / "home").exists()


@pytest.mark.parametrize(("host", "port"), [("127.0.0.1", 70_000), ("256.0.0.1", 0)])
def test_an_address_that_is_none(host: str, port: int) -> None:
    with pytest.raises(ConfigError, match="cannot listen"):
        check_ports(host, port)


def home_with(folder: Path, *runs: tuple[str, str]) -> Home:
    home = Home(folder, 3)
    (home / "journal").mkdir()
    ended = {"finished_at": NIGHT, "state": "done", "stages": "{}"}
    rows = [{"run_id": str(n), "flow": flow, "started_at": when, **ended} for n, (flow, when) in enumerate(runs)]
    journal.append(home, "runs", rows)
    return home


NIGHT = "2026-03-10T03:00:05+00:00"


@pytest.mark.parametrize(
    ("runs", "now", "missed"),
    [
        ([], "2026-03-10T09:00", False),  # a new home has missed nothing
        ([("nightly", NIGHT)], "2026-03-10T09:00", False),
        ([("nightly", NIGHT)], "2026-03-11T02:59", False),  # the next night is still to come
        ([("nightly", NIGHT)], "2026-03-11T03:01", True),
        ([("nightly", NIGHT)], "2026-03-17T12:00", True),
        ([("nightly", NIGHT), ("build", "2026-03-11T08:00:00+00:00")], "2026-03-11T12:00", False),
        ([("nightly", NIGHT), ("backfill", "2026-03-11T08:00:00+00:00")], "2026-03-11T12:00", True),
        ([("backfill", "2026-03-11T08:00:00+00:00")], "2026-03-11T12:00", True),
        ([("nightly", "2026-03-12T03:00:00+00:00")], "2026-03-11T12:00", True),  # a clock that was wrong then
        ([("nightly", NIGHT)], "2026-03-10T03:00:01", False),  # a clock that was put right by some seconds
    ],
)
def test_whether_a_night_was_missed(runs: list[tuple[str, str]], now: str, missed: bool, tmp_path: Path) -> None:
    moment = datetime.fromisoformat(now).replace(tzinfo=UTC)
    assert missed_night(at(), home_with(tmp_path, *runs), moment) is missed


@pytest.mark.parametrize(
    ("messages", "missed"),
    [
        ([f"{KILLED}: its process is gone"], True),
        ([INTERRUPTED], True),  # the system asked it to end, as when a machine is shut down
        ([f"{SERVER_GONE} (Connection refused)"], True),
        ([INTERRUPTED, f"{KILLED}: its process is gone"], False),  # it may be what ends the machine
        (["the crawl of forum failed"], False),
        ([INTERRUPTED, None], False),
    ],
)
def test_a_night_that_was_cut_off_was_missed(messages: list[str | None], missed: bool, tmp_path: Path) -> None:
    home = home_with(tmp_path)
    ended = {"flow": "nightly", "started_at": NIGHT, "finished_at": NIGHT, "state": "failed", "stages": "{}"}
    rows = [{**ended, "run_id": str(n), "message": message} for n, message in enumerate(messages)]
    journal.append(home, "runs", rows)
    assert missed_night(at(), home, datetime(2026, 3, 10, 9, tzinfo=UTC)) is missed


@pytest.mark.parametrize(("now", "missed"), [("2026-03-10T17:59", False), ("2026-03-10T18:01", True)])
def test_nights_are_those_of_the_configured_time_zone(now: str, missed: bool, tmp_path: Path) -> None:
    home = home_with(tmp_path, ("nightly", "2026-03-09T18:00:00+00:00"))
    moment = datetime.fromisoformat(now).replace(tzinfo=UTC)
    assert missed_night(at(timezone="Asia/Tokyo"), home, moment) is missed  # three at night in Tokyo


def test_half_a_line_in_the_journal_does_not_count(tmp_path: Path) -> None:
    home = home_with(tmp_path, ("nightly", NIGHT))
    with (home / "journal" / "runs.jsonl").open("a") as file:
        file.write(json.dumps({"run_id": "x", "flow": "nightly"})[:-5])
    assert missed_night(at(), home, datetime(2026, 3, 11, 4, tzinfo=UTC))


def test_a_run_works_in_the_same_home_with_the_same_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = environment(Settings(home=tmp_path / "home", sources=[]))
    assert found["QUARRY_HOME"] == str(tmp_path / "home")
    assert found["PYTHONPATH"] == str(PROJECT)
    assert found["DO_NOT_TRACK"] == "1"
    assert "QUARRY_CONFIG" not in found
    (tmp_path / "quarry.toml").write_text("")
    assert environment(Settings(sources=[]))["QUARRY_CONFIG"] == str(tmp_path / "quarry.toml")
    (tmp_path / "other.toml").write_text("")
    monkeypatch.setenv("QUARRY_CONFIG", "other.toml")
    assert environment(Settings(sources=[]))["QUARRY_CONFIG"] == str(tmp_path / "other.toml")


def test_secrets_are_not_stored_in_the_deployments(tmp_path: Path) -> None:
    secret = Settings(home=tmp_path, sources=[], pseudonym_key="hush", webhook="https://hooks.example.org/hush")
    assert "hush" not in json.dumps(environment(secret))


def test_a_form_takes_no_parameter_that_it_does_not_have() -> None:
    for flow in DEPLOYED:
        assert form(flow, Settings(sources=[]))["additionalProperties"] is False


def test_the_lesson_that_the_form_and_the_document_name_is_there() -> None:
    (lesson,) = re.findall(r"such as campus:([^ ]+)\.", json.dumps(form(backfill, Settings(sources=[]))))
    assert (CAMPUS / lesson).is_dir()
    assert f"--lesson campus:{lesson} " in (PROJECT / "docs" / "operations.md").read_text()


def test_the_log_of_the_start_before_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log, before = tmp_path / "server.log", tmp_path / "server.log.1"
    for start in ("first", "second", "third"):
        OwnServer(tmp_path, "127.0.0.1", 4200)
        assert not log.exists()
        with log.open("a") as file:
            file.write(start)
    assert before.read_text() == "second"
    bound_log(log)
    assert before.read_text() == "second"
    monkeypatch.setattr("flows.prefect_server._LONG_BYTES", 3)
    with log.open("a") as file:
        bound_log(log)
        file.write("more")
    assert (before.read_text(), log.read_text()) == ("third", "more")


def test_an_image_holds_nothing_of_a_home() -> None:
    """The example in the document copies the folder, in which somebody may have built."""
    left_out = (PROJECT / ".dockerignore").read_text().splitlines()
    kept = [path.removesuffix("/") for path in (PROJECT / ".gitignore").read_text().splitlines() if "data/" in path]
    assert len(kept) > 1
    assert [path for path in left_out if "data/" in path] == kept
    assert {".git", ".venv", "quarry.toml"} <= set(left_out)


def test_a_run_whose_process_lives_is_not_buried() -> None:
    this, another = FlowRun(flow_id=uuid4()), FlowRun(flow_id=uuid4())
    environment = {**os.environ, "PREFECT__FLOW_RUN_ID": str(this.id)}
    sleep = [sys.executable, "-c", "import time; print(1, flush=True); time.sleep(600)"]
    with subprocess.Popen(sleep, env=environment, stdout=subprocess.PIPE) as run:
        assert run.stdout
        run.stdout.readline()
        this.infrastructure_pid = another.infrastructure_pid = str(run.pid)
        assert is_at_work(this)
        assert not is_at_work(another)  # its number was given to somebody else
        run.kill()
    assert not is_at_work(this)
    assert not is_at_work(FlowRun(flow_id=uuid4()))


def test_the_file_for_other_prefect_servers_names_the_same_deployments() -> None:
    described: dict[str, Any] = yaml.safe_load((PROJECT / "flows" / "prefect.yaml").read_text())
    found = {entry["name"]: entry for entry in described["deployments"]}
    assert list(found) == [flow.name for flow in DEPLOYED]
    for flow in DEPLOYED:
        entry = found[flow.name]
        assert entry["entrypoint"] == f"flows.prefect_flows.{flow.fn.__name__}"
        assert entry["description"] == flow.description
        assert entry["work_pool"]["name"] == POOL
        strategy = "CANCEL_NEW" if flow.name == "nightly" else "ENQUEUE"
        assert entry["concurrency_limit"] == {"limit": 1, "collision_strategy": strategy}
        schedules = [Schedule().model_dump()] if flow.name == "nightly" else []
        assert entry.get("schedules", []) == schedules
