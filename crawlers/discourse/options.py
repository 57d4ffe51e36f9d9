"""What a Discourse source is told: which categories to read, and which lesson a topic belongs to."""

import re
from dataclasses import dataclass
from typing import Self, TypeGuard

from crawlers.options import Given
from crawlers.page import Record
from crawlers.spec import Spec

CATEGORY = re.compile(r"(?:[^/\s?#]+/)*[0-9]+")
TOPIC = re.compile(r"[0-9]+")


@dataclass(frozen=True)
class Options:
    """The options of one Discourse source."""

    categories: dict[str, str | None]  # path such as `physics/5`, and the lesson of its topics
    topics: dict[str, str]  # the lesson of single topics, by the topic's number
    lesson_links: str | None  # lesson pages have addresses that begin so
    lesson_text: str | None  # CSS selector of a lesson page's text
    staff: frozenset[str]  # user names and primary groups beside moderators and admins
    about: Record  # licence, subject and course, as the operator knows them
    digest: str

    @classmethod
    def read(cls, spec: Spec) -> Self:
        """Check the options of a source."""
        given = Given(spec)
        must = 'a list of "slug/number", or a table from those to lessons'
        if isinstance(given.value("categories"), dict):
            categories: dict[str, str | None] = {**given.table("categories", must)}
        else:
            categories = dict.fromkeys(given.texts("categories", must))
        if any(not CATEGORY.fullmatch(path) for path in categories):
            given.wrong("categories", must)
        topics = given.table("topics", "a table from topic numbers to lessons")
        if any(not TOPIC.fullmatch(number) for number in topics):
            given.wrong("topics", "a table whose keys are topic numbers")
        for name, lessons in (("categories", categories), ("topics", topics)):
            for lesson in filter(is_address, lessons.values()):
                given.reachable(name, lesson)
        links = given.text("lesson_links")
        options = cls(
            categories=categories,
            topics=topics,
            lesson_links=given.reachable("lesson_links", links) if links else None,
            lesson_text=given.selector("lesson_text"),
            staff=frozenset(given.texts("staff")),
            about={name: given.text(name) for name in ("license", "subject", "course")},
            digest=given.digest,
        )
        given.nothing_else()
        return options

    @property
    def lesson_addresses(self) -> list[str]:
        """Addresses on all hosts that hold lessons."""
        named = [*self.categories.values(), *self.topics.values(), self.lesson_links]
        return [lesson for lesson in named if is_address(lesson)]

    def lesson_of(self, topic_id: str, category_id: str, listed_for: str | None) -> str | None:
        """The lesson that the options name for a topic: by itself, by its category, by the listing that shows it."""
        by_number = {path.rpartition("/")[2]: lesson for path, lesson in self.categories.items()}
        return self.topics.get(topic_id) or by_number.get(category_id) or listed_for


def is_address(lesson: str | None) -> TypeGuard[str]:
    """Whether a lesson is named by the address of its page."""
    return lesson is not None and lesson.startswith(("http://", "https://"))
