"""Everything that can be wrong with the outside: one clear line, the right exit code, the last snapshot untouched."""

import errno
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest
from commands import Tried, one_line
from typer.testing import CliRunner

from flows.cli.main import app
from flows.settings import PROJECT, Settings
from flows.status import status
from flows.store import journal, snapshots
from flows.store.home import read_home
from flows.store.lease import Lease

Build = Callable[..., tuple]


def test_no_dataset_yet(tried: Tried) -> None:
    code, error = tried("sql", "select 1")
    assert code == 2
    assert "quarry build" in error


def test_a_home_of_another_version(build: Build, tried: Tried, settings: Settings) -> None:
    build()
    (settings.home / "home.json").write_text(json.dumps({"format": 99, "buckets": 3}))
    for command in (("build", "--plain"), ("sql", "select 1"), ("status",)):
        code, error = tried(*command)
        assert code == 2
        assert one_line(error)
        assert "format 99" in error


@pytest.mark.parametrize(
    "mark",
    [
        "{",
        "[]",
        "null",
        "[" * 100_000,
        '{"format": 1}',
        '{"format": "1", "buckets": 8}',
        '{"format": true, "buckets": 8}',
        *(f'{{"format": 1, "buckets": {buckets}}}' for buckets in ("0", "-1", '"8"', "8.0", "true", "null", "99999")),
    ],
    ids=lambda mark: mark[:40],
)
def test_a_broken_mark_of_the_home(tried: Tried, settings: Settings, mark: str) -> None:
    settings.home.mkdir(exist_ok=True)
    (settings.home / "home.json").write_text(mark)
    for command in (("status",), ("build", "--plain")):
        code, error = tried(*command)
        assert code == 2
        assert one_line(error)
        assert "home.json is broken" in error


def damage(path: Path) -> None:
    body = bytearray(path.read_bytes())
    middle = len(body) // 2
    body[middle : middle + 8] = bytes(8)
    path.write_bytes(body)


def test_a_damaged_parquet_file_is_found_and_made_again(build: Build, tried: Tried, settings: Settings) -> None:
    _, outcome = build()
    victim = settings.home / max(outcome.manifest.of_table("posts"), key=lambda ref: ref.rows).path
    whole = victim.read_bytes()
    damage(victim)
    assert tried("verify")[0] == 1
    code, _ = tried("build", "--plain")
    assert code == 0
    assert victim.read_bytes() == whole
    assert tried("verify")[0] == 0


def test_a_lost_parquet_file(build: Build, tried: Tried, settings: Settings) -> None:
    _, outcome = build()
    victim = settings.home / outcome.manifest.of_table("lessons")[0].path
    victim.unlink()
    code, error = tried("sql", "select count(*) from lessons")
    assert code == 1
    assert one_line(error)
    assert "quarry verify" in error
    assert tried("verify", "--repair")[0] == 1
    assert tried("build", "--plain")[0] == 0
    assert tried("sql", "select count(*) from lessons")[0] == 0


def test_a_damaged_manifest(build: Build, tried: Tried, settings: Settings) -> None:
    _, outcome = build()
    path = settings.home / "snapshots" / f"{outcome.manifest.id}.json"
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    for command in ("status", "verify", "snapshots"):
        code, error = tried(command)
        assert code == 1
        assert one_line(error)
        assert "quarry build" in error
    found = status()  # the rest is still worth a look
    assert f"quarry: {found['problem']}" in tried("status")[1]
    assert found["snapshot"] == outcome.manifest.id
    assert found["last_run"].startswith("build done")
    assert (found["funnel"], found["model"]) == ([], None)
    assert tried("build", "--plain")[0] == 0
    assert path.read_bytes() == whole


