"""Walks any forum by the selectors of its options: listings, threads, further posts and comments, lessons."""

from collections.abc import Iterator
from typing import Any

from crawlers.article import ArticlePage
from crawlers.html.options import Options
from crawlers.html.pages import CommentsPage, FragmentPage, ListingPage, Place, ThreadPage, is_comment_of
from crawlers.page import Record
from crawlers.spec import relative, site
from crawlers.spider import SourceSpider

ASKED_BY_SCRIPT = {"X-Requested-With": "XMLHttpRequest"}  # many forums answer such addresses to nobody else


class HtmlSpider(SourceSpider):
    """Yields the lessons and posts of a forum that is described by selectors."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.known = Options.read(self.spec)
        if self.known.lesson_site:
            self.sites.add(site(self.known.lesson_site))
        self.told = {"told": self.known.digest}  # options are the parser: what was read by others is not unchanged

    def first(self) -> Iterator[Any]:
        """Begin with the listing."""
        yield self.listing(self.start_url, self.parse, passing=self.told)

    def parse(self, response: Any, told: str) -> Iterator[Any]:
        """Go from a listing to every thread that changed, and to the next page."""
        page = ListingPage(response.text, response.url)
        for url, activity in page.threads(self.known):
            yield self.thread(url, self.parse_thread, activity and f"{activity} {told}", passing=self.told)
        for url in page.next_urls(self.known):
            yield self.listing(url, self.parse, passing=self.told)

    def parse_thread(self, response: Any, told: str) -> Iterator[Any]:
        """Yield the posts of a thread's first page, with the page as their lesson unless it links to one."""
        page = ThreadPage(response.text, response.url, self.known)
        lesson_urls = [url for url in page.followed("lesson") if site(url) in self.sites][:1]
        lesson_id = relative(lesson_urls[0] if lesson_urls else page.address, self.start_url)
        for url in lesson_urls:
            yield self.thread(url, self.parse_lesson, passing=self.told | {"lesson_id": lesson_id})
        if not lesson_urls:
            yield from self.records("lesson", [page.own_lesson(lesson_id)])
        discussions = page.followed("discussion")
        passing = self.told | {"lesson_id": lesson_id}
        yield from self.requests(discussions, self.parse_posts, passing=passing)
        if not discussions:
            page.one(self.known.selector("post"))  # a thread without posts is another page
        yield from self.posts(page, Place(lesson_id, page.url.partition("#")[0], page.found_license))

    def parse_posts(
        self, response: Any, told: str, lesson_id: str, question: str | None = None, further: bool = False
    ) -> Iterator[Any]:
        """Yield the posts of a discussion, in which nobody may have written yet, or of a further page."""
        page = ThreadPage(response.text, response.url, self.known)
        if further or self.showed(response):
            page.demand_posts()
        yield from self.posts(page, Place(lesson_id, page.url.partition("#")[0], page.found_license, question))

    def posts(self, page: ThreadPage, place: Place) -> Iterator[Any]:
        """Yield the posts of a page, and go on to their further comments and to the next page."""
        onward, more = page.followed("next_posts"), page.more_comments()
        records = page.posts(place)
        whole: set[str | None] = set(more) if self.known.more and not self.known.more.link else set()
        yield from self.records("post", [record for record in records if not is_comment_of(record, whole)])
        threads = {record["post_id"]: record["thread_id"] for record in records}
        for post_id, url in more.items():
            if post_id in threads:
                head = {"kind": "comment", "thread_id": threads[post_id], "parent_id": post_id}
                passing: Record = self.told | {"place": list(place), "head": head}
                yield self.request(url, self.parse_comments, passing=passing, headers=ASKED_BY_SCRIPT)
        opened = [record["post_id"] for record in records if record["kind"] == "question"]
        question = opened[-1] if opened else place.question
        onward_with: Record = {"lesson_id": place.lesson_id, "question": question, "further": True}
        yield from self.requests(onward, self.parse_posts, passing=self.told | onward_with)

    def parse_comments(self, response: Any, told: str, place: list[Any], head: Record) -> Iterator[Any]:
        """Yield the comments that a page left out."""
        more = self.known.more
        if more is None or more.link:
            fragment = FragmentPage(response.text, response.url, self.known)
            if self.showed(response):
                fragment.demand_posts()
            yield from self.records("post", fragment.comments(Place(*place), head))
        else:
            page = CommentsPage(response.body, response.url)
            yield from self.records("post", page.comments(self.known, more, Place(*place), head))

    def parse_lesson(self, response: Any, told: str, lesson_id: str) -> Iterator[Any]:
        """Yield a lesson that threads link to."""
        page = ArticlePage(response.text, response.url)
        title, text = self.known.selectors.get("lesson_title"), self.known.selectors.get("lesson_text")
        yield from self.records("lesson", [page.lesson(lesson_id, self.known.about, title, text)])
