"""The flows as Prefect sees them; the command line calls the same ones with the same parameters.

Postponed annotations must stay out of this file: with them every deployed run fails. Descriptions of parameters must be
`Field` defaults: Prefect looks for them nowhere else.
"""

# ruff: noqa: B008

import socket
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from datetime import date
from typing import Any, Literal
from urllib.parse import urlsplit
from uuid import UUID

import httpx
from prefect import Flow, flow, get_run_logger
from prefect.artifacts import create_markdown_artifact, create_table_artifact
from prefect.client.orchestration import get_client
from prefect.logging.handlers import APILogHandler
from prefect.runtime import flow_run
from prefect.task_runners import ThreadPoolTaskRunner
from pydantic import Field

from flows import handover
from flows.backfill import Window, foresee
from flows.build import Job, run_job
from flows.errors import GateError, QuarryError
from flows.explanations import SERVER_GONE
from flows.pipeline import Outcome, prepare, rebuild
from flows.prefect_artifacts import show, show_quality
from flows.prefect_conductor import PrefectConductor, drain
from flows.run import Prepared, Run
from flows.settings import Settings, load_settings
from flows.store.home import open_home, read_home
from flows.watch import Say, attempt, tell_of_crash, tell_of_failure, watched, when_free

StageName = Literal[
    "ingest",
    "sentences",
    "questions",
    "scores",
    "types",
    "spans",
    "triples",
    "wordings",
    "signatures",
    "clusters",
    "splits",
]
Task = Literal["usefulness", "reasoning_type"]


def _task_runner(settings: Settings) -> Any:
    if settings.runner.kind == "dask":
        from prefect_dask.task_runners import DaskTaskRunner

        _reach(settings.runner.address or "")
        return DaskTaskRunner(address=settings.runner.address)
    return ThreadPoolTaskRunner(max_workers=2 * settings.runner.workers)  # flows.pool says why


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
    conductor = PrefectConductor()
    outcome = _stages(run, prepared, conductor)
    handover.give_back(run, outcome, flow_run.get_id(), conductor.tasks)
    return outcome.manifest.id


def _stages(run: Run, prepared: Prepared, conductor: PrefectConductor) -> Outcome:
    """The outcome, shown in the UI whatever it is."""
    try:
        outcome = rebuild(run, prepared, conductor)
    except GateError:
        verdict = "The gate stopped this build; the last snapshot stays."
        show_quality(run, [c.as_dict() for c in run.checks], verdict)
        raise
    show(run, outcome)
    return outcome


def conduct(run: Run, prepared: Prepared) -> Outcome:
    """Run the stages in a flow of their own, until the server has stored every task."""
    handover.give(run, prepared)
    try:
        with _server_needed():
            stages_flow.with_options(name=run.flow, flow_run_name=run.run_id, task_runner=_task_runner(run.settings))()
    finally:
        APILogHandler().flush()  # before the server that stores them may end
    outcome, flow_run_id, tasks = handover.take_back(run)
    if flow_run_id:
        drain(UUID(flow_run_id), tasks)
    return outcome


@contextmanager
def _server_needed() -> Iterator[None]:
    """Say it clearly when the server that records the run is gone."""
    try:
        yield
    except httpx.HTTPError as problem:
        raise QuarryError(
            f"{SERVER_GONE} ({str(problem) or type(problem).__name__}): what is finished is kept, run it again"
        ) from None


def _watched(name: str) -> AbstractContextManager[tuple[Settings, Say]]:
    return watched(name, _run_id(), get_run_logger().info)


def _run_id() -> str:
    return attempt(flow_run.get_id() or "", flow_run.get_run_count())


def _failed(flow: Any, flow_run: Any, state: Any) -> None:
    """Called in the process of a run: what fails before its first line, such as a parameter, nobody else tells."""
    run_id = attempt(str(flow_run.id), flow_run.run_count)
    tell_of_failure(flow.name, run_id, " ".join(str(state.message).split())[:500], flow_run.start_time)


def _crashed(flow: Any, flow_run: Any, state: Any) -> None:
    """Called by the worker when the process of a run is gone; what it knows of the run is older than its start."""
    with get_client(sync_client=True) as client, suppress(httpx.HTTPError):
        flow_run = client.read_flow_run(flow_run.id)
    run_id = attempt(str(flow_run.id), flow_run.run_count)
    tell_of_crash(flow.name, run_id, flow_run.start_time, state.message or "its process is gone")


def _do(settings: Settings, job: Job, say: Say) -> str:
    """Do a job in the flow that is running, from its first request."""
    if settings.runner.kind == "dask":
        _reach(settings.runner.address or "")
    with _server_needed():
        conductor = PrefectConductor()

    def notice(message: str) -> None:
        say(message)
        conductor.show(message)

    def stages(run: Run) -> Outcome:
        return _stages(run, prepare(run, conductor), conductor)

    _, outcome = run_job(settings, job, _server_needed()(stages), notice, _run_id(), lambda t: when_free(t, notice))
    notice(f"snapshot {outcome.manifest.id} is {'unchanged' if outcome.unchanged else 'current'}")
    return outcome.manifest.id


@flow(name="nightly", persist_result=False, task_runner=CONFIGURED, on_failure=[_failed], on_crashed=[_crashed])
def nightly() -> str:
    """Crawl every source, rebuild what changed, check it and publish it."""
    with _watched("nightly") as (settings, say):
        return _do(settings, Job("nightly"), say)


@flow(name="backfill", persist_result=False, task_runner=CONFIGURED, on_failure=[_failed], on_crashed=[_crashed])
def backfill(
    sources: list[str] = Field(default=[], description="Only lessons of these sources; none named means all."),
    since: date | None = Field(default=None, description="Only lessons with posts from this day on (UTC)."),
    until: date | None = Field(default=None, description="Only lessons with posts up to this day (UTC)."),
    stages: list[StageName] = Field(default=[], description="With force: only these stages; none named means all."),
    lessons: list[str] = Field(
        default=[], description="Only these lessons, by id, such as campus:biology/meiosis-crossing-over."
    ),
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


@flow(name="train", persist_result=False, on_failure=[_failed], on_crashed=[_crashed])
def train(
    task: Task = Field(default="usefulness", description="What the model decides."),
    force: bool = Field(default=False, description="Make it current even if it is worse."),
) -> str:
    """Train a model on the imported labels, else on the bundled ones."""
    from flows.model_tasks import TASKS
    from flows.store.lease import Lease
    from flows.training import train_task

    with _watched("train") as (settings, say), ExitStack() as stack:
        home = open_home(settings)
        when_free(lambda: stack.enter_context(Lease(home, "train")), say)
        found = train_task(home, task, TASKS[task].options(settings), force)
        say(f"{found.candidate.id}: {found.why}")
    create_markdown_artifact(f"`{found.candidate.id}` {found.candidate.results}: {found.why}", key="training")
    return str(found.candidate.id)


DEPLOYED: tuple[Flow[Any, Any], ...] = (nightly, backfill, train)
