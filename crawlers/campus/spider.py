"""Walks the campus site: index, lessons, discussion pages."""

from collections.abc import Iterator
from typing import Any

from crawlers.campus.pages import DiscussionPage, IndexPage, LessonPage
from crawlers.spider import SourceSpider


class CampusSpider(SourceSpider):
    """Yields the lessons, quizzes and posts of a campus site."""

    def parse(self, response: Any) -> Iterator[Any]:
        """Go from the index to every lesson that changed."""
        page = IndexPage(response.text, response.url)
        marks = page.activities
        for url in page.lesson_urls:
            yield self.thread(url, self.parse_lesson, marks.get(url))

    def parse_lesson(self, response: Any) -> Iterator[Any]:
        """Yield a lesson and its quizzes, and go on to its discussion."""
        page = LessonPage(response.text, response.url)
        yield from self.records("lesson", [page.lesson()])
        yield from self.records("quiz", page.quizzes())
        yield from self.requests(page.discussion_urls, self.parse_discussion)

    def parse_discussion(self, response: Any) -> Iterator[Any]:
        """Yield the posts of a discussion page, and go on to the next one."""
        page = DiscussionPage(response.text, response.url)
        yield from self.records("post", page.posts())
        yield from self.requests(page.next_urls, self.parse_discussion)
