"""The gate in front of every host: nothing but robots.txt is asked of it before that allows (RFC 9309)."""

import asyncio
import json
import logging
from dataclasses import dataclass, field
from time import monotonic, time
from typing import Any, Self

from scrapy import Request, signals
from scrapy.exceptions import IgnoreRequest
from scrapy.http import TextResponse
from scrapy.http.request import NO_CALLBACK

from crawlers.politeness import BUSY, MAX_BACK_OFFS, Host, HostBusy, retry_seconds
from crawlers.redirects import RedirectedTooOften
from crawlers.reservations import tdm_locations, tdm_reserved
from crawlers.robots import MAX_BYTES, Robots
from crawlers.spec import AGENT, is_loopback, origin, site

LOG = logging.getLogger(__name__)
DAY = 24 * 60 * 60
TRIES = 2  # with the time-out of each try, the answer is known within 60 seconds
DEADLINE = 50.0
MAX_REDIRECTS = 5  # that robots.txt may take, RFC 9309 2.3.1.2
UNREACHABLE = "unreachable"
TOO_MANY_REQUESTS = 429
KNOWN = "known"  # the flag of an answer that was not asked for again


class Refused(IgnoreRequest):  # type: ignore[misc]  # mypy skips Scrapy, so its classes are Any
    """A page that may not be fetched; the reason is what it is counted under."""

    def __init__(self, reason: str, detail: str) -> None:
        """Say why."""
        super().__init__(detail)
        self.reason = reason


class CrawlEnds(IgnoreRequest):  # type: ignore[misc]
    """The crawl of this host is over; the page stays in the frontier."""


@dataclass
class Rules:
    """What a host allows, known until it expires."""

    verdict: str  # allowed | no_robots_txt | unreachable
    text: str = ""
    asked_at: float = field(default_factory=time)
    reserved: list[str] = field(default_factory=list)
    detail: str = ""
    lasting: bool = True

    def __post_init__(self) -> None:
        """Read the file."""
        self.robots = Robots(self.text, AGENT)

    def page(self, url: str) -> TextResponse:
        """The file itself, for a spider that looks for sitemaps in it."""
        found = 200 if self.verdict == "allowed" else 404
        return TextResponse(url, found, body=self.text.encode(), encoding="utf-8", flags=[KNOWN])


