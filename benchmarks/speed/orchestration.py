"""What Prefect costs on top of a full rebuild, what a second Dask worker gains, and how much disk a post takes."""

import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks import corpus
from flows.prefect_server import start_server
from flows.settings import PROJECT
from flows.store.home import Home

POSTS = 100_000
FEW = 20_000
QUARRY = [sys.executable, "-m", "flows.cli.main"]


def report() -> None:
    """Print the figures: goals in brackets."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        corpus.write(folder / "corpus", POSTS)
        corpus.write(folder / "few", FEW)
        (folder / "quarry.toml").write_text(_settings("corpus"))
        models = folder / "models"
        _build(folder, "--plain", config=_few(folder))  # trains the models, which no figure below includes
        shutil.move(folder / "home" / "models", models)

        plain = _rebuild(folder, models, "--plain")
        print(f"full rebuild of {POSTS:,} posts without Prefect {plain:6.1f} s")
        with _server(folder):
            prefect = _rebuild(folder, models)
        print(f"  reported to a Prefect server          {prefect:6.1f} s, {prefect / plain - 1:+.0%} (at most +10 %)")
        alone = _rebuild(folder, models)
        print(
            f"  with a new server of its own          {alone:6.1f} s, {alone - plain:+.1f} s (a start of at most 20 s)"
        )
        print(
            f"  lake                                  {_lake(folder) / POSTS * 1e6 / 1e9:6.2f} GB for a million posts"
        )
        _shuffle(folder / "few" / "posts.jsonl")
        _rebuild(folder, models, "--plain", config=_few(folder))
        print(
            f"  when no two sentences are alike       {_lake(folder) / FEW * 1e6 / 1e9:6.2f} GB, every post a question"
        )
        with _server(folder):
            seconds = [_on_dask(folder, models, workers) for workers in (1, 2)]
        print(f"with one Dask worker of one thread      {seconds[0]:6.1f} s")
        times = seconds[0] / seconds[1]
        print(f"with two                                {seconds[1]:6.1f} s, {times:.2f} times as fast (at least 1.3)")


def _settings(source: str) -> str:
    return f'home = "home"\nbuckets = 16\n[[sources]]\nname = "big"\nkind = "jsonl"\npath = "{source}"\n'


def _few(folder: Path) -> Path:
    path = folder / "few.toml"
    path.write_text(_settings("few"))
    return path


def _build(folder: Path, *arguments: str, config: Path | None = None, **more: str) -> float:
    environment = {**os.environ, "PYTHONPATH": str(PROJECT), "QUARRY_CONFIG": str(config or folder / "quarry.toml")}
    started = time.perf_counter()
    subprocess.run([*QUARRY, "build", *arguments], check=True, stdout=subprocess.DEVNULL, env={**environment, **more})
    return time.perf_counter() - started


def _rebuild(folder: Path, models: Path, *arguments: str, config: Path | None = None, **more: str) -> float:
    shutil.rmtree(folder / "home")
    shutil.copytree(models, folder / "home" / "models")
    return _build(folder, *arguments, config=config, **more)


def _lake(folder: Path) -> int:
    return sum(path.stat().st_size for path in (folder / "home" / "lake").rglob("*.parquet"))


def _shuffle(path: Path) -> None:
    """Put the words of each post in an order of its own, so that nothing repeats."""
    chance, rows = random.Random(1), [json.loads(line) for line in path.open()]
    for row in rows:
        words = row["text"].split()
        row["text"] = " ".join(chance.sample(words, len(words))) + "?"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


def _on_dask(folder: Path, models: Path, workers: int) -> float:
    with _cluster(workers) as address:
        return _rebuild(folder, models, QUARRY_RUNNER__KIND="dask", QUARRY_RUNNER__ADDRESS=address)


@contextmanager
def _server(folder: Path) -> Iterator[None]:
    """A Prefect server that is there already, as under `quarry serve`; builds find it in the environment."""
    with start_server(Home(folder / "server", 1), "127.0.0.1", _free_port()) as server:
        server.wait()
        yield


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def _cluster(workers: int) -> Iterator[str]:
    """A scheduler and its workers on loopback, each a process of its own."""
    port = _free_port()
    address = f"tcp://127.0.0.1:{port}"
    scheduler = ["distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-dashboard"]
    worker = ["distributed.cli.dask_worker", address, "--nthreads", "1", "--no-dashboard", "--preload", "flows.preload"]
    started = [_start(scheduler), *(_start(worker) for _ in range(workers))]
    time.sleep(30)  # until they know each other and have imported what they need, as on a cluster that stays
    try:
        yield address
    finally:
        for process in reversed(started):
            process.send_signal(signal.SIGTERM)
            process.wait(60)


def _start(command: list[str]) -> "subprocess.Popen[bytes]":
    return subprocess.Popen([sys.executable, "-m", *command], cwd=PROJECT, stdout=subprocess.DEVNULL,
                            stderr=subprocess.DEVNULL, env={**os.environ, "PYTHONPATH": str(PROJECT)})  # fmt: skip