def test_a_damaged_older_manifest_disables_nothing(build: Build, settings: Settings, tried: Tried) -> None:
    ids = []
    for words in (3, 4, 5):
        changed = settings.model_copy(deep=True)
        changed.alignment.max_words = words
        ids.append(build(changed)[1].manifest.id)
    (settings.home / "snapshots" / f"{ids[1]}.json").write_text("{}")
    shown = CliRunner().invoke(app, ["snapshots", "--json"])
    assert shown.exit_code == 0
    rows = {row["snapshot_id"]: row for row in json.loads(shown.stdout)}
    assert [i for i in ids if rows[i]["broken"]] == [ids[1]]
    assert list(rows) == ids[::-1]
    assert rows[ids[0]]["posts"] > 0
    assert rows[ids[1]]["posts"] is None
    for command, expected in (("gc", 0), ("doctor", 1)):
        found = CliRunner().invoke(app, [command])
        assert found.exit_code == expected
        assert ids[1] in found.stdout
    code, error = tried("sql", "--at", ids[1], "select 1")
    assert code == 1
    assert one_line(error)
    assert "backup" in error
    compared = CliRunner().invoke(app, ["diff", "--json"])
    assert json.loads(compared.stdout)["older"] == ids[0]
    assert tried("rollback")[0] == 0
    assert snapshots.current_id(read_home(settings.home)) == ids[0]


def test_nobody_goes_back_to_a_damaged_snapshot(build: Build, settings: Settings, tried: Tried) -> None:
    _, first = build()
    changed = settings.model_copy(deep=True)
    changed.alignment.max_words = 3
    _, second = build(changed)
    current = {ref.path for ref in second.manifest.files}
    (settings.home / next(ref.path for ref in first.manifest.files if ref.path not in current)).unlink()
    code, error = tried("rollback")
    assert code == 1
    assert one_line(error)
    assert "is missing" in error
    assert snapshots.current_id(read_home(settings.home)) == second.manifest.id


@pytest.mark.parametrize(
    "problem", [OSError(errno.EROFS, "Read-only file system"), duckdb.TransactionException("full")]
)
def test_a_catalog_that_cannot_be_written_is_made_in_memory(
    build: Build, settings: Settings, tried: Tried, monkeypatch: pytest.MonkeyPatch, problem: Exception
) -> None:
    build()
    (settings.home / "catalog.duckdb").unlink()
    (settings.home / "annotations" / "labels.jsonl").unlink()

    def fail(*_: object, **__: object) -> None:
        raise problem

    def refuse(_: Path) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    monkeypatch.setattr("flows.store.catalog.staged", fail)
    monkeypatch.setattr(Path, "touch", refuse)
    for query in ("select count(*) from triples", "select * from labels", "select * from runs"):
        assert tried("sql", query) == (0, "")


def test_lines_of_the_journal_that_are_no_rows(build: Build, settings: Settings, tried: Tried) -> None:
    build()
    for name in ("runs", "checks"):
        with (settings.home / "journal" / f"{name}.jsonl").open("a") as file:
            file.write('[]\nnull\n{"run_id":"x"}\n')
    for command in (("status",), ("build", "--plain"), ("sql", "select * from runs")):
        assert tried(*command) == (0, "")
    shown = CliRunner().invoke(app, ["sql", "select count(*) as n from runs where state is null", "--json"])
    assert json.loads(shown.stdout) == [{"n": 0}]


@pytest.mark.parametrize("text", ['{"token": 1}', '{"token": "1", "host": null}'])
def test_a_broken_lease_stops_nobody(build: Build, settings: Settings, tried: Tried, text: str) -> None:
    build()
    (settings.home / "lease.json").write_text(text)
    for command in (("status",), ("doctor",), ("gc",)):
        assert tried(*command) == (0, "")


def test_a_second_writer_is_refused(build: Build, tried: Tried, settings: Settings) -> None:
    build()
    with Lease(read_home(settings.home), "build"):
        for command in (("build", "--plain"), ("gc",), ("rollback",)):
            code, error = tried(*command)
            assert code == 1
            assert one_line(error)
            assert str(os.getpid()) in error
        assert tried("status")[0] == 0
    assert tried("build", "--plain")[0] == 0


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS])
def test_a_disk_that_takes_nothing_more(
    build: Build, tried: Tried, settings: Settings, corpus: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    _, outcome = build()
    with (corpus / "posts.jsonl").open("a") as file:
        file.write('{"post_id": "new", "lesson_id": "rust", "text": "Is it new?"}\n')

    def full(*_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number))

    with monkeypatch.context() as patch:
        patch.setattr("pyarrow.parquet.write_table", full)
        code, error = tried("build", "--plain")
    assert code == 1
    assert one_line(error)
    assert "disk" in error
    run = journal.read(read_home(settings.home), "runs")[-1]
    assert error == f"quarry: {run['message']}\n"  # the same words for who reads the journal or the webhook
    assert snapshots.current_id(read_home(settings.home)) == outcome.manifest.id
    assert not list(settings.home.rglob("*.tmp"))
    assert tried("build", "--plain")[0] == 0


