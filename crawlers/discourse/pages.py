"""The JSON documents of a Discourse forum, parsed into records with native ids."""

from dataclasses import dataclass
from typing import Any, NamedTuple
from urllib.parse import urljoin, urlsplit, urlunsplit

from crawlers.article import lesson_record
from crawlers.html_text import html_to_text
from crawlers.page import JsonPage, Page, PageError, Record, absolute, titled

REGULAR, LIKE = 1, 2  # the numbers of an ordinary post and of the action "like"
# Fields of a listed topic that change when its posts do; the number of views is none of them.
MARKS = ("title", "category_id", "bumped_at", "last_posted_at", "posts_count", "highest_post_number", "like_count",
         "has_accepted_answer")  # fmt: skip
# Names of other users above quotes, previews of linked pages, sizes of images, smileys: not what the author wrote.
DECORATION = "aside.quote > .title, aside.onebox, .lightbox-wrapper .meta, img.emoji, .quote-controls"
Parents = dict[str, list[Any]]  # id and level of posts by their number in the topic


class Listed(NamedTuple):
    """A topic as a listing shows it."""

    topic_id: str
    category_id: str
    activity: str


@dataclass(frozen=True)
class Topic:
    """What all pages of a topic must know; it is passed from the first to the others."""

    topic_id: str
    slug: str
    title: str
    lesson_id: str
    first_post: str
    first_is_lesson: bool


class TopicListPage(JsonPage):
    """A page of topics: the latest of the forum or of a category."""

    def topics(self) -> list[Listed]:
        """The topics that hold a discussion."""
        self.known("topic_list", "topics")
        return [
            Listed(str(topic["id"]), str(topic.get("category_id")), " ".join(str(topic.get(name)) for name in MARKS))
            for topic in self.objects("topic_list", "topics")
            if isinstance(topic.get("id"), int) and topic.get("archetype") in (None, "regular")
        ]

    def next_urls(self) -> list[str]:
        """The address of the next page; the forum names the one for browsers, which has no `.json`."""
        more = self.find("topic_list", "more_topics_url")
        address = absolute(self.url, more) if isinstance(more, str) and more else None
        if not address:
            return []
        parts = urlsplit(address)
        path = parts.path if parts.path.endswith(".json") else parts.path.rstrip("/") + ".json"
        return [urlunsplit(parts._replace(path=path))]


class PostsPage(JsonPage):
    """Some posts of a topic, and who replies to whom."""

    def __init__(self, body: bytes, url: str, base: str, staff: frozenset[str], about: Record) -> None:
        super().__init__(body, url)
        self.base, self.staff, self.about = base, staff, about

    def demand(self, ids: list[str]) -> None:
        """Of the posts that were asked for, at least one must be there: the topic itself has just named them."""
        self.known("post_stream", "posts")
        if not {str(post.get("id")) for post in self.objects("post_stream", "posts")} & set(ids):
            raise PageError(f"{self.url}: none of the {len(ids)} posts that were asked for", "no_posts")

    def shown(self) -> list[Record]:
        """The posts that people can read, without notices such as "closed this topic"."""
        self.known("post_stream", "posts")
        return [
            post
            for post in self.objects("post_stream", "posts")
            if post.get("id") is not None
            and post.get("post_type", REGULAR) == REGULAR
            and not (post.get("hidden") or post.get("deleted_at") or post.get("user_deleted"))
        ]

    def posts(self, topic: Topic, parents: Parents) -> list[Record]:
        """The posts as records; they are added to `parents`."""
        return [
            self.record(post, topic, *place(post, topic, parents))
            for post in self.shown()
            if not (topic.first_is_lesson and str(post["id"]) == topic.first_post)
        ]

    def record(self, post: Record, topic: Topic, parent_id: str | None, level: int) -> Record:
        """One post."""
        accepted = post.get("accepted_answer") is True
        if accepted and not topic.first_is_lesson:
            parent_id, level = topic.first_post, 1
        title = topic.title if level == 0 else None  # most learners ask in the title
        return {
            "post_id": str(post["id"]),
            "lesson_id": topic.lesson_id,
            "thread_id": topic.topic_id,
            "parent_id": parent_id,
            "kind": kind_of(level, topic.first_is_lesson),
            "author": post.get("username"),
            "author_names": [name for name in (post.get("name"),) if isinstance(name, str) and name.strip()],
            "author_role": "staff" if is_staff(post, self.staff) else None,
            "created_at": post.get("created_at"),
            "votes": likes(post),
            "accepted": accepted,
            "text": titled(title, cooked_text(post, self.url)),
            "url": f"{topic_url(self.base, topic.slug, topic.topic_id)}/{post.get('post_number', 1)}",
            "license": self.about.get("license"),
        }


