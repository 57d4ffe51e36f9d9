"""What deployed runs say and how they fail: nobody stands beside them, so every failure is written down and told."""

import os
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

from flows.errors import ConfigError, GateError, LeaseHeldError
from flows.explanations import explained
from flows.notice import KILLED, report_failure
from flows.settings import Settings, load_settings
from flows.store import journal
from flows.store.home import Home, read_home

T = TypeVar("T")
Say = Callable[[str], None]
# The webhook that `quarry serve` found in the settings, for runs that find a broken file there.
SERVED_WEBHOOK = "QUARRY_SERVED_WEBHOOK"
# A night waits for a long backfill rather than being lost; the next one is cancelled meanwhile.
_PATIENCE_SECONDS = 12 * 3600
_LOOK_AGAIN_SECONDS = 10
# How a shell and Prefect number the ends by SIGKILL and SIGTERM; negative ones are signals too.
_SIGNALS = (137, 143)


@contextmanager
def watched(flow: str, run_id: str, show: Say) -> Iterator[tuple[Settings, Say]]:
    """The settings for a deployed run, and how it says what it does; every failure of it is logged and told.

    The run itself would tell only of what happens between its lease and its end.
    """
    started_at = datetime.now(UTC)

    def say(message: str) -> None:
        show(message)
        _log(flow, run_id, "info", message)

    try:
        yield load_settings(), say
    except Exception as problem:
        message = explained(problem)
        _log(flow, run_id, "error", message)
        _report(flow, run_id, message, started_at, "gated" if isinstance(problem, GateError) else "failed")
        raise


def attempt(run_id: str, count: int) -> str:
    """The id of a run that is tried for the nth time: the UI's `Retry` keeps Prefect's own, but each end is news."""
    return run_id if count < 2 else f"{run_id}-{count}"


def tell_of_failure(flow: str, run_id: str, message: str, started_at: datetime | None) -> None:
    """Write down and tell of a deployed run that failed, if it could not do so itself."""
    if _report(flow, run_id, message, started_at):
        _log(flow, run_id, "error", message)


def _report(flow: str, run_id: str, message: str, started_at: datetime | None, state: str = "failed") -> bool:
    (home, webhook), now = _known(), datetime.now(UTC)
    times = {"started_at": (started_at or now).isoformat(), "finished_at": now.isoformat()}
    return report_failure(home, webhook, {"run_id": run_id, "flow": flow, "state": state, "message": message, **times})


def tell_of_crash(flow: str, run_id: str, started_at: datetime | None, message: str) -> None:
    """Write down and tell of a run whose process is gone: killed, unless it left with an ordinary exit code."""
    code = re.search(r"status code:? (-?\d+)", message)
    ordinary = code is not None and int(code[1]) >= 0 and int(code[1]) not in _SIGNALS
    what = f"{message} Its log in Prefect's UI says more." if ordinary else f"{KILLED}: {message}"
    tell_of_failure(flow, run_id, what, started_at)


def when_free(take: Callable[[], T], say: Say) -> T:
    """Take the lease; while another writer holds it, wait."""
    deadline, said = time.monotonic() + _PATIENCE_SECONDS, ""
    while True:
        try:
            return take()
        except LeaseHeldError as problem:
            if time.monotonic() > deadline:
                raise
            if str(problem) != said:
                said = str(problem)
                say(f"waiting: {said}")
            time.sleep(_LOOK_AGAIN_SECONDS)


def _log(flow: str, run_id: str, level: str, message: str) -> None:
    row = {"at": datetime.now(UTC).isoformat(), "flow": flow, "run_id": run_id, "level": level, "message": message}
    home, _ = _known()
    with suppress(OSError):  # a full disk: the failure itself says more
        if home is not None:
            journal.append(home, "log", [row])


def _known() -> tuple[Home | None, str | None]:
    """Home and webhook: those of the settings, or while these are broken, what `quarry serve` knew of them."""
    try:
        settings = load_settings()
        path, webhook = str(settings.home), settings.webhook
    except (ConfigError, OSError):
        path = os.environ.get("QUARRY_HOME", "")
        webhook = os.environ.get("QUARRY_WEBHOOK") or os.environ.get(SERVED_WEBHOOK)
    try:
        return (read_home(Path(path)) if path else None), webhook
    except ConfigError:
        return None, webhook  # no home yet, or one that is broken
