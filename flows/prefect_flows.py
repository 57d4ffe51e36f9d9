"""The flows as Prefect sees them: named tasks for each stage and bucket, and the funnel as an artifact.

No `from __future__ import annotations` here: it makes every deployed run fail.
"""

import time
from collections.abc import Callable, Sequence
from contextvars import ContextVar
from typing import Any, TypeVar
from uuid import UUID

from prefect import flow, task, unmapped
from prefect.artifacts import create_table_artifact
from prefect.cache_policies import NO_CACHE
from prefect.client.orchestration import get_client
from prefect.client.schemas.filters import FlowRunFilter, FlowRunFilterId
from prefect.runtime import flow_run
from prefect.states import Completed
from prefect.task_runners import ThreadPoolTaskRunner
from prefect.utilities.annotations import quote

from flows.errors import QuarryError
from flows.funnel import funnel
from flows.pipeline import Outcome, rebuild
from flows.run import Prepared, Run
from flows.runner import Done

T = TypeVar("T")
Item = TypeVar("Item")
_DRAIN_SECONDS = 20

# What the command line did while the server was starting; a run from the UI has nothing of the kind.
_begun: ContextVar[tuple[Run, Prepared] | None] = ContextVar("begun", default=None)


# Content-addressed files decide what is done again, so Prefect's own cache and result files stay out of it.
@task(task_run_name="{name}", cache_policy=NO_CACHE, persist_result=False)
def carry_out_step(name: str, function: Callable[..., Any], arguments: Any) -> Any:
    """One step or one bucket; `name` is what the UI shows."""
    result = function(*arguments)
    if isinstance(result, Done) and not result.computed:
        return Completed(name="Reused", message="the finished files were reused", data=result)
    return result


class PrefectConductor:
    """Steps as Prefect tasks; `quote` keeps Prefect from walking through large arguments."""

    def __init__(self) -> None:
        self.tasks = 0

    def step(self, name: str, function: Callable[..., T], *arguments: Any) -> T:
        """Run one step as a task."""
        self.tasks += 1
        future = carry_out_step.submit(name, function, quote(arguments))
        found: T = future.result()
        return found

    def each(self, name: str, function: Callable[[Item], T], items: Sequence[Item]) -> list[T]:
        """Run one function over many items as mapped tasks."""
        self.tasks += len(items)
        names = [f"{name}-{getattr(item, 'bucket', number)}" for number, item in enumerate(items)]
        futures = carry_out_step.map(names, unmapped(function), [quote((item,)) for item in items])
        return [future.result() for future in futures]


_THREADS: Any = ThreadPoolTaskRunner(max_workers=2)


@flow(name="build", task_runner=_THREADS, persist_result=False)
def build_flow() -> str:
    """Rebuild what changed and publish it as the current snapshot."""
    begun = _begun.get()
    if begun is None:
        raise QuarryError("this flow is started by `quarry build`")
    run, prepared = begun
    conductor = PrefectConductor()
    outcome = rebuild(run, prepared, conductor)
    rows = [{"stage": x.stage, "in": x.rows_in, "kept": x.kept, "merged": x.merged, "rejected": x.rejected_rows,
             "why": x.reasons} for x in funnel(outcome.manifest)]  # fmt: skip
    create_table_artifact(rows, key="funnel", description=f"Rows through the stages of snapshot {outcome.manifest.id}")
    _outcomes[run.run_id] = (outcome, flow_run.get_id(), conductor.tasks)
    return outcome.manifest.id


_outcomes: dict[str, tuple[Outcome, str | None, int]] = {}


def conduct_build(run: Run, prepared: Prepared) -> Outcome:
    """Run the build flow in this process and wait until the server has stored every task."""
    token = _begun.set((run, prepared))
    try:
        build_flow()
    finally:
        _begun.reset(token)
    outcome, flow_run_id, tasks = _outcomes.pop(run.run_id)
    if flow_run_id:
        _drain(UUID(flow_run_id), tasks)
    return outcome


def _drain(flow_run_id: UUID, tasks: int) -> None:
    """Wait for the last task records: the server stores them a moment after the flow has ended."""
    chosen = FlowRunFilter(id=FlowRunFilterId(any_=[flow_run_id]))
    deadline = time.monotonic() + _DRAIN_SECONDS
    with get_client(sync_client=True) as client:
        while time.monotonic() < deadline:
            found: list[Any] = []
            while len(page := client.read_task_runs(flow_run_filter=chosen, limit=200, offset=len(found))):
                found += page
            if sum(bool(r.state and r.state.is_final()) for r in found) >= tasks:
                return
            time.sleep(0.2)
