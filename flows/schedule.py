"""When the nights are: read from the settings as Prefect reads them, compared with the journal."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from flows.cron import parser
from flows.explanations import INTERRUPTED, SERVER_GONE
from flows.notice import KILLED
from flows.settings import Settings
from flows.store import journal
from flows.store.home import Home

_DRIFT = timedelta(minutes=10)  # a clock that was put right a little
NIGHTS = ("nightly", "build")  # the flows that ask every source
# How the messages of runs begin that were cut off; one that is only asked to end still has time to say so itself.
_CUT_OFF = (KILLED, INTERRUPTED, SERVER_GONE)


def missed_night(settings: Settings, home: Home, now: datetime) -> bool:
    """Whether the last scheduled night passed without a run, as when the machine was off, or its run was cut off.

    A backfill is no night: it may have asked no source. A home without any run has missed nothing. A night that was
    cut off twice is not tried a third time: it may be what kills the machine. Runs from the future tell of a clock that
    was wrong then, and of no night.
    """
    due = _night(settings, now, "get_prev")
    runs = journal.read(home, "runs")
    recent = [run for run in runs if due <= datetime.fromisoformat(run["started_at"]) <= now + _DRIFT]
    nights = [run for run in recent if run["flow"] in NIGHTS]
    cut_off = [run for run in nights if (run.get("message") or "").startswith(_CUT_OFF)]
    return bool(runs) and len(nights) == len(cut_off) < 2


def next_night(settings: Settings, now: datetime) -> datetime:
    """When `quarry serve` rebuilds next."""
    return _night(settings, now, "get_next")


def _night(settings: Settings, now: datetime, step: str) -> datetime:
    """The night before or after a moment, by the clock on the wall, as Prefect counts."""
    zone = ZoneInfo(settings.schedule.timezone)
    wall = now.astimezone(zone).replace(tzinfo=None)
    found: datetime = getattr(parser()(settings.schedule.cron, wall), step)(datetime)
    return found.replace(tzinfo=zone)
