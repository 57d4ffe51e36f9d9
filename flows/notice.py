"""Tell the outside of runs: failures go to the webhook, and what deployed runs do goes to a log of JSON lines."""

import http.client
import json
import logging
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from typing import Any, TypeVar
from urllib.parse import urlsplit

from flows.errors import GateError, LeaseHeldError
from flows.settings import Settings, load_settings
from flows.store import journal
from flows.store.home import read_home

T = TypeVar("T")
Say = Callable[[str], None]
KILLED = "killed"
_SECONDS = 10
# A night waits for a long backfill rather than being lost; the next one is cancelled meanwhile.
_PATIENCE_SECONDS = 12 * 3600
_LOOK_AGAIN_SECONDS = 10


def tell(webhook: str, message: dict[str, Any]) -> None:
    """POST a message as JSON; a webhook that does not answer is logged and never hides the failure itself."""
    body = json.dumps(message).encode()
    try:
        request = urllib.request.Request(webhook, body, {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=_SECONDS):
            pass
    except OSError as problem:
        _log(webhook, str(problem))
    except (ValueError, http.client.HTTPException) as problem:
        _log(webhook, type(problem).__name__)  # its words would repeat the address


def _log(webhook: str, why: str) -> None:
    """Only the host is named: the rest of such an address is often a secret."""
    try:
        host = urlsplit(webhook).netloc.rpartition("@")[2]
    except ValueError:
        host = ""
    where = f"at {host}" if host else "has no host and"
    logging.getLogger(__name__).warning("the webhook %s could not be told (%s)", where, why)


@contextmanager
def watched(flow: str, run_id: str, show: Say) -> Iterator[tuple[Settings, Say]]:
    """The settings for a deployed run, and how it says what it does; every failure of it is logged and told.

    The run itself would tell only of what happens between its lease and its end.
    """
    settings = load_settings()
    webhook, settings.webhook = settings.webhook, None

    def say(message: str, level: str = "info") -> None:
        row = {"at": datetime.now(UTC).isoformat(), "flow": flow, "run_id": run_id, "level": level, "message": message}
        with suppress(Exception):  # no home yet, or a full disk: the failure itself says more
            journal.append(read_home(settings.home), "log", [row])

    def both(message: str) -> None:
        show(message)
        say(message)

    try:
        yield settings, both
    except Exception as problem:
        state = "gated" if isinstance(problem, GateError) else "failed"
        message = str(problem) or type(problem).__name__
        say(message, "error")
        if webhook:
            tell(webhook, {"run_id": run_id, "flow": flow, "state": state, "message": message})
        raise


def tell_of_crash(flow: str, run_id: str, started_at: datetime | None, message: str) -> None:
    """Write down and tell of a run that was killed and could not do so itself."""
    settings, now = load_settings(), datetime.now(UTC)
    message = f"{KILLED}: {message}"
    found = {"run_id": run_id, "flow": flow, "state": "failed", "message": message}
    times = {"started_at": (started_at or now).isoformat(), "finished_at": now.isoformat()}
    journal.append(read_home(settings.home), "runs", [{**found, **times, "snapshot_id": None, "stages": "{}"}])
    if settings.webhook:
        tell(settings.webhook, found)


def when_free(work: Callable[[], T], say: Say) -> T:
    """Do what needs the lease; while another writer holds it, wait."""
    deadline, said = time.monotonic() + _PATIENCE_SECONDS, ""
    while True:
        try:
            return work()
        except LeaseHeldError as problem:
            if time.monotonic() > deadline:
                raise
            if str(problem) != said:
                said = str(problem)
                say(f"waiting: {said}")
            time.sleep(_LOOK_AGAIN_SECONDS)
