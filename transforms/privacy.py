"""Personal data: keyed pseudonyms for authors, and the scrubbing of text.

Ingest, the writing of every file and the gate's rule for personal data share `scrub`, so they cannot disagree.
"""

import hashlib
import hmac

import pyarrow as pa
import pyarrow.compute as pc

from transforms import mailboxes, mentions
from transforms.telephones import SEPARATORS, without_telephones

Value = str | list[str] | None

# What of all this Arrow can look for at once: wider than the patterns, so that only what it finds is scrubbed.
_BLANK = r"\s\p{Z}\x0b\x1c-\x1f\x{85}"
_SUSPICIOUS = (
    rf"{mailboxes.SUSPICIOUS}|{mentions.SUSPICIOUS}|\p{{Nd}}[\p{{Nd}}{_BLANK}{SEPARATORS}]{{5,}}\p{{Nd}}"
    rf"|(?i:[(\[{{<][{_BLANK}]?at[{_BLANK}]?[)\]}}>])"
)


def scrub(text: str) -> str:
    """The text with e-mail addresses, phone numbers, mentions of users and links to them replaced by a mark."""
    while (clean := _scrub(text)) != text:  # what one mark ends may be the beginning of another number
        text = clean
    return text


def _scrub(text: str) -> str:
    text = mentions.without_profiles(mailboxes.without_mailboxes(text))
    return without_telephones(mentions.without_mentions(text))


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
