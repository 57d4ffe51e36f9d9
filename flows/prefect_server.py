"""A Prefect server for the length of one run: on loopback, its database in the home, stopped with every record stored.

Prefect's own ephemeral server loses task records at exit. A server that `PREFECT_API_URL` names is used as it is, and
so is the one that runs for this home already: two servers would lock each other out of one database.
"""

import base64
import fcntl
import os
import shutil
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from flows import guard
from flows.errors import QuarryError
from flows.store.home import Home

_PATIENCE_SECONDS = 120
_LONG_BYTES = 10_000_000
LOGS = ("server.log", "worker.log")

# Nothing is sent anywhere, and nothing is printed that is not news.
QUIET = {
    "DO_NOT_TRACK": "1",
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
    "PREFECT_SERVER_UI_SHOW_PROMOTIONAL_CONTENT": "false",
    "PREFECT_LOGGING_LEVEL": "ERROR",
    "PREFECT_LOGGING_SERVER_LEVEL": "ERROR",
    "PREFECT_INTERNAL_LOGGING_LEVEL": "CRITICAL",
    "PREFECT_CLI_PROMPT": "false",
}
# What our own server does unless the environment says otherwise.
_SERVICES = {
    # Runs older than 90 days leave the database, which would otherwise grow forever.
    "PREFECT_SERVER_SERVICES_DB_VACUUM_ENABLED": "events,flow_runs",
    # By default each state of each task is a transaction of its own, several times the work.
    "PREFECT_SERVER_SERVICES_TASK_RUN_RECORDER_BATCH_SIZE": "50",
    "PREFECT_SERVER_SERVICES_TASK_RUN_RECORDER_READ_BATCH_SIZE": "50",
    "PREFECT_SERVER_SERVICES_TASK_RUN_RECORDER_FLUSH_INTERVAL": "1",
}


class Server:
    """Somebody's Prefect server."""

    hint = "is it running, and is PREFECT_API_URL right?"

    def __init__(self, url: str) -> None:
        self.url = url

    @property
    def alive(self) -> bool:
        """Whether our own server still runs; somebody else's is taken to."""
        return True

    def answers(self, seconds: float = 5) -> bool:
        """Whether it says that it is well."""
        try:
            with urllib.request.urlopen(f"{self.url}/health", timeout=seconds):
                return True
        except (OSError, ValueError):
            return False

    def wait(self) -> None:
        """Wait until it answers, and make sure that it lets us in."""
        deadline = time.monotonic() + _PATIENCE_SECONDS
        while self.alive and time.monotonic() < deadline:
            if self.answers():
                self._enter()
                return
            time.sleep(0.1)
        raise QuarryError(f"Prefect's server at {self.url} does not answer: {self.hint} (`--plain` builds without one)")

    def _enter(self) -> None:
        password = os.environ.get("PREFECT_API_AUTH_STRING", "")
        header = {"Authorization": f"Basic {base64.b64encode(password.encode()).decode()}"} if password else {}
        try:
            with urllib.request.urlopen(
                urllib.request.Request(f"{self.url}/admin/version", headers=header), timeout=20
            ):
                return
        except urllib.error.HTTPError as problem:
            if problem.code in (401, 403):
                raise QuarryError(
                    f"Prefect's server at {self.url} asks for a password: set PREFECT_API_AUTH_STRING to the one that "
                    "it was started with"
                ) from None
        except OSError:
            return  # whatever it is, the run will meet it and say so


