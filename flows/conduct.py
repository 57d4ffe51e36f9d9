"""How the steps of a run are carried out: plainly here, or as Prefect tasks (`flows.prefect_conductor`)."""

from collections.abc import Callable, Sequence
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
    """One step after the other in this process."""

    def step(self, name: str, function: Callable[..., T], *arguments: Any) -> T:
        """Call the function."""
        return function(*arguments)

    def each(self, name: str, function: Callable[[Item], T], items: Sequence[Item]) -> list[T]:
        """Call the function for each item."""
        return [function(item) for item in items]
