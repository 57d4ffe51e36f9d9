"""`--json` of every command: one JSON value on standard output and nothing else, on standard error nothing at all."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from flows.cli.main import app
from flows.settings import Settings

COMMANDS = [
    ("sources",), ("doctor",), ("status",), ("explain",), ("rejects",), ("rejects", "--examples", "3"), ("snapshots",),
    ("trace", "small:r1"), ("sql", "select * from posts"), ("sql", "select 'nan'::double as x, 1::hugeint as y"),
    ("verify",), ("diff",), ("gc", "--dry-run"), ("gc",), ("backfill", "--dry-run"), ("backfill", "--plain"),
    ("rollback",), ("build", "--plain"), ("init", "other.toml"), ("takedown", "small:t1"),
]  # fmt: skip


def test_every_command_prints_json_alone(
    build: Callable, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    changed = settings.model_copy(deep=True)
    changed.alignment.max_words = 3
    build(changed)
    build()
    monkeypatch.setenv("QUARRY_PSEUDONYM_KEY", "secret")
    monkeypatch.setenv("QUARRY_HOME", str(settings.home))
    source = f'[[sources]]\nname = "small"\nkind = "jsonl"\npath = "{settings.sources[0].path}"\n'
    (tmp_path / "quarry.toml").write_text(f"buckets = 3\n{source}")
    for command in COMMANDS:
        shown = CliRunner().invoke(app, [*command, "--json"])
        assert (shown.exit_code, shown.stderr) == (0, ""), command
        json.loads(shown.stdout)
