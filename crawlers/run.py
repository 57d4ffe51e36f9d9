"""Runs one crawl in a process of its own: a JSON spec on stdin, a JSON summary on stdout."""

import json
import os
import sys
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from scrapy import signals
from scrapy.crawler import AsyncCrawlerProcess

from crawlers.campus.spider import CampusSpider
from crawlers.page import Record
from crawlers.spider import SourceSpider

KINDS: dict[str, type[SourceSpider]] = {"campus": CampusSpider}
LOOPBACK = frozenset(("127.0.0.1", "::1", "localhost"))
ORDER = {"lesson": 0, "quiz": 1, "post": 2}


class Crawl:
    """One crawl: collects its records and everything that went wrong."""

    def __init__(self, spec: dict[str, str]) -> None:
        """Prepare the crawl that a spec describes."""
        missing = [name for name in ("kind", "name", "url", "records", "warc") if not spec.get(name)]
        if missing:
            raise ValueError(f"the spec lacks {', '.join(missing)}")
        if spec["kind"] not in KINDS:
            raise ValueError(f"unknown kind {spec['kind']!r}; known are {', '.join(sorted(KINDS))}")
        self.spec = spec
        self.records: list[Record] = []
        self.errors: list[str] = []
        self.reason = "not started"
        self.pages = 0

    def run(self) -> dict[str, Any]:
        """Crawl, write the records if the crawl is whole, and sum it up."""
        process = AsyncCrawlerProcess(settings(self.spec))
        crawler = process.create_crawler(KINDS[self.spec["kind"]])
        crawler.signals.connect(self.keep, signal=signals.item_scraped)
        crawler.signals.connect(self.fail, signal=signals.spider_error)
        crawler.signals.connect(self.fail, signal=signals.item_error)
        crawler.signals.connect(self.close, signal=signals.spider_closed)
        crawler.signals.connect(self.count, signal=signals.response_received)
        task = process.crawl(crawler, name=self.spec["name"], url=self.spec["url"])
        process.start()
        if task.done() and not task.cancelled() and task.exception():
            self.errors.append(f"{self.spec['url']}: {task.exception()!r}")
        if not self.pages and not self.errors:
            self.errors.append(f"{self.spec['url']}: no page could be fetched; does robots.txt allow it?")
        finished = self.reason == "finished" and not self.errors
        if finished:
            write_records(Path(self.spec["records"]), self.records)
        return summary(finished, self.reason, self.pages, len(self.records), self.errors)

    def keep(self, item: Record) -> None:
        """Keep a record."""
        self.records.append(item)

    def count(self, request: Any) -> None:
        """Count a page; robots.txt is none."""
        self.pages += not request.url.endswith("/robots.txt")

    def fail(self, failure: Any, response: Any) -> None:
        """Remember a page that could not be parsed."""
        self.errors.append(f"{response.url}: {failure.type.__name__}: {failure.getErrorMessage()}")

    def close(self, spider: SourceSpider, reason: str) -> None:
        """Remember how the crawl ended and what it could not fetch."""
        self.reason = reason
        self.errors += spider.failures


def settings(spec: dict[str, str]) -> dict[str, Any]:
    """Scrapy's settings: polite to other people's hosts, quick on our own."""
    loopback = urlsplit(spec["url"]).hostname in LOOPBACK
    return {
        "ROBOTSTXT_OBEY": True,
        "TELNETCONSOLE_ENABLED": False,
        "COOKIES_ENABLED": False,
        "LOG_LEVEL": "WARNING",
        "USER_AGENT": "quarry-datasets/0.1",
        "CONCURRENT_REQUESTS": 8,
        "CONCURRENT_REQUESTS_PER_DOMAIN": 8 if loopback else 1,
        "DOWNLOAD_DELAY": 0 if loopback else 1,
        "DOWNLOAD_DELAY_JITTER": 0,
        "DOWNLOAD_TIMEOUT": 30,
        "DOWNLOADER_MIDDLEWARES": {"crawlers.archive.WarcMiddleware": 950},
        "QUARRY_WARC": spec["warc"],
    }


def write_records(path: Path, records: list[Record]) -> None:
    """Write records as JSON lines, in an order that does not depend on which answer came first."""
    lines = sorted(
        (ORDER[record["type"]], json.dumps(record, ensure_ascii=False, sort_keys=True)) for record in records
    )
    part = path.with_name(path.name + ".part")
    path.parent.mkdir(parents=True, exist_ok=True)
    with part.open("w", encoding="utf-8") as file:
        file.writelines(line + "\n" for _, line in lines)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)


def summary(finished: bool, reason: str, pages: int, items: int, errors: list[str]) -> dict[str, Any]:
    """What the process prints."""
    return {"finished": finished, "reason": reason, "pages": pages, "items": items, "errors": errors}


def main() -> int:
    """Read the spec, crawl, print the summary; the exit code is 0 for a whole crawl and 1 otherwise."""
    try:
        crawl = Crawl(json.load(sys.stdin))
    except (ValueError, AttributeError) as error:
        result = summary(False, "bad spec", 0, 0, [str(error)])
    else:
        result = crawl.run()
    print(json.dumps(result, ensure_ascii=False), flush=True)
    return 0 if result["finished"] else 1


if __name__ == "__main__":
    sys.exit(main())
