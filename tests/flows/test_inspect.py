"""What the commands that look at a dataset show."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import LESSONS, POSTS, write_corpus
from typer.testing import CliRunner

from crawlers.state import State
from flows.cli.main import app
from flows.settings import PROJECT, Settings
from flows.store import catalog, snapshots
from flows.store.home import read_home
from flows.trace import trace


@pytest.fixture
def home(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("QUARRY_HOME", str(settings.home))
    return settings.home


def shown(*arguments: str) -> str:
    result = CliRunner().invoke(app, list(arguments))
    assert result.exit_code == 0, result.output
    return result.stdout


def test_days_are_those_of_utc_whatever_the_zone_of_the_machine(build: Callable, home: Path, tmp_path: Path) -> None:
    build()
    environment = {**os.environ, "PYTHONPATH": str(PROJECT), "TZ": "Asia/Tokyo"}
    days = (
        "select timestamptz '2024-05-01 20:00:00Z'::date::varchar as day, created_at from posts where day(created_at)=1"
    )
    for at in ((), ("--at", snapshots.stored(read_home(home))[0])):
        command = [sys.executable, "-m", "flows.cli.main", "sql", days, "--json", *at]
        ended = subprocess.run(command, capture_output=True, env=environment, cwd=tmp_path, check=True)
        assert json.loads(ended.stdout) == [{"day": "2024-05-01", "created_at": "2024-05-01 10:00:00+00:00"}]


def test_examples_of_rejects_say_what_is_wrong(build: Callable, home: Path, corpus: Path) -> None:
    write_corpus(corpus, LESSONS, [*POSTS, {"post_id": "v", "lesson_id": "rust", "text": "Why?", "votes": "many"}])
    build()
    found = shown("rejects", "--reason", "bad_field", "--examples", "9")
    assert "small:typed: text is int, not text" in found
    assert "small:v: votes is not a finite number: 'many': Why?" in found


def test_a_table_has_no_blanks_at_the_ends_of_its_lines(build: Callable, home: Path) -> None:
    build()
    assert all(line == line.rstrip() for line in shown("rejects").splitlines())


ODD = "Grün\u200c\u202e \u009b31m\x7f\U000e0041"


def test_no_output_moves_a_cursor_or_turns_a_line(build: Callable, home: Path) -> None:
    build()
    query = f"select '{ODD}' as odd, ['{ODD}'] as nested"
    found = shown("sql", query, "--json")
    assert json.loads(found) == [{"odd": ODD, "nested": [ODD]}]
    table = shown("sql", query, "--csv")
    assert "Grün\u200c\\u202e \\u009b31m\\u007f\\udb40\\udc41," in table
    assert not set(found + table) & {"\u202e", "\u009b", "\x7f"}
    both = CliRunner().invoke(app, ["sql", query, "--csv", "--json"])
    assert both.exit_code == 2


@pytest.mark.parametrize("native", ["100%", "a_b", "a\\b", "it's"])
def test_a_native_id_is_followed_whatever_its_characters(build: Callable, settings: Settings, native: str) -> None:
    assert settings.sources[0].path
    extra = {"post_id": native, "lesson_id": "rust", "text": "Does it show?"}
    write_corpus(settings.sources[0].path, LESSONS, [*POSTS, extra, {**extra, "post_id": "axb"}])
    build()
    with catalog.connect(read_home(settings.home)) as connection:
        found = dict(trace(connection, native))
    assert [row["post_id"] for row in found["posts"]] == [f"small:{native}"]


def test_a_post_that_its_site_deleted_is_named_by_its_tombstone(build: Callable, home: Path) -> None:
    build()
    file = home / "raw" / "forum" / "state" / "crawl.sqlite3"
    state = State(file)
    values = [("post", "7", '{"text": "Why Zebulon?", "url": "https://e.org/7"}', "2024-05-02"),
              ("post", "8", '{"text": "Because."}', None), ("reject", "9", "{}", "2024-05-02")]  # fmt: skip
    state.db.executemany(
        "INSERT INTO records (type, native, body, fetched_at, removed_at) VALUES (?, ?, ?, '2024-05-01', ?)", values
    )
    state.close()
    for name in ("forum:7", "7", "https://e.org/7"):
        found = json.loads(shown("trace", name, "--json"))["removed"]
        assert found == [
            {"record_id": "forum:7", "type": "post", "fetched_at": "2024-05-01", "removed_at": "2024-05-02"}
        ]
    for name in ("forum:8", "forum:9", "small:77"):
        assert "nothing is known" in CliRunner().invoke(app, ["trace", name]).stderr
    file.write_bytes(b"no database")
    assert "nothing is known" in CliRunner().invoke(app, ["trace", "forum:7"]).stderr
