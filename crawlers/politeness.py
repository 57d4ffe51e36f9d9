"""How often one host is asked: one request at a time, a pause that grows with its slowness, a rest when told to."""

import asyncio
from email.utils import parsedate_to_datetime
from time import monotonic, time

BUSY = frozenset((429, 503))
FIRST_WAIT = 1.0  # seconds, doubled with every back-off in a row
MAX_BACK_OFFS = 6  # in a row; then the host is left alone until the next crawl, or the page is given up
REST = 2.0  # times its own response time: a host rests as long as it works
SMOOTHING = 0.3  # weight of the newest response time


class HostBusy(Exception):
    """A host wants to be left alone for longer than a crawl may wait."""


class Host:
    """One host: when it may be asked next."""

    def __init__(self, delay: float, max_wait: float) -> None:
        """Begin with a delay in seconds between requests; 0 asks as fast as the downloader can."""
        self.base = self.delay = delay
        self.max_wait = max_wait
        self.lock = asyncio.Lock()
        self.woken = asyncio.Event()
        self.ready_at = 0.0
        self.latency = 0.0
        self.back_offs = 0
        self.backed_off_at = 0.0
        self.refusing: set[str] = set()  # pages that were refused since the last good answer
        self.closed = False

    def slow_down(self, delay: float | None) -> None:
        """Obey a Crawl-delay, which never makes us faster."""
        if delay and delay > self.max_wait:
            raise HostBusy(f"asks for {delay:g} seconds between requests; the option max_wait allows {self.max_wait:g}")
        self.base = max(self.base, delay or 0.0)
        self.delay = max(self.delay, self.base)
        if delay:  # robots.txt itself was a request
            self.ready_at = max(self.ready_at, monotonic() + delay)

    @property
    def free(self) -> bool:
        """Whether a request may go out at once, beside others."""
        return not self.delay and not self.ready_at

    async def turn(self) -> bool:
        """Wait until the host may be asked; whether the turn must be given back when it has answered."""
        if self.free:
            return False
        await self.lock.acquire()
        try:
            while (wait := self.ready_at - monotonic()) > 0 and not self.closed:
                await self.sleep(wait)
        except BaseException:
            self.lock.release()
            raise
        self.ready_at = monotonic() + self.delay if self.delay else self.ready_at
        return True

    async def sleep(self, seconds: float) -> None:
        """Sleep, but wake up when the crawl ends."""
        try:
            async with asyncio.timeout(seconds):
                await self.woken.wait()
        except TimeoutError:
            pass

    def close(self) -> None:
        """Let everyone who waits go: the crawl ends."""
        self.closed = True
        self.woken.set()

    def answered(self, seconds: float) -> None:
        """Learn from a good answer: the slower the host, the longer the pause."""
        self.back_offs = 0
        self.refusing.clear()
        if self.base:
            self.latency = seconds if not self.latency else self.latency + SMOOTHING * (seconds - self.latency)
            calm = max(self.base, min(REST * self.latency, self.max_wait))
            self.delay = max(calm, self.delay * 0.9)  # what a back-off added wears off slowly
        else:
            self.delay = self.delay * 0.9 if self.delay > 0.01 else 0.0
            if not self.delay and self.ready_at <= monotonic():
                self.ready_at = 0.0

    @property
    def exhausted(self) -> bool:
        """Whether more patience is in vain."""
        return self.back_offs > MAX_BACK_OFFS

    def refused(self, page: str, sent_at: float, retry_after: str | None) -> None:
        """Back off once for a whole burst: answers to what was sent before the last back-off change nothing."""
        self.refusing.add(page)
        if sent_at < self.backed_off_at:
            return
        self.back_offs += 1
        asked = retry_seconds(retry_after)
        wait = asked if asked is not None else FIRST_WAIT * 2 ** (min(self.back_offs, MAX_BACK_OFFS) - 1)
        if wait > self.max_wait:
            raise HostBusy(f"asks to be left alone for {wait:.0f} seconds; run the crawl again later")
        self.backed_off_at = monotonic()
        self.ready_at = max(self.ready_at, self.backed_off_at + wait)
        self.delay = min(max(2 * self.delay, 0.05), self.max_wait)


def retry_seconds(header: str | None) -> float | None:
    """The seconds of a Retry-After header, which holds a number or a date; None when it makes no sense."""
    text = (header or "").strip()
    if text.isascii() and text.isdigit():
        return float(text[:9])
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time())
    except (ValueError, TypeError, OverflowError):
        return None
