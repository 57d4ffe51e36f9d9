"""Times of a video that a text cites are deleted (KhanQ A.5)."""

import re

from transforms.timestamps import cited_times

_NUMBER = r"(?:\d{1,3}(?:\.\d)?|one|two|three|four|five|six|seven|eight|nine|ten)"
_UNIT = r"(?:minutes?|mins?\.?|seconds?|secs?\.?)"
_CLOCK = (
    r"(?:(?:\d{1,2}:)?\d{1,3}:[0-5]\d|\d{1,3}m(?:in|\s?)[0-5]?\ds"
    rf"|(?:minutes?|min\.?) {_NUMBER}|{_NUMBER}(?:st|nd|rd|th)?[\s-]?{_UNIT}(?: (?:and )?{_NUMBER} {_UNIT})?)"
)
_TIME = re.compile(
    r"(?:,\s?)?(?:\(\s?)?(?:\b(?:at|around|round|roughly|about|near|by|between|(?P<since>from|after)|@)\s|@\s?){0,2}"
    rf"(?:(?:the )?(?:(?:time|minute|min|timestamp)s?\s)?)(?<![\w:.]){_CLOCK}(?!\w)"
    rf"(?:\s?(?:-|–|to|and|until|till)\s?{_CLOCK}(?!\w))?"
    r"(?:[\s-](?:min(?:utes?)?|mark|in(?:to)? (?:the|this) video|of the video|in(?:to)?(?=[\s,.?])))?"
    r"(?(since)(?:\sonwards?(?=[\s,])|\son(?=[\s,]))?)(?:\s?\))?(?:,\s?)?",
    re.IGNORECASE,
)


def delete_times(text: str) -> str:
    """KhanQ A.5, timestamps: `at 3:40`; a time of day or a ratio cites nothing and stays."""
    cited = [time.start for time in cited_times(text)]
    if not cited:
        return text
    return _TIME.sub(lambda m: " " if any(m.start() <= place < m.end() for place in cited) else m[0], text)
