"""One run: what it works on, what it prepared, and the manifest that it amounts to."""

import logging
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from typing import Any

from flows.fingerprint import source_digest
from flows.gate.check import Check
from flows.gate.gate import CHECKED
from flows.gate.measure import measure
from flows.models import ModelRef
from flows.plan import Plan
from flows.runner import Done
from flows.settings import Settings
from flows.store import snapshots
from flows.store.catalog import open_at
from flows.store.home import Home
from flows.store.lease import Lease


@dataclass
class Run:
    """One run: what it works on, under which lease, and what it found so far."""

    home: Home
    settings: Settings
    lease: Lease
    run_id: str
    flow: str = "build"
    notice: Callable[[str], None] = lambda _: None
    from_raw: bool = False
    # Sources that are asked, while the others are read from the archive; none named means all.
    only: tuple[str, ...] = ()
    # Rules whose failure the operator accepts for this run.
    accept: tuple[str, ...] = ()
    checks: list[Check] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    # What a backfill computes again although nothing changed.
    force_stages: tuple[str, ...] = ()
    force_lessons: frozenset[str] = frozenset()
    forced_since: int = 0
    started_at: datetime = field(default_factory=lambda: datetime.now(UTC))
    stages: dict[str, list[Done]] = field(default_factory=dict)

    def warn(self, message: str) -> None:
        """Say at once what the run goes on in spite of, and again at its end."""
        self.warnings.append(message)
        logging.getLogger(__name__).warning("warning: %s", message)

    def asks(self, source: str) -> bool:
        """Whether a source is asked, not only read from its archive."""
        return not self.from_raw and (not self.only or source in self.only)


@dataclass(frozen=True)
class Prepared:
    """What a run needs before its first stage: collected sources and trained models."""

    sources: dict[str, dict[str, Any]]
    models: dict[str, ModelRef]


def manifest_content(run: Run, prepared: Prepared, plan: Plan) -> dict[str, Any]:
    """The manifest's content: no clock, no machine, nothing but what the dataset is."""
    shaping = {"questions", "usefulness", "alignment", "triples", "splits"}
    of_models = {"usefulness": {"kind", "vectors"}}  # the ids of the models tell
    content = {
        "settings": run.settings.model_dump(mode="json", include=shaping, exclude=of_models),
        "sources": [s.model_dump(mode="json", include={"name", "kind", "language"}) for s in run.settings.sources],
        "models": {task: asdict(ref) for task, ref in prepared.models.items()},
        "rules": source_digest("expectations.catalogue"),
        "stages": {name: _stage_content(done, plan.parts[name]) for name, done in run.stages.items()},
        "files": [ref.as_dict() for done in run.stages.values() for d in done for ref in d.files],
    }  # fmt: skip
    return {**content, **_measured(run.home, content)}


def _stage_content(done: list[Done], parts: dict[str, str]) -> dict[str, Any]:
    rejected: Counter[str] = Counter()
    for d in done:
        rejected.update(d.rejected)
    return {
        "parts": parts,
        "rows_in": sum(d.rows_in for d in done),
        "kept": sum(d.kept for d in done),
        "merged": sum(d.merged for d in done),
        "rejected": dict(sorted(rejected.items())),
        "buckets": {d.bucket: [d.rows_in, d.kept, sum(d.rejected.values()), d.merged] for d in done},
    }


def _measured(home: Home, content: dict[str, Any]) -> dict[str, Any]:
    """What can only be told from the rows: licences, and what the gate compares over time."""
    with open_at(home, snapshots.make(content)) as connection:
        licenses = connection.execute(
            "select coalesce(license, 'unknown'), count(*) from posts group by 1 order by 1"
        ).fetchall()
        return {"licenses": dict(licenses), **measure(connection, CHECKED)}
