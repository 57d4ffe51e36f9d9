"""Reads times as sites write them: ISO 8601, epochs, e-mail headers, and dates in English words."""

import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

DAY, CLOCK, ZONE = r"[0-9]{4}-[0-9]{2}-[0-9]{2}", r"[0-9]{2}:[0-9]{2}(?::[0-9]{2})?", r"Z|[+-][0-9]{2}:?[0-9]{2}"
ISO = re.compile(
    rf"(?<![0-9])({DAY})(?![0-9])(?:[T ]({CLOCK})(?:[.,][0-9]{{1,9}})?\s?({ZONE})?)?", re.IGNORECASE
)  # fmt: skip
EPOCH = re.compile(r"[0-9]{10}(?:[0-9]{3})?")  # seconds or milliseconds
MONTHS = ("jan(?:uary)?", "feb(?:ruary)?", "mar(?:ch)?", "apr(?:il)?", "may", "june?", "july?", "aug(?:ust)?",
          "sept?(?:ember)?", "oct(?:ober)?", "nov(?:ember)?", "dec(?:ember)?")  # fmt: skip
# The zones that RFC 822 names.
ZONES = {"UTC": "Z", "GMT": "Z", "EST": "-05:00", "EDT": "-04:00", "CST": "-06:00", "CDT": "-05:00", "MST": "-07:00",
         "MDT": "-06:00", "PST": "-08:00", "PDT": "-07:00"}  # fmt: skip
NUMBER = "([0-9]{1,2})(?:st|nd|rd|th)?"
# `Nov. 19, 2026, 6:08 p.m.` as Django writes it, `Thu Nov 19, 2026 6:08 pm`, `19 November 2026 at 18:08 GMT`.
WRITTEN = re.compile(
    rf"(?<!\w)(?:{NUMBER}[\s-](?:of\s)?)?({'|'.join(MONTHS)})\b\.?,?[\s-](?:{NUMBER},?\s)?([0-9]{{4}})(?![0-9])"
    r"(?:\s?(?:,|@|-|at\b)?\s{0,3}(?:(noon|midnight)\b|([0-9]{1,2})(?::([0-9]{2})(?::([0-9]{2}))?(?:\s?([ap])\.?m\b)?"
    rf"|\s?([ap])\.?m\b)(?:\.?\s?({'|'.join(ZONES)}|{ZONE})\b)?))?",
    re.IGNORECASE,
)
HALF_DAY = re.compile(r"[0-9]\s?[ap]\.?m\b", re.IGNORECASE)
MAX_LENGTH = 1000


def time_of(text: str) -> datetime | None:
    """The first time in a text, None when it holds none; it is UTC when it has no zone."""
    text = text.strip()[:MAX_LENGTH]
    try:
        if EPOCH.fullmatch(text):
            return datetime.fromtimestamp(int(text[:10]), UTC)
        if found := ISO.search(text):
            day, clock, zone = found.groups()
            return zoned(datetime.fromisoformat(f"{day}T{clock or '00:00'}{(zone or '').upper()}"))
        if words := next((words for words in WRITTEN.finditer(text) if words[1] or words[3]), None):
            return written(words)
        # Which takes 6:08 pm for the morning.
        return None if HALF_DAY.search(text) else zoned(parsedate_to_datetime(text))
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def written(found: re.Match[str]) -> datetime:
    """A time that is written in English words."""
    before, month, after, year, named, hour, minute, second, half, half_of_hour, zone = found.groups()
    number = next(place for place, name in enumerate(MONTHS, 1) if re.fullmatch(name, month, re.IGNORECASE))
    hours = {"noon": 12, "midnight": 0}[named.lower()] if named else int(hour or 0)
    if half := (half or half_of_hour or "").lower():
        if not 1 <= hours <= 12:
            raise ValueError(f"{hours} {half}m")
        hours = hours % 12 + 12 * (half == "p")
    zone = ZONES.get((zone or "").upper(), zone or "")
    clock = f"{hours:02}:{int(minute or 0):02}:{int(second or 0):02}"
    return zoned(datetime.fromisoformat(f"{year}-{number:02}-{int(before or after):02}T{clock}{zone.upper()}"))


def zoned(time: datetime) -> datetime:
    """A time with its zone, which is UTC when it has none."""
    return time if time.tzinfo else time.replace(tzinfo=UTC)
