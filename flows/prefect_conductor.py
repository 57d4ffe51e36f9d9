"""Steps of a run as Prefect tasks, named for each stage and bucket, with their progress where people look."""

import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar
from uuid import UUID

import httpx
from prefect import task, unmapped
from prefect.artifacts import create_progress_artifact, update_progress_artifact
from prefect.cache_policies import NO_CACHE
from prefect.client.orchestration import get_client
from prefect.client.schemas.filters import FlowRunFilter, FlowRunFilterId
from prefect.states import Completed

from flows.chain import Chain, RunOne, StageFailed, run_chain
from flows.errors import QuarryError
from flows.prefect_artifacts import affected
from flows.runner import Done, Work
from flows.stages import STAGES

T = TypeVar("T")
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
    """One step, or one stage of one bucket; `name` is what the UI shows."""
    result = function(*sealed.arguments)
    if isinstance(result, Done) and not result.computed:
        return Completed(name="Reused", message="the finished files were reused", data=result)
    return result


# A worker that is sent a whole bucket prepares itself for Prefect once, which takes as long as a short stage.
@task(task_run_name="bucket {name}", cache_policy=NO_CACHE, persist_result=False)
def carry_out_chain(name: str, run_one: RunOne, sealed: Sealed) -> list[Done]:
    """The stages of one bucket, each a task of its own; whatever fails, the stage is named."""

    def run_task(work: Work) -> Done:
        try:
            # Asked for by itself, the result would be the state `Reused` where there is one.
            state: Any = carry_out_step(f"{work.stage}-{work.bucket}", run_one, Sealed(work), return_state=True)
            return state.result()  # type: ignore[no-any-return]
        except Exception as problem:
            raise StageFailed(work.stage, problem) from None

    (chain,) = sealed.arguments
    return run_chain(run_task, chain)


class PrefectConductor:
    """Steps as Prefect tasks."""

    def __init__(self) -> None:
        self.tasks = 0
        self._stages, self._shown, self._lost = 0, time.monotonic(), False
        self._artifact: Any = create_progress_artifact(0.0, key="progress", description="starting")

    def step(self, name: str, function: Callable[..., T], *arguments: Any) -> T:
        """Run one step as a task in this process."""
        self.tasks += 1
        self.show(name)
        found: Any = carry_out_step(name, function, Sealed(*arguments))
        return found  # type: ignore[no-any-return]

    def each(self, run_one: RunOne, chains: Sequence[Chain]) -> Iterator[list[Done]]:
        """Run the chains wherever the flow's task runner has room; all are tried before a failure ends the run."""
        self.tasks += sum(1 + len(chain.works) for chain in chains)
        names = [chain.bucket for chain in chains]
        futures = carry_out_chain.map(names, unmapped(run_one), [Sealed(chain) for chain in chains])
        failed: list[tuple[Chain, Exception]] = []
        for number, (chain, future) in enumerate(zip(chains, futures, strict=True)):
            if time.monotonic() - self._shown > 1:  # each is a request to the server
                self.show(f"{number} of {len(chains)} buckets are done", number / len(chains) * len(chain.works))
            try:
                done = future.result()
            except Exception as problem:
                failed.append((chain, problem))
            else:
                yield done
        self._stages += len(chains[0].works)
        if failed:
            raise affected(failed, len(chains))

    def show(self, what: str, stages: float = 0) -> None:
        """Say in the progress artifact what is being done, and how many more stages that makes."""
        if self._lost:
            return
        self._shown = time.monotonic()
        try:
            update_progress_artifact(self._artifact, round(100 * (self._stages + stages) / len(STAGES), 1), what)
        except httpx.HTTPError:  # a run does not fail because nobody can watch it; asking again would take a minute
            self._lost = True


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
