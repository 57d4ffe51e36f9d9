"""Times of a video that a text cites."""

import re
from bisect import bisect_left
from collections.abc import Iterator

Time = tuple[int, float]

# Most posts cite no time: a text in which RE2 finds nothing of this needs no closer look.
MAY_CITE = (
    r":[0-5]\d|(?i:\bmin(ute)?s?\b|\d(st|nd|rd|th)?[ -]?(min|sec|m ?\d)"
    r"|(one|two|ree|four|ve|six|en|ght|nine)[ -](min|sec))"
)

# 10:32, 1:02:03; not a time of day, the time of a date, a ratio or the scale of a map.
_CLOCK_HINT = re.compile(r":[0-5]\d")
_CLOCK = re.compile(
    r"(?<![\d:.,/])(?<!\d-\d\d[ T])(?:(\d{1,2}):(?=[0-5]?\d:))?(\d{1,3}):([0-5]\d)"
    r"(?![\d:]|[.,]\d|\s?\d{3}\b|\s?[ap]\.?m\b|\s?o['’]clock)",
    re.IGNORECASE,
)
_NOT_A_TIME = re.compile(r"(?i)\b(?:ratios?|scale|odds|proportions?)(?:\s+(?:of|is|was|about|around|at)){0,2}\s*$")

# minute 5, min. 3 | 5 minutes in, the 5th minute mark, five min 30 s into | 2m30s, 1h2m3s
_WORDS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10}
_NUMBER = rf"(\d{{1,3}}(?:\.\d)?|{'|'.join(_WORDS)})"
_UNIT = re.compile(r"[Mm]in|[Ss]ec|MIN|SEC")
_MINUTE = re.compile(rf"(?i)\b(?:minute|min)s?\.?\s+{_NUMBER}\b(?![\d:]|\.\d)")
_COUNT = re.compile(rf"(?i)(?<![\w.:]){_NUMBER}(?:st|nd|rd|th)?[\s-]?$")
_INTO = re.compile(
    r"(?i)(?:minute|min|second|sec)s?\.?(?:\s?(?:and\s)?(\d{1,2})\s?(?:seconds?|secs?\.?|s))?[\s-](?:mark|in|into)\b"
    r"(?!\s+(?:a|an|each|every|one|total|all)\b)"
)
_COMPACT_HINT = re.compile(r"\dm\s?\d")
_COMPACT = re.compile(r"(?<![\w.])(?:(\d{1,2})h\s?)?(\d{1,3})m\s?([0-5]?\d)s\b")


def cited_times(text: str) -> list[Time]:
    """Every cited time as (position in the text, seconds), in order."""
    found = list(_spoken(text))
    if _CLOCK_HINT.search(text):
        for match in _CLOCK.finditer(text):
            if not _NOT_A_TIME.search(text, max(0, match.start() - 30), match.start()):
                found.append(_clock(match))
    if _COMPACT_HINT.search(text):
        found += map(_clock, _COMPACT.finditer(text))
    return sorted(found)


def _clock(match: re.Match[str]) -> Time:
    return match.start(), int(match[1] or 0) * 3600.0 + int(match[2]) * 60.0 + int(match[3])


def _spoken(text: str) -> Iterator[Time]:
    behind = 0
    for unit in _UNIT.finditer(text):
        start = unit.start()
        if start < behind:  # "5 minutes 30 seconds in" is one time
            continue
        count = _COUNT.search(text, max(0, start - 12), start)
        if count and (into := _INTO.match(text, start)):
            seconds = _number(count[1]) * (60.0 if unit[0] in ("min", "Min", "MIN") else 1.0)
            yield count.start(), seconds + int(into[1] or 0)
            behind = into.end()
        elif not count and (minute := _MINUTE.match(text, start)):
            yield start, _number(minute[1]) * 60.0


def _number(word: str) -> float:
    return float(_WORDS.get(word.lower()) or word)


def nearest_time(times: list[Time], start: int, end: int) -> float | None:
    """The first time inside the stretch, else the one nearest to it in the same post (the earlier of two)."""
    if not times:
        return None
    after = bisect_left(times, (start, -1.0))
    if after == len(times) or (after and times[after][0] - end >= start - times[after - 1][0]):
        return times[after - 1][1]
    return times[after][1]
