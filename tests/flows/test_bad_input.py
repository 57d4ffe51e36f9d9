"""Everything that can be wrong with the outside: one clear line, the right exit code, the last snapshot untouched."""

import errno
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest
from typer.testing import CliRunner

from flows.cli.main import app
from flows.settings import PROJECT, Settings, load_settings
from flows.status import status
from flows.store import journal, snapshots
from flows.store.home import read_home
from flows.store.lease import Lease

Build = Callable[..., tuple]


@pytest.fixture
def quarry(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[int, str]]:
    """Run a command in a folder whose quarry.toml names the small corpus; exit code and standard error."""
    source = settings.sources[0]
    toml = (
        f'home = "{settings.home}"\nbuckets = 3\n[[sources]]\nname = "small"\nkind = "jsonl"\npath = "{source.path}"\n'
    )
    (tmp_path / "quarry.toml").write_text(toml)
    monkeypatch.setenv("QUARRY_PSEUDONYM_KEY", "secret")

    def run(*arguments: str) -> tuple[int, str]:
        result = CliRunner().invoke(app, list(arguments))
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result.exit_code, result.stderr

    return run


def one_line(error: str) -> bool:
    return error.startswith("quarry: ") and error.count("\n") == 1


def test_a_settings_file_that_is_not_there(quarry: Callable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUARRY_CONFIG", "nowhere.toml")
    code, error = quarry("build", "--plain")
    assert code == 2
    assert one_line(error)
    assert "nowhere.toml" in error


@pytest.mark.parametrize(
    ("toml", "hint"),
    [
        ("sources = [", "TOML"),
        ('[[sources]]\nname = "a"\nkind = "gopher"\n', "gopher"),
        ('[[sources]]\nname = "a"\nkind = "jsonl"\n', "path"),
        ('[[sources]]\nname = "../a"\nkind = "campus"\n', "name"),
        ('[[sources]]\nname = "a"\nkind = "campus"\n[[sources]]\nname = "a"\nkind = "campus"\n', "same name"),
        ("[usefulness]\nthreshold = 2\n", "threshold"),
        ("[usefulnes]\nthreshold = 0.5\n", "usefulnes: there is no such setting"),
        ('[[sources]]\nname = "a"\nkind = "jsonl"\npaht = "b"\n', "sources.0.paht: there is no such setting"),
        ('[sources]\nname = "a"\nkind = "campus"\n', "[[sources]]"),
        ('[[sources]]\nname = "My forum"\nkind = "campus"\n', "small letters"),
        ('[[sources]]\nname = "a"\nkind = "discourse"\nurl = "forum.example.org"\n', "no address such as https://"),
        ('[[sources]]\nname = "a"\nkind = "discourse"\nurl = "https://"\n', "no address such as https://"),
        ('[[sources]]\nname = "a"\nkind = "discourse"\nurl = "http://[::1"\n', "sources.0.url"),
        ('[questions]\nlanguages = ["english"]\n', "questions.languages.0"),
        ("[questions]\nlanguages = []\n", "questions.languages"),
        ("sources = []\n", "no source"),
        ("[splits]\nshares = [0.5, -1, 9]\n", "splits.shares"),
        ("[splits]\nshares = [0, 0, 0]\n", "add up to 0"),
        ("[splits]\nshares = [0.8, 0.1, 0.2]\n", "add up to 1.1"),
        ("[splits]\nshares = [1, nan, 0]\n", "splits.shares"),
        ("[splits]\nshares = [0.9, 0.1]\n", "splits.shares"),
        ('home = "a\\u0000b"\n', "home"),
        ('home = "~nobody-of-this-name/home"\n', "home"),
        ('[[sources]]\nname = "a"\nkind = "jsonl"\npath = "a\\u0000b"\n', "sources.0.path"),
        ('[usefulness]\nvectors = "a\\u0000b"\n', "usefulness.vectors"),
        (f"sources = {'[' * 5000}", "nested"),
    ],
)
def test_broken_settings(quarry: Callable, tmp_path: Path, toml: str, hint: str) -> None:
    (tmp_path / "quarry.toml").write_text(toml)
    code, error = quarry("build", "--plain")
    assert code == 2
    assert one_line(error)
    assert hint in error


@pytest.mark.parametrize("shares", ["[1, 0, 0]", "[0.333, 0.333, 0.334]", "[0.3333, 0.3333, 0.3333]"])
def test_shares_that_add_up(shares: str, tmp_path: Path) -> None:
    (tmp_path / "quarry.toml").write_text(f"[splits]\nshares = {shares}\n")
    assert sum(load_settings().splits.shares) == pytest.approx(1, abs=0.001)


def test_an_empty_variable_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "quarry.toml").write_text('home = "kept"\n')
    monkeypatch.setenv("QUARRY_HOME", "")
    assert load_settings().home == tmp_path / "kept"


