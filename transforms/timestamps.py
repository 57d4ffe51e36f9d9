"""Times of a video that a text cites."""

import re
from bisect import bisect_left
from collections.abc import Iterator
from operator import attrgetter
from typing import NamedTuple

from transforms.cited_clocks import SHOWN, clocks


class Time(NamedTuple):
    """A cited time and where it stands in the text."""

    start: int
    end: int
    seconds: float


# Most posts cite no time: a text in which RE2 finds nothing of this needs no closer look.
MAY_CITE = (
    r":[0-5]\d|[?&#]t=\d|@ ?\d|\d['’′]\d\d|(?i:\bmin(ute)?s?\b|\bsec(ond)? \d|\d(st|nd|rd|th)?[ -]?(min|sec|m ?\d)"
    r"|\b(at|around|from|about|like) \d+(m|s|\.\d\d)\b"
    r"|(one|two|ree|four|ve|six|en|ght|nine)[ -](min|sec))"
)

# minute 5, min. 3 | 5 minutes in, the 5th minute, five min 30 s into, at 45 seconds he says | 2m30s, 1h2m3s | ?t=95
_WORDS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10}
_NUMBER = rf"(\d{{1,3}}(?:\.\d)?|{'|'.join(_WORDS)})"
_UNIT = re.compile(r"[MmSs](?:(?<=[Mm])in|(?<=[Ss])ec|(?<=M)IN|(?<=S)EC)")
_MINUTE = re.compile(
    rf"(?i)\b(?:minute|min)s?\.?\s+{_NUMBER}\b(?![\d:]|\.\d)(?:\s(?:and\s)?(\d{{1,2}})\s?(?:seconds?|secs?)\b)?"
)
_SECOND = re.compile(r"(?i)\bsec(?:ond)?\.?\s(\d{1,3})\b(?![\d:]|\.\d|\s?[a-z]{1,2}\b(?<!he))")
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
# What the word before shows to be a time: at 10m32, (3min 20s), @2.15, from 12'30'', at 19s he says
_LED_HINT = re.compile(r"\d(?:m(?:in)?\d|['’′]\d\d|[msMS]\b|\.[0-5]\d\b|\s?min\s(?:and\s)?\d)")
_LED = re.compile(
    r"(?i)(?:\b(?:at|around|from)\s|(?P<sign>@)\s?|\()(?:(?:about|around|like)\s)?(?:(?P<compact>(\d{1,3})m(?:in)?([0-5]\d))\b"
    r"|(?P<closed>(\d{1,3})\s?min\s(?:and\s)?(\d{1,2})\s?s(?:ec)?)\s?\)|(?P<point>(\d{1,2})\.([0-5]\d))(?![\d.])"
    r"|(?P<ticks>(\d{1,3})['’′]([0-5]\d)(?:''|[\"”″’′]{1,2}))|(?P<short>(\d{1,3})([ms]))\b)"
)
_PRICE = re.compile(r"(?i)\s?(?:[%/€$£]|(?:each|per|an?|[a-z]{1,2}|dollars?|euros?|pounds?|cents?)\b)")
_RANGE = re.compile(r"(?<![\w.:])(\d{1,3})\s?(?:-|–|to|or)\s?\Z")
_QUERY = re.compile(r"[?&#]t=(\d{1,5})s?\b")


def cited_times(text: str) -> list[Time]:
    """Every cited time, in order."""
    found = list(_spoken(text))
    found += map(_clock, clocks(text))
    if _COMPACT_HINT.search(text):
        found += map(_clock, _COMPACT.finditer(text))
    found += _led(text)
    if "t=" in text:
        found += (Time(*match.span(), float(match[1])) for match in _QUERY.finditer(text))
    return sorted(found)


def _clock(match: re.Match[str]) -> Time:
    return Time(*match.span(), int(match[1] or 0) * 3600.0 + int(match[2]) * 60.0 + int(match[3]))


def _led(text: str) -> Iterator[Time]:
    behind = 0
    for hint in _LED_HINT.finditer(text):
        match = _LED.search(text, max(behind, hint.start() - 20), hint.end() + 12)
        if not match:
            continue
        behind = match.end()
        form, shown = str(match.lastgroup), SHOWN.match(text, match.end())
        if form == "short" and not (shown or _INTO.match(text, match.end())):
            continue
        if form == "point" and not (shown or (match["sign"] and not _PRICE.match(text, match.end()))):
            continue
        place = _LED.groupindex[form]
        first, second = match[place + 1], match[place + 2]
        seconds = float(first) if second in "sS" else int(first) * 60.0 + (0 if second in "mM" else int(second))
        yield Time(*match.span(form), seconds)


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
                earlier = _RANGE.search(text, max(0, point.start - 8), point.start)
                if earlier:  # 2-3 minutes into it
                    yield Time(*earlier.span(1), int(earlier[1]) * (60.0 if amount[0][0] in "mM" else 1.0))
                yield point
                behind = amount.end()
        elif (minute := _MINUTE.match(text, start)) and not _RATE.search(text, max(0, start - 8), start):
            yield Time(*minute.span(), _number(minute[1]) * 60.0 + int(minute[2] or 0))
            behind = minute.end()
        elif (second := _SECOND.match(text, start)) and _AT.search(text, max(0, start - 24), start):
            yield Time(*second.span(), float(second[1]))


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
