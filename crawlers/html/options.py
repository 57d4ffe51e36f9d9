"""What an html source is told: where on its pages everything stands."""

import re
from dataclasses import dataclass
from typing import Any, Self

from bs4 import Tag

from crawlers.article import words
from crawlers.options import Given
from crawlers.page import Record, attribute, select
from crawlers.spec import Spec

ATTRIBUTE = re.compile(r"@([A-Za-z_][\w:.-]*)$")
SELECTORS = ("listing", "next", "item", "discussion", "lesson", "lesson_title", "lesson_text", "next_posts", "post",
             "comment", "question", "answer", "skip", "body", "accepted")  # fmt: skip
VALUES = ("activity", "title", "post_id", "parent", "author", "role", "date", "votes", "url")
TEMPLATES = ("url", "id", "body", "author", "date", "votes")
MORE = "a selector such as `a.more@href`, or a table with url, id and body"


@dataclass(frozen=True)
class Value:
    """A place on a page: the text of an element, or one of its attributes; no selector means the element itself."""

    selector: str
    attribute: str | None

    @classmethod
    def read(cls, given: Given, name: str, text: str) -> Self:
        """A place written as `selector`, `selector@attribute` or `@attribute`."""
        found = ATTRIBUTE.search(text)
        selector = text[: found.start()].strip() if found else text.strip()
        return cls(given.checked(name, selector) if selector else "", found.group(1) if found else None)

    def of(self, root: Tag) -> str | None:
        """What stands there, None when that is nothing."""
        place = next(select(root, self.selector), None) if self.selector else root
        if place is None:
            return None
        text = attribute(place, self.attribute) if self.attribute else words(place)
        return (text or "").strip() or None


@dataclass(frozen=True)
class More:
    """How to ask for the comments that a page leaves out."""

    link: Value | None  # to a piece of HTML with further comments
    when: str | None  # only posts that hold such an element have more
    post: Value | None  # what `{post}` in the address stands for
    items: list[str]  # names that lead to the list in the JSON document
    templates: dict[str, str]  # the address, and the fields of a comment by those of the document

    @classmethod
    def read(cls, given: Given) -> Self | None:
        """The option `more_comments`."""
        option: Any = given.value("more_comments")
        if option is None:
            return None
        if isinstance(option, str) and option.strip():
            return cls(Value.read(given, "more_comments", option), None, None, [], {})
        if not isinstance(option, dict) or not all(isinstance(entry, str) for entry in option.values()):
            given.wrong("more_comments", MORE)
        unknown = set(option) - {*TEMPLATES, "when", "post", "items"}
        if unknown or not all(option.get(name) for name in ("url", "id", "body")):
            given.wrong("more_comments", MORE)
        when, post = option.get("when"), option.get("post")
        return cls(
            None,
            given.checked("more_comments", when) if when else None,
            Value.read(given, "more_comments", post) if post else None,
            [name for name in option.get("items", "").split(".") if name],
            {name: option[name] for name in TEMPLATES if option.get(name)},
        )


@dataclass(frozen=True)
class Options:
    """The options of one html source."""

    selectors: dict[str, str]
    values: dict[str, Value]
    more: More | None
    lesson_site: str | None  # another host that holds lessons
    date_format: str | None
    about: Record  # licence, subject and course, as the operator knows them
    digest: str

    @classmethod
    def read(cls, spec: Spec) -> Self:
        """Check the options of a source."""
        given = Given(spec)
        for name, what in (("listing", "the links to threads"), ("post", "the posts on a thread's page")):
            given.needed(name, f"the CSS selector of {what}")
        texts = {name: given.text(name, "a selector, `selector@attribute` or `@attribute`") for name in VALUES}
        texts["post_id"] = texts["post_id"] or "@id"
        lesson_site = given.text("lesson_site")
        options = cls(
            selectors={name: found for name in SELECTORS if (found := given.selector(name))},
            values={name: Value.read(given, name, text) for name, text in texts.items() if text},
            more=More.read(given),
            lesson_site=given.reachable("lesson_site", lesson_site) if lesson_site else None,
            date_format=given.text("date_format"),
            about={name: given.text(name) for name in ("license", "subject", "course")},
            digest=given.digest,
        )
        given.nothing_else()
        return options

    def selector(self, name: str) -> str:
        """A selector, empty when it was not given."""
        return self.selectors.get(name, "")

    def value(self, name: str, root: Tag) -> str | None:
        """What stands at a place below an element; None when the place was not given."""
        place = self.values.get(name)
        return place.of(root) if place else None
