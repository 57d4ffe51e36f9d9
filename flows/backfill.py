"""Backfills: which lessons a window covers, and what a backfill would do to them."""

from dataclasses import dataclass
from datetime import date

from flows.errors import ConfigError
from flows.explain import Reason, explain
from flows.settings import Settings
from flows.stages import STAGES
from flows.store import catalog, snapshots
from flows.store.home import Home


@dataclass(frozen=True)
class Window:
    """What to do again: nothing named means everything."""

    sources: tuple[str, ...] = ()
    since: date | None = None
    until: date | None = None
    stages: tuple[str, ...] = ()
    lessons: tuple[str, ...] = ()

    def check(self, settings: Settings) -> None:
        """Refuse what cannot be meant."""
        if self.since and self.until and self.since > self.until:
            raise ConfigError(f"the window ends ({self.until}) before it begins ({self.since}): swap the dates")
        _known("stage", self.stages, [stage.name for stage in STAGES])
        _known("source", self.sources, [source.name for source in settings.sources])


def _known(what: str, given: tuple[str, ...], known: list[str]) -> None:
    unknown = sorted(set(given) - set(known))
    if unknown:
        raise ConfigError(f"there is no {what} {', '.join(unknown)}: choose from {', '.join(known)}")


def covered(home: Home, window: Window) -> frozenset[str]:
    """The lessons of the current snapshot that the window covers, by the dates of their posts."""
    query = """
        select distinct l.lesson_id from lessons l left join posts p on p.lesson_id = l.lesson_id
        where (len($sources) = 0 or list_contains($sources, l.source))
          and (len($lessons) = 0 or list_contains($lessons, l.lesson_id))
          and ($since is null or timezone('UTC', coalesce(p.created_at, p.fetched_at))::date >= $since)
          and ($until is null or timezone('UTC', coalesce(p.created_at, p.fetched_at))::date <= $until)
    """
    arguments = {"sources": list(window.sources), "lessons": list(window.lessons), "since": window.since,
                 "until": window.until}  # fmt: skip
    with catalog.connect(home) as connection:
        known = connection.execute(
            "select lesson_id from lessons where list_contains($lessons, lesson_id)", {"lessons": list(window.lessons)}
        ).fetchall()
        found = frozenset(row[0] for row in connection.execute(query, arguments).fetchall())
    unknown = sorted(set(window.lessons) - {row[0] for row in known})
    if unknown:
        raise ConfigError(
            f"there is no lesson {', '.join(unknown[:3])} in the current snapshot: "
            'ids have the form `<source>:<id>`; `quarry sql "select lesson_id, title from lessons"` lists them'
        )
    return found


def forced_stages(window: Window) -> tuple[str, ...]:
    """The stages that are done again by force, all of them unless some are named."""
    return window.stages or tuple(stage.name for stage in STAGES)


def foresee(home: Home, settings: Settings, window: Window, force: bool) -> list[Reason]:
    """What a backfill would compute, stage by stage, and why."""
    reasons = explain(home, settings, snapshots.current(home))
    lessons, stages = covered(home, window), forced_stages(window)
    if not force:
        return reasons
    scope = {stage.name: stage.scope for stage in STAGES}
    return [
        Reason(r.stage, max(r.lessons, 1 if scope[r.stage] == "all" else len(lessons)), f"forced; {r.why}")
        if r.stage in stages
        else r
        for r in reasons
    ]