class TopicPage(PostsPage):
    """The first page of a topic, which also names all of its posts."""

    @property
    def topic_id(self) -> str:
        """The topic's number."""
        return str(self.known("id"))

    @property
    def slug(self) -> str:
        """The topic's name in addresses."""
        return str(self.find("slug") or "-")

    @property
    def title(self) -> str:
        """The topic's title."""
        return str(self.find("title") or "").strip()

    @property
    def stream(self) -> list[str]:
        """The ids of all posts, in the order of the topic."""
        ids = self.known("post_stream", "stream")
        return [str(entry) for entry in ids if isinstance(entry, int)] if isinstance(ids, list) else []

    def first(self) -> Record | None:
        """The post that opens the topic, if this page shows it."""
        return next((post for post in self.shown() if post.get("post_number") == 1), None)

    def topic(self, lesson_id: str, first_is_lesson: bool) -> Topic:
        """What the other pages must know."""
        first = self.first()
        stream = self.stream
        if first is None and not stream:
            raise PageError(f"{self.url}: a topic without posts")
        opening = str(first["id"]) if first else stream[0]
        return Topic(self.topic_id, self.slug, self.title, lesson_id, opening, first_is_lesson)

    def opened_by_staff(self) -> bool:
        """Whether staff wrote the first post."""
        first = self.first()
        return first is not None and is_staff(first, self.staff)

    def lesson(self, lesson_id: str, with_text: bool) -> Record:
        """The topic as a lesson: its first post is the text."""
        first = self.first()
        text = cooked_text(first, self.url) if first and with_text else ""
        url = topic_url(self.base, self.slug, self.topic_id)
        return lesson_record(lesson_id, self.title, url, text, None, self.about)

    def lesson_link(self, beginning: str | None) -> str | None:
        """The first link of the first post to a lesson page."""
        first = self.first()
        if not beginning or not first:
            return None
        links = Page(str(first.get("cooked") or ""), self.base).links("a[href]")
        return next((link.partition("#")[0] for link in links if link.startswith(beginning)), None)

    def missing(self) -> list[str]:
        """The ids of the posts that this page does not show."""
        here = {str(post.get("id")) for post in self.objects("post_stream", "posts")}
        return [post_id for post_id in self.stream if post_id not in here]


def place(post: Record, topic: Topic, parents: Parents) -> tuple[str | None, int]:
    """The parent of a post and its level: 0 opens the topic, 1 replies to that, 2 replies to a reply."""
    number, replied = post.get("post_number"), post.get("reply_to_post_number")
    if str(post["id"]) == topic.first_post:
        parent, level = None, 0
    elif replied in (None, 1):
        parent, level = (None if topic.first_is_lesson else topic.first_post), 1
    elif str(replied) in parents:
        parent, above = parents[str(replied)]
        level = above + 1
    else:
        parent, level = None, 3  # it replies to a post that is gone, or far away in a very long topic
    # Whatever its `reply_count`, which leaves out replies that were hidden for a while.
    parents[str(number)] = [str(post["id"]), level]
    return parent, level


def kind_of(level: int, first_is_lesson: bool) -> str:
    """Below a lesson, replies are remarks and their replies answers; below a question they are answers already."""
    kinds = ("post", "post", "answer", "comment") if first_is_lesson else ("question", "answer", "comment")
    return kinds[min(level, len(kinds) - 1)]


def cooked_text(post: Record, url: str) -> str:
    """The plain text of a post."""
    page = Page(str(post.get("cooked") or ""), url)
    for decoration in page.all(DECORATION):
        decoration.extract()
    return html_to_text(page.soup)


def is_staff(post: Record, staff: frozenset[str]) -> bool:
    """Whether the author is a moderator or an admin, or named as staff in the options."""
    named = {post.get("username"), post.get("primary_group_name")} & staff
    return bool(named) or any(post.get(name) is True for name in ("staff", "moderator", "admin"))


def likes(post: Record) -> int:
    """How many people like a post; `score` is a rank and no vote."""
    actions = post.get("actions_summary")
    found = [action for action in actions if isinstance(action, dict)] if isinstance(actions, list) else []
    counts = (action.get("count", 0) for action in found if action.get("id") == LIKE)
    return next((count for count in counts if isinstance(count, int)), 0)


def topic_url(base: str, slug: str, topic_id: str) -> str:
    """The address of a topic for browsers."""
    return urljoin(base, f"t/{slug}/{topic_id}")
