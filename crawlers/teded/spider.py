"""Walks TED-Ed: lists, lessons, captions, questions."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import quote, urljoin, urlsplit

from crawlers.link import Link
from crawlers.options import Given
from crawlers.page import Record
from crawlers.spec import site
from crawlers.spider import SourceSpider
from crawlers.teded.lesson_pages import LessonPage, with_captions
from crawlers.teded.list_pages import ListPage
from crawlers.teded.quiz_pages import ReviewPage, ThinkPage

GONE = [404, 410]
LISTS = ("/lessons.html?direction=desc&page=1&sort=featured-position", "/lessons?page=1")


class TededSpider(SourceSpider):
    """Yields the lessons and quizzes of TED-Ed; the options are in docs/sources/teded.md."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Read the options; captions may be on another host, which is asked for its own robots.txt."""
        super().__init__(*args, **kwargs)
        given = Given(self.spec)
        self.captions, self.license = given.text("captions"), given.text("license")
        if self.captions is not None:
            if "{youtube_id}" not in self.captions:
                given.wrong("captions", 'an address with "{youtube_id}" in it')
            self.sites.add(site(given.reachable("captions", self.captions)))
        given.nothing_else()

    def first(self) -> Iterator[Link]:
        """The list that the address names, else the list of 2024 (and, when there is none, the older one)."""
        named = urlsplit(self.start_url).path.strip("/") != ""
        address = self.start_url if named else urljoin(self.start_url, LISTS[0])
        yield self.listing(address, self.parse, **({} if named else {"passing": {"newest": True}, "statuses": GONE}))

    def parse(self, response: Any, newest: bool = False) -> Iterator[Any]:
        """Go from a list to its lessons and to the other pages of the list."""
        if response.status in GONE:  # after the last page, or a site that does not have the newest list at all
            yield from [self.listing(urljoin(self.start_url, LISTS[1]), self.parse)] if newest else []
            return
        page = ListPage(response.text, response.url)
        for url, subject in page.lessons():
            # A list tells nothing of changes, which are rare: they are left to the rolling revisit.
            passing = {"subject": subject, "license": self.license}
            yield self.thread(url, self.parse_lesson, f"in {subject} under {self.license}", passing=passing)
        for url in page.next_urls():
            yield self.listing(url, self.parse, statuses=GONE)

    def parse_lesson(self, response: Any, subject: str | None, license: str | None) -> Iterator[Any]:
        """Yield a lesson, when its captions are fetched with them, and go on to its questions."""
        page = LessonPage(response.text, response.url)
        lesson = page.lesson(subject)
        lesson["license"] = lesson["license"] or license
        captions = self.caption_urls(page)
        for url in captions:
            yield self.request(url, self.parse_captions, passing={"lesson": lesson}, statuses=GONE)
        if not captions:
            yield from self.records("lesson", [lesson])
        if page.has_positions:
            yield from self.records("quiz", ReviewPage(response.text, response.url).quizzes(page.slug))
        elif page.is_old:
            yield from self.requests(page.review_urls, self.parse_review, passing={"slug": page.slug}, statuses=GONE)
        else:
            address = f"{page.url.partition('?')[0].rstrip('/')}/think?question_number=1"
            yield self.request(address, self.parse_question, passing={"slug": page.slug}, statuses=GONE)

    def caption_urls(self, page: LessonPage) -> list[str]:
        """Where the captions are: named by the page, else by the configuration."""
        if page.caption_urls or not self.captions or not page.youtube_id:
            return page.caption_urls
        filled = self.captions.replace("{youtube_id}", quote(page.youtube_id, safe=""))
        return [filled.replace("{language}", self.language or "en").replace("{slug}", quote(page.slug, safe=""))]

    def parse_captions(self, response: Any, lesson: Record) -> Iterator[Any]:
        """Yield a lesson with its captions, or without when there are none."""
        found = response.status not in GONE
        text = response.body.decode("utf-8", "replace") if found else ""
        yield from self.records("lesson", [with_captions(lesson, text, response.url)])

    def parse_question(self, response: Any, slug: str) -> Iterator[Any]:
        """Yield a question and go on to the next one, until the site says that there is none."""
        if response.status in GONE:
            return
        page = ThinkPage(response.text, response.url)
        if page.is_end:
            return
        yield from self.records("quiz", [page.quiz(slug)])
        yield from self.requests(page.next_urls(), self.parse_question, passing={"slug": slug}, statuses=GONE)

    def parse_review(self, response: Any, slug: str) -> Iterator[Any]:
        """Yield all questions of a lesson."""
        if response.status not in GONE:
            yield from self.records("quiz", ReviewPage(response.text, response.url).quizzes(slug))
