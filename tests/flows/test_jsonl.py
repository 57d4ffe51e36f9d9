"""The source `jsonl` is what its page says."""

import re
from pathlib import Path

import pytest

from expectations import table
from flows.build import build_here
from flows.settings import PROJECT, Settings, load_settings
from flows.store import catalog
from flows.store.home import read_home

PAGE = (PROJECT / "docs" / "sources" / "jsonl.md").read_text(encoding="utf-8")
FILES = ("lessons", "posts", "quizzes")
# What ingest itself puts into the tables, and what it takes and puts into none.
OURS = {"source", "fetched_at", "verdict", "lesson_version"}
KEPT_BACK = {"posts": {"author_names"}}


def test_the_example_of_the_page_builds_without_a_reject(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "exports" / "physics"
    folder.mkdir(parents=True)
    for name, rows in zip(FILES, re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL), strict=True):
        (folder / f"{name}.jsonl").write_text(rows, encoding="utf-8")
    (tmp_path / "quarry.toml").write_text(re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)[0])
    monkeypatch.setenv("QUARRY_HOME", str(settings.home))
    build_here(load_settings(), plain=True)
    with catalog.connect(read_home(settings.home)) as connection:
        counts = [connection.execute(f"select count(*) from {name}").fetchone() for name in FILES]
        assert counts == [(2,), (2,), (1,)]
        assert connection.execute("select count(*) from rejects where stage = 'ingest'").fetchone() == (0,)


@pytest.mark.parametrize("name", FILES)
def test_the_page_lists_every_field(name: str) -> None:
    row = next(line for line in PAGE.splitlines() if line.startswith(f"| `{name}.jsonl`"))
    assert set(re.findall(r"`(\w+)`", row)) == {column.name for column in table(name).columns} - OURS | KEPT_BACK.get(
        name, set()
    )
