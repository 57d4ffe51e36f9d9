"""A build from its first request to the moved pointer, whoever conducts it.

Killing it at any point is safe: files are named by what determines them and renamed into place, the manifest is written
after them, the pointer moves after the manifest, and the catalog is derived and repaired by the next command.
"""

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from flows.collect import collect_source, lines, takedowns
from flows.conduct import Conductor
from flows.errors import GateError, StoreError
from flows.funnel import funnel
from flows.gate import gate, great
from flows.model_tasks import TASKS
from flows.models import ensure_model
from flows.notice import tell
from flows.plan import ALL, EVERYTHING, Plan, make_plan
from flows.pool import bucket_runner
from flows.publish.quality import write_quality_page
from flows.records import Bucketed, divide
from flows.run import Prepared, Run, manifest_content
from flows.runner import Work
from flows.stages import STAGES, WRITER, Stage
from flows.status import advice
from flows.store import catalog, files, journal, snapshots
from flows.store.faults import point
from flows.store.home import pseudonym_key
from flows.store.snapshots import Manifest

MODEL_TASKS = tuple(dict.fromkeys(stage.model for stage in STAGES if stage.model))


@dataclass(frozen=True)
class Outcome:
    """How a run ended well."""

    manifest: Manifest
    unchanged: bool


def prepare(run: Run, conduct: Conductor) -> Prepared:
    """Collect every source and make sure that the models are there."""
    run.settings.pseudonym_key = pseudonym_key(run.home, run.settings)
    if snapshots.current_id(run.home) is None:
        great.warm_up()  # a first build always reaches the gate
    sources = {}
    for source in run.settings.sources:
        run.notice(f"collecting {source.name}")
        sources[source.name] = conduct.step(f"collect {source.name}", collect_source, run.home, source, run.from_raw)
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
    models = {task: ref.id for task, ref in prepared.models.items()}
    plan = make_plan(run.settings, models, {name: bucket.versions for name, bucket in buckets.items()})
    with bucket_runner(run.settings, _records_to_compute(run, plan, buckets, before)) as run_one:
        for stage in STAGES:
            started = time.perf_counter()
            run.notice(f"stage {stage.name}")
            works = _works(run, stage, plan, buckets, before)
            run.stages[stage.name] = conduct.each(stage.name, run_one, works)
            run.seconds[stage.name] = round(time.perf_counter() - started, 3)
            if any(done.computed for done in run.stages[stage.name]):
                great.warm_up()
            point(f"stage {stage.name} done")
    content = manifest_content(run, prepared, plan)
    if before is not None and {k: v for k, v in before.content.items() if k not in ("checks", "format")} == content:
        catalog.ensure(run.home)
        return Outcome(before, unchanged=True)
    run.notice("checking the candidate")
    manifest = conduct.step("gate", check, run, content, before)
    snapshots.publish(run.home, manifest, before.id if before else snapshots.current_id(run.home), run.lease)
    catalog.rebuild(run.home, manifest)
    point("catalog rebuilt")
    return Outcome(manifest, unchanged=False)


def check(run: Run, content: dict[str, Any], before: Manifest | None) -> Manifest:
    """Evaluate the gate on a candidate; its checks go to the journal, whatever they say."""
    candidate = snapshots.make(content)
    data_docs = run.home / "reports" / "data_docs" if run.settings.data_docs else None
    checks = gate.accept(gate.evaluate(run.home, candidate, before, data_docs), run.accept)
    run.checks = checks
    journal.append(run.home, "checks", [{"run_id": run.run_id, **c.as_dict()} for c in checks])
    manifest = snapshots.make({**content, "checks": [c.as_dict() for c in checks]})
    stopped = any(check.stops for check in checks)
    if stopped:
        snapshots.keep_candidate(run.home, manifest)
    title = f"Snapshot {manifest.id}, {'stopped by the gate' if stopped else 'published'}; run {run.run_id}."
    write_quality_page(run.home, title, checks, funnel(manifest), advice(manifest))
    gate.stop_if_bad(checks)
    return manifest


def record(run: Run, state: str, snapshot_id: str | None = None, message: str | None = None) -> None:
    """Write the run into the journal."""
    stages = {
        name: {"rows_in": sum(d.rows_in for d in done), "kept": sum(d.kept for d in done),
               "computed": sum(d.computed for d in done), "seconds": run.seconds.get(name)}
        for name, done in run.stages.items()
    }  # fmt: skip
    row = {
        "run_id": run.run_id,
        "flow": run.flow,
        "started_at": run.started_at.isoformat(),
        "finished_at": datetime.now(UTC).isoformat(),
        "state": state,
        "snapshot_id": snapshot_id,
        "message": message,
        "stages": json.dumps(stages, sort_keys=True),
    }
    journal.append(run.home, "runs", [row])


def carry_out(run: Run, work: Callable[[], Outcome]) -> Outcome:
    """Do the work of a run and write its end into the journal, however it ends."""
    try:
        outcome = work()
    except BaseException as problem:
        state = "gated" if isinstance(problem, GateError) else "failed"
        message = str(problem) or type(problem).__name__
        record(run, state, message=message)
        if run.settings.webhook:
            tell(run.settings.webhook, {"run_id": run.run_id, "flow": run.flow, "state": state, "message": message})
        raise
    record(run, "unchanged" if outcome.unchanged else "done", outcome.manifest.id)
    return outcome


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


def _records_to_compute(run: Run, plan: Plan, buckets: dict[str, Bucketed], before: Manifest | None) -> int:
    """How many records stand in lessons that some stage has to compute."""
    changed: set[str] = set()
    for stage in STAGES:
        if stage.scope == "all":
            continue
        for bucket, lessons in plan.lessons[stage.name].items():
            refs = before.of_stage(stage.name, bucket) if before else ()
            try:
                known = files.footer(run.home / refs[0].path)["lessons"] if refs else {}
            except StoreError:
                known = {}  # it will be made again
            forced = _forced(run, stage)
            changed |= {i for i, value in lessons.items() if known.get(i, [None])[0] != value or i in forced}
    wanted = pa.array(sorted(changed), pa.string())
    return sum(pc.sum(pc.is_in(b.records["lesson_id"], wanted)).as_py() or 0 for b in buckets.values())


def _forced(run: Run, stage: Stage) -> frozenset[str]:
    if stage.name not in run.force_stages:
        return frozenset()
    return frozenset((EVERYTHING,)) if stage.scope == "all" else run.force_lessons


def _works(run: Run, stage: Stage, plan: Plan, buckets: dict[str, Bucketed], before: Manifest | None) -> list[Work]:
    """What has to be done for one stage: one work for each bucket, or one for everything."""
    made = {table: run.stages[WRITER[table].name] for table in stage.reads if table in WRITER}
    return [
        Work(
            home=run.home.path,
            stage=stage.name,
            bucket=bucket,
            lessons=lessons,
            params=stage.params(run.settings),
            model_id=plan.parts[stage.name]["model"],
            inputs={
                table: tuple(ref for d in done for ref in d.files if ref.table == table and bucket in (d.bucket, ALL))
                for table, done in made.items()
            },
            records=buckets[bucket].records if "records" in stage.reads else None,
            previous=before.of_stage(stage.name, bucket) if before else (),
            forced=_forced(run, stage),
        )
        for bucket, lessons in sorted(plan.lessons[stage.name].items())
    ]
