"""What a Moodle source is told: which courses to read, where its token is, and which lesson a forum belongs to."""

import os
import re
from dataclasses import dataclass
from typing import Self

from crawlers.options import Given
from crawlers.page import Record
from crawlers.spec import Spec, SpecError

NUMBER = re.compile(r"[0-9]+")
VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
TOKEN = re.compile(r"[A-Za-z0-9._~-]{8,}")  # Moodle's have 32 hexadecimal digits; none must be quoted in a form


@dataclass(frozen=True)
class Options:
    """The options of one Moodle source; the token is not one of them, only the variable that holds it."""

    courses: list[str]
    token: str  # empty when the crawl is repeated from its archive
    forums: dict[str, str]  # the page (`id=` in its address) that a forum (likewise) is about
    skip: frozenset[str]  # types of forums that are left out
    staff: frozenset[str]  # user numbers of teachers
    about: Record  # licence, subject and course, as the operator knows them
    digest: str

    @classmethod
    def read(cls, spec: Spec) -> Self:
        """Check the options of a source."""
        if "token" in spec.options:
            raise SpecError(
                f"the source {spec.name}: a token does not belong in a file; put it into an environment variable "
                f"and name that in the option token_env"
            )
        given = Given(spec)
        courses = numbers(given, "courses", "a list of course numbers (`id=` in a course's address)")
        if not courses:
            given.wrong("courses", "given: a list of course numbers (`id=` in a course's address)")
        forums = given.table("forums", "a table from forums to pages (`id=` in their addresses)")
        if not all(NUMBER.fullmatch(number) for pair in forums.items() for number in pair):
            given.wrong("forums", "a table from forums to pages (`id=` in their addresses)")
        options = cls(
            courses=courses,
            token=token(given, spec),
            forums=forums,
            skip=frozenset(given.texts("skip") if given.value("skip") is not None else ["news"]),
            staff=frozenset(numbers(given, "staff", "a list of user numbers")),
            about={name: given.text(name) for name in ("license", "subject", "course")},
            digest=given.digest,
        )
        given.nothing_else()
        return options


def numbers(given: Given, name: str, must: str) -> list[str]:
    """A list of numbers."""
    found = given.texts(name, must)
    if not all(NUMBER.fullmatch(number) for number in found):
        given.wrong(name, must)
    return found


def token(given: Given, spec: Spec) -> str:
    """The token from the environment; its value stands in no message."""
    variable = given.needed("token_env", "the name of the environment variable that holds the web-service token")
    if not VARIABLE.fullmatch(variable):
        raise SpecError(f"the source {spec.name}: token_env must be the name of an environment variable, not the token")
    if spec.from_raw:
        return ""
    found = os.environ.get(variable, "").strip()
    if not TOKEN.fullmatch(found):
        problem = "holds no token" if found else "is not set"
        raise SpecError(f"the source {spec.name}: the environment variable {variable} (option token_env) {problem}")
    return found
