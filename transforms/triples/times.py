"""Times of a video that a text cites are deleted (KhanQ A.5)."""

import re

from transforms.timestamps import cited_times

_NUMBER = r"(?:\d{1,3}(?:\.\d)?|one|two|three|four|five|six|seven|eight|nine|ten)"
_UNIT = r"(?:minutes?|mins?\.?|seconds?|secs?\.?)"
_CLOCK = (
    r"(?:(?:\d{1,2}:)?\d{1,3}:[0-5]\d|\d{1,3}m(?:in|\s?)[0-5]?\ds?|\d{1,3}\s?min (?:and )?\d{1,2}\s?s"
    r"|\d{1,3}['’′]\d\d(?:''|[\"”″’′]{1,2})|\d{1,2}\.[0-5]\d|\d{1,3}[ms]"
    rf"|(?:minutes?|min\.?) {_NUMBER}(?: (?:and )?{_NUMBER} {_UNIT})?|sec(?:ond)?\.? {_NUMBER}"
    rf"|(?:\d{{1,3}}\s?(?:-|–|to|or)\s?)?{_NUMBER}(?:st|nd|rd|th)?[\s-]?{_UNIT}(?: (?:and )?{_NUMBER} {_UNIT})?)"
)
_TIME = re.compile(
    r"(?:,\s?)?(?:\(\s?)?(?:\bstarting\s(?=from|at))?(?:\b(?:at|around|round|roughly|about|near|by|between|(?P<since>from|after)|@)\s|@\s?){0,2}"
    rf"(?:(?:the )?(?:(?:time|minute|min|timestamp)s?\s)?)(?<![\w:.]){_CLOCK}(?!\w)"
    rf"(?:\s?(?:-|–|to|and|until|till)\s?{_CLOCK}(?!\w))?"
    r"(?:[\s-](?:min(?:utes?)?|mark|in(?:to)? (?:the|this) video|of the video|in(?:to)?(?=[\s,.?])))?"
    r"(?(since)(?:\sonwards?(?=[\s,])|\son(?=[\s,]))?)(?:\s?\))?(?:,\s?)?",
    re.IGNORECASE,
)
# A word that says nothing without the time behind it: "until 6:10 I understood".
_NEEDS_IT = re.compile(r"(?i)\b(?:until|till?|before|to|than|since|past|of|with|for|through|see|watch|is|was|like)\s\Z")


def delete_times(text: str) -> str:
    """KhanQ A.5, timestamps: `at 3:40`; a time of day or a ratio cites nothing and stays, as what a word needs does."""
    cited = [time.start for time in cited_times(text)]
    if not cited:
        return text

    def gone(match: re.Match[str]) -> str:
        if not any(match.start() <= place < match.end() for place in cited) or _NEEDS_IT.search(
            text, max(0, match.start() - 12), match.start()
        ):
            return match[0]
        return " "

    return _TIME.sub(gone, text)
