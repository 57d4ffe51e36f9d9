"""How the steps of a run are carried out: plainly here, or as Prefect tasks (`flows.prefect_conductor`)."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol, TypeVar

T = TypeVar("T")
Item = TypeVar("Item")


class Conductor(Protocol):
    """Carries out single steps, and one function over many items."""

    def step(self, name: str, function: Callable[..., T], *arguments: Any) -> T:
        """Carry out one step."""
        ...

    def each(self, name: str, function: Callable[[Item], T], items: Sequence[Item]) -> list[T]:
        """Carry out one function for every item, in any order; the results in the order of the items."""
        ...


class Plain:
    """Steps in this process; items two at a time, in case the function waits for another process."""

    def __init__(self, workers: int = 2) -> None:
        self._workers = workers

    def step(self, name: str, function: Callable[..., T], *arguments: Any) -> T:
        """Call the function."""
        return function(*arguments)

    def each(self, name: str, function: Callable[[Item], T], items: Sequence[Item]) -> list[T]:
        """Call the function for each item."""
        with ThreadPoolExecutor(self._workers) as pool:
            return list(pool.map(function, items))
