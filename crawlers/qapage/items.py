"""The items of schema.org that a page declares, whichever way it writes them down."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Union

from bs4 import Tag

Value = Union[str, Tag, "Item"]  # an element stands for the text inside it


@dataclass(eq=False)
class Item:
    """A thing with types and properties; items may refer to each other in circles."""

    types: set[str] = field(default_factory=set)
    properties: dict[str, list[Value]] = field(default_factory=dict)
    address: str | None = None  # `@id` or `itemid`
    node: Tag | None = None  # the element that it was declared on
    inside: "Item | None" = None  # the item whose element is around it, whether or not it is a property of that

    def add(self, name: str, value: Value) -> None:
        """Give the item one more value of a property."""
        self.properties.setdefault(name, []).append(value)

    def values(self, *names: str) -> Iterator[Value]:
        """All values of some properties, in order."""
        for name in names:
            yield from self.properties.get(name, ())

    def items(self, *names: str) -> list["Item"]:
        """The values of some properties that are items themselves."""
        return [value for value in self.values(*names) if isinstance(value, Item)]

    def is_a(self, *types: str) -> bool:
        """Whether the item has one of some types."""
        return not self.types.isdisjoint(types)


def type_name(text: str) -> str:
    """The name of a type or property without its vocabulary: `https://schema.org/Question`, `schema:Question`."""
    return text.strip().rstrip("/").rpartition("/")[2].rpartition("#")[2].rpartition(":")[2]


def within(roots: list[Item], *names: str) -> set[int]:
    """The identities of all items that can be reached from some by certain properties."""
    found: set[int] = set()
    waiting = [item for root in roots for item in root.items(*names)]
    while waiting:
        item = waiting.pop()
        if id(item) not in found:
            found.add(id(item))
            waiting.extend(item.items(*names))
    return found
