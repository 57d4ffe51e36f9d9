"""What the spiders of all sources have in common: they navigate, and never parse."""

import asyncio
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any, Self
from urllib.parse import quote

from scrapy import Spider

from crawlers.archive import Archive
from crawlers.intake import Intake
from crawlers.link import Link
from crawlers.page import Record, storable
from crawlers.replay import last_crawl
from crawlers.session import without_session
from crawlers.spec import Spec, relative, site
from crawlers.state import State


class SourceSpider(Spider):  # type: ignore[misc]  # mypy skips Scrapy, so its classes are Any
    """A spider that starts at one address and stays on that site.

    Callbacks get a response and yield links (`listing`, `thread`, `request`, `requests`) and `records`; a page is kept
    whole or, when its callback raises, rejected whole. How to write one: docs/crawling.md.
    """

    secret_options: tuple[str, ...] = ()  # options that must not be stored, such as tokens

    def __init__(self, spec: Spec, state: State, archive: Callable[[int], Archive | None]) -> None:
        """Prepare to crawl the site that a spec names."""
        super().__init__(spec.name)
        self.spec, self.state = spec, state
        self.start_url, self.language, self.options = spec.url, spec.language, spec.options
        self.home = site(spec.url)
        self.sites = {self.home}  # add to it in __init__ when the source has a second host, as for captions
        self.errors: list[str] = []
        self.stopping: str | None = None
        self.on_stop: list[Callable[[], None]] = []
        self.secrets = {
            f"QUARRYSECRET-{name}-": str(spec.options[name]) for name in self.secret_options if spec.options.get(name)
        }
        self.open_archive = archive
        self.archive: Archive | None = None
        self.intake = Intake(self)
        self.first_count = 0

    @classmethod
    def from_crawler(cls, crawler: Any, *args: Any, **kwargs: Any) -> Self:
        """Make the spider, and begin or continue its crawl."""
        spider: Self = super().from_crawler(crawler, *args, **kwargs)
        first = [spider.stored(link) for link in spider.first()]
        kept = spider.spec.state and not spider.spec.from_raw
        if spider.state.begin(first, spider.spec.tuning.revisit, last_crawl(spider.spec.warc) if kept else 0):
            spider.state.note("first_count", len(first))
        spider.first_count = int(spider.state.fact("first_count") or 0)
        spider.archive = spider.open_archive(spider.state.crawl)
        if spider.archive:
            spider.state.before_commit = spider.archive.sync
        return spider

    async def start(self) -> Any:
        """Nothing: the frontier holds the first pages."""
        nothing: tuple[Any, ...] = ()
        for entry in nothing:
            yield entry

    def first(self) -> Iterable[Link]:
        """The pages to begin with."""
        yield self.listing(self.start_url, self.parse)

    def request(self, url: str, callback: Any, **details: Any) -> Link:
        """A page of the same thread (or of none): fetched in every crawl that comes by, conditionally when known.

        Details: `passing` (keyword arguments for the callback), `headers`, `statuses` (errors that the callback wants
        to see), `send` (an object to POST as JSON, or a text to POST as a form).
        """
        sent = details.pop("send", None)
        if sent is not None:
            kind = "application/x-www-form-urlencoded" if isinstance(sent, str) else "application/json"
            details["method"] = "POST"
            details["body"] = sent if isinstance(sent, str) else json.dumps(sent, sort_keys=True)
            details["headers"] = {"Content-Type": kind} | details.get("headers", {})
        return Link(url, callback.__name__, **details)

    def requests(self, urls: Iterable[str], callback: Any, **details: Any) -> Iterator[Link]:
        """Several pages of one kind."""
        for url in urls:
            yield self.request(url, callback, **details)

    def listing(self, url: str, callback: Any, **details: Any) -> Link:
        """A page that lists threads or further listings: always fetched, and what it no longer lists is not removed."""
        return self.request(url, callback, listing=True, **details)

    def thread(self, url: str, callback: Any, activity: object = None, **details: Any) -> Link:
        """The first page of a thread; with the same mark of last activity as before it is not fetched again.

        What is reached from it by `request` belongs to the thread; when all of that has been read, records that no page
        of the thread shows any more are removed.
        """
        mark = None if activity is None else str(activity)
        return self.request(url, callback, thread=True, activity=mark, **details)

    def records(self, kind: str, bodies: Iterable[Record]) -> Iterator[Record]:
        """Records of one kind (`lesson`, `quiz`, `post`, `reject`); the engine adds when they were fetched."""
        for body in bodies:
            yield {"type": kind, "body": body}

    def showed(self, response: Any) -> bool:
        """Whether a page gave records when it was last read: one that gives none now is another page in its place."""
        return self.state.gave_records(response.meta["row"].key)

    def stored(self, link: Link) -> Link:
        """A link as it is stored: without the site's own origin, and without the number of the visit."""
        mark = None if link.activity is None else storable(link.activity)
        address = without_session(relative(link.url, self.start_url))
        return replace(link, url=storable(address), activity=mark)

    def secret(self, name: str) -> str:
        """What to write into an address, header or body in place of a secret option: it is filled in when sent."""
        return f"QUARRYSECRET-{name}-"

    def reveal(self, text: str) -> str:
        """Put the secrets in."""
        for mark, value in self.secrets.items():
            text = text.replace(mark, value)
        return text

    def conceal(self, data: bytes) -> bytes:
        """Take the secrets out."""
        for mark, value in self.secrets.items():
            for form in {value, quote(value, safe="")}:
                data = data.replace(form.encode(), mark.encode())
        return data

    def stop(self, reason: str, message: str) -> None:
        """End the crawl early; what is left in the frontier is fetched when it continues."""
        if self.stopping:
            return
        self.stopping = reason
        self.errors.append(message)
        for wake in self.on_stop:
            wake()
        self.closing = asyncio.ensure_future(self.crawler.engine.close_spider_async(reason=reason))
