"""What a run has to do: for each bucket the works of its stages, and how many records they will compute."""

from dataclasses import replace
from itertools import groupby
from operator import attrgetter

import pyarrow as pa
import pyarrow.compute as pc

from flows.chain import Chain
from flows.errors import StoreError
from flows.plan import EVERYTHING, Plan
from flows.records import Bucketed
from flows.run import Run
from flows.runner import Work, is_finished
from flows.stages import STAGES, WRITER, Stage
from flows.store import exchange, files
from flows.store.files import FileRef
from flows.store.snapshots import Manifest

# Stages that see a lesson at a time, and after them those that see everything.
SCOPES = [list(stages) for _, stages in groupby(STAGES, key=attrgetter("scope"))]


def make_chains(
    run: Run, stages: list[Stage], plan: Plan, given: dict[str, dict[str, Bucketed]], before: Manifest | None
) -> list[Chain]:
    """One chain for each bucket, or one for everything, through the stages of one scope."""

    def work(stage: Stage, bucket: str) -> Work:
        reads = stage.inputs(run.settings)
        found = Work(
            home=run.home.path,
            stage=stage.name,
            bucket=bucket,
            reads=reads,
            lessons=plan.lessons[stage.name][bucket],
            params=stage.params(run.settings),
            model_id=plan.parts[stage.name]["model"],
            inputs={table: _made(run, table) for table in reads if _comes_before(stage, table)},
            previous=before.of_stage(stage.name, bucket) if before else (),
            forced=_forced(run, stage),
            forced_since=run.forced_since,
        )
        return _with_given(run, found, {name: given[name][bucket].rows for name in reads if name in given})

    names = sorted(plan.lessons[stages[0].name])
    return [Chain(bucket, tuple(work(stage, bucket) for stage in stages)) for bucket in names]


def _with_given(run: Run, work: Work, given: dict[str, pa.Table]) -> Work:
    """In this process tables are handed over; to other machines the paths of files, where they are needed at all."""
    if run.settings.runner.kind != "dask":
        return replace(work, given=given)
    if not given or is_finished(work):
        return work
    paths = {name: exchange.write(run.home, f"{name}-{work.bucket}", rows) for name, rows in given.items()}
    return replace(work, given=paths)


def _comes_before(stage: Stage, table: str) -> bool:
    """Whether a table is made by other chains than the one that reads it."""
    return table in WRITER and WRITER[table].scope != stage.scope


def _made(run: Run, table: str) -> tuple[FileRef, ...]:
    return tuple(ref for done in run.stages[WRITER[table].name] for ref in done.files if ref.table == table)


def records_to_compute(run: Run, plan: Plan, buckets: dict[str, Bucketed], before: Manifest | None) -> int:
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
    return sum(pc.sum(pc.is_in(b.rows["lesson_id"], wanted)).as_py() or 0 for b in buckets.values())


def _forced(run: Run, stage: Stage) -> frozenset[str]:
    if stage.name not in run.force_stages:
        return frozenset()
    return frozenset((EVERYTHING,)) if stage.scope == "all" else run.force_lessons