class Gate:
    """A downloader middleware that holds requests until their host's rules are known, and paces what it lets pass."""

    def __init__(self, crawler: Any) -> None:
        """Guard the requests of one crawl."""
        self.crawler, self.spider = crawler, crawler.spider
        self.spec = crawler.spider.spec
        self.hosts: dict[str, Host] = {}
        self.rules: dict[str, asyncio.Future[Rules]] = {}

    @classmethod
    def from_crawler(cls, crawler: Any) -> Self:
        """Make the gate for a crawl."""
        gate = cls(crawler)
        crawler.signals.connect(gate.close, signal=signals.spider_closed)
        crawler.spider.on_stop.append(gate.close)
        return gate

    async def process_request(self, request: Request) -> TextResponse | None:
        """Let a request pass when its host allows it and its turn has come."""
        url, meta = request.url, request.meta
        if "row" in meta and site(url) not in self.spider.sites:
            raise Refused("offsite", f"it leads to {url}, which is another site")
        host = self.host(url)
        if "row" in meta:
            rules = await self.known_rules(url)
            meta["verdict"] = self.check(url, rules)
            if self.spider.stopping:
                raise CrawlEnds(self.spider.stopping)
            if url == f"{origin(url)}robots.txt":
                return rules.page(url)
        meta["turn"] = host if await host.turn() else None
        meta["sent_at"] = monotonic()
        if self.spider.stopping and "row" in meta:
            self.give_back(request)
            raise CrawlEnds(self.spider.stopping)
        return None

    def process_response(self, request: Request, response: Any) -> Any:
        """Learn the host's pace from its answer; one that is busy is asked again later."""
        if KNOWN in response.flags:
            return response
        self.give_back(request)
        host = self.host(request.url)
        if response.status not in BUSY:
            host.answered(monotonic() - request.meta["sent_at"])
            return response
        meta = request.meta
        try:
            host.refused(request.url, meta["sent_at"], header(response, "Retry-After"))
            if host.exhausted and 1 < len(host.refusing) < self.spider.state.pending():
                raise HostBusy(f"was still busy after {MAX_BACK_OFFS} pauses; run the crawl again later")
        except HostBusy as error:
            if "row" not in meta:
                return response
            self.spider.stop("host_busy", f"{origin(request.url)} {error}")
            raise CrawlEnds(str(error)) from error
        if "row" not in meta:
            return response
        self.spider.state.counts["busy"] += 1
        meta["refusals"] = meta.get("refusals", 0) + 1
        if host.exhausted or meta["refusals"] > MAX_BACK_OFFS:
            return response  # to be rejected: one page that is always busy must not end every crawl
        return request.replace(dont_filter=True)

    def process_exception(self, request: Request, exception: Exception) -> None:
        """Give the turn back when no answer came."""
        self.give_back(request)

    def give_back(self, request: Request) -> None:
        """End a request's turn."""
        host = request.meta.pop("turn", None)
        if host:
            host.lock.release()

    def host(self, url: str) -> Host:
        """The pace of a host, whatever the port: it is one machine."""
        name = site(url)[0]
        if name not in self.hosts:
            loopback = is_loopback(url)
            if not loopback and not self.spec.contact:
                raise Refused("no_contact", f"{url} is not on this machine and no contact is set")
            delay = self.spec.tuning.delay
            self.hosts[name] = Host((0.0 if loopback else 1.0) if delay is None else delay, self.spec.tuning.max_wait)
        return self.hosts[name]

    def check(self, url: str, rules: Rules) -> str:
        """The verdict on an address, which is an error when it may not be fetched."""
        if rules.verdict == UNREACHABLE:
            if site(url) == self.spider.home:
                self.spider.stop("robots_unreachable", rules.detail)
                raise CrawlEnds(rules.detail)
            raise Refused("robots_unreachable", rules.detail)
        if not rules.robots.allows(url):
            raise Refused("robots", f"robots.txt of {origin(url)} forbids {url}")
        reserved = rules.robots.reserves(url)
        if tdm_reserved(rules.reserved, url):
            reserved = "tdmrep.json reserves text and data mining"
        if reserved and self.spec.tuning.reservations == "honour":
            raise Refused("reserved", reserved)
        return rules.verdict

    async def known_rules(self, url: str) -> Rules:
        """The rules of a host, asked for once however many requests wait for them."""
        place = origin(url)
        known = self.rules.get(place)
        if known is not None and known.done() and time() - known.result().asked_at > DAY:
            known = None
        if known is None:
            known = self.rules[place] = asyncio.ensure_future(self.find_rules(place))
        if known.done():
            return known.result()
        return await asyncio.shield(known)

    async def find_rules(self, place: str) -> Rules:
        """The rules from the cache of the last day, else from the host."""
        stored = self.spider.state.db.execute(
            "SELECT verdict, body, asked_at, reserved FROM robots WHERE origin = ?", (place,)
        )
        found = stored.fetchone()
        if found and 0 <= time() - found[2] < DAY:
            rules = Rules(found[0], found[1], found[2], json.loads(found[3]))
            self.slow_down(place, rules)
            return rules
        try:
            async with asyncio.timeout(DEADLINE) as deadline:
                rules = await self.ask(place, deadline)
        except TimeoutError:
            rules = unreachable(place, f"gave no answer within {DEADLINE:g} seconds")
        self.slow_down(place, rules)
        if rules.verdict != UNREACHABLE and not self.spider.stopping:
            await self.find_reservations(place, rules)
        if rules.lasting:
            values = (place, rules.asked_at, rules.verdict, rules.text, json.dumps(rules.reserved))
            self.spider.state.db.execute("INSERT OR REPLACE INTO robots VALUES (?, ?, ?, ?, ?)", values)
            self.spider.state.commit()  # also for a crawl that is killed in its first second
        return rules

    def slow_down(self, place: str, rules: Rules) -> None:
        """Keep the pace that the rules ask for, or leave the host alone."""
        try:
            self.host(place).slow_down(rules.robots.delay)
        except HostBusy as error:
            self.spider.stop("host_busy", f"{place} {error}")

    async def ask(self, place: str, deadline: asyncio.Timeout) -> Rules:
        """Ask for robots.txt; an error of the server or silence forbids everything, a missing file nothing."""
        detail, busy = "", False
        for attempt in range(TRIES):
            if attempt:
                await self.host(place).sleep(self.spec.tuning.robots_pause)
            try:
                response = await self.download(f"{place}robots.txt")
            except RedirectedTooOften:
                return Rules("no_robots_txt")
            except Exception as error:  # whatever went wrong, the rules are not known
                detail, busy = f"could not be fetched ({said(error)})", False
                continue
            if response.status < 300 and not is_html(response):
                return Rules("allowed", response.body[:MAX_BYTES].decode("utf-8", "replace"))
            if response.status < 500 and response.status != TOO_MANY_REQUESTS:
                return Rules("no_robots_txt")
            detail, busy = f"answered with status {response.status}", response.status == TOO_MANY_REQUESTS
            rest = retry_seconds(header(response, "Retry-After")) or 0.0
            if rest > (self.spec.tuning.max_wait if busy else self.spec.tuning.robots_timeout):
                detail, busy = f"{detail} and asks to be left alone for {rest:.0f} seconds", False
                break
            if busy:  # its turn comes when it has rested
                deadline.reschedule(asyncio.get_running_loop().time() + rest + DEADLINE)
        if busy:
            # RFC 9309 2.3.1.3: 429 allows, as every 4xx does; but tomorrow the file may be there, so this is not kept.
            return Rules("no_robots_txt", lasting=False)
        return unreachable(place, detail)

    async def find_reservations(self, place: str, rules: Rules) -> None:
        """Ask which paths are reserved from mining; what cannot be read reserves nothing."""
        address = f"{place}.well-known/tdmrep.json"
        if not self.spec.tuning.tdmrep or not rules.robots.allows(address):
            return
        try:
            answer = await self.download(address, dont_redirect=True)  # another host was not asked whether it allows
            rules.reserved = tdm_locations(answer.body) if answer.status == 200 else []
        except Exception as error:
            LOG.info("no tdmrep.json at %s: %s", place, error)

    async def download(self, url: str, **details: Any) -> Any:
        """Fetch a file about the site itself, past the gate."""
        meta = {"dont_retry": True, "redirect_ttl": MAX_REDIRECTS, "download_timeout": self.spec.tuning.robots_timeout}
        return await self.crawler.engine.download_async(Request(url, callback=NO_CALLBACK, meta=meta | details))

    def close(self) -> None:
        """Wake everyone who waits: the crawl ends."""
        for host in self.hosts.values():
            host.close()


def unreachable(place: str, detail: str) -> Rules:
    """The rules of a host whose rules cannot be known: nothing is allowed."""
    text = f"{place}robots.txt {detail}, so nothing else was asked of this host; run the crawl again later"
    return Rules(UNREACHABLE, detail=text, lasting=False)


def is_html(response: Any) -> bool:
    """A page for people, such as a login form, is no robots.txt; rules that are only called HTML are rules."""
    start: bytes = response.body[:100].removeprefix(b"\xef\xbb\xbf").lstrip()
    return start.startswith(b"<")


def said(error: Exception) -> str:
    """What is wrong with a download, without the failures that Twisted wraps around it."""
    inner = next((failure.value for failure in getattr(error.__cause__, "reasons", ())), error)
    return f"{type(inner).__name__}: {inner}".removesuffix(": ")


def header(response: Any, name: str) -> str | None:
    """A header as text."""
    value = response.headers.get(name)
    return None if value is None else value.decode("latin-1")
