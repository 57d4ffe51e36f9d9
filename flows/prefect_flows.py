"""The flows as Prefect sees them; the command line calls the same ones with the same parameters.

Postponed annotations must stay out of this file: with them every deployed run fails. Descriptions of parameters must be
`Field` defaults: Prefect looks for them nowhere else.
"""

# ruff: noqa: B008

import math
import socket
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, suppress
from datetime import date
from typing import Any, Literal, TypeVar
from urllib.parse import urlsplit
from uuid import UUID

import httpx
from prefect import Flow, flow, get_run_logger, unmapped
from prefect.artifacts import (
    create_markdown_artifact,
    create_progress_artifact,
    create_table_artifact,
    update_progress_artifact,
)
from prefect.context import FlowRunContext
from prefect.logging.handlers import APILogHandler
from prefect.runtime import flow_run
from prefect.task_runners import ThreadPoolTaskRunner
from pydantic import Field

from flows import handover
from flows.backfill import Window, foresee
from flows.build import Job, run_job
from flows.errors import GateError, QuarryError
from flows.funnel import funnel
from flows.notice import Say, tell_of_crash, watched, when_free
from flows.pipeline import Outcome, rebuild
from flows.prefect_conductor import PrefectConductor, Sealed, carry_out_step, drain
from flows.run import Prepared, Run
from flows.settings import Settings, load_settings
from flows.stages import STAGES
from flows.store.home import open_home, read_home

T = TypeVar("T")
Item = TypeVar("Item")
StageName = Literal[
    "ingest", "sentences", "questions", "scores", "types", "spans", "triples", "signatures", "clusters", "splits"
]
Task = Literal["usefulness", "reasoning_type"]
_SHOWN_LESSONS = 500


class ShownConductor(PrefectConductor):
    """Steps as Prefect tasks, with their progress, and the lessons of buckets that failed, where people look."""

    def __init__(self) -> None:
        super().__init__()
        self._stages, self._shown = 0, time.monotonic()
        self._artifact: Any = create_progress_artifact(0.0, key="progress", description="starting")

    def each(self, name: str, function: Callable[[Item], T], items: Sequence[Item]) -> list[T]:
        """Run one function over many items as mapped tasks; all of them are tried before a failure ends the run."""
        self.tasks += len(items)
        buckets = [str(getattr(item, "bucket", number)) for number, item in enumerate(items)]
        names = [f"{name}-{bucket}" for bucket in buckets]
        futures = carry_out_step.map(names, unmapped(function), [Sealed(item) for item in items])
        found: list[T] = []
        failed: list[tuple[Item, Exception]] = []
        for number, (item, future) in enumerate(zip(items, futures, strict=True)):
            self._show(f"stage {name}: {number} of {len(items)} buckets", number / len(items))
            try:
                found.append(future.result())
            except Exception as problem:
                failed.append((item, problem))
        self._stages += 1
        if failed:
            raise _affected(name, len(items), failed)
        self._show(f"stage {name} is done", 0)
        return found

    def _show(self, what: str, share: float) -> None:
        """At most one update a second: each is a request to the server."""
        if time.monotonic() - self._shown < 1 and self._stages < len(STAGES):
            return
        self._shown = time.monotonic()
        percent = round(100 * (self._stages + share) / len(STAGES), 1)
        try:
            update_progress_artifact(self._artifact, percent, what)
        except httpx.HTTPError:  # a run does not fail because nobody can watch it; asking again would take a minute
            self._shown = math.inf


