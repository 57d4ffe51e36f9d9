"""Real servers, a real worker, a real browser, a real Dask cluster."""

import json
import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
from conftest import LESSONS, POSTS, write_corpus
from hook import Hook

from flows.stages import STAGES
from flows.store import journal, snapshots
from flows.store.home import read_home

pytestmark = pytest.mark.slow
PROJECT = Path(__file__).resolve().parents[2]
QUARRY = [sys.executable, "-m", "flows.cli.main"]
Site = dict[str, Any]


@pytest.fixture
def site(tmp_path: Path, trained: Path) -> Site:
    """A folder with a corpus, settings and a home, and the environment of a command that works there."""
    corpus = write_corpus(tmp_path / "corpus", LESSONS, POSTS)
    home = tmp_path / "home"
    shutil.copytree(trained, home / "models")
    settings = tmp_path / "quarry.toml"
    settings.write_text(f'home = "home"\nbuckets = 3\n[[sources]]\nname = "small"\nkind = "jsonl"\npath = "{corpus}"\n')
    environment = {**os.environ, "PYTHONPATH": str(PROJECT), "QUARRY_CONFIG": str(tmp_path / "quarry.toml"),
                   "QUARRY_PSEUDONYM_KEY": "secret", "HOME": str(tmp_path)}  # fmt: skip
    return {"folder": tmp_path, "home": home, "corpus": corpus, "environment": environment, "settings": settings}


