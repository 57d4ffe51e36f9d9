"""What an operator wants to know at a glance."""

from datetime import UTC, datetime
from typing import Any

from flows.errors import QuarryError, StoreError
from flows.funnel import funnel
from flows.gate.check import Check
from flows.gate.remedy import remedy
from flows.labels import shortages
from flows.notice import killed
from flows.schedule import next_night
from flows.settings import load_settings
from flows.store import journal, snapshots
from flows.store.home import Home, read_home
from flows.store.lease import writer
from flows.store.snapshots import Manifest


def status() -> dict[str, Any]:
    """The current snapshot and its age, who is writing, and how the last run ended."""
    settings = load_settings()
    home = read_home(settings.home)
    soon = next_night(settings, datetime.now(UTC))
    runs = [*journal.read(home, "runs"), *killed(home)]
    current = snapshots.current_id(home)
    manifest, problem = _manifest(home)
    holder = writer(home)
    last = runs[-1] if runs else None
    age = _age(home, runs, current)
    return {
        "home": str(home.path),
        "snapshot": current,
        "age": _in_words(age) if age is not None else None,
        "age_seconds": age,
        "problem": problem,
        "running": f"quarry {holder['command']} (process {holder['pid']} on {holder['host']})" if holder else None,
        "last_run": f"{last['flow']} {last['state']} at {last['finished_at'][:19]} UTC" if last else None,
        "message": last["message"] if last else None,
        "next_night": f"{soon:%Y-%m-%d %H:%M %Z}, while `quarry serve` runs",
        **_stopped(home, runs, current),
        "model": {task: m["id"] for task, m in manifest.content["models"].items()} if manifest else None,
        "advice": "; ".join(_notes(home, manifest)) or None,
        "funnel": [level.as_dict() for level in funnel(manifest)] if manifest else [],
    }


def _notes(home: Home, manifest: Manifest | None) -> list[str]:
    note = advice(manifest) if manifest else None
    try:
        return [*([note] if note else []), *shortages(home)]
    except StoreError as problem:  # a broken file of labels must not hide the rest
        return [str(problem)]


def _manifest(home: Home) -> tuple[Manifest | None, str | None]:
    """The current snapshot, if there is one, or what is wrong with it; the rest of the home is still worth a look."""
    try:
        return (snapshots.current(home) if snapshots.current_id(home) else None), None
    except QuarryError as problem:
        return None, str(problem)


def advice(manifest: Manifest) -> str | None:
    """A word of warning where the demonstration model judges questions that it was not made for."""
    foreign = [source["name"] for source in manifest.content["sources"] if source["kind"] != "campus"]
    if manifest.content["models"]["usefulness"]["labels"] != "bundled" or not foreign:
        return None
    return (
        f"usefulness of {', '.join(foreign)} is scored by the bundled demonstration model: label some of its questions "
        "(`quarry labels export --task usefulness`, then `import`) before you rely on it"
    )


def _stopped(home: Home, runs: list[dict[str, Any]], current: str | None) -> dict[str, Any]:
    """If the gate stopped the last run that reached it: the candidate, and its rules with examples and what to do."""
    last = next((run for run in reversed(runs) if run["state"] != "failed"), None)
    if last is None or last["state"] != "gated":
        return {"candidate": None, "failing": []}
    candidate = next(iter(snapshots.candidates(home)), None)
    checks = [Check.of(row) for row in journal.read(home, "checks") if row["run_id"] == last["run_id"]]
    failing = [
        {**c.as_dict(), "outcome": c.outcome, "remedy": remedy(c, checks, candidate or "CANDIDATE", current)}
        for c in checks
        if c.stops
    ]
    return {"candidate": candidate, "failing": failing}


def _age(home: Home, runs: list[dict[str, Any]], current: str | None) -> int | None:
    """How many seconds ago a run last confirmed the current snapshot; one killed just after publishing said nothing."""
    if current is None:
        return None
    good = [run["finished_at"] for run in runs if run["snapshot_id"] == current]
    when = good[-1] if good else snapshots.published(home).get(current)
    if when is None:
        return None
    # A clock that was set back would make it younger than nothing.
    return max(int((datetime.now(UTC) - datetime.fromisoformat(when)).total_seconds()), 0)


def _in_words(seconds: int) -> str:
    return f"{seconds / 3600:.1f} hours" if seconds > 5400 else f"{seconds // 60} min"
