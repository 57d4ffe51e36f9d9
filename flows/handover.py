"""What a caller hands to the flow that it runs in the same process, and gets back: things that no parameter can carry.

It lives in a module of its own because Dask sends flows to its workers, and a flow that held these would not travel.
"""

from contextvars import ContextVar

from flows.pipeline import Outcome
from flows.run import Prepared, Run

_begun: ContextVar[tuple[Run, Prepared] | None] = ContextVar("begun", default=None)
_ended: dict[str, tuple[Outcome, str | None, int]] = {}


def give(run: Run, prepared: Prepared) -> None:
    """Hand over what was begun while the server was starting."""
    _begun.set((run, prepared))


def take() -> tuple[Run, Prepared]:
    """What was handed over."""
    begun = _begun.get()
    assert begun is not None, "the stages are run by the flows nightly and backfill, or by `quarry build`"
    return begun


def give_back(run: Run, outcome: Outcome, flow_run_id: str | None, tasks: int) -> None:
    """Hand back the outcome, and how many tasks the server must know of."""
    _ended[run.run_id] = (outcome, flow_run_id, tasks)


def take_back(run: Run) -> tuple[Outcome, str | None, int]:
    """The outcome of a run."""
    return _ended.pop(run.run_id)
