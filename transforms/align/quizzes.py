"""What of a quiz is looked for in the lesson, and the second that it points at."""

import re

from transforms.timestamps import cited_times

# Options that speak of the others.
_OF_OTHERS = re.compile(
    r"(?:all|none|both|any|neither|either)\b.{0,30}\b(?:above|these|those|options?|answers?|choices?|statements?|them)\b"
    r"|(?:both )?\(?[a-e1-5]\)?(?:, \(?[a-e1-5]\)?)*,? (?:and|or|&) \(?[a-e1-5]\)?(?: only)?\Z",
    re.IGNORECASE,
)


def with_option(text: str, options: list[str], answer: int | None) -> str:
    """The stem with the correct option, or with all if none is known: "Which of these is true?" says nothing alone."""
    named = [] if answer is None else [options[answer]]
    if not named or _OF_OTHERS.match(named[0].strip()):
        named = [option for option in options if not _OF_OTHERS.match(option.strip())]
    return " ".join([text, *named])


def quiz_time(text: str, hint: float | None) -> float | None:
    """The second of the hint; without one, the first time that the quiz cites."""
    if hint is not None:
        return hint
    times = cited_times(text)
    return times[0].seconds if times else None
