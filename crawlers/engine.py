"""Runs Scrapy for one crawl, or for all crawls of an archive one after another."""

import asyncio
import gc
from collections.abc import Callable, Coroutine
from typing import Any

from scrapy.crawler import AsyncCrawlerRunner, Crawler
from scrapy.settings import Settings
from scrapy.utils.log import configure_logging
from scrapy.utils.reactor import install_reactor

from crawlers.archive import Archive
from crawlers.spec import Spec, is_loopback
from crawlers.spider import SourceSpider
from crawlers.state import State

COLLECTED = 50_000  # objects of a dozen pages: a collection for every page takes a quarter of the time
REACTOR = "twisted.internet.asyncioreactor.AsyncioSelectorReactor"


def settings(spec: Spec) -> dict[str, Any]:
    """Scrapy's settings: our own gate, frontier and archive, and nothing that a crawl does not need."""
    tuning = spec.tuning
    fast = is_loopback(spec.url) and not tuning.delay
    middlewares: dict[str, int] = {
        "scrapy.downloadermiddlewares.downloadtimeout.DownloadTimeoutMiddleware": 350,
        "scrapy.downloadermiddlewares.useragent.UserAgentMiddleware": 500,
        "scrapy.downloadermiddlewares.retry.RetryMiddleware": 550,
        "crawlers.compression.Decompression": 590,
        "crawlers.redirects.Redirects": 600,
    }
    if spec.from_raw:
        handler = "crawlers.replay.ArchiveHandler"
    else:
        handler = "scrapy.core.downloader.handlers.http11.HTTP11DownloadHandler"
        middlewares |= {"crawlers.gate.Gate": 940, "crawlers.archive.ArchiveMiddleware": 950}
    return {
        "SCHEDULER": "crawlers.frontier.Frontier",
        "DOWNLOADER_MIDDLEWARES_BASE": middlewares,
        "SPIDER_MIDDLEWARES_BASE": {},
        "EXTENSIONS_BASE": {},
        "DOWNLOAD_HANDLERS_BASE": {"http": handler, "https": handler},
        "TELNETCONSOLE_ENABLED": False,
        "COOKIES_ENABLED": False,
        "WARN_ON_GENERATOR_RETURN_VALUE": False,
        "LOG_LEVEL": "WARNING",
        "RETRY_GIVE_UP_LOG_LEVEL": "INFO",
        "USER_AGENT": spec.user_agent,
        # The same number twice: nothing that has passed the gate waits in a queue behind it.
        "CONCURRENT_REQUESTS": 16 if fast else 2,
        "CONCURRENT_REQUESTS_PER_DOMAIN": 16 if fast else 2,
        "CONCURRENT_ITEMS": 1,  # callbacks yield nothing to Scrapy, which makes so many tasks for every page
        "DOWNLOAD_DELAY": 0,  # the gate keeps the pace
        "DOWNLOAD_DELAY_JITTER": 0,
        "DOWNLOAD_TIMEOUT": tuning.timeout,
        "DOWNLOAD_MAXSIZE": tuning.max_bytes,
        "DOWNLOAD_WARNSIZE": 0,
        "DOWNLOAD_VERIFY_CERTIFICATES": True,
        "REDIRECT_MAX_TIMES": 10,
        "RETRY_TIMES": 0 if spec.from_raw else 2,
        "RETRY_HTTP_CODES": [408, 500, 502, 504, 522, 524],  # 429 and 503 are the gate's
    }


async def crawl_once(
    kind: type[SourceSpider], spec: Spec, state: State, archive: Callable[[int], Archive | None]
) -> Any:
    """Crawl; the crawler afterwards, with its spider and its statistics."""
    crawler = Crawler(kind, Settings(settings(spec)))
    runner = AsyncCrawlerRunner(Settings(settings(spec)))
    await runner.crawl(crawler, spec=spec, state=state, archive=archive)
    return crawler


def run_in_reactor(work: Callable[[], Coroutine[Any, Any, Any]]) -> Any:
    """Run a coroutine in a reactor of its own, which a process has only once; None when a signal ended it."""
    configure_logging({"LOG_LEVEL": "WARNING"})
    gc.freeze()  # what is imported stays
    gc.set_threshold(COLLECTED)
    install_reactor(REACTOR)
    from twisted.internet import reactor as installed  # exists only now

    reactor: Any = installed
    outcome: list[Any] = []
    problem: list[BaseException] = []

    async def supervised() -> None:
        try:
            outcome.append(await work())
        except Exception as error:
            problem.append(error)
        finally:
            reactor.stop()

    task: list[Any] = []
    reactor.callWhenRunning(lambda: task.append(asyncio.ensure_future(supervised())))
    reactor.run()
    if problem:
        raise problem[0]
    return outcome[0] if outcome else None
