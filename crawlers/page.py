"""What the pages of all sources have in common: they parse, and never fetch."""

from typing import Any
from urllib.parse import urljoin

from bs4 import BeautifulSoup, Tag

Record = dict[str, Any]


class PageError(ValueError):
    """A page is not in the form that its source promises."""


class Page:
    """A fetched HTML page and the address it was fetched from."""

    def __init__(self, html: str, url: str) -> None:
        """Parse the page."""
        self.url = url
        self.soup = BeautifulSoup(html, "lxml")

    def one(self, selector: str, within: Tag | None = None) -> Tag:
        """The first element for a selector, which must exist."""
        found = (within or self.soup).select_one(selector)
        if found is None:
            raise PageError(f"{self.url}: no element matches `{selector}`; has the site's layout changed?")
        return found

    def links(self, selector: str) -> list[str]:
        """The absolute addresses of the links for a selector, each once."""
        found = (attribute(link, "href") for link in self.soup.select(selector))
        return list(dict.fromkeys(urljoin(self.url, address) for address in found if address))


def attribute(tag: Tag, name: str) -> str | None:
    """An attribute's text, None when the element lacks it."""
    value = tag.get(name)
    return None if value is None else str(value)


def integer(text: str | None) -> int | None:
    """A whole number, None when there is no text."""
    return None if text is None else int(text)