def test_wrong_sql_is_wrong_usage(build: Build, tried: Tried) -> None:
    build()
    code, error = tried("sql", "selec nothing")
    assert code == 2
    assert one_line(error)
    code, error = tried("sql", "drop view lessons")
    assert code == 2
    assert tried("sql", "--limit", "-1", "select 1")[0] == 2


def test_unknown_names(build: Build, tried: Tried) -> None:
    build()
    for command in (("rollback", "zzz"), ("sql", "--at", "zzz", "select 1"), ("trace", "nothing"), ("explain", "tea")):
        code, error = tried(*command)
        assert code == 2, command
        assert one_line(error)


def test_a_row_of_bottomless_nesting_is_a_reject(build: Build, settings: Settings) -> None:
    path = settings.sources[0].path
    assert path is not None
    with (path / "posts.jsonl").open("a") as file:
        file.write('{"a":' * 5000 + "\n")
    _, outcome = build()
    assert outcome.manifest.content["stages"]["ingest"]["rejected"]["not_json"] >= 1


def test_a_lost_manifest_keeps_its_files_and_is_made_again(build: Build, tried: Tried, settings: Settings) -> None:
    _, outcome = build()
    home = read_home(settings.home)
    (home / "snapshots" / f"{outcome.manifest.id}.json").unlink()
    for path in (home / "lake").rglob("*.parquet"):
        os.utime(path, (0, 0))
    before = sorted((home / "lake").rglob("*.parquet"))
    for command in ("gc", "status", "verify"):
        code, error = tried(command)
        assert code != 0
        assert one_line(error)
    assert sorted((home / "lake").rglob("*.parquet")) == before
    assert tried("build", "--plain")[0] == 0
    assert snapshots.current(home).id == outcome.manifest.id


def test_going_back_twice_does_not_go_forward(build: Build, tried: Tried, settings: Settings) -> None:
    _, first = build()
    changed = settings.model_copy(deep=True)
    changed.alignment.max_words = 3
    build(changed)
    assert tried("rollback")[0] == 0
    code, error = tried("rollback")
    assert code == 2
    assert "no older snapshot" in error
    assert snapshots.current_id(read_home(settings.home)) == first.manifest.id


def test_a_rule_or_stage_that_is_none(build: Build, tried: Tried) -> None:
    build()
    assert tried("build", "--plain", "--accept", "nonsense")[0] == 2
    assert tried("rejects", "--stage", "nonsense")[0] == 2


@pytest.mark.parametrize(
    "problem",
    [RuntimeError("Io(Os { code: 28, message: No space left on device })"), OSError(errno.ENOSPC, "full")],
)
def test_a_full_disk_by_whatever_library(
    build: Build, tried: Tried, monkeypatch: pytest.MonkeyPatch, problem: Exception
) -> None:
    build()

    def fail(*_: object) -> None:
        raise problem

    monkeypatch.setattr("flows.verify.verify_current", fail)
    code, error = tried("verify")
    assert code == 1
    assert one_line(error)
    assert "disk is full" in error


def test_a_fault_of_ours_is_one_line_too(build: Build, tried: Tried, monkeypatch: pytest.MonkeyPatch) -> None:
    build()
    monkeypatch.setattr("flows.verify.verify_current", lambda _: 1 / 0)
    code, error = tried("verify")
    assert code == 1
    assert one_line(error)
    assert "QUARRY_DEBUG" in error


def test_a_reader_that_goes_away_is_no_failure(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(PROJECT), "PYTHONUNBUFFERED": "1"}
    command = [sys.executable, "-m", "flows.cli.main", "sources"]
    reading, writing = os.pipe()
    os.close(reading)  # before the first line is written, so that every write meets a broken pipe
    ended = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, env=environment, cwd=tmp_path, check=False)
    os.close(writing)
    assert (ended.returncode, ended.stderr) == (0, b"")
