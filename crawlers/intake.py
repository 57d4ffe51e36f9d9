"""Takes what the downloader brings: calls the spider's callback and keeps, or rejects, the page as a whole."""

import hashlib
import logging
import re
import signal
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

from scrapy import exceptions

from crawlers.encoding import readable
from crawlers.gate import CrawlEnds, Refused, header, said
from crawlers.keeping import Fetched, drop_pages, keep_page, keep_unchanged, settle, written_record
from crawlers.link import Link
from crawlers.page import REJECT, PageError, Record, Unfit, reject
from crawlers.redirects import RedirectedTooOften
from crawlers.replay import NotArchived
from crawlers.spec import absolute, site
from crawlers.state import FAILED, GONE, REFUSED, Row

# A whole part of a path, such as `/users/sign_in` or `/wp-login.php`: `/t/how-to-log-in/5` is a thread like any other.
LOGIN = re.compile(
    r"/(?:(?:wp|user|account|member)[_-])?(?:log[_-]?in|sign[_-]?in|sso|authenticate)(?:\.[a-z]{1,5})?(?:$|/)",
    re.IGNORECASE,
)
MAX_LOST = 10  # failures to connect in a row; then the host is taken to be down
LOST: dict[type[Exception], str] = {
    exceptions.DownloadTimeoutError: "timeout",
    exceptions.DownloadConnectionRefusedError: "no_connection",
    exceptions.CannotResolveHostError: "no_connection",
    exceptions.DownloadFailedError: "no_connection",
}
DAMAGED: dict[type[Exception], str] = {exceptions.ResponseDataLossError: "cut_off", zlib.error: "badly_packed"}


LOG = logging.getLogger(__name__)


class TooSlow(Exception):
    """A page takes too long to parse."""


