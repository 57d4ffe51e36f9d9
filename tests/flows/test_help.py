"""`--help` of every command shows how the command is used."""

from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from flows.cli.main import app
from flows.doctor import examine


def _commands(group: object, *before: str) -> Iterator[tuple[str, ...]]:
    for name, command in getattr(group, "commands", {}).items():
        yield from _commands(command, *before, name) if hasattr(command, "commands") else [(*before, name)]


@pytest.mark.parametrize("group", [(), ("labels",), ("evaluate",)], ids=" ".join)
def test_no_summary_is_cut_off(group: tuple[str, ...]) -> None:
    assert "..." not in CliRunner().invoke(app, [*group, "--help"]).output.partition("Commands:")[2]


def test_the_version_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUARRY_HOME", str(tmp_path))
    shown = CliRunner().invoke(app, ["--version"])
    assert (shown.exit_code, shown.stdout) == (0, f"quarry {version('quarry-datasets')}\n")
    assert any(found.finding == version("quarry-datasets") for found in examine())


@pytest.mark.parametrize("command", _commands(get_command(app)), ids=" ".join)
def test_help_shows_an_example_of_the_command(command: tuple[str, ...]) -> None:
    shown = CliRunner().invoke(app, [*command, "--help"])
    assert shown.exit_code == 0
    assert f"quarry {' '.join(command)}" in shown.output.partition("Example:")[2]