def _affected(stage: str, buckets: int, failed: Sequence[tuple[Any, Exception]]) -> Exception:
    """The failure of a stage, with the lessons whose buckets failed; all of them are in the artifact `affected`."""
    lessons = sorted({lesson for item, _ in failed for lesson in getattr(item, "lessons", ())})
    rows = [{"bucket": item.bucket, "problem": str(problem)[:500], "lessons": len(item.lessons),
             "ids": ", ".join(sorted(item.lessons)[:_SHOWN_LESSONS])} for item, problem in failed]  # fmt: skip
    with suppress(httpx.HTTPError):
        create_table_artifact(rows, key="affected", description=f"Buckets of stage {stage} that failed, and why")
    first = failed[0][1]
    if isinstance(first, OSError):
        return first  # the command line knows what to say of a full disk
    more = f" and {len(lessons) - 3} more" if len(lessons) > 3 else ""
    message = (
        f"stage {stage} failed for {len(failed)} of {buckets} buckets ({str(first) or type(first).__name__}); affected "
        f"are the lessons {', '.join(lessons[:3])}{more}; what is finished is kept, run it again"
    )
    return (type(first) if isinstance(first, QuarryError) else QuarryError)(message)


def _task_runner(settings: Settings) -> Any:
    if settings.runner.kind == "dask":
        from prefect_dask.task_runners import DaskTaskRunner

        _reach(settings.runner.address or "")
        return DaskTaskRunner(address=settings.runner.address)
    return ThreadPoolTaskRunner(max_workers=settings.runner.workers)


def _reach(address: str) -> None:
    """Fail at once, and clearly, if nobody listens where the scheduler should be."""
    try:
        place = urlsplit(address)
        with socket.create_connection((place.hostname or "", place.port or 0), timeout=10):
            return
    except (OSError, ValueError) as problem:
        raise QuarryError(
            f"the Dask scheduler at {address} cannot be reached ({problem}): start it, or correct runner.address"
        ) from None


class ConfiguredRunner(ThreadPoolTaskRunner[Any]):
    """The task runner that the settings name when a deployed run begins."""

    def duplicate(self) -> Any:
        """Called before each run, which will fail more clearly than this could."""
        try:
            return _task_runner(load_settings())
        except QuarryError:
            return ThreadPoolTaskRunner(max_workers=1)


CONFIGURED: Any = ConfiguredRunner()


@flow(name="stages", persist_result=False)
def stages_flow() -> str:
    """Run the stages, the gate and the publication, bucket by bucket."""
    run, prepared = handover.take()
    outcome, tasks = _stages(run, prepared)
    handover.give_back(run, outcome, flow_run.get_id(), tasks)
    return outcome.manifest.id


def _stages(run: Run, prepared: Prepared) -> tuple[Outcome, int]:
    """The outcome, and how many tasks it took."""
    conductor = ShownConductor()
    try:
        outcome = rebuild(run, prepared, conductor)
    except GateError:
        _show_quality(run, [c.as_dict() for c in run.checks], "The gate stopped this build; the last snapshot stays.")
        raise
    _show(run, outcome)
    return outcome, conductor.tasks


def conduct(run: Run, prepared: Prepared) -> Outcome:
    """Run the stages in the flow that is running, else in one of their own until the server has stored every task."""
    if FlowRunContext.get() is not None:
        return _stages(run, prepared)[0]
    handover.give(run, prepared)
    try:
        stages_flow.with_options(name=run.flow, task_runner=_task_runner(run.settings))()
    except httpx.HTTPError as problem:
        raise QuarryError(
            f"Prefect's server went away during the run ({str(problem) or type(problem).__name__}): what is finished "
            "is kept, run it again"
        ) from None
    finally:
        APILogHandler().flush()  # before the server that stores them may end
    outcome, flow_run_id, tasks = handover.take_back(run)
    if flow_run_id:
        drain(UUID(flow_run_id), tasks)
    return outcome


def _show(run: Run, outcome: Outcome) -> None:
    """The funnel and the quality result where people look in the UI."""
    rows = [{"stage": x.stage, "in": x.rows_in, "kept": x.kept, "merged": x.merged, "rejected": x.rejected_rows,
             "why": x.reasons} for x in funnel(outcome.manifest)]  # fmt: skip
    create_table_artifact(rows, key="funnel", description=f"Rows through the stages of snapshot {outcome.manifest.id}")
    state = "unchanged" if outcome.unchanged else "published"
    _show_quality(run, outcome.manifest.content["checks"], f"Snapshot `{outcome.manifest.id}` {state}.")


