"""One writer at a time: a lease that expires, and that a dead local holder loses at once."""

import fcntl
import json
import os
import secrets
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import psutil

from flows.errors import LeaseHeldError
from flows.store.home import Home, write_text

SECONDS = 120.0


@contextmanager
def locked(home: Home) -> Iterator[None]:
    """The short file lock under which lease and pointer change."""
    with (home / ".lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


class Lease:
    """The right to write, renewed in the background until it is released."""

    def __init__(self, home: Home, command: str) -> None:
        self._path, self._home = home / "lease.json", home
        self._token, self._command = secrets.token_hex(8), command
        self._stop = threading.Event()

    def __enter__(self) -> "Lease":
        with locked(self._home):
            holder = self._read()
            if holder and _alive(holder):
                raise LeaseHeldError(
                    f"`quarry {holder['command']}` (process {holder['pid']} on {holder['host']}) is writing to this "
                    "home: wait until it is done, or end it"
                )
            self._write()
        threading.Thread(target=self._renew, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        with locked(self._home):
            if self._mine():
                self._path.unlink(missing_ok=True)

    def check(self) -> None:
        """Fail if the lease was lost; called under the lock, just before the pointer moves."""
        if not self._mine():
            raise LeaseHeldError("this run lost its lease to another writer and publishes nothing: run it again")

    def _mine(self) -> bool:
        holder = self._read()
        return holder is not None and holder["token"] == self._token

    def _renew(self) -> None:
        while not self._stop.wait(SECONDS / 4):
            # A full disk is the run's own to report; this thread only tries again.
            with suppress(OSError), locked(self._home):
                if not self._mine() or self._stop.is_set():
                    return
                self._write()

    def _write(self) -> None:
        holder = {
            "token": self._token,
            "command": self._command,
            "pid": os.getpid(),
            "host": socket.gethostname(),
            "process_started": psutil.Process().create_time(),
            "expires": time.time() + SECONDS,
        }
        write_text(self._path, json.dumps(holder))

    def _read(self) -> dict[str, Any] | None:
        return holder_of(self._home)


def holder_of(home: Home) -> dict[str, Any] | None:
    """Who holds the lease, if anyone; a broken lease file counts as none."""
    try:
        found = json.loads((home / "lease.json").read_text())
        return found if isinstance(found, dict) and "token" in found else None
    except (OSError, ValueError):
        return None


def writer(home: Home) -> dict[str, Any] | None:
    """Who is writing now: the holder of the lease, if it still lives."""
    holder = holder_of(home)
    return holder if holder and _alive(holder) else None


def _alive(holder: dict[str, Any]) -> bool:
    if holder["host"] == socket.gethostname():
        try:
            started: float = psutil.Process(holder["pid"]).create_time()
        except psutil.NoSuchProcess:
            return False
        return abs(started - float(holder["process_started"])) < 1
    return bool(holder["expires"] > time.time())