@pytest.mark.parametrize(
    ("variables", "toml", "giver"),
    [
        ({"QUARRY_BUCKETS": "x"}, "", "QUARRY_BUCKETS"),
        ({"quarry_buckets": "x"}, "", "quarry_buckets"),
        ({"QUARRY_BUCKETS": "3"}, "keep_snapshots = 0", "quarry.toml"),
        ({"QUARRY_USEFULNESS__THRESHOLD": "2"}, "[usefulness]\nthreshold = 0.5", "QUARRY_USEFULNESS__THRESHOLD"),
        ({"QUARRY_USEFULNESS__KIND": "cnn"}, "[usefulness]\nthreshold = 2", "quarry.toml"),
        ({"QUARRY_USEFULNESS": '{"threshold": 2}'}, "[usefulness]\nthreshold = 0.5", "QUARRY_USEFULNESS"),
        ({"QUARRY_USEFULNESS": '{"kind": "cnn"}'}, "[usefulness]\nthreshold = 2", "quarry.toml"),
        ({"QUARRY_SOURCES": '[{"name": "a"}]'}, '[[sources]]\nname = "b"\nkind = "campus"', "QUARRY_SOURCES"),
        ({"QUARRY_SOURCES": "campus"}, "", "QUARRY_SOURCES"),
        ({"QUARRY_SOURCES__0__KIND": "campus"}, "", "QUARRY_SOURCES__0__KIND"),
        ({"QUARRY_SPLITS__SHARES": "half"}, "", "QUARRY_SPLITS__SHARES"),
        ({"QUARRY_HOME": "~nobody-of-this-name"}, "", "QUARRY_HOME"),
    ],
)
def test_a_wrong_setting_names_who_gave_it(
    quarry: Callable,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    variables: dict[str, str],
    toml: str,
    giver: str,
) -> None:
    (tmp_path / "quarry.toml").write_text(toml)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    code, error = quarry("status")
    assert code == 2
    assert one_line(error)
    assert error.startswith(f"quarry: {giver}")
    assert ("quarry.toml" in error) == (giver == "quarry.toml")


@pytest.mark.parametrize("made", [Path.mkdir, lambda path: path.symlink_to("nowhere")])
def test_a_settings_file_that_is_no_file(quarry: Callable, tmp_path: Path, made: Callable[[Path], None]) -> None:
    (tmp_path / "quarry.toml").unlink()
    made(tmp_path / "quarry.toml")
    code, error = quarry("sources")
    assert code == 2
    assert one_line(error)
    assert "quarry.toml is not a file" in error


def test_no_dataset_yet(quarry: Callable) -> None:
    code, error = quarry("sql", "select 1")
    assert code == 2
    assert "quarry build" in error


