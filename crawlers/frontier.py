"""Scrapy's scheduler, with the frontier in the crawl's state instead of memory."""

from collections import deque
from typing import Any, Self

from scrapy import Request
from scrapy.core.scheduler import BaseScheduler

from crawlers.link import Link
from crawlers.spec import absolute
from crawlers.state import Row

AHEAD = 50  # rows read at once


class Frontier(BaseScheduler):  # type: ignore[misc]  # mypy skips Scrapy, so its classes are Any
    """Gives out each page of the frontier once; what must be asked again (a redirect, a retry) comes first."""

    def __init__(self, spider: Any) -> None:
        """Read from the state of this spider."""
        self.spider, self.state, self.spec = spider, spider.state, spider.spec
        self.again: deque[Request] = deque()
        self.rows: deque[Row] = deque()
        self.left = self.spec.limit if self.spec.limit is not None else -1

    @classmethod
    def from_crawler(cls, crawler: Any) -> Self:
        """Make the frontier for a crawl."""
        return cls(crawler.spider)

    def has_pending_requests(self) -> bool:
        """Whether anything is left to ask for."""
        return bool(self.again) or (self.left != 0 and self.fill())

    def enqueue_request(self, request: Request) -> bool:
        """Take back a request that a middleware wants to be made again; its page has not left the frontier."""
        self.again.append(request)
        return True

    def next_request(self) -> Request | None:
        """The next request."""
        if self.again:
            return self.again.popleft()
        if self.left == 0 or self.spider.stopping or not self.fill():
            return None
        self.left -= 1
        return self.request(self.rows.popleft())

    def fill(self) -> bool:
        """Read ahead; whether there is a page to give."""
        while not self.rows:
            found = self.state.next_rows(AHEAD)
            if not found:
                return False
            # A dry run reads listings, to show what a crawl would fetch.
            self.rows.extend(row for row in found if not self.spec.dry_run or row.link.listing)
        return True

    def request(self, row: Row) -> Request:
        """The request for a page, conditional when the page is known."""
        link: Link = row.link
        reveal = self.spider.reveal
        headers = {name: reveal(value) for name, value in link.headers.items()}
        headers.setdefault("Accept-Encoding", "gzip, deflate")  # what is searched for reservations before it is kept
        etag, modified, _ = self.state.validators(row)
        if etag:
            headers["If-None-Match"] = etag
        if modified:
            headers["If-Modified-Since"] = modified
        intake = self.spider.intake
        address = absolute(reveal(link.url), self.spec.url)
        return Request(
            address, method=link.method, body=reveal(link.body), headers=headers, dont_filter=True,
            callback=intake.receive, errback=intake.fail, meta={"row": row},
        )  # fmt: skip
