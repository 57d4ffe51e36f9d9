"""What `quarry serve` answers: whether all is well, and the reports, which are read-only and end at their folder."""

import base64
import json
import socket
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest

from flows.health import answering, reports_url
from flows.settings import Settings
from flows.store import snapshots
from flows.store.home import Home, open_home, read_home

Build = Callable[..., tuple[Any, Any]]
WELL = {"server": True, "worker": True}


@pytest.fixture
def home(settings: Settings, tmp_path: Path) -> Home:
    """A home with a report, and a secret beside the reports; the settings name it."""
    found = open_home(settings)
    (tmp_path / "quarry.toml").write_text(f'home = "{found.path}"\n')
    for name in ("reports/quality", "prefect"):
        (found / name).mkdir(parents=True)
    (found / "reports" / "quality" / "index.html").write_text("<p>Grün</p>", encoding="utf-8")
    (found / "pseudonym.key").write_text("secret")
    return found


@pytest.fixture
def parts() -> dict[str, bool]:
    return dict(WELL)


@pytest.fixture
def port(home: Home, parts: dict[str, bool]) -> Iterator[int]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        number: int = probe.getsockname()[1]
    with answering(home, "127.0.0.1", number, lambda: parts, None):
        yield number


def ask(port: int, path: str, method: str = "GET", **headers: str) -> tuple[int, bytes, dict[str, str]]:
    """The raw path is sent: no client tidies it up."""
    connection = HTTPConnection("127.0.0.1", port, timeout=20)
    connection.request(method, path, headers=headers)
    answer = connection.getresponse()
    return answer.status, answer.read(), dict(answer.headers)


def health(port: int) -> tuple[int, dict[str, Any]]:
    status, body, _ = ask(port, "/health")
    return status, json.loads(body)


def test_all_is_well(port: int) -> None:
    status, found = health(port)
    assert status == 200
    nothing = {"snapshot": None, "age": None, "age_seconds": None, "last_run": None, "problem": None}
    assert found == {**WELL, **nothing, "well": True}


def test_only_the_head_is_asked_for(port: int) -> None:
    status, body, headers = ask(port, "/health", "HEAD")
    assert (status, body) == (200, b"")
    assert int(headers["Content-Length"]) > 0


def test_the_age_is_a_number_and_known_although_the_last_run_died_before_its_end(build: Build, port: int) -> None:
    run, _ = build()
    assert 0 <= health(port)[1]["age_seconds"] < 600
    (run.home / "journal" / "runs.jsonl").unlink()
    assert 0 <= health(port)[1]["age_seconds"] < 600


@pytest.mark.parametrize("part", ["server", "worker"])
def test_a_part_that_is_gone(part: str, port: int, parts: dict[str, bool]) -> None:
    parts[part] = False
    status, found = health(port)
    assert (status, found[part], found["well"]) == (503, False, False)


@pytest.mark.parametrize("toml", ["sources = [", '[schedule]\ntimezone = "Atlantis"\n', "buckets = 0\n"])
def test_settings_that_broke_meanwhile(toml: str, port: int, tmp_path: Path) -> None:
    (tmp_path / "quarry.toml").write_text(toml)
    status, found = health(port)
    assert (status, found["server"], found["worker"]) == (503, True, True)
    assert found["problem"]


def test_a_half_written_manifest_is_one_field(build: Build, home: Home, port: int) -> None:
    _, outcome = build()
    path = home / "snapshots" / f"{outcome.manifest.id}.json"
    path.write_bytes(path.read_bytes()[:100])
    status, found = health(port)
    assert status == 503
    assert "is broken" in found["problem"]
    assert found["snapshot"] == outcome.manifest.id == snapshots.current_id(read_home(home.path))
    assert found["last_run"].startswith("build done")


@pytest.mark.parametrize("path", ["/reports/quality/index.html", "/reports/quality/", "/reports/quality?a=b"])
def test_a_report(path: str, port: int) -> None:
    status, body, headers = ask(port, path)
    assert (status, body.decode()) == (200, "<p>Grün</p>")
    assert headers["Content-Type"] == "text/html; charset=utf-8"


@pytest.mark.parametrize(
    "path",
    [
        "/", "/reports", "/reports/", "/reports/nothing.html", "/pseudonym.key", "/reports/../pseudonym.key",
        "/reports/quality/../../pseudonym.key", "/reports/%2e%2e/pseudonym.key", "/reports/%2e%2e%2fpseudonym.key",
        "/reports//etc/passwd", "/reports/link", "/reports/folder/passwd", "/reports/%00", "/reports/" + "a" * 5000,
    ],
)  # fmt: skip
def test_nothing_outside_of_the_reports(path: str, home: Home, port: int) -> None:
    (home / "reports" / "link").symlink_to(home / "pseudonym.key")
    (home / "reports" / "folder").symlink_to("/etc")
    status, body, _ = ask(port, path)
    assert status == 404
    assert b"secret" not in body


def test_nothing_can_be_written(port: int) -> None:
    with pytest.raises(urllib.error.HTTPError, match="501"):
        urllib.request.urlopen(f"http://127.0.0.1:{port}/reports/quality/index.html", b"new", timeout=20)


def test_a_password_of_prefect_protects_the_reports_too(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PREFECT_SERVER_API_AUTH_STRING", "operator:a long one")
    right = base64.b64encode(b"operator:a long one").decode()
    assert ask(port, "/reports/quality/")[0] == 401
    assert ask(port, "/reports/quality/", Authorization="Basic d3Jvbmc=")[0] == 401
    assert ask(port, "/reports/quality/", Authorization=f"Basic {right}")[0] == 200
    assert ask(port, "/health")[0] == 200  # monitoring has no password, and there is no text in it


def test_runs_learn_where_the_reports_are(home: Home, port: int) -> None:
    assert reports_url(home) == f"http://127.0.0.1:{port}/reports/"
    with answering(home, "127.0.0.1", 0, lambda: WELL, "https://quarry.example.org/reports/"):
        assert reports_url(home) == "https://quarry.example.org/reports/"
    assert reports_url(Home(home.path / "elsewhere", 3)) is None
