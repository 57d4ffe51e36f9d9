"""Everything that can be wrong with settings and with the place of a home: one clear line, exit code 2."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from commands import Tried, one_line
from typer.testing import CliRunner

from flows.cli.main import app
from flows.errors import ConfigError
from flows.settings import Settings, load_settings
from flows.store.home import Home, pseudonym_key


def test_a_settings_file_that_is_not_there(tried: Tried, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUARRY_CONFIG", "nowhere.toml")
    code, error = tried("build", "--plain")
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
        ('[[sources]]\nname = "a"\nkind = "khan"\nurl = "https://example.org:99999/"\n', "Port out of range"),
        ('webhook = "notaurl"\n', "webhook: it is no address"),
        ('[schedule]\ncron = "0 25 * * *"\n', "schedule.cron: it is no cron line"),
        ('[schedule]\ntimezone = "Atlantis"\n', "schedule.timezone: it is no time zone"),
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
def test_broken_settings(tried: Tried, tmp_path: Path, toml: str, hint: str) -> None:
    (tmp_path / "quarry.toml").write_text(toml)
    code, error = tried("build", "--plain")
    assert code == 2
    assert one_line(error)
    assert hint in error


def test_doctor_refuses_what_the_next_command_refuses(tried: Tried, tmp_path: Path) -> None:
    (tmp_path / "quarry.toml").write_text('[schedule]\ncron = "0 25 * * *"\n')
    assert tried("doctor")[0] == 1


def test_a_webhook_that_is_no_address_may_be_a_secret(tried: Tried, tmp_path: Path) -> None:
    (tmp_path / "quarry.toml").write_text('webhook = "hush"\n')
    assert "hush" not in tried("status")[1]


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
    tried: Tried,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    variables: dict[str, str],
    toml: str,
    giver: str,
) -> None:
    (tmp_path / "quarry.toml").write_text(toml)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    code, error = tried("status")
    assert code == 2
    assert one_line(error)
    assert error.startswith(f"quarry: {giver}")
    assert ("quarry.toml" in error) == (giver == "quarry.toml")


@pytest.mark.parametrize("made", [Path.mkdir, lambda path: path.symlink_to("nowhere")])
def test_a_settings_file_that_is_no_file(tried: Tried, tmp_path: Path, made: Callable[[Path], None]) -> None:
    (tmp_path / "quarry.toml").unlink()
    made(tmp_path / "quarry.toml")
    code, error = tried("sources")
    assert code == 2
    assert one_line(error)
    assert "quarry.toml is not a file" in error


def test_a_home_that_cannot_be_written(tried: Tried, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("QUARRY_HOME", str(tmp_path / "file" / "home"))
    code, error = tried("build", "--plain")
    assert code == 2
    assert one_line(error)
    assert "QUARRY_HOME" in error


@pytest.mark.parametrize("home", ["file", "file/home"])
@pytest.mark.parametrize("command", ["status", "snapshots", "verify", "explain", "build"])
def test_a_home_that_is_a_file(
    tried: Tried, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, home: str, command: str
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("QUARRY_HOME", str(tmp_path / home))
    code, error = tried(command)
    assert code == 2
    assert one_line(error)
    assert "quarry build" not in error
    assert "a folder of yours" in error


def test_a_home_with_too_long_a_name(tried: Tried, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUARRY_HOME", "x" * 300)
    for command in ("status", "build"):
        code, error = tried(command)
        assert code == 2
        assert one_line(error)
        assert "name too long" in error


def test_settings_in_another_encoding(tried: Tried, tmp_path: Path) -> None:
    (tmp_path / "quarry.toml").write_bytes("# Gr\u00f6\u00dfe\n".encode("latin-1"))
    code, error = tried("status")
    assert code == 2
    assert one_line(error)


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


@pytest.mark.parametrize("key", ["", "\n", "secret", "0" * 63, "\u00ff"])
def test_a_key_of_pseudonyms_that_is_none(home: Home, key: str) -> None:
    (home / "pseudonym.key").write_text(key)
    with pytest.raises(ConfigError, match="restore it"):
        pseudonym_key(home, Settings(home=home.path))
