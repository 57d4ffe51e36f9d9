"""What an operator wants to know at a glance."""

from datetime import UTC, datetime
from typing import Any

from flows.funnel import funnel
from flows.schedule import check_schedule, next_night
from flows.settings import load_settings
from flows.store import journal, snapshots
from flows.store.home import read_home
from flows.store.lease import writer
from flows.store.snapshots import Manifest


def status() -> dict[str, Any]:
    """The current snapshot and its age, who is writing, and how the last run ended."""
    settings = load_settings()
    home = read_home(settings.home)
    check_schedule(settings)
    soon = next_night(settings, datetime.now(UTC))
    runs = journal.read(home, "runs")
    current = snapshots.current_id(home)
    manifest = snapshots.current(home) if current else None
    holder = writer(home)
    last = runs[-1] if runs else None
    return {
        "home": str(home.path),
        "snapshot": current,
        "age": _age(runs, current),
        "running": f"quarry {holder['command']} (process {holder['pid']} on {holder['host']})" if holder else None,
        "last_run": f"{last['flow']} {last['state']} at {last['finished_at'][:19]} UTC" if last else None,
        "message": last["message"] if last else None,
        "next_night": f"{soon:%Y-%m-%d %H:%M %Z}, while `quarry serve` runs",
        "failing": _failing(journal.read(home, "checks"), last) if last and last["state"] == "gated" else [],
        "model": {task: m["id"] for task, m in manifest.content["models"].items()} if manifest else None,
        "advice": advice(manifest) if manifest else None,
        "funnel": [level.as_dict() for level in funnel(manifest)] if manifest else [],
    }


def advice(manifest: Manifest) -> str | None:
    """A word of warning where the demonstration model judges questions that it was not made for."""
    foreign = [source["name"] for source in manifest.content["sources"] if source["kind"] != "campus"]
    if manifest.content["models"]["usefulness"]["labels"] != "bundled" or not foreign:
        return None
    return (
        f"usefulness of {', '.join(foreign)} is scored by the bundled demonstration model: label some of its questions "
        "(`quarry labels export --task usefulness`, then `import`) before you rely on it"
    )


def _failing(checks: list[dict[str, Any]], last: dict[str, Any]) -> list[dict[str, Any]]:
    """The rules that stopped the last run, with examples."""
    bad = ("failed", "broken")
    return [c for c in checks if c["run_id"] == last["run_id"] and c["result"] in bad and c["severity"] == "fail"]


def _age(runs: list[dict[str, Any]], current: str | None) -> str | None:
    """How long ago a run last confirmed the current snapshot."""
    good = [run["finished_at"] for run in runs if run["snapshot_id"] == current and current]
    if not good:
        return None
    seconds = (datetime.now(UTC) - datetime.fromisoformat(good[-1])).total_seconds()
    return f"{seconds / 3600:.1f} hours" if seconds > 5400 else f"{seconds / 60:.0f} minutes"
