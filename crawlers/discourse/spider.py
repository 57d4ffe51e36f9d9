"""Walks a Discourse forum: listings, topics, the posts that a topic's first page leaves out, lesson pages."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any
from urllib.parse import urljoin

from crawlers.article import ArticlePage, lesson_record
from crawlers.discourse.options import Options, is_address
from crawlers.discourse.pages import Parents, PostsPage, Topic, TopicListPage, TopicPage
from crawlers.spec import relative, site
from crawlers.spider import SourceSpider

BATCH = 20  # posts that the forum gives at once
CHAIN = 20  # batches asked for one after another, so that replies find their parents


class DiscourseSpider(SourceSpider):
    """Yields the topics of a Discourse forum, and the lessons that they belong to."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.known = Options.read(self.spec)
        self.base = self.start_url.rstrip("/") + "/"
        self.sites |= {site(address) for address in self.known.lesson_addresses}
        self.told = {"told": self.known.digest}  # options shape records: what was read by others is not unchanged

    def first(self) -> Iterator[Any]:
        """Begin with the categories that the options name, else with all topics."""
        for path, lesson in self.known.categories.items():
            url = urljoin(self.base, f"c/{path}/l/latest.json")
            passing = self.told | {"lesson": lesson, "category": path}
            yield self.listing(url, self.parse, passing=passing, statuses=[404])
        if not self.known.categories:
            yield self.listing(urljoin(self.base, "latest.json"), self.parse, passing=self.told)

    def parse(self, response: Any, told: str, lesson: str | None = None, category: str | None = None) -> Iterator[Any]:
        """Go from a listing to every topic that changed, and to the next page."""
        if response.status == 404:  # older forums list the topics of a category under its own name
            url = urljoin(self.base, f"c/{category}.json")
            yield self.listing(url, self.parse, passing=self.told | {"lesson": lesson})
            return
        page = TopicListPage(response.body, response.url)
        for topic_id, category_id, activity in page.topics():
            named = self.known.lesson_of(topic_id, category_id, lesson)
            yield self.topic_link(topic_id, named, f"{activity} {told}")
        for url in page.next_urls():
            yield self.listing(url, self.parse, passing=self.told | {"lesson": lesson})

    def topic_link(self, topic_id: str, lesson: str | None, activity: str | None = None) -> Any:
        """A topic, with the lesson that the options name for it."""
        url = urljoin(self.base, f"t/{topic_id}.json")
        return self.thread(url, self.parse_topic, activity, passing=self.told | {"lesson": lesson})

    def parse_topic(self, response: Any, told: str, lesson: str | None = None) -> Iterator[Any]:
        """Yield the posts of a topic's first page, and go on to its lesson and to the other posts."""
        page = TopicPage(response.body, response.url, self.base, self.known.staff, self.known.about)
        own = f"topic/{page.topic_id}"
        address = lesson if is_address(lesson) else None if lesson else page.lesson_link(self.known.lesson_links)
        first_is_lesson = lesson == page.topic_id
        if address:
            lesson_id = relative(address, self.base)
            passing = self.told | {"lesson_id": lesson_id}
            yield self.thread(address, self.parse_lesson, passing=passing)
        elif lesson and lesson.isdigit() and not first_is_lesson:
            lesson_id = f"topic/{lesson}"
            yield self.topic_link(lesson, lesson)
        elif lesson and not first_is_lesson:
            lesson_id = lesson
            yield from self.records("lesson", [lesson_record(lesson, lesson, None, "", None, self.known.about)])
        else:
            lesson_id, first_is_lesson = own, first_is_lesson or page.opened_by_staff()
            yield from self.records("lesson", [page.lesson(own, first_is_lesson)])
        topic, parents = page.topic(lesson_id, first_is_lesson), Parents()
        yield from self.records("post", page.posts(topic, parents))
        missing = page.missing()
        for start in range(0, len(missing), BATCH * CHAIN):
            yield from self.batch(missing[start : start + BATCH * CHAIN], topic, parents)

    def batch(self, ids: list[str], topic: Topic, parents: Parents) -> Iterator[Any]:
        """The next of the posts with these ids; the rest is asked for when they have come."""
        if ids:
            query = "&".join(f"post_ids[]={post_id}" for post_id in ids[:BATCH])
            url = urljoin(self.base, f"t/{topic.topic_id}/posts.json?{query}")
            passing = self.told | {"topic": asdict(topic), "ids": ids, "parents": parents}
            yield self.request(url, self.parse_posts, passing=passing)

    def parse_posts(
        self, response: Any, told: str, topic: dict[str, Any], ids: list[str], parents: Parents
    ) -> Iterator[Any]:
        """Yield further posts of a topic: the first of these ids."""
        page = PostsPage(response.body, response.url, self.base, self.known.staff, self.known.about)
        here = Topic(**topic)
        replied = dict(parents)
        page.demand(ids[:BATCH])
        yield from self.records("post", page.posts(here, replied))
        yield from self.batch(ids[BATCH:], here, replied)

    def parse_lesson(self, response: Any, told: str, lesson_id: str) -> Iterator[Any]:
        """Yield a lesson from the page that a topic links to."""
        page = ArticlePage(response.text, response.url)
        yield from self.records("lesson", [page.lesson(lesson_id, self.known.about, text=self.known.lesson_text)])
