"""How the steps of a run are carried out: plainly here, or as Prefect tasks (`flows.prefect_conductor`)."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, Protocol, TypeVar

from flows.chain import Chain, RunOne, run_chain
from flows.runner import Done

T = TypeVar("T")


class Conductor(Protocol):
    """Carries out single steps, and the stages of many buckets."""

    def step(self, name: str, function: Callable[..., T], *arguments: Any) -> T:
        """Carry out one step."""
        ...

    def each(self, run_one: RunOne, chains: Sequence[Chain]) -> Iterator[list[Done]]:
        """Carry out every chain, in any order; the results in the order of the chains."""
        ...


class Plain:
    """Steps in this process; chains two at a time, in case they wait for another process."""

    def __init__(self, workers: int = 2) -> None:
        self._workers = workers

    def step(self, name: str, function: Callable[..., T], *arguments: Any) -> T:
        """Call the function."""
        return function(*arguments)

    def each(self, run_one: RunOne, chains: Sequence[Chain]) -> Iterator[list[Done]]:
        """Carry out the chains in threads."""
        with ThreadPoolExecutor(self._workers) as pool:
            yield from pool.map(partial(run_chain, run_one), chains)
