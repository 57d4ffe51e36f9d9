"""Tell the outside of failed runs: a row in the journal, and the webhook."""

import http.client
import json
import logging
import urllib.request
from collections.abc import Container
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

from flows.store import begun, journal
from flows.store.home import Home
from flows.store.lease import locked

KILLED = "killed"
GONE = f"{KILLED}: its process is gone; what it had finished is kept"
_SECONDS = 10
# Runs that this process has told of: on a full disk the journal cannot say so.
_told: set[str] = set()


def report_failure(home: Home | None, webhook: str | None, run: dict[str, Any]) -> bool:
    """Write a failed run into the journal and tell the webhook of it; false if somebody nearer to it has done so."""
    if run["run_id"] in _told:
        return False
    _told.add(run["run_id"])
    try:
        if home is not None and not _add(home, run):
            return False
    except OSError as problem:  # what ended the run says more
        logging.getLogger(__name__).warning("the failed run could not be written into the journal (%s)", problem)
    if webhook:
        tell(webhook, {name: run[name] for name in ("run_id", "flow", "state", "message")})
    return True


def _add(home: Home, run: dict[str, Any]) -> bool:
    """Add a run to the journal, unless it stands there: whoever notices a dead run first writes it down."""
    with locked(home):
        if run["run_id"] in _ids(home):
            return False
        journal.append(home, "runs", [{"snapshot_id": None, "stages": "{}", **run}])
    return True


def _ids(home: Home) -> set[str]:
    return {run["run_id"] for run in journal.read(home, "runs")}


def killed(home: Home) -> list[dict[str, Any]]:
    """The runs that were killed and of which the journal does not know yet, as it will."""
    left, known, now = begun.left_behind(home), _ids(home), datetime.now(UTC).isoformat()
    ended = {"finished_at": now, "state": "failed", "message": GONE, "snapshot_id": None, "stages": "{}"}
    return [{**run, **ended} for run in left if run["run_id"] not in known]


def report_killed(home: Home, webhook: str | None, of: Container[str] | None = None) -> None:
    """Write down and tell of the runs that were killed, all or some."""
    left = begun.left_behind(home)
    for run in killed(home):
        if of is None or run["run_id"] in of:
            report_failure(home, webhook, run)
    known = _ids(home)  # on a full disk it has not been written down
    for run in left:
        if run["run_id"] in known:
            begun.end(home, run["run_id"])


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
