"""Walks the discussion below a lesson, in the generation of the interface that answers."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import quote, urlencode, urljoin

from crawlers.khan.discussion_pages import DiscussionPage, Unfinished
from crawlers.khan.queries import feedback_query, replies_query
from crawlers.link import Link
from crawlers.options import Given
from crawlers.page import PageError
from crawlers.spider import SourceSpider

GONE = [404, 410]
FEEDS = ("questions", "comments")
Focus = dict[str, Any]  # what a discussion is about: `lesson_id`, `kind`, and `names` by which REST may know it


class DiscussionSpider(SourceSpider):
    """Yields the posts of a lesson; the options are in docs/sources/khan.md."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Read the options."""
        super().__init__(*args, **kwargs)
        given = self.given = Given(self.spec)
        self.api = given.text("api") or "auto"
        if self.api not in ("auto", "rest", "graphql"):
            given.wrong("api", "'auto', 'rest' or 'graphql'")
        self.feeds = given.texts("feeds") or list(FEEDS)
        if not set(self.feeds) <= set(FEEDS):
            given.wrong("feeds", "a list of 'questions' and 'comments'")
        self.page_size = 20 if given.value("page_size") is None else given.value("page_size")
        if not isinstance(self.page_size, int) or self.page_size < 1:
            given.wrong("page_size", "a whole number of posts")
        self.trusted = given.value("trust_counts") is not False
        self.edition = self.language or "en"

    def at(self, path: str, **query: str | int | None) -> str:
        """An address of the site."""
        given = {name: value for name, value in query.items() if value is not None}
        return urljoin(self.start_url, path) + (f"?{urlencode(given)}" if given else "")

    def graphql(self, sent: dict[str, Any], callback: Any, **details: Any) -> Link:
        """A GraphQL request."""
        return self.request(self.at(f"/api/internal/graphql/{sent['operationName']}"), callback, send=sent, **details)

    def discussion(self, lesson_id: str, kind: str, names: list[str | None]) -> Iterator[Link]:
        """The first page of each feed."""
        known = list(dict.fromkeys(name for name in names if name))
        for feed in self.feeds:
            focus = {"lesson_id": lesson_id, "kind": kind, "names": known}
            yield self.feed_page(focus, feed, None if self.api == "graphql" else 0)

    def feed_page(
        self, focus: Focus, feed: str, page: int | None, cursor: str | None = None, promised: bool = False
    ) -> Link:
        """One page of a feed: REST by page number or cursor, GraphQL when `page` is None."""
        details = {"passing": {"focus": focus, "feed": feed, "page": page, "promised": promised}, "statuses": GONE}
        if page is None:
            return self.graphql(feedback_query(focus, feed, self.page_size, cursor=cursor), self.parse_feed, **details)
        address = self.at(
            feed_path(focus, feed), casing="camel", sort=2, subject="all", limit=self.page_size, page=page,
            lang=self.edition, cursor=cursor,
        )  # fmt: skip
        return self.request(address, self.parse_feed, **details)

    def page_of(self, response: Any, promised: bool, *below: str) -> DiscussionPage:
        """A page of a discussion, which may be null where nobody wrote: not where posts were, or more were promised."""
        found = DiscussionPage(response.body, response.url, *below)
        if found.is_null and (promised or self.showed(response)):
            raise PageError(f"{response.url}: null in place of a list of posts", "no_posts")
        return found

    def parse_feed(
        self, response: Any, focus: Focus, feed: str, page: int | None, promised: bool = False
    ) -> Iterator[Any]:
        """Yield the posts of a page, and go on to the next one and to what did not come along."""
        if response.status in GONE:
            if page == 0 and len(focus["names"]) > 1:
                yield self.feed_page(focus | {"names": focus["names"][1:]}, feed, 0)
            elif page == 0 and self.api == "auto":
                yield self.feed_page(focus, feed, None)
            return
        found = self.page_of(response, promised)
        yield from self.records("post", found.posts(focus["lesson_id"]))
        for post in found.unfinished():
            # When the counts are trusted, what is below a post is a thread of its own, visited when they change.
            mark = post.mark if self.trusted else None
            yield self.replies_page(focus, post, page is None, thread=self.trusted, activity=mark)
        if found.cursor:
            yield self.feed_page(focus, feed, page, found.cursor, promised=found.complete is False)
        elif page is not None and found.goes_on(self.page_size):
            yield self.feed_page(focus, feed, page + 1, promised=found.complete is False)

    def replies_page(
        self, focus: Focus, post: Unfinished, modern: bool, cursor: str | None = None, page: int = 0, **details: Any
    ) -> Link:
        """One page of the answers or replies to a post."""
        # The mark is left out: a page that is read again after more was said is the same page.
        passing = {"focus": focus, "post": [*post[:4], ""], "modern": modern, "page": page}
        name = details.pop("name", post.key)
        if name != post.key:
            passing["name"] = name
        if details.pop("promised", False):
            passing["promised"] = True
        if modern:
            sent = replies_query(name, self.page_size, cursor)
            return self.graphql(sent, self.parse_replies, passing=passing, statuses=GONE, **details)
        path = f"/api/internal/discussions/{quote(name, safe='')}/replies"
        address = self.at(path, casing="camel", limit=self.page_size, page=page, lang=self.edition, cursor=cursor)
        return self.request(address, self.parse_replies, passing=passing, statuses=GONE, **details)

    def parse_replies(
        self, response: Any, focus: Focus, post: list[Any], modern: bool, page: int, name: str | None = None,
        promised: bool = False,
    ) -> Iterator[Any]:  # fmt: skip
        """Yield the answers or replies to a post; a site that has no answers here shows them with the question."""
        about = Unfinished(*post)
        below = (about.key, about.thread)
        gone = response.status in GONE
        found = DiscussionPage("[]", response.url, *below) if gone else self.page_of(response, promised, *below)
        yield from self.records("post", found.posts(focus["lesson_id"]))
        for inner in found.unfinished():
            yield self.replies_page(focus, inner, modern)
        asked_by, promised = name or about.key, found.complete is False
        if found.cursor:
            yield self.replies_page(focus, about, modern, found.cursor, page + 1, name=asked_by, promised=promised)
        elif not modern and found.goes_on(self.page_size):
            yield self.replies_page(focus, about, modern, page=page + 1, name=asked_by, promised=promised)
        elif page == 0 and not found.count and asked_by != about.expand:
            yield self.replies_page(focus, about, modern, name=about.expand)
        elif page == 0 and about.answers and not found.has_answers:
            yield self.expanded(focus, about, modern)

    def expanded(self, focus: Focus, post: Unfinished, modern: bool) -> Link:
        """The list of questions with one of them shown with all its answers."""
        details: dict[str, Any] = {"passing": {"focus": focus, "modern": modern}, "statuses": GONE}
        if modern:
            sent = feedback_query(focus, "questions", self.page_size, qaExpandKey=post.expand)
            return self.graphql(sent, self.parse_expanded, **details)
        address = self.at(feed_path(focus, "questions"), casing="camel", qa_expand_key=post.expand, lang=self.edition)
        return self.request(address, self.parse_expanded, **details)

    def parse_expanded(self, response: Any, focus: Focus, modern: bool) -> Iterator[Any]:
        """Yield the posts of a list in which a question was expanded; where the list goes on is known already."""
        if response.status not in GONE:
            found = self.page_of(response, promised=False)
            yield from self.records("post", found.posts(focus["lesson_id"]))
            replied = (post for post in found.unfinished() if not post.answers)
            yield from (self.replies_page(focus, post, modern) for post in replied)


def feed_path(focus: Focus, feed: str) -> str:
    """Where a feed is, in REST."""
    return f"/api/internal/discussions/{focus['kind']}/{quote(focus['names'][0], safe='')}/{feed}"
