"""Steps of a run as Prefect tasks, named for each stage and bucket."""

import time
from collections.abc import Callable, Sequence
from typing import Any, TypeVar
from uuid import UUID

from prefect import task, unmapped
from prefect.cache_policies import NO_CACHE
from prefect.client.orchestration import get_client
from prefect.client.schemas.filters import FlowRunFilter, FlowRunFilterId
from prefect.states import Completed

from flows.errors import QuarryError
from flows.runner import Done

T = TypeVar("T")
Item = TypeVar("Item")
_DRAIN_SECONDS = 20


class Sealed:
    """Arguments that Prefect must not walk through: they are large, and Dask takes tuples apart."""

    def __init__(self, *arguments: Any) -> None:
        self.arguments = arguments


def _worth_a_retry(task: Any, task_run: Any, state: Any) -> bool:
    """A failure that we explain ourselves will be the same next time; anything else may have been the machine."""
    try:
        state.result()
    except QuarryError:
        return False
    except Exception:
        return True
    return False


# Content-addressed files decide what is done again, so Prefect's own cache and result files stay out of it.
@task(
    task_run_name="{name}",
    cache_policy=NO_CACHE,
    persist_result=False,
    retries=2,
    retry_delay_seconds=[2, 10],
    retry_condition_fn=_worth_a_retry,
)
def carry_out_step(name: str, function: Callable[..., Any], sealed: Sealed) -> Any:
    """One step or one bucket; `name` is what the UI shows."""
    result = function(*sealed.arguments)
    if isinstance(result, Done) and not result.computed:
        return Completed(name="Reused", message="the finished files were reused", data=result)
    return result


class PrefectConductor:
    """Steps as Prefect tasks."""

    def __init__(self) -> None:
        self.tasks = 0

    def step(self, name: str, function: Callable[..., T], *arguments: Any) -> T:
        """Run one step as a task in this process."""
        self.tasks += 1
        found: Any = carry_out_step(name, function, Sealed(*arguments))
        return found  # type: ignore[no-any-return]

    def each(self, name: str, function: Callable[[Item], T], items: Sequence[Item]) -> list[T]:
        """Run one function over many items as mapped tasks, wherever the flow's task runner has room."""
        self.tasks += len(items)
        names = [f"{name}-{getattr(item, 'bucket', number)}" for number, item in enumerate(items)]
        futures = carry_out_step.map(names, unmapped(function), [Sealed(item) for item in items])
        return [future.result() for future in futures]


def drain(flow_run_id: UUID, tasks: int) -> None:
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
