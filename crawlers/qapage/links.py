"""Where a page leads."""

from functools import cached_property

from bs4 import Tag

from crawlers.page import Page, absolute, attribute, joined
from crawlers.qapage.addresses import is_address, without_entries


class LinkedPage(Page):
    """A page and what it links to."""

    @cached_property
    def linking(self) -> list[Tag]:
        """The elements that lead somewhere."""
        return [tag for tag in self.soup.descendants if isinstance(tag, Tag) and tag.name in ("a", "link")]

    def led_to(self, tag: Tag) -> str | None:
        """The address that an element leads to, None when it is none that can be asked for."""
        url = absolute(self.url, attribute(tag, "href") or "")
        return url if is_address(url) and tag.has_attr("href") else None

    def addresses(self, relation: str, name: str = "") -> list[str]:
        """The addresses that have a relation to the page."""
        marked = (tag for tag in self.linking if relation in relations(tag) and name in ("", tag.name))
        return [url for url in map(self.led_to, marked) if url]

    @cached_property
    def canonical(self) -> str | None:
        """The address that the page gives itself."""
        return next(iter(self.addresses("canonical", "link")), None)

    @property
    def outgoing(self) -> list[str]:
        """The addresses that the page links to, except those that it asks not to follow."""
        anchors = [tag for tag in self.linking if tag.name == "a" and "nofollow" not in relations(tag)]
        addresses = (url.partition("#")[0] for url in map(self.led_to, anchors) if url)
        return list(dict.fromkeys(addresses))

    @property
    def onward(self) -> list[str]:
        """Where to go on from a page without a thread: by its links, and to the next page that only its head names."""
        named = (url.partition("#")[0] for url in self.addresses("next"))
        return without_entries(list(dict.fromkeys([*self.outgoing, *named])))


def relations(tag: Tag) -> list[str]:
    """What an element says about where it leads."""
    return joined(tag.get("rel") or "").split()