class OwnServer(Server):
    """A server of our own, with its database in the home."""

    def __init__(self, folder: Path, host: str, port: int) -> None:
        super().__init__(f"http://{host}:{port}/api")
        self._command = [sys.executable, "-m", "prefect", "server", "start", "--host", host, "--port", str(port)]
        self.settings = {**QUIET, "PREFECT_HOME": str(folder), "PREFECT_PROFILES_PATH": str(folder / "profiles.toml")}
        self._log, self._ended = folder / "server.log", threading.Event()
        begin_log(self._log)
        self.hint = f"see {self._log}"

    @property
    def alive(self) -> bool:
        """Whether it still runs."""
        return self._process.poll() is None

    def start(self) -> None:
        """Start it; it ends when we do, however we end."""
        with self._log.open("a") as output:
            self._process, self._keep = guard.start(
                self._command,
                # The UI asks where it came from, whatever the port.
                env={**_SERVICES, **os.environ, **self.settings, "PREFECT_SERVER_UI_API_URL": "/api"},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
            )

    def revive(self) -> None:
        """Start it again whenever it is killed: whoever asks it meanwhile asks again."""

        def watch() -> None:
            while not self._ended.wait(0.5):
                if not self.alive:
                    os.close(self._keep)
                    self.start()

        self._watching = threading.Thread(target=watch, daemon=True)
        self._watching.start()

    def stop(self) -> None:
        """End it and wait until it is gone."""
        self._ended.set()
        if hasattr(self, "_watching"):
            self._watching.join()
        guard.stop(self._process, self._keep)


@contextmanager
def prefect_server(home: Home) -> Iterator[Server]:
    """The server of `PREFECT_API_URL` or of this home's `quarry serve`, else one that ends with the block."""
    named = os.environ.get("PREFECT_API_URL") or served_at(home)
    if not named:
        with start_server(home, "127.0.0.1", _free_port()) as server:
            server.revive()
            yield server
        return
    with _talking_to(named.rstrip("/"), {name: os.environ.get(name, value) for name, value in QUIET.items()}):
        yield Server(named.rstrip("/"))


@contextmanager
def start_server(home: Home, host: str, port: int) -> Iterator[OwnServer]:
    """A server of our own with its database in the home; our process talks to it until the block ends."""
    (home / "prefect").mkdir(parents=True, exist_ok=True)
    server = OwnServer(home / "prefect", host, port)
    with _only_one(home, server.url):
        server.start()
        try:
            with _talking_to(server.url, server.settings):
                yield server
        finally:
            server.stop()


@contextmanager
def _talking_to(url: str, settings: dict[str, str]) -> Iterator[None]:
    """Prefect's settings for the length of a block; afterwards the environment is as it was."""
    known = os.environ.get("no_proxy") or os.environ.get("NO_PROXY")
    direct = ",".join(filter(None, (known, "127.0.0.1,localhost,0.0.0.0")))  # a company's proxy cannot reach these
    ours = {**settings, "PREFECT_API_URL": url, "no_proxy": direct, "NO_PROXY": direct}
    before = {name: os.environ.get(name) for name in ours}
    os.environ.update(ours)
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name, None)
            if value is not None:
                os.environ[name] = value


@contextmanager
def _only_one(home: Home, url: str) -> Iterator[None]:
    """Be the one who runs a server for this home, and say where; a dead one's lock is gone with it."""
    with _mark(home).open("a+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            where = served_at(home) or "another address"
            raise QuarryError(
                f"a Prefect server for {home.path} runs already, at {where}, for `quarry serve` or a build: "
                "wait until it is done, or end it"
            ) from None
        file.truncate(0)
        file.write(url)
        file.flush()
        yield


def begin_log(path: Path) -> None:
    """Begin a log anew; the one before, which may tell why it ended, is kept beside it."""
    with suppress(FileNotFoundError):
        path.replace(_one_before(path))


def bound_log(path: Path) -> None:
    """Set aside what a log has said once that is much; its writer, who appends, goes on in the same file."""
    with suppress(OSError):  # a full disk has been told of elsewhere
        if path.stat().st_size > _LONG_BYTES:
            shutil.copyfile(path, _one_before(path))
            os.truncate(path, 0)


def _one_before(path: Path) -> Path:
    return path.with_name(f"{path.name}.1")


def served_at(home: Home) -> str | None:
    """The address of the server that runs for this home, if one does."""
    try:
        with _mark(home).open() as file:
            try:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except OSError:
                return file.read().strip() or None
    except FileNotFoundError:
        pass
    return None


def _mark(home: Home) -> Path:
    return home / "prefect" / "serving"


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