def test_a_home_that_cannot_be_written(quarry: Callable, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("QUARRY_HOME", str(tmp_path / "file" / "home"))
    code, error = quarry("build", "--plain")
    assert code == 2
    assert one_line(error)
    assert "QUARRY_HOME" in error


@pytest.mark.parametrize("home", ["file", "file/home"])
@pytest.mark.parametrize("command", ["status", "snapshots", "verify", "explain", "build"])
def test_a_home_that_is_a_file(
    quarry: Callable, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, home: str, command: str
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("QUARRY_HOME", str(tmp_path / home))
    code, error = quarry(command)
    assert code == 2
    assert one_line(error)
    assert "quarry build" not in error
    assert "a folder of yours" in error


def test_a_home_with_too_long_a_name(quarry: Callable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUARRY_HOME", "x" * 300)
    for command in ("status", "build"):
        code, error = quarry(command)
        assert code == 2
        assert one_line(error)
        assert "name too long" in error


def test_a_home_of_another_version(build: Build, quarry: Callable, settings: Settings) -> None:
    build()
    (settings.home / "home.json").write_text(json.dumps({"format": 99, "buckets": 3}))
    for command in (("build", "--plain"), ("sql", "select 1"), ("status",)):
        code, error = quarry(*command)
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
def test_a_broken_mark_of_the_home(quarry: Callable, settings: Settings, mark: str) -> None:
    settings.home.mkdir(exist_ok=True)
    (settings.home / "home.json").write_text(mark)
    for command in (("status",), ("build", "--plain")):
        code, error = quarry(*command)
        assert code == 2
        assert one_line(error)
        assert "home.json is broken" in error


def damage(path: Path) -> None:
    body = bytearray(path.read_bytes())
    middle = len(body) // 2
    body[middle : middle + 8] = bytes(8)
    path.write_bytes(body)


def test_a_damaged_parquet_file_is_found_and_made_again(build: Build, quarry: Callable, settings: Settings) -> None:
    _, outcome = build()
    victim = settings.home / max(outcome.manifest.of_table("posts"), key=lambda ref: ref.rows).path
    whole = victim.read_bytes()
    damage(victim)
    assert quarry("verify")[0] == 1
    code, _ = quarry("build", "--plain")
    assert code == 0
    assert victim.read_bytes() == whole
    assert quarry("verify")[0] == 0


def test_a_lost_parquet_file(build: Build, quarry: Callable, settings: Settings) -> None:
    _, outcome = build()
    victim = settings.home / outcome.manifest.of_table("lessons")[0].path
    victim.unlink()
    code, error = quarry("sql", "select count(*) from lessons")
    assert code == 1
    assert one_line(error)
    assert "quarry verify" in error
    assert quarry("verify", "--repair")[0] == 1
    assert quarry("build", "--plain")[0] == 0
    assert quarry("sql", "select count(*) from lessons")[0] == 0


def test_a_damaged_manifest(build: Build, quarry: Callable, settings: Settings) -> None:
    _, outcome = build()
    path = settings.home / "snapshots" / f"{outcome.manifest.id}.json"
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    for command in ("status", "verify", "snapshots"):
        code, error = quarry(command)
        assert code == 1
        assert one_line(error)
        assert "quarry build" in error
    found = status()  # the rest is still worth a look
    assert f"quarry: {found['problem']}" in quarry("status")[1]
    assert found["snapshot"] == outcome.manifest.id
    assert found["last_run"].startswith("build done")
    assert (found["funnel"], found["model"]) == ([], None)
    assert quarry("build", "--plain")[0] == 0
    assert path.read_bytes() == whole


def test_a_damaged_older_manifest_disables_nothing(build: Build, settings: Settings, quarry: Callable) -> None:
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
    code, error = quarry("sql", "--at", ids[1], "select 1")
    assert code == 1
    assert one_line(error)
    assert "backup" in error
    compared = CliRunner().invoke(app, ["diff", "--json"])
    assert json.loads(compared.stdout)["older"] == ids[0]
    assert quarry("rollback")[0] == 0
    assert snapshots.current_id(read_home(settings.home)) == ids[0]


def test_nobody_goes_back_to_a_damaged_snapshot(build: Build, settings: Settings, quarry: Callable) -> None:
    _, first = build()
    changed = settings.model_copy(deep=True)
    changed.alignment.max_words = 3
    _, second = build(changed)
    current = {ref.path for ref in second.manifest.files}
    (settings.home / next(ref.path for ref in first.manifest.files if ref.path not in current)).unlink()
    code, error = quarry("rollback")
    assert code == 1
    assert one_line(error)
    assert "is missing" in error
    assert snapshots.current_id(read_home(settings.home)) == second.manifest.id


@pytest.mark.parametrize(
    "problem", [OSError(errno.EROFS, "Read-only file system"), duckdb.TransactionException("full")]
)
def test_a_catalog_that_cannot_be_written_is_made_in_memory(
    build: Build, settings: Settings, quarry: Callable, monkeypatch: pytest.MonkeyPatch, problem: Exception
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
        assert quarry("sql", query) == (0, "")


def test_lines_of_the_journal_that_are_no_rows(build: Build, settings: Settings, quarry: Callable) -> None:
    build()
    for name in ("runs", "checks"):
        with (settings.home / "journal" / f"{name}.jsonl").open("a") as file:
            file.write('[]\nnull\n{"run_id":"x"}\n')
    for command in (("status",), ("build", "--plain"), ("sql", "select * from runs")):
        assert quarry(*command) == (0, "")
    shown = CliRunner().invoke(app, ["sql", "select count(*) as n from runs where state is null", "--json"])
    assert json.loads(shown.stdout) == [{"n": 0}]


@pytest.mark.parametrize("text", ['{"token": 1}', '{"token": "1", "host": null}'])
def test_a_broken_lease_stops_nobody(build: Build, settings: Settings, quarry: Callable, text: str) -> None:
    build()
    (settings.home / "lease.json").write_text(text)
    for command in (("status",), ("doctor",), ("gc",)):
        assert quarry(*command) == (0, "")


def test_a_second_writer_is_refused(build: Build, quarry: Callable, settings: Settings) -> None:
    build()
    with Lease(read_home(settings.home), "build"):
        for command in (("build", "--plain"), ("gc",), ("rollback",)):
            code, error = quarry(*command)
            assert code == 1
            assert one_line(error)
            assert str(os.getpid()) in error
        assert quarry("status")[0] == 0
    assert quarry("build", "--plain")[0] == 0


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS])
def test_a_disk_that_takes_nothing_more(
    build: Build, quarry: Callable, settings: Settings, corpus: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    _, outcome = build()
    with (corpus / "posts.jsonl").open("a") as file:
        file.write('{"post_id": "new", "lesson_id": "rust", "text": "Is it new?"}\n')

    def full(*_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number))

    with monkeypatch.context() as patch:
        patch.setattr("pyarrow.parquet.write_table", full)
        code, error = quarry("build", "--plain")
    assert code == 1
    assert one_line(error)
    assert "disk" in error
    run = journal.read(read_home(settings.home), "runs")[-1]
    assert error == f"quarry: {run['message']}\n"  # the same words for who reads the journal or the webhook
    assert snapshots.current_id(read_home(settings.home)) == outcome.manifest.id
    assert not list(settings.home.rglob("*.tmp"))
    assert quarry("build", "--plain")[0] == 0


def test_wrong_sql_is_wrong_usage(build: Build, quarry: Callable) -> None:
    build()
    code, error = quarry("sql", "selec nothing")
    assert code == 2
    assert one_line(error)
    code, error = quarry("sql", "drop view lessons")
    assert code == 2
    assert quarry("sql", "--limit", "-1", "select 1")[0] == 2


def test_unknown_names(build: Build, quarry: Callable) -> None:
    build()
    for command in (("rollback", "zzz"), ("sql", "--at", "zzz", "select 1"), ("trace", "nothing"), ("explain", "tea")):
        code, error = quarry(*command)
        assert code == 2, command
        assert one_line(error)


def test_settings_in_another_encoding(quarry: Callable, tmp_path: Path) -> None:
    (tmp_path / "quarry.toml").write_bytes("# Gr\u00f6\u00dfe\n".encode("latin-1"))
    code, error = quarry("status")
    assert code == 2
    assert one_line(error)


def test_a_row_of_bottomless_nesting_is_a_reject(build: Build, settings: Settings) -> None:
    path = settings.sources[0].path
    assert path is not None
    with (path / "posts.jsonl").open("a") as file:
        file.write('{"a":' * 5000 + "\n")
    _, outcome = build()
    assert outcome.manifest.content["stages"]["ingest"]["rejected"]["not_json"] >= 1


def test_a_lost_manifest_keeps_its_files_and_is_made_again(build: Build, quarry: Callable, settings: Settings) -> None:
    _, outcome = build()
    home = read_home(settings.home)
    (home / "snapshots" / f"{outcome.manifest.id}.json").unlink()
    for path in (home / "lake").rglob("*.parquet"):
        os.utime(path, (0, 0))
    before = sorted((home / "lake").rglob("*.parquet"))
    for command in ("gc", "status", "verify"):
        code, error = quarry(command)
        assert code != 0
        assert one_line(error)
    assert sorted((home / "lake").rglob("*.parquet")) == before
    assert quarry("build", "--plain")[0] == 0
    assert snapshots.current(home).id == outcome.manifest.id


def test_going_back_twice_does_not_go_forward(build: Build, quarry: Callable, settings: Settings) -> None:
    _, first = build()
    changed = settings.model_copy(deep=True)
    changed.alignment.max_words = 3
    build(changed)
    assert quarry("rollback")[0] == 0
    code, error = quarry("rollback")
    assert code == 2
    assert "no older snapshot" in error
    assert snapshots.current_id(read_home(settings.home)) == first.manifest.id


def test_a_rule_or_stage_that_is_none(build: Build, quarry: Callable) -> None:
    build()
    assert quarry("build", "--plain", "--accept", "nonsense")[0] == 2
    assert quarry("rejects", "--stage", "nonsense")[0] == 2


@pytest.mark.parametrize(
    "problem",
    [RuntimeError("Io(Os { code: 28, message: No space left on device })"), OSError(errno.ENOSPC, "full")],
)
def test_a_full_disk_by_whatever_library(
    build: Build, quarry: Callable, monkeypatch: pytest.MonkeyPatch, problem: Exception
) -> None:
    build()

    def fail(*_: object) -> None:
        raise problem

    monkeypatch.setattr("flows.verify.verify_current", fail)
    code, error = quarry("verify")
    assert code == 1
    assert one_line(error)
    assert "disk is full" in error


def test_a_fault_of_ours_is_one_line_too(build: Build, quarry: Callable, monkeypatch: pytest.MonkeyPatch) -> None:
    build()
    monkeypatch.setattr("flows.verify.verify_current", lambda _: 1 / 0)
    code, error = quarry("verify")
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


def test_every_setting_of_the_example_can_be_switched_on(tmp_path: Path) -> None:
    """`quarry init` writes a file to start from, so what stands in its comments must be right as well."""
    assert CliRunner().invoke(app, ["init"]).exit_code == 0
    example = (tmp_path / "quarry.toml").read_text(encoding="utf-8")
    (tmp_path / "glove.6B.300d.txt").touch()
    switched_on = re.sub(r"^# (?=\[|\w+ = )", "", example, flags=re.MULTILINE)
    (tmp_path / "quarry.toml").write_text(switched_on, encoding="utf-8")
    found = load_settings()
    assert found.model_fields_set >= {"home", "buckets", "keep_snapshots", "webhook", "pseudonym_key", "schedule",
                                      "runner", "sources", "usefulness", "alignment"}  # fmt: skip
    assert [source.kind for source in found.sources] == ["campus", "jsonl"]
    assert (found.schedule.timezone, found.runner.address) == ("Europe/Berlin", "tcp://10.0.0.5:8786")
