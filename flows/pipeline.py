"""A build from its first request to the moved pointer, whoever conducts it.

Killing it at any point is safe: files are named by what determines them and renamed into place, the manifest is written
after them, the pointer moves after the manifest, and the catalog is derived and repaired by the next command.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from flows.collect import collect_source, lines, takedowns
from flows.conduct import Conductor
from flows.edits import edits
from flows.errors import GateError, StoreError
from flows.explanations import explained
from flows.gate import gate, great, history
from flows.model_tasks import TASKS
from flows.models import ensure_model
from flows.notice import report_failure, report_killed
from flows.plan import make_plan
from flows.pool import bucket_runner
from flows.publish.quality import write_quality_page
from flows.records import Bucketed, divide
from flows.run import Prepared, Run, manifest_content
from flows.settings import FILE_KINDS
from flows.stages import STAGES
from flows.status import advice
from flows.store import begun, catalog, journal, snapshots
from flows.store.exchange import exchange
from flows.store.faults import point
from flows.store.home import kept_key, pseudonym_key
from flows.store.snapshots import Manifest
from flows.works import SCOPES, make_chains, records_to_compute

MODEL_TASKS = tuple(dict.fromkeys(stage.model for stage in STAGES if stage.model))


@dataclass(frozen=True)
class Outcome:
    """How a run ended well."""

    manifest: Manifest
    unchanged: bool
    # Sources that the settings no longer name, and what left with them.
    left_out: tuple[str, ...] = ()


def prepare(run: Run, conduct: Conductor) -> Prepared:
    """Collect every source and make sure that the models are there."""
    if snapshots.stored(run.home) and not kept_key(run.home, run.settings):
        run.warn(
            f"{run.home / 'pseudonym.key'} is gone: a new key is made, and every author becomes another one; restore "
            "the file from a backup, or set pseudonym_key, and build again"
        )
    run.settings.pseudonym_key = pseudonym_key(run.home, run.settings)
    if snapshots.current_id(run.home) is None and any(source.kind not in FILE_KINDS for source in run.settings.sources):
        great.warm_up()  # a first build always reaches the gate, and a crawl leaves this process idle
    sources = {}
    for source in run.settings.sources:
        run.notice(f"collecting {source.name}")
        name, from_raw = source.name, not run.asks(source.name)
        sources[name] = conduct.step(f"collect {name}", collect_source, run.home, source, from_raw)
        point("collected")
    models = {}
    for task in MODEL_TASKS:
        options = TASKS[task].options(run.settings)
        models[task] = conduct.step(f"train {task}", ensure_model, run.home, task, options, run.notice)
    return Prepared(sources, models)


def rebuild(run: Run, prepared: Prepared, conduct: Conductor) -> Outcome:
    """Run what changed, check it, and make it the current snapshot."""
    before = _previous(run)
    buckets = conduct.step("divide records", _divide, run)
    given = {"records": buckets, "edits": edits(run.home)}
    models = {task: ref.id for task, ref in prepared.models.items()}
    plan = make_plan(run.settings, models, given)
    records = records_to_compute(run, plan, buckets, before)
    run.stages = {stage.name: [] for stage in STAGES}
    with exchange(run.home), bucket_runner(run.settings, records) as run_one:
        for stages in SCOPES:
            run.notice(f"stages {stages[0].name} to {stages[-1].name}")
            chains = make_chains(run, stages, plan, given, before)
            for done in (done for chain in conduct.each(run_one, chains) for done in chain):
                run.stages[done.stage].append(done)
                if done.computed:
                    great.warm_up()  # beside the other buckets, now that they are on their way
    content = manifest_content(run, prepared, plan)
    if before is not None and {k: v for k, v in before.content.items() if k not in ("checks", "format")} == content:
        catalog.ensure(run.home)
        _show_quality(run, before, f"Snapshot `{before.id}` is current: nothing has changed.")
        return Outcome(before, unchanged=True)
    run.notice("checking the candidate")
    manifest = conduct.step("gate", check, run, content, before)
    snapshots.publish(run.home, manifest, before.id if before else snapshots.current_id(run.home), run.lease)
    catalog.rebuild(run.home, manifest)
    point("catalog rebuilt")
    gone = history.left_out(manifest, before)
    _show_quality(run, manifest, " ".join([f"Snapshot `{manifest.id}` is published and current.", *gone]))
    return Outcome(manifest, unchanged=False, left_out=gone)


def check(run: Run, content: dict[str, Any], before: Manifest | None) -> Manifest:
    """Evaluate the gate on a candidate; its checks go to the journal, whatever they say."""
    candidate = snapshots.make(content)
    data_docs = run.home / "reports" / "data_docs" if run.settings.data_docs else None
    checks = gate.accept(gate.evaluate(run.home, candidate, before, data_docs), run.accept)
    run.checks = checks
    journal.append(run.home, "checks", [{"run_id": run.run_id, **c.as_dict()} for c in checks])
    manifest = snapshots.make({**content, "checks": [c.as_dict() for c in checks]})
    if any(check.stops for check in checks):
        snapshots.keep_candidate(run.home, manifest)
        kept = f"snapshot `{before.id}` stays current" if before else "there is no snapshot yet"
        _show_quality(run, manifest, f"Candidate `{manifest.id}` was stopped by the gate; {kept}.")
    gate.stop_if_bad(checks, manifest, before)
    return manifest


def _show_quality(run: Run, manifest: Manifest, ending: str) -> None:
    """Write the quality page, which tells how this run ended: it is no file of a snapshot and may know the time."""
    title = f"{ending} Run {run.run_id} began at {run.started_at:%Y-%m-%d %H:%M} UTC."
    write_quality_page(run.home, title, manifest, advice(manifest))


def carry_out(run: Run, work: Callable[[], Outcome]) -> Outcome:
    """Do the work of a run and write its end into the journal; the next writer does it for a run that was killed."""
    try:
        report_killed(run.home, run.settings.webhook)
        begun.begin(run.home, run.lease, run.run_id, run.flow, run.started_at)
        outcome = work()
    except BaseException as problem:
        state = "gated" if isinstance(problem, GateError) else "failed"
        report_failure(run.home, run.settings.webhook, _row(run, state, message=explained(problem)))
        begun.end(run.home, run.run_id)
        raise
    journal.append(run.home, "runs", [_row(run, "unchanged" if outcome.unchanged else "done", outcome.manifest.id)])
    begun.end(run.home, run.run_id)
    return outcome


def _row(run: Run, state: str, snapshot_id: str | None = None, message: str | None = None) -> dict[str, Any]:
    """The run as the journal keeps it."""
    stages = {
        name: {"rows_in": sum(d.rows_in for d in done), "kept": sum(d.kept for d in done),
               "computed": sum(d.computed for d in done), "seconds": round(sum(d.seconds for d in done), 3)}
        for name, done in run.stages.items() if done
    }  # fmt: skip
    return {
        "run_id": run.run_id,
        "flow": run.flow,
        "started_at": run.started_at.isoformat(),
        "finished_at": datetime.now(UTC).isoformat(),
        "state": state,
        "snapshot_id": snapshot_id,
        "message": message,
        "stages": json.dumps(stages, sort_keys=True),
    }


def _previous(run: Run) -> Manifest | None:
    """The current snapshot to build upon; a broken manifest means building without one, from finished files."""
    if snapshots.current_id(run.home) is None:
        return None
    try:
        return snapshots.current(run.home)
    except StoreError as problem:
        run.notice(f"{problem}; building without it")
        return None


def _divide(run: Run) -> dict[str, Bucketed]:
    return divide(lines(run.home, run.settings), run.home.buckets, takedowns(run.home))
