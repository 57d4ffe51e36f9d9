"""The lists of lessons."""

from urllib.parse import parse_qsl, urlencode, urljoin, urlsplit, urlunsplit

from bs4 import Tag

from crawlers.page import Page, absolute, attribute

LESSONS = (
    '#lessons-grid a[href*="/lessons/"]',  # 2024
    "a.tdd-lcard__image",  # 2020
    "div.video-text > a",  # 2017
)
CATEGORIES = "#lessons-grid a.text-secondary-700"
PAGERS = ("a.tdd-pgn__link", "li.page a", "li.next a", '[rel="next"]')


class ListPage(Page):
    """One page of the list of lessons, of any generation."""

    def lessons(self) -> list[tuple[str, str | None]]:
        """Address and subject of every lesson, each once."""
        found: dict[str, str | None] = {}
        subjects: list[str] = [tag.get_text(" ", strip=True) for tag in self.all(CATEGORIES)]
        for selector in LESSONS:
            found |= dict.fromkeys(url for url in map(self.lesson_url, self.all(selector)) if url)
        if len(subjects) == len(found):  # one for each card; when a card has none, nobody knows which
            return list(zip(found, subjects, strict=True))
        return list(found.items())

    def lesson_url(self, link: Tag) -> str | None:
        """The address of a lesson; None for links to its other pages, such as the quiz."""
        joined = absolute(self.url, attribute(link, "href") or "")
        if joined is None:
            return None
        parts = urlsplit(joined)
        before, _, slug = parts.path.rstrip("/").rpartition("/")
        return urlunsplit(parts._replace(query="", fragment="")) if slug and before.endswith("/lessons") else None

    def next_urls(self) -> list[str]:
        """The pages that the pager links, and the next number: pagers skip some, and that of 2024 links none."""
        linked = list(dict.fromkeys(url for selector in PAGERS for url in self.links(selector) if page_number(url)))
        here = page_number(self.url) or 1
        last = max((page_number(url) or 0 for url in linked), default=here + 1 if self.lessons() else 0)
        if here >= last:
            return linked
        query = dict(parse_qsl(urlsplit(self.url).query)) | {"page": str(here + 1)}
        return list(dict.fromkeys([urljoin(self.url, f"?{urlencode(query)}"), *linked]))


def page_number(url: str) -> int | None:
    """The number of a list's page, None when the address has none."""
    given = dict(parse_qsl(urlsplit(url).query)).get("page", "")
    return int(given) if given.isascii() and given.isdigit() and len(given) < 7 else None
