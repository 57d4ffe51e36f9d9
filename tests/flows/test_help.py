"""`--help` of every command shows how the command is used."""

from collections.abc import Iterator

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from flows.cli.main import app


def _commands(group: object, *before: str) -> Iterator[tuple[str, ...]]:
    for name, command in getattr(group, "commands", {}).items():
        yield from _commands(command, *before, name) if hasattr(command, "commands") else [(*before, name)]


@pytest.mark.parametrize("command", _commands(get_command(app)), ids=" ".join)
def test_help_shows_an_example_of_the_command(command: tuple[str, ...]) -> None:
    shown = CliRunner().invoke(app, [*command, "--help"])
    assert shown.exit_code == 0
    assert f"quarry {' '.join(command)}" in shown.output.partition("Example:")[2]
