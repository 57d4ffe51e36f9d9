"""The pages of any forum, read by the selectors of its options into records with native ids."""

import re
from functools import cached_property
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from bs4 import Tag

from crawlers.article import ArticlePage, lesson_record, words
from crawlers.html.options import More, Options
from crawlers.html.reading import count, moment
from crawlers.html_text import html_to_text
from crawlers.page import JsonPage, Page, PageError, Record, absolute, attribute, titled
from crawlers.spec import site

PLACEHOLDER = re.compile(r"\{(\w+)\}")


class Place(NamedTuple):
    """Where posts belong; passed from page to page of a thread."""

    lesson_id: str
    url: str  # of the page, without fragment
    license: str | None
    question: str | None = None  # the id of the post that opened the thread on an earlier page


class ListingPage(Page):
    """A page that lists threads (or lessons)."""

    def threads(self, options: Options) -> list[tuple[str, str | None]]:
        """Addresses with their marks of last activity, each once."""
        item, link = options.selector("item"), options.selector("listing")
        found: dict[str, str | None] = {}
        for element in self.all(item or link):
            for anchor in self.all(link, element)[:1] if item else [element]:
                url = self.address(anchor)
                if url:
                    found.setdefault(url, options.value("activity", element))
        return list(found.items())

    def next_urls(self, options: Options) -> list[str]:
        """The addresses of further listing pages: the next one, or the boards of a forum."""
        return self.links(options.selector("next")) if options.selector("next") else []

    def address(self, anchor: Tag) -> str | None:
        """Where a link leads, without fragment."""
        address = attribute(anchor, "href")
        found = absolute(self.url, address) if address else None
        return found.partition("#")[0] if found else None


class ThreadPage(ArticlePage):
    """A page with posts, or a lesson that leads to them."""

    def __init__(self, html: str, url: str, options: Options) -> None:
        super().__init__(html, url)
        self.options = options
        self.found_license = self.license or options.about.get("license")  # before anything is taken off the page
        if skipped := options.selector("skip"):
            for element in self.all(skipped):
                element.extract()

    @property
    def address(self) -> str:
        """The page's own address: the canonical one that it names on its site (front pages aside), else where it is."""
        here = self.url.partition("#")[0]
        named = next((link.partition("#")[0] for link in self.links('link[rel="canonical"]')), here)
        return named if site(named) == site(here) and urlsplit(named).path.strip("/") else here

    def followed(self, name: str) -> list[str]:
        """The links for a selector of the options, without fragments."""
        selector = self.options.selector(name)
        found = (link.partition("#")[0] for link in self.links(selector)) if selector else ()
        return list(dict.fromkeys(found))

    def own_lesson(self, lesson_id: str) -> Record:
        """The page itself as the lesson, with text when the options say where that is."""
        options = self.options
        texts = self.all(options.selector("lesson_text")) if options.selector("lesson_text") else []
        titles = self.all(options.selector("lesson_title")) if options.selector("lesson_title") else []
        title = words(titles[0]) if titles else options.value("title", self.soup)
        if title is None:
            title = next((words(named) for named in self.all("h1") or self.all("title")), "")
        text = html_to_text(texts[0]) if texts else ""
        return lesson_record(lesson_id, title, self.address, text, self.found_license, options.about)

    @cached_property
    def elements(self) -> list[Tag]:
        """The elements of posts and comments, in the order of the page, without empty templates."""
        selectors = filter(None, (self.options.selector("post"), self.options.selector("comment")))
        found = self.all(", ".join(selectors))
        return [element for element in found if self.identity(element) or self.text(element).strip()]

    def demand_posts(self) -> None:
        """A page without post and comment where there must be one is another page, such as one of the server's own."""
        if not self.elements:
            raise PageError(f"{self.url}: neither a post nor a comment; has the site's layout changed?", "no_posts")

    def identity(self, element: Tag) -> str | None:
        """The native id of a post."""
        return self.options.value("post_id", element)

    def known_identity(self, element: Tag) -> str:
        """The native id of a post, which must exist."""
        found = self.identity(element)
        if found is None:
            raise PageError(f"{self.url}: a post has no id where the option post_id says", "post_without_id")
        return found

    def text(self, element: Tag) -> str:
        """The text of a post, in its body when the options say where that is."""
        body = self.options.selector("body")
        places = self.all(body, element) if body else [element]
        return html_to_text(places[0]) if places else ""

    def posts(self, place: Place) -> list[Record]:
        """The posts of the page; those that an earlier page of the thread showed are left to it."""
        elements = self.elements
        heads = self.heads(elements, place)
        repeated = place.question in heads
        records: list[Record] = []
        # Backwards, so that a comment inside its post is read and taken off before the post is.
        for element, (post_id, head) in reversed(list(zip(elements, heads.items(), strict=True))):
            if not (repeated and (post_id == place.question or is_comment_of(head, {place.question}))):
                records.append(self.record(element, post_id, head, place))
            element.extract()
        return records[::-1]

    def heads(self, elements: list[Tag], place: Place) -> dict[str, Record]:
        """Kind, thread and parent of every post by its id."""
        options, found, by_element = self.options, dict[str, Record](), dict[int, str]()
        question, last = place.question, place.question
        for element in elements:
            post_id = self.known_identity(element)
            if post_id in found:
                raise PageError(f"{self.url}: two posts have the id {post_id}", "doubled_post_id")
            around = next((by_element[id(outer)] for outer in element.parents if id(outer) in by_element), None)
            by_element[id(element)] = post_id
            parent = options.value("parent", element)
            if matches(element, options.selector("comment")):
                kind, parent = "comment", parent or around or last
            elif self.opens(element, post_id, question):
                kind, parent, question, last = "question", None, post_id, post_id
            elif self.stands_alone(element, parent or around):
                kind, question, last = "post", post_id, post_id
            else:
                parent = parent or around or question
                kind, last = "answer" if parent == question else "comment", post_id
            found[post_id] = {"kind": kind, "thread_id": question or post_id, "parent_id": parent}
        return found

    def opens(self, element: Tag, post_id: str, question: str | None) -> bool:
        """Whether a post opens a thread: the options tell, else it is the first."""
        told = self.options.selector("question")
        return matches(element, told) if told else question in (None, post_id)

    def stands_alone(self, element: Tag, parent: str | None) -> bool:
        """Whether a post neither asks nor answers: the options tell what an answer is, and this is none."""
        told = self.options.selector("answer")
        return bool(told) and parent is None and not matches(element, told)

    def record(self, element: Tag, post_id: str, head: Record, place: Place) -> Record:
        """One post."""
        options = self.options
        title = options.value("title", self.soup) if head["kind"] == "question" else None
        permalink = options.value("url", element)
        accepted = options.selector("accepted")
        return {
            "post_id": post_id,
            "lesson_id": place.lesson_id,
            **head,
            "author": options.value("author", element),
            "author_role": options.value("role", element),
            "created_at": moment(options.value("date", element), options.date_format),
            "votes": count(options.value("votes", element)),
            "accepted": bool(accepted) and (matches(element, accepted) or bool(self.all(accepted, element))),
            "text": titled(title, self.text(element)),
            "url": (permalink and absolute(self.url, permalink)) or f"{place.url}#{post_id}",
            "license": place.license,
        }

    def more_comments(self) -> dict[str, str]:
        """Where the comments are that the page leaves out, by the post that they belong to."""
        more = self.options.more
        found: dict[str, str] = {}
        for element in self.elements if more else []:
            if more is None or matches(element, self.options.selector("comment")):
                continue
            address = more_address(more, element, self.known_identity(element))
            url = absolute(self.url, address) if address else None
            if url:
                found[self.known_identity(element)] = url
        return found


