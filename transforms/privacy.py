"""Personal data: keyed pseudonyms for authors, and the scrubbing of text.

Ingest, the writing of every file and the gate's rule for personal data share `scrub`, so they cannot disagree.
"""

import hashlib
import hmac
import re

import pyarrow as pa
import pyarrow.compute as pc

from transforms.telephones import SEPARATORS, without_telephones

Value = str | list[str] | None

# Its last part has a letter: react@18.2.0 is a version.
EMAIL = re.compile(r"[\w.+-]{1,64}@(?:[\w-]{1,63}\.){1,8}[^\W\d_][\w-]{1,62}")
# As people hide it from machines: ann (at) example (dot) org.
_AT, _DOT = r"\s?[(\[]\s?(?i:at)\s?[)\]]\s?", r"(?:\.|\s?[(\[]\s?(?i:dot)\s?[)\]]\s?)"
SPELT_EMAIL = re.compile(rf"[\w.+-]{{1,64}}{_AT}(?:[\w-]{{1,63}}{_DOT}){{1,8}}[^\W\d_][\w-]{{1,62}}")
_SPELT_AT = re.compile(_AT)
# In code it is a decorator: `@property`.
MENTION = re.compile(r"(?<![\w@/.`])@[^\W\d][\w.-]{1,38}\w")
# Links to the page of a user, on any forum or on this one, with the number that may stand before the name.
PROFILE = re.compile(
    r"((?:(?:https?://[^\s<>\"]{1,200}?|(?<![\w@/.-])(?:[A-Za-z0-9-]{1,63}\.){1,4}[A-Za-z]{2,10})"
    r"/(?i:users?|u|profiles?|members?)|(?<![\w/.:~-])/(?:u|profiles?)(?=/[A-Za-z][\w-]{2}))/)"
    r"(?:[0-9]{1,12}/)?[\w%~+-](?:[\w%.~+-]{0,80}[\w%~+-])?"
)
_USERS = re.compile(r"/(?:users?|u|profiles?|members?)/", re.IGNORECASE)
# What of all this Arrow can look for at once: wider than the patterns, so that only what it finds is scrubbed.
_BLANK = r"\s\p{Z}\x0b\x1c-\x1f\x{85}"
_SUSPICIOUS = (
    rf"@|(?i:[(\[][{_BLANK}]?at[{_BLANK}]?[)\]])|\p{{Nd}}[\p{{Nd}}{_BLANK}{SEPARATORS}]{{5,}}\p{{Nd}}"
    r"|(?i:/(?:users?|u|profiles?|members?)/)"
)


def scrub(text: str) -> str:
    """The text with e-mail addresses, phone numbers, mentions of users and links to them replaced by a mark."""
    while (clean := _scrub(text)) != text:  # what one mark ends may be the beginning of another number
        text = clean
    return text


def _scrub(text: str) -> str:
    if _SPELT_AT.search(text):
        text = SPELT_EMAIL.sub("[email]", text)
    if "@" in text:
        text = MENTION.sub("[user]", EMAIL.sub("[email]", text))
    if _USERS.search(text):
        text = PROFILE.sub(r"\1[user]", text)
    return without_telephones(text)


def scrubbed(column: pa.ChunkedArray) -> dict[int, Value]:
    """The rows of a column of texts, or of lists of them, that the scrubber changes, with what they become."""
    whole = pc.binary_join(column, "\0") if pa.types.is_list(column.type) else column
    suspects = pc.indices_nonzero(pc.fill_null(pc.match_substring_regex(whole, _SUSPICIOUS), False))
    changed: dict[int, Value] = {}
    for row, value in zip(suspects.to_pylist(), column.take(suspects).to_pylist(), strict=True):
        clean = scrub(value) if isinstance(value, str) else [scrub(text) for text in value]
        if clean != value:
            changed[row] = clean
    return changed


def pseudonym(author: str, source: str, key: str) -> str:
    """A stable name for an author that cannot be turned back without the key."""
    return "u" + hmac.new(key.encode(), f"{source}\0{author}".encode(), hashlib.sha256).hexdigest()[:16]
