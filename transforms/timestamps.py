"""Times of a video that a text cites."""

import re
from bisect import bisect_left
from collections.abc import Iterator
from operator import attrgetter
from typing import NamedTuple


class Time(NamedTuple):
    """A cited time and where it stands in the text."""

    start: int
    end: int
    seconds: float


# Most posts cite no time: a text in which RE2 finds nothing of this needs no closer look.
MAY_CITE = (
    r":[0-5]\d|[?&#]t=\d|(?i:\bmin(ute)?s?\b|\d(st|nd|rd|th)?[ -]?(min|sec|m ?\d)"
    r"|(one|two|ree|four|ve|six|en|ght|nine)[ -](min|sec))"
)

# 10:32, 1:02:03; not a time of day, the time of a date, a duration, a ratio, the scale of a map or a verse.
_CLOCK_HINT = re.compile(r":[0-5]\d")
_CLOCK = re.compile(
    r"(?=\d)(?<![\d:.,/])(?<!\d-\d\d[ T])(?<!\A[-−])(?<!\s[-−])(?:(\d{1,2}):(?=[0-5]?\d:))?(\d{1,3}):([0-5]\d)"
    r"(?!:?\d|[.,]\d|\s?\d{3}\b|(?:\s?(?:to|or|and|until|[-–])\s?\d\d?:\d\d)?\s?[ap]\.?m\b|\s?o['’]clock"
    r"|\s(?:noon|midnight|hours|hrs|ratio|scale|odds|dilution|tomorrow|tonight|utc|gmt)\b"
    r"|\s(?:on (?:mon|tues|wednes|thurs|fri|satur|sun)day|in the (?:morning|afternoon|evening)))",
    re.IGNORECASE,
)
_NOT_A_TIME = re.compile(
    r"(?:\b(?i:(?:ratios?|scale|odds|proportions?|deadline|due)(?:\s+(?:of|is|was|are|were|about|around|at|by)){0,2}"
    r"|(?:mix(?:ed|ing)?|dilut\w+)(?:\s+(?:it|them|in))?|[ap]\.?m\.?\s*(?:to|or|and|until|[-–])"
    r")|(?:Genesis|Exodus|Psalms?|Proverbs|Isaiah|Matthew|Mark|Luke|John|Acts|Romans|Corinthians|Hebrews|Revelation"
    r"|Quran|Surah))\s*\Z"
)

# minute 5, min. 3 | 5 minutes in, the 5th minute, five min 30 s into, at 45 seconds he says | 2m30s, 1h2m3s | ?t=95
_WORDS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10}
_NUMBER = rf"(\d{{1,3}}(?:\.\d)?|{'|'.join(_WORDS)})"
_UNIT = re.compile(r"[Mm]in|[Ss]ec|MIN|SEC")
_MINUTE = re.compile(rf"(?i)\b(?:minute|min)s?\.?\s+{_NUMBER}\b(?![\d:]|\.\d)")
_COUNT = re.compile(rf"(?i)(?<![\w.:]){_NUMBER}(st|nd|rd|th)?[\s-]?\Z")
_AMOUNT = re.compile(r"(?i)(?:minute|min|second|sec)s?\b\.?(?:\s?(?:and\s)?(\d{1,2})\s?(?:seconds?|secs?\.?|s)\b)?")
_HOURS = re.compile(r"(?i)(?<![\w.])(\d{1,2})\s?(?:hours?|hrs?|h)(?:,|\sand)?\s\Z")
_VIDEO = r"(?:the|this|that|your|his|her)\s(?:video|lecture|lesson|talk|clip|film|movie|recording|tutorial)\b"
_SPEAKS = (
    rf",?\s(?:he|she|you|they|we|i|sal|why|what|how|who|where|when|is|are|was|does|do|did|can|could|(?:in|of)\s{_VIDEO})"
    r"\b"
)
_INTO = re.compile(
    r"(?i)[\s-](?:(?:mark|into)\b(?!\s+(?:a|an|each|every|one|total|all)\b)"
    rf"|in(?=\s*(?:[,.;:!?)]|\Z)|\s{_VIDEO}|{_SPEAKS}))"
)
_THEN = re.compile(rf"(?i){_SPEAKS}")
_AT = re.compile(r"(?i)(?:\bat\s|@\s?)(?:(?:about|around|roughly|approximately|exactly|the|like)\s)*\Z")
_RATE = re.compile(r"(?i)\b(?:every|each|per|a)\s\Z")
_COMPACT_HINT = re.compile(r"\dm(?:in|\s?)\d")
_COMPACT = re.compile(r"(?<![\w.])(?:(\d{1,2})h\s?)?(\d{1,3})m(?:in|\s?)([0-5]?\d)s\b")
_QUERY = re.compile(r"[?&#]t=(\d{1,5})s?\b")


def cited_times(text: str) -> list[Time]:
    """Every cited time, in order."""
    found = list(_spoken(text))
    if _CLOCK_HINT.search(text):
        for match in _CLOCK.finditer(text):
            if not _NOT_A_TIME.search(text, max(0, match.start() - 30), match.start()):
                found.append(_clock(match))
    if _COMPACT_HINT.search(text):
        found += map(_clock, _COMPACT.finditer(text))
    if "t=" in text:
        found += (Time(*match.span(), float(match[1])) for match in _QUERY.finditer(text))
    return sorted(found)


def _clock(match: re.Match[str]) -> Time:
    return Time(*match.span(), int(match[1] or 0) * 3600.0 + int(match[2]) * 60.0 + int(match[3]))


def _spoken(text: str) -> Iterator[Time]:
    behind = 0
    for unit in _UNIT.finditer(text):
        start = unit.start()
        if start < behind:  # "5 minutes 30 seconds in" is one time
            continue
        count = _COUNT.search(text, max(0, start - 12), start)
        if count:
            amount = _AMOUNT.match(text, start)
            if amount and (point := _point(text, count, amount)):
                yield point
                behind = amount.end()
        elif (minute := _MINUTE.match(text, start)) and not _RATE.search(text, max(0, start - 8), start):
            yield Time(*minute.span(), _number(minute[1]) * 60.0)


def _point(text: str, count: re.Match[str], amount: re.Match[str]) -> Time | None:
    """The time that an amount names, if it says when something is in the video and not how long it takes."""
    hours = _HOURS.search(text, max(0, count.start() - 16), count.start())
    first, end = (hours or count).start(), amount.end()
    minutes = amount[0][0] in "mM"
    if _RATE.search(text, max(0, first - 8), first):
        return None
    if (
        _INTO.match(text, end)
        or (minutes and count[2])
        or (_THEN.match(text, end) and _AT.search(text, max(0, first - 24), first))
    ):
        seconds = _number(count[1]) * (60.0 if minutes else 1.0) + int(amount[1] or 0)
        return Time(first, end, seconds + (int(hours[1]) * 3600.0 if hours else 0.0))
    return None


def _number(word: str) -> float:
    return float(_WORDS.get(word.lower()) or word)


def nearest_time(times: list[Time], text: str, start: int, end: int) -> float | None:
    """The first time inside the stretch of the text, else the nearest (the earlier of two), in its own line first."""

    def distance(left: int, right: int) -> tuple[bool, int]:
        return "\n" in text[left:right], right - left

    after = bisect_left(times, start, key=attrgetter("start"))
    if after == len(times):
        return times[-1].seconds if times else None
    before, following = times[after - 1], times[after]
    if after and following.start >= end and distance(before.end, start) <= distance(end, following.start):
        return before.seconds
    return following.seconds
