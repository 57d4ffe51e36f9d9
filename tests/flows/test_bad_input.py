"""Everything that can be wrong with the outside: one clear line, the right exit code, the last snapshot untouched."""

import errno
import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from flows.cli.main import app
from flows.settings import Settings
from flows.store import snapshots
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
        ("[usefulnes]\nthreshold = 0.5\n", "usefulnes"),
        ("sources = []\n", "no source"),
    ],
)
def test_broken_settings(quarry: Callable, tmp_path: Path, toml: str, hint: str) -> None:
    (tmp_path / "quarry.toml").write_text(toml)
    code, error = quarry("build", "--plain")
    assert code == 2
    assert one_line(error)
    assert hint in error


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


def test_a_home_of_another_version(build: Build, quarry: Callable, settings: Settings) -> None:
    build()
    (settings.home / "home.json").write_text(json.dumps({"format": 99, "buckets": 3}))
    for command in (("build", "--plain"), ("sql", "select 1"), ("status",)):
        code, error = quarry(*command)
        assert code == 2
        assert one_line(error)
        assert "format 99" in error


def test_a_broken_mark_of_the_home(build: Build, quarry: Callable, settings: Settings) -> None:
    build()
    (settings.home / "home.json").write_text("{")
    code, error = quarry("status")
    assert code == 2
    assert one_line(error)


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
    assert quarry("build", "--plain")[0] == 0
    assert path.read_bytes() == whole


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
