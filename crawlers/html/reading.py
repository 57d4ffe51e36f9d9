"""Reads numbers and times as forums write them."""

import re
from datetime import datetime

from crawlers.times import time_of, zoned

COUNT = re.compile(r"([-+−–]?)\s?([0-9]{1,15}(?:[.,][0-9]{1,3}){0,4})(?![0-9])(?:\s?([kKmM])\b)?")
THOUSANDS = re.compile(r"[.,](?=[0-9]{3}(?![0-9]))")
UNITS = {"k": 1_000, "m": 1_000_000}


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
            return zoned(datetime.strptime(text, form)).isoformat()
        except ValueError:
            return None
    found = time_of(text)
    return found.isoformat() if found else None
