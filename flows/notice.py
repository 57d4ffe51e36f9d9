"""Tell the outside of failed runs: a row in the journal, and the webhook."""

import http.client
import json
import logging
import urllib.request
from typing import Any
from urllib.parse import urlsplit

from flows.store import journal
from flows.store.home import Home

KILLED = "killed"
_SECONDS = 10
# Runs that this process has told of: on a full disk the journal cannot say so.
_told: set[str] = set()


def report_failure(home: Home | None, webhook: str | None, run: dict[str, Any]) -> bool:
    """Write a failed run into the journal and tell the webhook of it; false if somebody nearer to it has done so."""
    if run["run_id"] in _told or (home is not None and _is_known(home, run["run_id"])):
        return False
    _told.add(run["run_id"])
    try:
        if home is not None:
            journal.append(home, "runs", [{"snapshot_id": None, "stages": "{}", **run}])
    except OSError as problem:  # what ended the run says more
        logging.getLogger(__name__).warning("the failed run could not be written into the journal (%s)", problem)
    if webhook:
        tell(webhook, {name: run[name] for name in ("run_id", "flow", "state", "message")})
    return True


def _is_known(home: Home, run_id: str) -> bool:
    return any(run["run_id"] == run_id for run in journal.read(home, "runs"))


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
