"""What the spiders of all sources have in common: they navigate, and never parse."""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

from scrapy import Request, Spider
from scrapy.exceptions import IgnoreRequest
from scrapy.spidermiddlewares.httperror import HttpError

from crawlers.page import Record


class SourceSpider(Spider):  # type: ignore[misc]  # mypy skips Scrapy, so its classes are Any
    """A spider that starts at one address, stays on that host and remembers what it could not fetch."""

    def __init__(self, name: str, url: str) -> None:
        """Prepare to crawl the site at this address."""
        super().__init__(name)
        self.start_url = url
        self.allowed_domains = [urlsplit(url).hostname]
        self.failures: list[str] = []

    async def start(self) -> Any:
        """Begin at the first page."""
        yield self.request(self.start_url, self.parse)

    def request(self, url: str, callback: Any) -> Any:
        """A request whose failure is remembered."""
        return Request(url, callback=callback, errback=self.failed)

    def requests(self, urls: Iterable[str], callback: Any) -> Iterator[Any]:
        """Requests for several pages of one kind."""
        for url in urls:
            yield self.request(url, callback)

    def failed(self, failure: Any) -> None:
        """Remember a page that could not be fetched; what robots.txt forbids or another host owns is no failure."""
        if failure.check(HttpError):
            self.failures.append(f"{failure.value.response.url}: HTTP status {failure.value.response.status}")
        elif not failure.check(IgnoreRequest):
            self.failures.append(f"{failure.request.url}: {failure.getErrorMessage()}")

    def records(self, kind: str, bodies: Iterable[Record]) -> Iterator[Record]:
        """Records of one kind, with the time at which they were fetched."""
        fetched_at = datetime.now(UTC).isoformat(timespec="seconds")
        for body in bodies:
            yield {"type": kind, "body": body, "fetched_at": fetched_at}
