"""Read one field of a raw record: the value in its public type, or a `BadField` that says what is wrong."""

import html
import math
from datetime import UTC, datetime
from typing import Any

Record = dict[str, Any]

# Control characters carry nothing in a post, and some break CSV readers and terminals; separators become blanks.
_CONTROLS = dict.fromkeys([*range(9), *range(14, 28), 127, 0xFEFF]) | dict.fromkeys([11, 12, *range(28, 32)], " ")
# UTF-8 read as Windows-1252 begins every character with one of these: `â€™` was an apostrophe.
_WRONGLY_DECODED = ("Ã", "Â", "â", "ð", "Å", "Î")

_BOOLEANS = {"true": True, "1": True, "1.0": True, "false": False, "0": False, "0.0": False}
_LONGEST_DATE = 1e8  # 99991231 is a day, and more digits in a text are a time since 1970
_MILLISECONDS = 1e11  # as seconds, the year 5138
_EXACT = 2**53  # beyond it a decimal number no longer tells an id from its neighbours


class BadField(ValueError):
    """A field does not have the type or the value that its column needs; the row becomes a reject."""

    def __init__(self, message: str, reason: str = "bad_field") -> None:
        super().__init__(message)
        self.reason = reason


def clean(value: str) -> str:
    """Valid Unicode without entities, control characters or text decoded wrongly, lines ended by a line feed."""
    if "&" in value:
        value = html.unescape(value)
    if any(map(value.__contains__, _WRONGLY_DECODED)):
        from ftfy import fix_encoding  # imported late: few texts need it

        value = fix_encoding(value)
    value = value.encode("utf-8", "replace").decode("utf-8")
    return value.replace("\r\n", "\n").replace("\r", "\n").translate(_CONTROLS)


def text(record: Record, name: str) -> str:
    """A text; missing means empty."""
    value = record.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise BadField(f"{name} is {type(value).__name__}, not text")
    return clean(value)


def optional_text(record: Record, name: str) -> str | None:
    """A text; missing or blank means null."""
    return text(record, name).strip() or None


def native_id(record: Record, name: str) -> str:
    """An id, which may be a number; it must be there."""
    found = optional_id(record, name)
    if found is None:
        raise BadField(f"{name} is missing", "missing_id")
    return found


def optional_id(record: Record, name: str) -> str | None:
    """An id, which may be a number; null when missing, blank, or nothing that can be an id."""
    value = record.get(name)
    if isinstance(value, float) and value.is_integer() and abs(value) <= _EXACT:
        value = int(value)  # tables with gaps write 17 as 17.0
    if isinstance(value, bool) or not isinstance(value, str | int):
        return None
    try:
        found = clean(str(value)).strip()
    except ValueError:  # more digits than Python is willing to write
        return None
    # Half a surrogate pair becomes a question mark, and so would another id.
    return found if found.strip("?") else None


def optional_name(record: Record, name: str) -> str | None:
    """A name, which may be the number of an account; missing or blank means null."""
    value = record.get(name)
    numbered = isinstance(value, int | float) and not isinstance(value, bool)
    return optional_id(record, name) if numbered else optional_text(record, name)


def choice(record: Record, name: str, allowed: tuple[str, ...], default: str) -> str:
    """One of the allowed values, in whatever case; missing means the default."""
    value = optional_text(record, name) or default
    if value.lower() not in allowed:
        raise BadField(f"{name} is {value[:40]!r}, not one of {', '.join(allowed)}")
    return value.lower()


def language(record: Record, name: str) -> str | None:
    """An ISO 639-1 code, also from a tag such as `en-US`; null when it is no such thing, and detection may tell."""
    code = (optional_text(record, name) or "").lower().replace("_", "-").partition("-")[0]
    return code if len(code) == 2 and code.isascii() and code.isalpha() else None


def number(record: Record, name: str) -> float | None:
    """A finite number, or null."""
    value = record.get(name)
    if value is None or value == "":
        return None
    if isinstance(value, str):  # exports of spreadsheets quote their numbers
        try:
            return number({name: float(value)}, name)
        except ValueError:
            raise BadField(f"{name} is not a finite number: {value[:40]!r}") from None
    try:
        if not isinstance(value, bool) and isinstance(value, int | float) and math.isfinite(value):
            return float(value)
    except OverflowError:
        pass
    raise BadField(f"{name} is not a finite number")


def integer(record: Record, name: str) -> int | None:
    """A whole number that fits 64 bits, or null."""
    value = number(record, name)
    if value is None:
        return None
    if value != int(value) or abs(value) >= 2**63:
        raise BadField(f"{name} is not a whole number")
    return int(value)


def boolean(record: Record, name: str) -> bool | None:
    """True or false, or null; tables that have no such type write 1 and 0, or words."""
    value = record.get(name)
    if value is None or value == "":
        return None
    found = _BOOLEANS.get(str(value).strip().lower()) if isinstance(value, str | int | float) else None
    if found is None:
        raise BadField(f"{name} is not true or false")
    return found


def time(record: Record, name: str) -> datetime | None:
    """A time from ISO 8601, or from seconds or milliseconds since 1970; without a zone it is taken as UTC."""
    value = record.get(name)
    if value is None or value == "":
        return None
    try:
        if isinstance(value, bool):
            raise ValueError
        found = _instant(value.strip().removesuffix(" UTC") if isinstance(value, str) else value)
        return found.astimezone(UTC) if found.tzinfo else found.replace(tzinfo=UTC)
    except (ValueError, TypeError, OverflowError, OSError):
        raise BadField(f"{name} is not a time: {str(value)[:40]!r}") from None


def _instant(value: str | float) -> datetime:
    try:
        seconds = float(value)
    except ValueError:
        return datetime.fromisoformat(str(value))
    if isinstance(value, str) and abs(seconds) < _LONGEST_DATE:
        return datetime.fromisoformat(value)  # 20240501
    return datetime.fromtimestamp(seconds / 1000 if abs(seconds) >= _MILLISECONDS else seconds, UTC)


def texts(record: Record, name: str) -> list[str]:
    """A list of texts; missing means empty."""
    value = record.get(name) or []
    if not isinstance(value, list):
        raise BadField(f"{name} is not a list of texts")
    return [clean(_written(item, name)) for item in value]


def _written(item: Any, name: str) -> str:
    """A text; a number, as among the options of a quiz, as it is written."""
    if isinstance(item, bool) or not isinstance(item, str | int | float):
        raise BadField(f"{name} is not a list of texts")
    return str(item)
