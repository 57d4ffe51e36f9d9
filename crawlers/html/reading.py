"""Reads numbers and times as forums write them."""

import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

COUNT = re.compile(r"([-+−–]?)\s?([0-9]{1,15}(?:[.,][0-9]{1,3}){0,4})(?![0-9])(?:\s?([kKmM])\b)?")
THOUSANDS = re.compile(r"[.,](?=[0-9]{3}(?![0-9]))")
DAY, CLOCK, ZONE = r"[0-9]{4}-[0-9]{2}-[0-9]{2}", r"[0-9]{2}:[0-9]{2}(?::[0-9]{2})?", r"Z|[+-][0-9]{2}:?[0-9]{2}"
ISO = re.compile(rf"(?<![0-9])({DAY})(?![0-9])(?:[T ]({CLOCK})(?:\.[0-9]{{1,9}})?\s?({ZONE})?)?")
UNITS = {"k": 1_000, "m": 1_000_000}
EPOCH = re.compile(r"[0-9]{10}(?:[0-9]{3})?")  # seconds or milliseconds


def count(text: str | None) -> int | None:
    """The first number of a text such as `12 votes`, `-3`, `1,204` or `1.2k`."""
    found = COUNT.search(text or "")
    if found is None:
        return None
    sign, digits, unit = found.groups()
    whole, point, part = digits.replace(",", ".").partition(".")
    if unit:
        number = round(float(whole + point + part.partition(".")[0]) * UNITS[unit.lower()])
    else:
        number = int(re.split("[.,]", THOUSANDS.sub("", digits))[0])
    return -number if sign in ("-", "−", "–") else number


def moment(text: str | None, form: str | None) -> str | None:
    """A time in ISO 8601, None when the text holds none; `form` is the site's own, as for `strptime`."""
    if not text:
        return None
    if form:
        try:
            return zoned(datetime.strptime(text, form))
        except ValueError:
            return None
    if EPOCH.fullmatch(text):
        return datetime.fromtimestamp(int(text[:10]), UTC).isoformat()
    if found := ISO.search(text):
        day, clock, zone = found.groups()
        try:
            return zoned(datetime.fromisoformat(f"{day}T{clock or '00:00'}{zone or ''}"))
        except ValueError:
            return None
    try:
        return zoned(parsedate_to_datetime(text))
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def zoned(time: datetime) -> str:
    """A time with its zone, which is UTC when it has none."""
    return (time if time.tzinfo else time.replace(tzinfo=UTC)).isoformat()
