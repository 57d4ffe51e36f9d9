"""Walks any site: robots.txt to sitemaps to threads, or from link to link when there is no sitemap."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urljoin, urlsplit

from crawlers.archive import Archive
from crawlers.article import ArticlePage
from crawlers.link import Link
from crawlers.page import PageError, Record, reject
from crawlers.qapage.addresses import place
from crawlers.qapage.lessons import declared_lesson, lesson
from crawlers.qapage.options import Options
from crawlers.qapage.pages import ThreadPage
from crawlers.spec import Spec, relative, site
from crawlers.spider import SourceSpider
from crawlers.state import State
from crawlers.strict_xml import sitemap_locations

SITEMAP = re.compile(r"^[ \t]*sitemap[ \t]*:[ \t]*(\S{1,2000})", re.IGNORECASE | re.MULTILINE)
BARREN = 20  # pages without a thread for each thread, in a site of any size
ABSENT = [400, 401, 403, 404, 405, 406, 410]


class QAPageSpider(SourceSpider):
    """Yields the threads of a site that declares them by schema.org."""

    def __init__(self, spec: Spec, state: State, archive: Callable[[int], Archive | None]) -> None:
        """Check the options."""
        super().__init__(spec, state, archive)
        self.known = Options.read(spec)
        self.told = {"told": self.known.digest}  # options shape records: what was read by others is not unchanged

    def first(self) -> Iterator[Link]:
        """The sitemaps that are given or that robots.txt names; without any, the start page."""
        maps = self.known.sitemaps
        if not maps and urlsplit(self.start_url).path.lower().endswith((".xml", ".xml.gz")):
            maps = [self.start_url]
        if maps:
            yield from (self.listing(url, self.parse_sitemap, passing=self.told) for url in maps)
        else:
            address = urljoin(self.start_url, "/robots.txt")
            yield self.listing(address, self.parse_robots, statuses=ABSENT, passing=self.told)
        if self.known.follow == "always":
            yield self.start_page()

    def start_page(self) -> Link:
        """The page from which links are followed."""
        return self.listing(self.start_url, self.parse, passing=self.told | {"walking": True})

    def parse_robots(self, response: Any, told: str) -> Iterator[Any]:
        """Go to the sitemaps of the site, or to where one usually is."""
        text = response.body[: 512 * 1024].decode("utf-8", "replace") if response.status == 200 else ""
        named = [urljoin(response.url, address) for address in SITEMAP.findall(text)]
        maps = [url for url in named if site(url) == self.home] or [urljoin(self.start_url, "/sitemap.xml")]
        for url in dict.fromkeys(maps):
            yield self.listing(url, self.parse_sitemap, statuses=ABSENT, passing=self.told)

    def parse_sitemap(self, response: Any, told: str) -> Iterator[Any]:
        """Go to every page of a sitemap that changed; when it leads nowhere, follow links instead."""
        try:
            pages, maps = sitemap_locations(response.body, response.url) if response.status == 200 else ([], [])
        except PageError as error:  # such as a page of the site that says in HTML that there is no sitemap
            self.state.reject(response.url, error.reason, str(error))
            pages, maps = [], []
        pages = [(url, changed) for url, changed in pages if self.known.wants(url)]
        for url in maps:
            yield self.listing(url, self.parse_sitemap, statuses=ABSENT, passing=self.told)
        for url, changed in pages:
            yield self.thread(url, self.parse, changed, passing=self.told)
        if not pages and not maps and self.known.follow != "never":
            yield self.start_page()

    def parse(self, response: Any, told: str, walking: bool = False) -> Iterator[Any]:
        """Yield the thread of a page; from a page without one, go where it leads when links are followed."""
        page = ThreadPage(response.text, response.url)
        page.check()
        if page.found is None:
            if self.showed(response):
                raise PageError(
                    f"{page.url}: no thread where there was one; is it a page of the server's?", "no_thread"
                )
            if page.refused:
                self.state.reject(response.url, f"refused/{page.refused}", "frequent questions that nobody asked")
            if walking and self.may_walk_on(response.url):
                for url in filter(self.known.follows, page.onward):
                    yield self.thread(url, self.parse, passing=self.told | {"walking": True})
            return
        about = declared_lesson(page)
        lesson_id, own = place(about, page.url) if about else "", None
        if page.later:  # listings link them too, beside the first page, which tells what the thread is about
            first = self.told | ({"walking": True} if walking else {})
            yield self.thread(page.address, self.parse, passing=first)
            lesson_id = lesson_id or lesson(page, self.known.by_category, self.known.about)["lesson_id"]
        elif about:
            yield self.thread(about, self.parse_lesson, passing=self.told | {"lesson_id": lesson_id})
        else:
            own = lesson(page, self.known.by_category, self.known.about)
            lesson_id = own["lesson_id"]
        yield from self.posts(page, lesson_id, own)

    def may_walk_on(self, url: str) -> bool:
        """Whether to follow the links of one more page without a thread: calendars and the like never end."""
        crawl, count = json.loads(self.state.fact("barren") or "[0, 0]")
        barren = count + 1 if crawl == self.state.crawl else 1
        self.state.note("barren", [self.state.crawl, barren])
        if barren <= self.spec.tuning.max_hops:
            return True
        threads = self.state.db.execute("SELECT count(*) FROM records WHERE type = 'lesson'").fetchone()[0]
        if barren <= BARREN * threads:
            return True
        self.state.reject(url, "endless_site", f"the {barren}th page without a thread; {threads} threads were found")
        return False

    def parse_more(self, response: Any, told: str, thread: str, replies: str, lesson_id: str) -> Iterator[Any]:
        """Yield the posts of a later page of a thread."""
        page = ThreadPage(response.text, response.url, thread, replies)
        page.check()
        yield from self.posts(page, lesson_id)

    def posts(self, page: ThreadPage, lesson_id: str, own: Record | None = None) -> Iterator[Any]:
        """Yield the posts of a page, with the lesson that the thread itself is, and go on to the next page."""
        posts = page.posts(lesson_id, self.known.about["license"])
        if own and (posts or own["text"] or page.next_urls):  # a title in which nobody wrote is no lesson
            yield from self.records("lesson", [own])
        yield from self.records("post", posts)
        yield from self.records("reject", self.dropped(page))
        passing = self.told | {"thread": page.address, "replies": page.replies, "lesson_id": lesson_id}
        yield from self.requests(page.next_urls, self.parse_more, passing=passing)

    def dropped(self, page: ThreadPage) -> Iterator[Record]:
        """The posts of a page that cannot be taken; those that give themselves no address are counted off."""
        known: Counter[str] = Counter()
        for reason, kind, url in page.dropped:
            place = f"{relative(page.url, self.start_url)} {kind} {relative(url, self.start_url)}"
            known[place] += 1
            yield reject(f"{place} {known[place]}", reason, f"{kind} {url}", url)

    def parse_lesson(self, response: Any, told: str, lesson_id: str) -> Iterator[Any]:
        """Yield a lesson that threads are about."""
        found = ArticlePage(response.text, response.url).lesson(lesson_id, self.known.about)
        yield from self.records("lesson", [found])
