"""Walks the courses of a Moodle site: contents, pages, forums, discussions.

The token is sent in the body of POST requests, never in an address, and is filled in when a request is sent: state,
archive, logs and records hold a mark in its place. It is taken out of what the site answers before that is parsed.
"""

from collections.abc import Iterator
from typing import Any, TypeVar
from urllib.parse import urlencode, urljoin

from crawlers.moodle.options import Options
from crawlers.moodle.pages import (
    ContentsPage,
    DiscussionPage,
    DiscussionsPage,
    ForumsPage,
    PagesPage,
    ServicePage,
    linked_page,
    page_id,
)
from crawlers.page import Record
from crawlers.spider import SourceSpider

PER_PAGE = 50  # discussions
P = TypeVar("P", bound=ServicePage)


class MoodleSpider(SourceSpider):
    """Yields the pages of courses as lessons, and their forums' posts."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.known = Options.read(self.spec)
        self.base = self.start_url.rstrip("/") + "/"
        if self.known.token:
            self.secrets[self.secret("token")] = self.known.token
        self.told = {"told": self.known.digest}  # options shape records: what was read by others is not unchanged

    def call(self, function: str, **arguments: object) -> dict[str, Any]:
        """The address and what to send for a function of the web service."""
        fields = {"wsfunction": function, "moodlewsrestformat": "json", **arguments}
        return {
            "url": urljoin(self.base, "webservice/rest/server.php"),
            "send": f"wstoken={self.secret('token')}&{urlencode(fields)}",
            # In a packed answer the archive could not find a token that the site repeats.
            "headers": {"Accept-Encoding": "identity"},
        }

    def read(self, kind: type[P], response: Any) -> P:
        """An answer without the token, whatever it is."""
        return kind(self.conceal(response.body), response.url, self.base, self.known.about)

    def first(self) -> Iterator[Any]:
        """Begin with the courses that the options name."""
        for course in self.known.courses:
            call = self.call("core_course_get_contents", courseid=course)
            yield self.listing(callback=self.parse, passing=self.told | {"course": course}, **call)

    def parse(self, response: Any, told: str, course: str) -> Iterator[Any]:
        """Go from a course to its pages and forums."""
        page = self.read(ContentsPage, response)
        lessons = page.lessons_of_forums() | {forum: page_id(number) for forum, number in self.known.forums.items()}
        in_course = {"courseids[0]": course}
        yield self.thread(
            callback=self.parse_pages, passing=self.told, **self.call("mod_page_get_pages_by_courses", **in_course)
        )
        sections = page.section_lessons(set(lessons.values()), course)
        passing: Record = self.told | {"lessons": lessons, "pages": page.pages(), "sections": sections}
        yield self.listing(
            callback=self.parse_forums, passing=passing, **self.call("mod_forum_get_forums_by_courses", **in_course)
        )

    def parse_pages(self, response: Any, told: str) -> Iterator[Any]:
        """Yield the pages of a course."""
        yield from self.records("lesson", self.read(PagesPage, response).lessons())

    def parse_forums(
        self, response: Any, told: str, lessons: dict[str, str], pages: list[str], sections: list[Record]
    ) -> Iterator[Any]:
        """Yield the sections that stand in for lessons of forums that are read, and go to the discussions of these."""
        used = set()
        for forum, module, kind in self.read(ForumsPage, response).forums():
            if kind not in self.known.skip and module in lessons:
                used.add(lessons[module])
                yield self.discussions(0, {"forum": forum, "kind": kind, "lesson": lessons[module], "pages": pages})
        # Kept as long as the course is read: absence from a listing removes nothing.
        yield from self.records("lesson", [section for section in sections if section["lesson_id"] in used])

    def discussions(self, number: int, about: Record) -> Any:
        """A page of a forum's discussions."""
        call = self.call("mod_forum_get_forum_discussions", forumid=about["forum"], page=number, perpage=PER_PAGE)
        passing = self.told | {"number": number, "about": about}
        return self.listing(callback=self.parse_discussions, passing=passing, **call)

    def parse_discussions(self, response: Any, told: str, number: int, about: Record) -> Iterator[Any]:
        """Go from a list of discussions to each that changed, and to the next page of the list."""
        page = self.read(DiscussionsPage, response)
        for discussion, activity, message in page.discussions():
            linked = linked_page(message, about["pages"])
            lesson = page_id(linked) if linked else about["lesson"]
            passing = self.told | {"discussion": discussion, "lesson": lesson, "kind": about["kind"]}
            call = self.call("mod_forum_get_discussion_posts", discussionid=discussion)
            mark = f"{activity} {lesson} {told}"
            yield self.thread(callback=self.parse_discussion, activity=mark, passing=passing, **call)
        if page.has_more():
            yield self.discussions(number + 1, about)

    def parse_discussion(self, response: Any, told: str, discussion: str, lesson: str, kind: str) -> Iterator[Any]:
        """Yield the posts of a discussion."""
        page = self.read(DiscussionPage, response)
        if self.showed(response):
            page.demand_posts()
        yield from self.records("post", page.posts(discussion, lesson, kind, self.known.staff))
