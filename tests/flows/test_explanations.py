"""What is told of a failure: whose fault it is, in one line, with what to do."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from commands import Quarry, Tried, one_line

from flows.settings import Settings
from flows.store import snapshots
from flows.store.home import read_home

Build = Callable[..., tuple]


@pytest.fixture
def built(build: Build, settings: Settings) -> Path:
    build()
    return settings.home


def spoil(path: Path, place: int = 10) -> None:
    """Bytes that DuckDB cannot read; what it says of them is nothing that a person understands."""
    body = bytearray(path.read_bytes())
    body[place : place + 4] = b"\xff" * 4
    path.write_bytes(body)


def posts_of(home: Path) -> Path:
    manifest = snapshots.current(read_home(home))
    return home / max(manifest.of_table("posts"), key=lambda ref: ref.rows).path


@pytest.mark.parametrize("place", [10, 60])
def test_a_query_of_a_damaged_file_blames_the_file(built: Path, tried: Tried, place: int) -> None:
    spoil(posts_of(built), place)
    code, error = tried("sql", "select * from posts")
    assert code == 1
    assert one_line(error)
    assert f"{posts_of(built).name} has other bytes" in error
    assert "quarry verify --repair" in error


def test_a_truncated_file_is_told_when_the_catalog_is_made(built: Path, tried: Tried) -> None:
    posts_of(built).write_bytes(posts_of(built).read_bytes()[:100])
    for table in ("posts", "lessons"):
        refs = snapshots.current(read_home(built)).of_table(table)
        (built / refs[0].path).write_bytes(b"PAR1")
    (built / "catalog.duckdb").unlink()
    code, error = tried("sql", "select * from posts")
    assert code == 1
    assert one_line(error)
    assert "is broken or missing: run `quarry verify --repair`" in error


@pytest.mark.parametrize(
    "query",
    [
        "select * from 'nofile.csv'",
        "select * from read_parquet('nofile')",
        "attach 'no/such.db'",
        "select cast(text as int) from posts",
        "select nothing from posts",
    ],
)
def test_a_query_of_something_else_is_wrong_usage(built: Path, tried: Tried, query: str) -> None:
    code, error = tried("sql", query)
    assert code == 2
    assert one_line(error)
    assert "verify" not in error


def test_numbers_that_are_too_large(built: Path, tried: Tried) -> None:
    for command in (("rejects", "--examples"), ("sql", "select 1", "--limit")):
        assert tried(*command, "9" * 20)[0] == 2


@pytest.mark.parametrize(
    ("name", "command"),
    [
        ("snapshots/CURRENT", ("status",)),
        ("catalog.duckdb", ("build", "--plain")),
        ("lease.json", ("build", "--plain")),
        ("journal/runs.jsonl", ("build", "--plain")),
        ("journal/runs.jsonl", ("sql", "select * from runs")),
    ],
)
def test_a_folder_where_a_file_belongs(built: Path, tried: Tried, name: str, command: tuple[str, ...]) -> None:
    path = built / name
    path.unlink(missing_ok=True)
    (built / "catalog.duckdb").unlink(missing_ok=True)
    path.mkdir()
    code, error = tried(*command)
    assert code == 1
    assert one_line(error)
    assert f"{path} is a folder: move it away" in error


def test_a_file_where_a_folder_belongs(built: Path, tried: Tried) -> None:
    (built / "lake").rename(built / "elsewhere")
    (built / "lake").touch()
    code, error = tried("build", "--plain")
    assert code == 2
    assert one_line(error)
    assert f"{built / 'lake'} is a file where a folder belongs: move it away" in error


@pytest.mark.parametrize("pointer", [b"0123456789ab", bytes(range(128, 256)) * 3])
def test_a_pointer_to_nothing_has_a_way_out(built: Path, tried: Tried, pointer: bytes) -> None:
    (built / "snapshots" / "CURRENT").write_bytes(pointer)
    code, error = tried("gc")
    assert code == 1
    assert one_line(error)
    assert "run `quarry build`" in error
    assert "nothing was removed" in error
    assert len(error) < 350


def test_a_lost_key_of_pseudonyms_is_told(built: Path, quarry: Quarry, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("QUARRY_PSEUDONYM_KEY")
    assert quarry("explain").exit_code == 0
    assert not (built / "pseudonym.key").exists()  # whoever only looks makes no key
    told = f"{built / 'pseudonym.key'} is gone: a new key is made"
    first = quarry("build", "--plain", "--json")
    assert first.exit_code == 0
    assert told in json.loads(first.stdout)["warnings"][0]
    assert told not in quarry("build", "--plain").stdout


def test_doctor_and_explain_ask_for_the_files_that_a_build_needs(built: Path, quarry: Quarry, corpus: Path) -> None:
    assert quarry("doctor").exit_code == 0
    (corpus / "lessons.jsonl").unlink()
    found = quarry("doctor")
    assert found.exit_code == 1
    assert "lessons.jsonl is missing" in "".join(found.stdout.split("\n"))
    refused = quarry("explain")
    assert refused.exit_code == quarry("build", "--plain").exit_code == 2
    assert "lessons.jsonl is missing" in refused.stderr
