"""The flows as Prefect sees them; the command line calls the same ones with the same parameters.

Postponed annotations must stay out of this file: with them every deployed run fails.
"""

from datetime import date
from typing import Annotated, Any, Literal
from uuid import UUID

from prefect import Flow, flow
from prefect.artifacts import create_markdown_artifact, create_table_artifact
from prefect.runtime import flow_run
from prefect.task_runners import ThreadPoolTaskRunner
from pydantic import Field

from flows import handover
from flows.build import Job, run_job
from flows.funnel import funnel
from flows.pipeline import Outcome, rebuild
from flows.prefect_conductor import PrefectConductor, drain
from flows.run import Prepared, Run
from flows.settings import Settings, load_settings

StageName = Literal[
    "ingest", "sentences", "questions", "scores", "types", "spans", "triples", "signatures", "clusters", "splits"
]
Task = Literal["usefulness", "reasoning_type"]


def _task_runner(settings: Settings) -> Any:
    if settings.runner.kind == "dask":
        from prefect_dask.task_runners import DaskTaskRunner

        return DaskTaskRunner(address=settings.runner.address)
    return ThreadPoolTaskRunner(max_workers=settings.runner.workers)


@flow(name="stages", persist_result=False)
def stages_flow() -> str:
    """Run the stages, the gate and the publication, bucket by bucket."""
    run, prepared = handover.take()
    conductor = PrefectConductor()
    outcome = rebuild(run, prepared, conductor)
    _show(run, outcome)
    handover.give_back(run, outcome, flow_run.get_id(), conductor.tasks)
    return outcome.manifest.id


def conduct(run: Run, prepared: Prepared) -> Outcome:
    """Run the stages as a Prefect flow in this process and wait until the server has stored every task."""
    handover.give(run, prepared)
    stages_flow.with_options(name=run.flow, task_runner=_task_runner(run.settings))()
    outcome, flow_run_id, tasks = handover.take_back(run)
    if flow_run_id:
        drain(UUID(flow_run_id), tasks)
    return outcome


def _show(run: Run, outcome: Outcome) -> None:
    """The funnel and the quality result where people look in the UI."""
    rows = [{"stage": x.stage, "in": x.rows_in, "kept": x.kept, "merged": x.merged, "rejected": x.rejected_rows,
             "why": x.reasons} for x in funnel(outcome.manifest)]  # fmt: skip
    create_table_artifact(rows, key="funnel", description=f"Rows through the stages of snapshot {outcome.manifest.id}")
    checks = outcome.manifest.content["checks"]
    bad = [c for c in checks if c["result"] != "passed"]
    create_table_artifact(bad or [{"result": "passed", "rules": len(checks)}], key="checks",
                          description="Rules that did not pass")  # fmt: skip
    state = "unchanged" if outcome.unchanged else "published"
    page = run.home / "reports" / "quality" / "index.html"
    create_markdown_artifact(
        f"Snapshot `{outcome.manifest.id}` {state}; {len(checks) - len(bad)} of {len(checks)} rules passed. "
        f"The quality page is `{page}`.",
        key="quality",
    )


@flow(name="nightly", persist_result=False)
def nightly() -> str:
    """Crawl every source, rebuild what changed, check it and publish it."""
    _, outcome = run_job(load_settings(), Job("nightly"), conduct)
    return outcome.manifest.id


@flow(name="backfill", persist_result=False)
def backfill(
    sources: Annotated[list[str], Field(description="Only these sources; none named means all.")] = [],  # noqa: B006
    since: Annotated[date | None, Field(description="Only lessons with posts from this day on.")] = None,
    until: Annotated[date | None, Field(description="Only lessons with posts up to this day.")] = None,
    stages: Annotated[list[StageName], Field(description="Do these stages again; none named means all.")] = [],  # noqa: B006
    lessons: Annotated[list[str], Field(description="Only these lessons, by id.")] = [],  # noqa: B006
    crawl: Annotated[
        bool, Field(description="Ask the sources again, every thread; otherwise use the archive.")
    ] = False,
    force: Annotated[bool, Field(description="Compute again what the window covers although nothing changed.")] = False,
    dry_run: Annotated[bool, Field(description="Only list what would be computed, and why.")] = False,
) -> str:
    """Crawl a window again, read the archive again, or run some stages again."""
    from flows.backfill import Window

    window = Window(tuple(sources), since, until, tuple(stages), tuple(lessons))
    job = Job("backfill", from_raw=not crawl, window=window, force=force)
    settings = load_settings()
    window.check(settings)
    if dry_run:
        from flows.backfill import foresee
        from flows.store.home import read_home

        rows = [r.as_dict() for r in foresee(read_home(settings.home), settings, window, force)]
        create_table_artifact(rows, key="backfill-plan", description="What the backfill would compute, and why")
        return "dry run"
    _, outcome = run_job(settings, job, conduct)
    return outcome.manifest.id


@flow(name="train", persist_result=False)
def train(
    task: Annotated[Task, Field(description="What the model decides.")] = "usefulness",
    force: Annotated[bool, Field(description="Make it current even if it is worse.")] = False,
) -> str:
    """Train a model on the imported labels, else on the bundled ones."""
    from flows.store.home import open_home
    from flows.store.lease import Lease
    from flows.training import train_task

    home = open_home(load_settings())
    with Lease(home, "train"):
        found = train_task(home, task, {}, force)
    create_markdown_artifact(f"`{found.candidate.id}` {found.candidate.metrics}: {found.why}", key="training")
    return found.candidate.id


DEPLOYED: tuple[Flow[Any, Any], ...] = (nightly, backfill, train)