def _show_quality(run: Run, checks: list[dict[str, Any]], verdict: str) -> None:
    bad = [c for c in checks if c["result"] != "passed"]
    create_table_artifact(bad or [{"result": "passed", "rules": len(checks)}], key="checks",
                          description="Rules that did not pass")  # fmt: skip
    page = run.home / "reports" / "quality" / "index.html"
    create_markdown_artifact(
        f"{verdict} {len(checks) - len(bad)} of {len(checks)} rules passed. The quality page is `{page}`.",
        key="quality",
    )


def _watched(name: str) -> AbstractContextManager[tuple[Settings, Say]]:
    return watched(name, flow_run.get_id() or "", get_run_logger().info)


def _crashed(flow: Any, flow_run: Any, state: Any) -> None:
    """Called by the worker when the process of a run is gone."""
    tell_of_crash(flow.name, str(flow_run.id), flow_run.start_time, state.message or "its process is gone")


def _do(settings: Settings, job: Job, say: Say) -> str:
    if settings.runner.kind == "dask":
        _reach(settings.runner.address or "")
    _, outcome = when_free(lambda: run_job(settings.model_copy(deep=True), job, conduct, say), say)
    say(f"snapshot {outcome.manifest.id} is {'unchanged' if outcome.unchanged else 'current'}")
    return outcome.manifest.id


@flow(name="nightly", persist_result=False, task_runner=CONFIGURED, on_crashed=[_crashed])
def nightly() -> str:
    """Crawl every source, rebuild what changed, check it and publish it."""
    with _watched("nightly") as (settings, say):
        return _do(settings, Job("nightly"), say)


@flow(name="backfill", persist_result=False, task_runner=CONFIGURED, on_crashed=[_crashed])
def backfill(
    sources: list[str] = Field(default=[], description="Only lessons of these sources; none named means all."),
    since: date | None = Field(default=None, description="Only lessons with posts from this day on (UTC)."),
    until: date | None = Field(default=None, description="Only lessons with posts up to this day (UTC)."),
    stages: list[StageName] = Field(default=[], description="With force: only these stages; none named means all."),
    lessons: list[str] = Field(default=[], description="Only these lessons, by id, such as campus:tides."),
    crawl: bool = Field(default=False, description="Ask the sources again, every thread; otherwise use the archive."),
    force: bool = Field(default=False, description="Compute again what the window covers although nothing changed."),
    dry_run: bool = Field(default=False, description="Only list what would be computed, and why, as an artifact."),
) -> str:
    """Crawl a window again, read the archive again, or run some stages again."""
    window = Window(tuple(sources), since, until, tuple(stages), tuple(lessons))
    with _watched("backfill") as (settings, say):
        window.check(settings)
        if dry_run:
            rows = [r.as_dict() for r in foresee(read_home(settings.home), settings, window, force)]
            create_table_artifact(rows, key="backfill-plan", description="What the backfill would compute, and why")
            return "dry run"
        return _do(settings, Job("backfill", from_raw=not crawl, window=window, force=force), say)


@flow(name="train", persist_result=False, on_crashed=[_crashed])
def train(
    task: Task = Field(default="usefulness", description="What the model decides."),
    force: bool = Field(default=False, description="Make it current even if it is worse."),
) -> str:
    """Train a model on the imported labels, else on the bundled ones."""
    from flows.model_tasks import TASKS
    from flows.store.lease import Lease
    from flows.training import train_task

    with _watched("train") as (settings, say):
        home = open_home(settings)

        def work() -> Any:
            with Lease(home, "train"):
                return train_task(home, task, TASKS[task].options(settings), force)

        found = when_free(work, say)
        say(f"{found.candidate.id}: {found.why}")
    create_markdown_artifact(f"`{found.candidate.id}` {found.candidate.metrics}: {found.why}", key="training")
    return str(found.candidate.id)


DEPLOYED: tuple[Flow[Any, Any], ...] = (nightly, backfill, train)
