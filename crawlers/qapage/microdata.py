"""Reads microdata: items by `itemscope`, nested or referred to, with their values as elements or attributes."""

from urllib.parse import urljoin

from bs4 import BeautifulSoup, Tag

from crawlers.page import joined
from crawlers.qapage.items import Item, Value, type_name

ADDRESSES = {"a": "href", "area": "href", "link": "href", "audio": "src", "embed": "src", "iframe": "src",
             "img": "src", "source": "src", "track": "src", "video": "src", "object": "data"}  # fmt: skip
ATTRIBUTES = {"meta": "content", "data": "value", "meter": "value", "time": "datetime"}

# Of these a link shows the words; the standard means where it leads, but nobody who writes `itemprop=name` does.
WORDS = frozenset(("name", "alternateName", "author", "creator", "headline", "text"))


def microdata(soup: BeautifulSoup, url: str) -> list[Item]:
    """All items of a page, in document order."""
    scopes: dict[int, Item] = {}
    borrowed: dict[str, Item] = {}  # elements that belong to an item elsewhere on the page, by `id`
    tags = [tag for tag in soup.descendants if isinstance(tag, Tag)]
    for tag in tags:
        if "itemscope" in tag.attrs:
            item = Item({type_name(name) for name in joined(tag.get("itemtype") or "").split()}, node=tag)
            named = tag.get("itemid")
            item.address = resolved(url, str(named)) if named else None
            scopes[id(tag)] = item
            for name in joined(tag.get("itemref") or "").split():
                borrowed[name] = item
    if not scopes:
        return []
    owners: dict[int, Item | None] = {id(soup): None}
    for tag in tags:
        owner = owners.get(id(tag.parent))
        if borrowed and "id" in tag.attrs:
            owner = borrowed.get(joined(tag["id"])) or owner
        own = scopes.get(id(tag))
        names = joined(tag["itemprop"]).split() if "itemprop" in tag.attrs else ()
        if own is not None:
            own.inside = owner
        if owner is not None and names:
            for name in map(type_name, names):
                owner.add(name, own if own is not None else value_of(tag, url, name))
        owners[id(tag)] = own if own is not None else owner
    return list(scopes.values())


def value_of(tag: Tag, url: str, name: str) -> Value:
    """What a property says: an attribute for some elements, an address for others, else the element's text."""
    if tag.name == "a" and name in WORDS and tag.get_text().strip():
        return tag
    place = ADDRESSES.get(tag.name)
    if place and tag.get(place) is not None:
        return resolved(url, str(tag.get(place)))
    named = tag.get(ATTRIBUTES.get(tag.name, "content"))  # `content` stands on every element in practice
    return tag if named is None else str(named)


def resolved(base: str, address: str) -> str:
    """An absolute address, or the text as it is when it is none."""
    try:
        return urljoin(base, address.strip())
    except ValueError:
        return address