class FragmentPage(ThreadPage):
    """A piece of HTML with further comments of one post."""

    def comments(self, place: Place, head: Record) -> list[Record]:
        """The comments."""
        elements = self.elements
        records = [self.record(tag, self.known_identity(tag), head, place) for tag in reversed(elements)]
        return records[::-1]


class CommentsPage(JsonPage):
    """A JSON document with all comments of one post."""

    def comments(self, options: Options, more: More, place: Place, head: Record) -> list[Record]:
        """The comments, their fields filled into the templates of the options."""
        if not isinstance(self.find(*more.items), list):
            raise PageError(f"{self.url}: no list of comments; has the site's interface changed?")
        return [
            {
                "post_id": self.identity(more, entry),
                "lesson_id": place.lesson_id,
                **head,
                "author": filled(more, "author", entry),
                "author_role": None,
                "created_at": moment(filled(more, "date", entry), options.date_format),
                "votes": count(filled(more, "votes", entry)),
                "accepted": False,
                "text": html_to_text(Page(filled(more, "body", entry) or "", self.url).soup),
                "url": f"{place.url}#{self.identity(more, entry)}",
                "license": place.license,
            }
            for entry in self.objects(*more.items)
        ]

    def identity(self, more: More, entry: Record) -> str:
        """The native id of a comment, which must exist."""
        found = filled(more, "id", entry)
        if found is None:
            raise PageError(f"{self.url}: a comment has no id where the option more_comments says", "post_without_id")
        return found


def more_address(more: More, element: Tag, post_id: str) -> str | None:
    """Where to ask for more comments of a post, None when there are none."""
    if more.link:
        return more.link.of(element)
    if more.when and not next(iter(element.select(more.when)), None):
        return None
    number = more.post.of(element) if more.post else post_id
    return more.templates["url"].replace("{post}", number) if number else None


def filled(more: More, name: str, entry: dict[str, Any]) -> str | None:
    """A template with the fields of a comment in it; None when one of them is missing."""
    template = more.templates.get(name)
    if template is None or any(entry.get(field) is None for field in PLACEHOLDER.findall(template)):
        return None
    return PLACEHOLDER.sub(lambda found: str(entry[found.group(1)]), template)


def matches(element: Tag, selector: str) -> bool:
    """Whether an element itself is one that a selector means."""
    return bool(selector) and bool(element.css.match(selector))


def is_comment_of(head: Record, posts: set[str | None]) -> bool:
    """Whether a record is a comment of one of these posts."""
    return head["kind"] == "comment" and head["parent_id"] in posts
