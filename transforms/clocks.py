"""Seconds from whatever a record writes for a time of a video."""

import math
import re
from typing import Any

# 1:02, 0:01:02,5; broadcast's hh:mm:ss:ff, whose frames are left out
_CLOCK = re.compile(r"(?:(\d{1,3}):)?(\d{1,4}):(\d{1,2}(?:[.,]\d{1,6})?)(?:[:;]\d{1,3})?")
# 4.2s, 1m20s, 2 min, ISO 8601's PT1M4.5S
_AMOUNT = re.compile(
    r"(?:PT)?(?=\d)(?:(\d{1,3})\s?h)?\s?(?:(\d{1,4})\s?m(?:in)?)?\s?(?:(\d{1,7}(?:[.,]\d{1,6})?)\s?s(?:ec)?)?",
    re.IGNORECASE,
)
_MILLISECONDS = re.compile(r"(\d{1,9}(?:\.\d{1,6})?)\s?ms", re.IGNORECASE)


def seconds(value: Any) -> float | None:
    """Seconds of a number or a clock; None for what is neither."""
    if isinstance(value, str):
        text = value.strip()
        if match := _CLOCK.fullmatch(text) or _AMOUNT.fullmatch(text):
            hours, minutes, rest = match.groups()
            return 3600.0 * int(hours or 0) + 60.0 * int(minutes or 0) + float((rest or "0").replace(",", "."))
        if match := _MILLISECONDS.fullmatch(text):
            return float(match[1]) / 1000
    return number(value)


def number(value: Any) -> float | None:
    """A finite number, also quoted; None for anything else."""
    try:
        found = float(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else math.nan
    except (ValueError, OverflowError):
        return None
    return found if math.isfinite(found) else None