def run(site: Site, *arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([*QUARRY, *arguments], env=site["environment"], cwd=site["folder"], text=True,
                          capture_output=True, timeout=300)  # fmt: skip


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def ask(url: str, body: dict[str, Any] | None = None) -> Any:
    data = json.dumps(body).encode() if body is not None else None
    request = urllib.request.Request(url, data, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=20) as answer:
        return json.load(answer)


def until(what: Callable[[], Any], seconds: float = 120) -> Any:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        try:
            found = what()
        except OSError:
            found = None
        if found:
            return found
        time.sleep(0.5)
    pytest.fail("waited too long")


@pytest.fixture
def served(site: Site) -> Iterator[Site]:
    port, health, hook = free_port(), free_port(), Hook()
    site["settings"].write_text(f'webhook = "{hook.url}"\n' + site["settings"].read_text())
    process = subprocess.Popen([*QUARRY, "serve", "--port", str(port), "--health-port", str(health)],
                               env=site["environment"], cwd=site["folder"])  # fmt: skip
    site |= {"api": f"http://127.0.0.1:{port}/api", "ui": f"http://127.0.0.1:{port}", "process": process, "hook": hook,
             "health": f"http://127.0.0.1:{health}/health"}  # fmt: skip
    try:
        until(lambda: ask(site["health"])["worker"])
        yield site
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(60)
        hook.close()


def test_a_build_stores_every_record_in_its_own_server(site: Site) -> None:
    done = run(site, "build")
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    with sqlite3.connect(site["home"] / "prefect" / "prefect.db") as database:
        states = dict(database.execute("select state_name, count(*) from task_run group by 1").fetchall())
        flows = database.execute("select state_type from flow_run").fetchall()
        artifacts = {key for (key,) in database.execute("select key from artifact")}
    # Stages of three buckets and global ones, each within the task of its bucket; division and gate.
    lessons, everything = (sum(stage.scope == scope for stage in STAGES) for scope in ("lesson", "all"))
    assert states == {"Completed": (lessons + 1) * 3 + (everything + 1) + 2}
    assert flows == [("COMPLETED",)]
    assert artifacts == {"progress", "funnel", "checks", "quality"}
    again = run(site, "build")
    assert "unchanged" in again.stdout
    with sqlite3.connect(site["home"] / "prefect" / "prefect.db") as database:
        reused = database.execute("select count(*) from task_run where state_name = 'Reused'").fetchone()
    assert reused == (lessons * 3 + everything,)


def test_a_backfill_through_the_api_and_what_the_browser_shows(served: Site) -> None:
    assert run(served, "build", "--plain").returncode == 0
    home = read_home(served["home"])
    before = snapshots.current_id(home)
    extra = {"post_id": "r9", "lesson_id": "rust", "kind": "question", "text": "Does paint stop rust under a scratch?"}
    write_corpus(served["corpus"], LESSONS, [*POSTS, extra])
    deployments = {d["name"]: d for d in ask(f"{served['api']}/deployments/filter", {})}
    assert set(deployments) == {"nightly", "backfill", "train"}
    assert deployments["nightly"]["schedules"][0]["schedule"]["cron"] == "0 3 * * *"
    begun = begin(served, "backfill", {"stages": ["triples"], "force": True})
    another = begin(served, "backfill", {"stages": ["splits"], "force": True})  # waits, and is not cancelled
    assert until(lambda: ended(served, begun)) == "COMPLETED"
    assert snapshots.current_id(home) != before
    assert until(lambda: ended(served, another)) == "COMPLETED"
    # One id in the UI and in the journal.
    assert {row["run_id"] for row in journal.read(home, "runs")[1:]} == {begun, another}
    tasks = {t["name"] for t in ask(f"{served['api']}/task_runs/filter", {"flow_runs": {"id": {"any_": [begun]}}})}
    assert {"collect small", "train usefulness", "bucket 000", "ingest-000", "triples-002", "splits-all"} <= tasks
    artifacts = {a["key"]: a["data"] for a in ask(f"{served['api']}/artifacts/filter", {})}
    assert {"funnel", "quality", "checks", "progress"} <= set(artifacts)
    link = artifacts["quality"].partition("](")[2].partition(")")[0]
    assert link == served["health"].replace("/health", "/reports/quality/index.html")
    with urllib.request.urlopen(link, timeout=20) as page:
        assert b"<html" in page.read()
    shown = look(f"{served['ui']}/deployments", served["folder"] / "deployments.png")
    assert all(name in shown for name in ("nightly", "backfill", "train"))
    assert "funnel" in look(f"{served['ui']}/artifacts", served["folder"] / "artifacts.png")


def begin(served: Site, name: str, parameters: dict[str, Any]) -> str:
    """Start a deployment with parameters; the id of the run."""
    (found,) = [d for d in ask(f"{served['api']}/deployments/filter", {}) if d["name"] == name]
    begun = ask(f"{served['api']}/deployments/{found['id']}/create_flow_run", {"parameters": parameters})
    return str(begun["id"])


def ended(served: Site, flow_run: str) -> str | None:
    state: str = ask(f"{served['api']}/flow_runs/{flow_run}")["state"]["type"]
    return state if state in ("COMPLETED", "FAILED", "CRASHED", "CANCELLED") else None


def test_deployed_runs_that_fail_before_they_begin(served: Site) -> None:
    """Each stands in the journal under its id, and the webhook is told of it once, whoever refused it."""
    assert run(served, "build", "--plain").returncode == 0
    home, hook = read_home(served["home"]), served["hook"]
    with pytest.raises(urllib.error.HTTPError, match="409"):
        begin(served, "backfill", {"form": "2026-01-01"})  # no such parameter
    expected = []
    for parameters, why in (
        ({"since": "tomorrow"}, "since"),
        ({"since": "2026-02-01", "until": "2026-01-01"}, "swap the dates"),
        ({"lessons": ["small:nowhere"]}, "no lesson small:nowhere"),
    ):
        begun = begin(served, "backfill", parameters)
        assert until(lambda begun=begun: ended(served, begun)) == "FAILED"
        row = until(lambda begun=begun: next((r for r in journal.read(home, "runs") if r["run_id"] == begun), None))
        assert (row["flow"], row["state"]) == ("backfill", "failed")
        assert why in row["message"]
        assert not row["message"].startswith("killed")
        expected.append(begun)
    served["settings"].write_text("sources = [")  # broken while the service runs
    night = begin(served, "nightly", {})
    assert until(lambda: ended(served, night)) == "FAILED"
    assert until(lambda: len(hook.told) >= 4)
    assert [body["run_id"] for _, _, body in hook.told] == [*expected, night]
    assert "TOML" in journal.read(home, "runs")[-1]["message"]
    with pytest.raises(urllib.error.HTTPError, match="503"):
        ask(served["health"])


def test_a_worker_whose_guard_is_killed_serves_no_longer(served: Site) -> None:
    """It would work beside the one that the next start brings."""
    children = psutil.Process(served["process"].pid).children()
    (guard,) = [p for p in children if "worker" in p.cmdline()]
    (worker,) = until(guard.children)
    guard.kill()
    assert served["process"].wait(60) == 1
    assert until(lambda: not worker.is_running() or worker.status() == psutil.STATUS_ZOMBIE)


def look(url: str, screenshot: Path) -> str:
    """What a browser shows at an address; a screenshot is left beside it."""
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if browser is None:
        pytest.fail("this test needs a browser: apt-get install chromium")
    common = [browser, "--headless", "--no-sandbox", "--disable-gpu", "--window-size=1300,900",
              "--virtual-time-budget=10000", f"--user-data-dir={screenshot.parent / 'browser'}"]  # fmt: skip
    subprocess.run([*common, f"--screenshot={screenshot}", url], check=True, capture_output=True, timeout=120)
    assert screenshot.stat().st_size > 10_000
    shown = subprocess.run([*common, "--dump-dom", url], check=True, capture_output=True, text=True, timeout=120)
    return shown.stdout


def test_the_quality_page_in_a_browser(site: Site) -> None:
    many = [{"post_id": f"m{n}", "lesson_id": "rust", "kind": "question", "text": f"Is number {n} rusty?"}
            for n in range(100)]  # fmt: skip
    write_corpus(site["corpus"], LESSONS, [*POSTS, *many])
    assert run(site, "build", "--plain").returncode == 0
    write_corpus(site["corpus"], LESSONS, POSTS)
    assert run(site, "build", "--plain").returncode == 3
    page = look((site["home"] / "reports" / "quality" / "index.html").as_uri(), site["folder"] / "quality.png")
    assert "posts_not_shrunk" in page
    assert "109 rows before, 9 now" in page


def test_a_dask_cluster_gives_the_same_bytes(site: Site) -> None:
    assert run(site, "build", "--plain").returncode == 0
    local = snapshots.current(read_home(site["home"]))
    port = free_port()
    cluster = [subprocess.Popen([sys.executable, "-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1",
                                 "--port", str(port), "--no-dashboard"], env=site["environment"])]  # fmt: skip
    try:
        for _ in range(2):
            worker = [sys.executable, "-m", "distributed.cli.dask_worker", f"tcp://127.0.0.1:{port}", "--nthreads", "1",
                      "--no-dashboard"]  # fmt: skip
            cluster.append(subprocess.Popen(worker, env=site["environment"], cwd=site["folder"]))
        elsewhere = site["folder"] / "elsewhere"
        shutil.copytree(site["home"] / "models", elsewhere / "models")
        (elsewhere / "home.json").write_text((site["home"] / "home.json").read_text())
        site["environment"] |= {"QUARRY_HOME": str(elsewhere), "QUARRY_RUNNER__KIND": "dask",
                                "QUARRY_RUNNER__ADDRESS": f"tcp://127.0.0.1:{port}"}  # fmt: skip
        done = run(site, "build")
        assert done.returncode == 0, done.stderr
    finally:
        for process in reversed(cluster):
            process.terminate()
            process.wait(30)
    clustered = snapshots.current(read_home(elsewhere))
    assert clustered == local
    for ref in local.files:
        assert (elsewhere / ref.path).read_bytes() == (site["home"] / ref.path).read_bytes()