class Intake:
    """The way of every page from the downloader into the state."""

    def __init__(self, spider: Any) -> None:
        """Take the pages of one spider."""
        self.spider, self.state, self.tuning = spider, spider.state, spider.spec.tuning
        self.lost = 0
        self.at = ""  # when the last page came

    def receive(self, response: Any) -> None:
        """Take a page; when the engine itself fails (as on a full disk), end the crawl as if it had been killed."""
        try:
            self.take(response)
            self.state.pause()
        except Exception as error:
            LOG.exception("The crawl cannot keep %s", response.url)
            self.state.rollback()
            self.spider.stop("engine_failed", f"{response.url} could not be kept: {type(error).__name__}: {error}")

    def take(self, response: Any) -> None:
        """Keep a page, or write down why not."""
        row: Row = response.meta["row"]
        self.lost = 0
        self.state.counts["pages"] += 1
        fetched = Fetched(
            response.meta["fetched_at"].replace("Z", "+00:00"), response.meta["verdict"],
            header(response, "ETag"), header(response, "Last-Modified"),
        )  # fmt: skip
        self.at = fetched.at
        wanted = row.link.statuses
        status = response.status
        if "reserved" in response.meta:
            drop_pages(self.state, row)
            self.refuse(row, "reserved", response.meta["reserved"], GONE)
        elif status == 304:
            if not keep_unchanged(self.state, row, fetched, self.tuning.max_hops):
                self.reject(row, "not_modified", "the page was never seen before")
        elif status in (404, 410) and status not in wanted and not self.is_first(row):
            self.missing(row, fetched, status)
        elif not 200 <= status < 300 and status not in wanted:
            self.reject(row, f"http_{status}", f"HTTP status {status}")
        elif LOGIN.search(urlsplit(response.url).path) and not LOGIN.search(urlsplit(row.link.url).path):
            self.reject(row, "login_wall", f"leads to {response.url}")
        else:
            self.parse(row, response, fetched)

    def parse(self, row: Row, response: Any, fetched: Fetched) -> None:
        """Let the spider read a page, and keep all of it or nothing."""
        digest = hashlib.blake2b(response.body, digest_size=16).hexdigest()
        if self.state.validators(row)[2] == digest and keep_unchanged(self.state, row, fetched, self.tuning.max_hops):
            return
        response = self.readable(response)
        try:
            with deadline(self.tuning.parse_seconds):
                found = list(getattr(self.spider, row.link.callback)(response, **row.link.passing) or ())
        except Unfit as error:
            self.unfit(row, fetched._replace(digest=digest), error)
        except PageError as error:
            self.reject(row, error.reason, str(error))
        except TooSlow:
            self.reject(row, "too_slow_to_parse", f"not parsed within {self.tuning.parse_seconds:g} seconds")
        except RecursionError:
            self.reject(row, "nested_too_deeply", "the markup is nested too deeply")
        except exceptions.NotSupported as error:
            self.reject(row, "not_text", str(error))
        except Exception as error:  # one page that a parser cannot take must not end the crawl
            reason = "not_text" if isinstance(error, AttributeError) and "isn't text" in str(error) else "parser_failed"
            self.reject(row, reason, f"{type(error).__name__}: {error}")
        else:
            records = [entry for entry in found if not isinstance(entry, Link)]
            links = [self.spider.stored(entry) for entry in found if isinstance(entry, Link) and self.inside(entry)]
            self.keep(row, fetched._replace(digest=digest), records, links)

    def keep(self, row: Row, fetched: Fetched, records: list[Record], links: list[Link]) -> None:
        """Keep a page, unless its records cannot be written."""
        try:
            written = [written_record(record["type"], record["body"]) for record in records]
        except (TypeError, ValueError, RecursionError) as error:
            self.reject(row, "parser_failed", f"the records are no JSON: {error}")
        else:
            keep_page(self.state, row, fetched, written, links, self.tuning.max_hops)

    def unfit(self, row: Row, fetched: Fetched, error: Unfit) -> None:
        """Keep what cannot be taken as the page's reject; where it would take the place of records, those stay."""
        if self.is_first(row) or self.state.gave_records(row.key):
            self.reject(row, error.reason, str(error))
        else:
            url = absolute(row.link.url, self.spider.start_url)
            body = reject(row.link.url, error.reason, str(error), url)
            self.keep(row, fetched, [{"type": REJECT, "body": body}], [])

    def readable(self, response: Any) -> Any:
        """The page in an encoding that it can be read in; repairs are counted."""
        response, repaired = readable(response)
        self.state.counts["repaired"] += repaired
        return response

    def inside(self, link: Link) -> bool:
        """Whether a link stays on the site; those that leave are counted."""
        if link.url.startswith(("http://", "https://")) and site(link.url) in self.spider.sites:
            return True
        self.state.counts["offsite"] += 1
        return False

    def missing(self, row: Row, fetched: Fetched, status: int) -> None:
        """A page that is gone takes its records along; one that never was is a reject."""
        if drop_pages(self.state, row):
            self.state.counts["gone"] += 1
            settle(self.state, row, GONE, fetched.at)
        else:
            self.reject(row, f"http_{status}", f"HTTP status {status}", GONE)

    def fail(self, failure: Any) -> None:
        """Write down why no page came."""
        row: Row = failure.request.meta["row"]
        error = failure.value
        if isinstance(error, CrawlEnds):
            return
        if isinstance(error, Refused):
            self.refuse(row, error.reason, str(error), REFUSED)
        elif isinstance(error, NotArchived):
            self.state.counts["not_archived"] += 1
            settle(self.state, row, FAILED, self.at)
        elif isinstance(error, RedirectedTooOften):
            self.reject(row, "redirect_loop", str(error))
        elif isinstance(error, exceptions.DownloadCancelledError) or "DOWNLOAD_MAXSIZE" in str(error):
            self.reject(row, "too_large", f"more than {self.tuning.max_bytes} bytes")
        else:
            named = (name for kind, name in (LOST | DAMAGED).items() if isinstance(error, kind))
            self.reject(row, next(named, "download_failed"), said(error))
            self.lost = self.lost + 1 if isinstance(error, tuple(LOST)) else 0  # after any other, the host is there
            if self.lost >= MAX_LOST:
                self.spider.stop(
                    "host_down", f"{failure.request.url}: {self.lost} failures in a row, the last: {said(error)}"
                )
        self.state.pause()

    def reject(self, row: Row, reason: str, detail: str, status: int = FAILED) -> None:
        """Count a page that should have been kept; when it is a first page, the crawl has failed."""
        self.state.reject(row.link.url, reason, detail)
        self.state.counts["rejected"] += 1
        self.note_failure(row, detail)
        settle(self.state, row, status, self.at)

    def is_first(self, row: Row) -> bool:
        """Whether the crawl began with this page; a site that has lost it has moved, or is out of order."""
        return row.id <= int(self.spider.first_count)

    def note_failure(self, row: Row, detail: str) -> None:
        """When a first page cannot be taken, say so: the crawl has failed."""
        if self.is_first(row):
            url = absolute(row.link.url, self.spider.start_url)
            self.spider.errors.append(detail if detail.startswith(url) else f"{url}: {detail}")

    def refuse(self, row: Row, reason: str, detail: str, status: int) -> None:
        """Count a page that may not be taken; when it is a first page, the crawl has failed."""
        self.state.reject(row.link.url, f"refused/{reason}", detail)
        self.note_failure(row, detail)
        settle(self.state, row, status, self.at)


@contextmanager
def deadline(seconds: float) -> Iterator[None]:
    """Interrupt what takes longer."""

    def interrupt(number: int, frame: object) -> None:
        raise TooSlow

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
