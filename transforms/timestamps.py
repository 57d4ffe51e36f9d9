"""Times of a video that a text cites."""

import re

_CLOCK = re.compile(r"(?<![\d:.])(?:(\d{1,2}):)?(\d{1,3}):([0-5]\d)(?![\d:]|\s?[ap]\.?m\b)", re.IGNORECASE)
_MINUTE = re.compile(r"\b(?:minute|min)\s+(\d{1,3})\b", re.IGNORECASE)


def cited_times(text: str) -> list[tuple[int, float]]:
    """Every cited time as (position in the text, seconds), in order."""
    found = [
        (m.start(), int(m[1] or 0) * 3600.0 + int(m[2]) * 60.0 + int(m[3]))
        for m in (_CLOCK.finditer(text) if ":" in text else ())
    ]
    found += [(m.start(), int(m[1]) * 60.0) for m in _MINUTE.finditer(text)]
    return sorted(found)


def nearest_time(times: list[tuple[int, float]], start: int, end: int) -> float | None:
    """The time inside the stretch, else the one nearest to it in the same post."""
    if not times:
        return None
    return min(times, key=lambda t: (max(start - t[0], t[0] - end, 0), t[0]))[1]
