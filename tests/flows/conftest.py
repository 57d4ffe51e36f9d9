"""Homes and commands for the tests of this room."""

import json
from pathlib import Path

import pytest
from click.testing import Result
from commands import Give, Quarry, Row, Tried
from typer.testing import CliRunner

from flows.cli.main import app
from flows.settings import Settings
from flows.store.home import Home, open_home


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """An empty home."""
    return open_home(Settings(home=tmp_path / "store", buckets=2))


@pytest.fixture
def quarry(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Quarry:
    """Run a command in a folder whose quarry.toml names the small corpus."""
    source = settings.sources[0]
    (tmp_path / "quarry.toml").write_text(
        f'home = "{settings.home}"\nbuckets = 3\n[[sources]]\nname = "small"\nkind = "jsonl"\npath = "{source.path}"\n'
    )
    monkeypatch.setenv("QUARRY_PSEUDONYM_KEY", "secret")

    def run(*arguments: str) -> Result:
        result = CliRunner().invoke(app, list(arguments))
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    return run


@pytest.fixture
def give(quarry: Quarry, tmp_path: Path) -> Give:
    """Import rows for a task of labelling."""

    def run(task: str, *rows: Row | str) -> Result:
        path = tmp_path / "given.jsonl"
        path.write_text("\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows) + "\n")
        return quarry("labels", "import", "--task", task, str(path))

    return run


@pytest.fixture
def tried(quarry: Quarry) -> Tried:
    """Exit code and standard error of a command."""

    def run(*arguments: str) -> tuple[int, str]:
        result = quarry(*arguments)
        return result.exit_code, result.stderr

    return run
