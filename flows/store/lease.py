"""One writer at a time: a lease that expires, and that a dead local holder loses at once."""

import errno
import fcntl
import json
import os
import secrets
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import psutil

from flows.errors import LeaseHeldError
from flows.store.home import Home, parsed, write_text

SECONDS = 120.0
_FIELDS: dict[str, type | tuple[type, ...]] = {
    "token": str, "command": str, "pid": int, "host": str, "process_started": (int, float), "expires": (int, float),
}  # fmt: skip
_STARTED = 19  # of the fields of /proc/<pid>/stat that follow the name: `man proc` counts it as the 22nd


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
        self._token = secrets.token_hex(8)
        self.holder = {
            "token": self._token,
            "command": command,
            "pid": os.getpid(),
            "host": socket.gethostname(),
            "process_started": psutil.Process().create_time(),
            "process_mark": _mark(os.getpid()),
        }
        self._stop = threading.Event()

    def __enter__(self) -> "Lease":
        with locked(self._home):
            _refuse_second(self._home)
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
        write_text(self._path, json.dumps({**self.holder, "expires": time.time() + SECONDS}))

    def _read(self) -> dict[str, Any] | None:
        return holder_of(self._home)


@contextmanager
def alone(home: Home, command: str) -> Iterator[None]:
    """The right to write for what frees space: a lease, or on a full disk the file lock for as long as it takes."""
    with ExitStack() as stack:
        try:
            stack.enter_context(Lease(home, command))
        except OSError as problem:
            if problem.errno not in (errno.ENOSPC, errno.EDQUOT):
                raise
            stack.enter_context(locked(home))
            _refuse_second(home)
        yield


def _refuse_second(home: Home) -> None:
    if holder := writer(home):
        raise LeaseHeldError(
            f"`quarry {holder['command']}` (process {holder['pid']} on {holder['host']}) is writing to this "
            "home: wait until it is done, or end it"
        )


def holder_of(home: Home) -> dict[str, Any] | None:
    """Who holds the lease, if anyone; a broken lease file counts as none."""
    try:
        found = parsed((home / "lease.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return found if _is_holder(found) else None


def writer(home: Home) -> dict[str, Any] | None:
    """Who is writing now: the holder of the lease, if it still lives."""
    holder = holder_of(home)
    return holder if holder and alive(holder) else None


def _is_holder(found: Any) -> bool:
    return isinstance(found, dict) and all(isinstance(found.get(name), kind) for name, kind in _FIELDS.items())


def alive(holder: dict[str, Any]) -> bool:
    """Whether the process of a holder still runs; one of another machine does until its lease expires."""
    if not _is_holder(holder):
        return False
    if holder["host"] != socket.gethostname():
        return bool(holder["expires"] > time.time())
    try:
        process = psutil.Process(holder["pid"])
        if process.status() == psutil.STATUS_ZOMBIE:  # killed, and nobody has asked how it ended
            return False
        mark = _mark(holder["pid"])
        if mark and holder.get("process_mark"):
            return bool(mark == holder["process_mark"])
        return bool(abs(process.create_time() - holder["process_started"]) < 1)
    except (psutil.NoSuchProcess, ValueError):
        return False


def _mark(pid: int) -> str | None:
    """What no other process of this machine has ever had: its boot and the ticks from there to the process's start.

    The time at which a process started would change whenever the clock is set.
    """
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        fields = Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()
        return f"{boot} {fields[_STARTED]}"
    except (OSError, IndexError):
        return None
