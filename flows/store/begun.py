"""Runs that have begun: a mark that is gone when they have ended tells who comes after of a run that was killed."""

import json
from contextlib import suppress
from datetime import datetime
from typing import Any

from flows.store.home import Home, write_text
from flows.store.json_lines import object_in
from flows.store.lease import Lease, alive, holder_of

_TOLD = ("run_id", "flow", "started_at")


def begin(home: Home, lease: Lease, run_id: str, flow: str, started_at: datetime) -> None:
    """Note that a run has begun, and in which process."""
    run = {"run_id": run_id, "flow": flow, "started_at": started_at.isoformat()}
    write_text(home / _name(run_id), json.dumps({**lease.holder, **run}))


def end(home: Home, run_id: str) -> None:
    """Forget a run whose end is written down."""
    with suppress(OSError):  # what ended the run says more, and the next writer forgets it
        (home / _name(run_id)).unlink()


def left_behind(home: Home) -> list[dict[str, Any]]:
    """The runs that have begun and whose process is gone, oldest first, as far as the journal keeps them."""
    found = []
    for path in (home / "journal" / "begun").glob("*.json"):
        try:
            run = object_in(path.read_text(encoding="utf-8", errors="replace"))
        except OSError:  # it has just ended
            continue
        if run and all(isinstance(run.get(name), str) for name in _TOLD) and not _at_work(home, run):
            found.append({name: run[name] for name in _TOLD})
    return sorted(found, key=lambda run: str(run["started_at"]))


def _at_work(home: Home, run: dict[str, Any]) -> bool:
    """A run on another machine is at work for as long as it renews its lease."""
    holder = holder_of(home)
    renewed = holder["expires"] if holder and holder["token"] == run.get("token") else 0.0
    return alive({**run, "expires": renewed})


def _name(run_id: str) -> str:
    return f"journal/begun/{run_id}.json"
