"""Walks Khan Academy: topic tree, lessons, discussions, in the generation of the interface that answers."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

from crawlers.khan.discussion_spider import GONE, DiscussionSpider
from crawlers.khan.lesson_pages import ArticlePage, ContentPage, TranscriptPage, WatchPage
from crawlers.khan.queries import content_query, course_query
from crawlers.khan.tree_pages import TreePage, with_details
from crawlers.link import Link
from crawlers.page import Record

ABSENT = [*GONE, 400, 405, 501]  # answers of a site that does not have a generation, which another may make up for


class KhanSpider(DiscussionSpider):
    """Yields the articles, videos and discussions of Khan Academy; the options are in docs/sources/khan.md."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Read the options of the tree."""
        super().__init__(*args, **kwargs)
        self.topics = self.given.texts("topics", "a list of slugs or paths")
        self.country = self.given.text("country") or "US"
        self.license = self.given.text("license")
        self.given.nothing_else()

    # The tree

    def first(self) -> Iterator[Link]:
        """The whole tree, or the topics that are configured."""
        if not self.topics:
            yield self.listing(self.at("/api/v1/topictree"), self.parse_tree)
        for topic in self.topics:
            yield self.course_listing(topic) if self.api == "graphql" else self.topic_listing(topic, first=True)

    def topic_listing(self, topic: str, first: bool = False) -> Link:
        """A topic of the REST tree; when it is a configured one that REST does not know, GraphQL is asked."""
        slug = topic.rstrip("/").rpartition("/")[2]
        again = {"passing": {"topic": topic}, "statuses": GONE} if first and self.api == "auto" else {}
        return self.listing(self.at(f"/api/v1/topic/{quote(slug, safe='')}"), self.parse_topic, **again)

    def course_listing(self, topic: str) -> Link:
        """A course of the GraphQL tree."""
        sent = course_query(f"/{topic.strip('/')}", self.country)
        address = self.at(f"/api/internal/graphql/{sent['operationName']}")
        return self.listing(address, self.parse_tree, send=sent)

    def parse_topic(self, response: Any, topic: str | None = None) -> Iterator[Any]:
        """Go from a topic to its lessons and to the topics below it."""
        if topic and response.status in GONE:
            yield self.course_listing(topic)
            return
        for slug in TreePage(response.body, response.url).open_topics():
            yield self.topic_listing(slug)
        yield from self.parse_tree(response)

    def parse_tree(self, response: Any) -> Iterator[Any]:
        """Go from the tree to every lesson; those of which it tells too little are looked up by topic first."""
        lacking: dict[str, list[Record]] = {}
        for lesson in TreePage(response.body, response.url).lessons():
            address = self.details_address(lesson)
            if address in (None, response.url):
                yield from self.listed(lesson)
            else:
                lacking.setdefault(str(address), []).append(lesson)
        for address, lessons in lacking.items():
            yield self.listing(address, self.parse_details, passing={"lessons": lessons}, statuses=GONE)

    def details_address(self, lesson: Record) -> str | None:
        """Where a topic tells what the tree left out: the number of an article, the video's at YouTube."""
        article = lesson["record"]["kind"] == "article"
        enough = not lesson["guessed"] if article else lesson["youtube_id"]
        if enough or not lesson["topic"] or self.api == "graphql":
            return None
        return self.at(f"/api/v1/topic/{quote(lesson['topic'], safe='')}{'' if article else '/videos'}")

    def parse_details(self, response: Any, lessons: list[Record]) -> Iterator[Any]:
        """Go to lessons of a topic, with what the topic's own list tells of them."""
        found = [] if response.status in GONE else TreePage(response.body, response.url).lessons()
        for lesson in with_details(lessons, found):
            yield from self.listed(lesson)

    # Lessons

    def listed(self, lesson: Record) -> Iterator[Any]:
        """Begin with a lesson; the licence of the options is for those that state none."""
        record = lesson["record"] | {"license": lesson["record"]["license"] or self.license}
        yield from self.lesson(lesson | {"record": record}, self.ways(lesson), thread=True)

    def ways(self, lesson: Record) -> list[str]:
        """The pages that may hold a lesson's text, best first."""
        if lesson["record"]["kind"] == "article":
            rest = ["article"]
        else:
            rest = (["transcript"] if lesson["youtube_id"] else []) + (["page"] if lesson["path"] else [])
        modern = ["content"] if lesson["path"] else []
        if self.api == "graphql":
            return modern or rest
        return rest if self.api == "rest" else [*rest[:1], *modern, *rest[1:]]

    def lesson(self, lesson: Record, ways: list[str], thread: bool = False) -> Iterator[Any]:
        """Ask for a lesson's text in the first of some ways; when none is left, a video is a lesson without text."""
        if not ways:
            if lesson["record"]["kind"] == "video":
                yield from self.kept(lesson, lesson["record"] | {"captions": []})
            return
        only = len(ways) == 1
        details: dict[str, Any] = {"passing": {"lesson": lesson, "ways": ways}, "statuses": GONE if only else ABSENT}
        if only and lesson["record"]["kind"] == "article":
            del details["statuses"]  # there is no other way: the article is gone
        if thread:
            details |= {"thread": True}
        if ways[0] == "content":
            yield self.graphql(content_query(lesson["path"], self.country), self.parse_lesson, **details)
            return
        yield self.request(self.lesson_address(lesson, ways[0]), self.parse_lesson, **details)

    def lesson_address(self, lesson: Record, way: str) -> str:
        """Where a lesson's text is, in REST."""
        if way == "article":
            return self.at(f"/api/v1/articles/{quote(lesson['record']['lesson_id'], safe='')}")
        if way == "transcript":
            return self.at(f"/api/internal/videos/{quote(lesson['youtube_id'], safe='')}/transcript")
        return self.at(lesson["path"])

    def parse_lesson(self, response: Any, lesson: Record, ways: list[str]) -> Iterator[Any]:
        """Yield a lesson and go on to its discussion, or try the next way."""
        known, found = lesson["record"], None
        if response.status < 400:
            if ways[0] == "article":
                found = ArticlePage(response.body, response.url).lesson(known, lesson["guessed"])
            elif ways[0] == "transcript":
                found = TranscriptPage(response.body, response.url).lesson(known)
            elif ways[0] == "content":
                found = ContentPage(response.body, response.url).lesson(known, lesson["guessed"])
            else:
                found = WatchPage(response.text, response.url).lesson(known)
        poorer = len(ways) > 1 and found is not None and found.get("captions") == []
        if found is None or poorer:
            yield from self.lesson(lesson, ways[1:])
            return
        yield from self.kept(lesson, found)

    def kept(self, lesson: Record, record: Record) -> Iterator[Any]:
        """Yield a lesson, and go on to its discussion."""
        yield from self.records("lesson", [record])
        names = [lesson["slug"], record["lesson_id"]]  # REST knows videos by their slug, articles by their id
        ordered = names if record["kind"] == "video" else names[::-1]
        yield from self.discussion(record["lesson_id"], record["kind"], ordered)
