"""A Prefect server for the length of one run: on loopback, its database in the home, stopped with every record stored.

Prefect's own ephemeral server loses task records at exit; a server that `PREFECT_API_URL` names is used as it is.
"""

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from flows import guard
from flows.errors import QuarryError
from flows.store.home import Home

_PATIENCE_SECONDS = 120

# Nothing is sent anywhere, and nothing is printed that is not news.
QUIET = {
    "DO_NOT_TRACK": "1",
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
    "PREFECT_SERVER_UI_SHOW_PROMOTIONAL_CONTENT": "false",
    "PREFECT_LOGGING_LEVEL": "ERROR",
    "PREFECT_LOGGING_SERVER_LEVEL": "ERROR",
    "PREFECT_CLI_PROMPT": "false",
}


class Server:
    """A Prefect server that is there, or is coming up."""

    def __init__(self, url: str, process: "subprocess.Popen[str] | None" = None, log: Path | None = None) -> None:
        self.url, self._process, self._log = url, process, log

    @property
    def alive(self) -> bool:
        """Whether our own server still runs; somebody else's is taken to."""
        return self._process is None or self._process.poll() is None

    def wait(self) -> None:
        """Wait until it answers."""
        deadline = time.monotonic() + _PATIENCE_SECONDS
        while time.monotonic() < deadline:
            if not self.alive:
                break
            try:
                with urllib.request.urlopen(f"{self.url}/health", timeout=5):
                    return
            except OSError:
                time.sleep(0.1)
        where = f"see {self._log}" if self._log else "is PREFECT_API_URL right?"
        raise QuarryError(f"Prefect's server at {self.url} does not answer: {where}, or build with --plain")


@contextmanager
def prefect_server(home: Home) -> Iterator[Server]:
    """The server of `PREFECT_API_URL`, or one of our own that ends with the block."""
    named = os.environ.get("PREFECT_API_URL")
    if named:
        for name, value in QUIET.items():
            os.environ.setdefault(name, value)
        yield Server(named.rstrip("/"))
        return
    with start_server(home, "127.0.0.1", _free_port()) as server:
        yield server


@contextmanager
def start_server(home: Home, host: str, port: int) -> Iterator[Server]:
    """A server of our own with its database in the home; our process talks to it until the block ends."""
    folder = home / "prefect"
    folder.mkdir(parents=True, exist_ok=True)
    log = folder / "server.log"
    url = f"http://{host}:{port}/api"
    ours = {**QUIET, "PREFECT_HOME": str(folder), "PREFECT_PROFILES_PATH": str(folder / "profiles.toml")}
    before = {name: os.environ.get(name) for name in (*ours, "PREFECT_API_URL")}
    command = [sys.executable, "-m", "prefect", "server", "start", "--host", host, "--port", str(port)]
    with log.open("w") as output:
        process, keep = guard.start(
            command,
            # The UI asks where it came from, whatever the port.
            env={**os.environ, **ours, "PREFECT_SERVER_UI_API_URL": "/api"},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    os.environ.update(ours, PREFECT_API_URL=url)
    try:
        yield Server(url, process, log)
    finally:
        for name, value in before.items():
            os.environ.pop(name, None)
            if value is not None:
                os.environ[name] = value
        guard.stop(process, keep)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
