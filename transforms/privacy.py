"""Personal data: keyed pseudonyms for authors, and the scrubbing of text.

Ingest, the writing of every file and the gate's rule for personal data share `scrub`, so they cannot disagree.
"""

import hashlib
import hmac
import re
from itertools import pairwise

import pyarrow as pa
import pyarrow.compute as pc

Value = str | list[str] | None

EMAIL = re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}")
# As people write an address to hide it from programs: `ann (at) example [dot] org`.
_AT = r"[\[({] ?[aA][tT] ?[\])}]"
_DOT = r"(?:\.| ?[\[({] ?[dD][oO][tT] ?[\])}] ?)"
SPELT_EMAIL = re.compile(rf"[\w.+-]{{1,64}} ?{_AT} ?[\w-]{{1,63}}(?:{_DOT}[\w-]{{1,63}}){{1,8}}")
_SPELT = re.compile(_AT)
# A phone number has a separator or a leading plus and at least nine digits, or the form 555-0123;
# long plain numbers, decimals and years stay. Any blank separates, since later stages fold white space.
PHONE = re.compile(
    r"(?<![\w.])(?:\+(?=(?:[\s().-]*\d){9})\d[\d\s().-]{7,17}\d|\(?\d{3}\)?[\s.-]\d{3}[\s.-]\d{4}|\d{3}-\d{4})(?![\w]|\.\d)"
)
# A number as it is dialled inside a country: a trunk 0, and nine to twelve digits in groups, which `_national` counts.
# Learners write numbers too, so no digit, point, letter or sign may go on before it or behind it on its line.
_GAP = r"[^\S\n]"
NATIONAL = re.compile(
    rf"(?<![\w.,=/#+-])(?<!\d:)(?<!\d{_GAP})(?<!=\s)"
    rf"(?:0[1-9](?:\.[0-9]{{2}}){{4}}"
    rf"|(?:\(0[1-9][0-9]{{0,4}}\)(?:{_GAP}|[/-])?|0[1-9][0-9]{{0,4}}(?:{_GAP}?[/-]{_GAP}?|{_GAP}))"
    rf"[0-9]{{2,8}}(?:({_GAP}|-)[0-9]{{2,6}}(?:\1[0-9]{{2,6}}){{0,4}})?(?:-[0-9]{{1,4}})?)"
    rf"(?!\w|[.,:/-]\d|{_GAP}\d)"
)
_TRUNK, _GROUP = re.compile("0[1-9]"), re.compile("[0-9]+")
MENTION = re.compile(r"(?<![\w@/.])@[^\W\d_][\w.-]{1,38}\w")
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
    rf"@|{_AT}|\+\p{{Nd}}[\p{{Nd}}{_BLANK}().-]{{7,17}}\p{{Nd}}"
    rf"|\p{{Nd}}{{3}}\)?[{_BLANK}.-]\p{{Nd}}{{3}}[{_BLANK}.-]\p{{Nd}}{{4}}|\p{{Nd}}{{3}}-\p{{Nd}}{{4}}"
    rf"|0[1-9][0-9{_BLANK}()./-]{{6,30}}[0-9]|(?i:/(?:users?|u|profiles?|members?)/)"
)


def scrub(text: str) -> str:
    """The text with e-mail addresses, phone numbers, mentions of users and links to them replaced by a mark."""
    while (clean := _scrub(text)) != text:  # what one mark ends may be the beginning of another number
        text = clean
    return text


def _scrub(text: str) -> str:
    if "@" in text:
        text = MENTION.sub("[user]", EMAIL.sub("[email]", text))
    if _SPELT.search(text):
        text = SPELT_EMAIL.sub("[email]", text)
    if _USERS.search(text):
        text = PROFILE.sub(r"\1[user]", text)
    if _TRUNK.search(text):
        text = NATIONAL.sub(_national, text)
    return PHONE.sub("[phone]", text)


def _national(found: re.Match[str]) -> str:
    """A mark in place of a telephone number; rows of bits, of pairs other than five (as in France) and with equal steps
    stay."""
    groups = _GROUP.findall(found[0])
    digits = "".join(groups)
    pairs = all(len(group) == 2 for group in groups)
    steps = {int(after) - int(before) for before, after in pairwise(groups)}
    series = set(digits) <= {"0", "1"} or (pairs and (len(groups) != 5 or len(steps) == 1))
    return found[0] if series or not 9 <= len(digits) <= 12 else "[phone]"


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


def scrub_columns(rows: pa.Table, names: tuple[str, ...]) -> pa.Table:
    """The table with these columns scrubbed.

    Where a stage joins or cuts texts that were scrubbed apart, the pieces may give a telephone number again.
    """
    for name in names:
        changed = scrubbed(rows[name])
        if changed:
            values = rows[name].to_pylist()
            for row, value in changed.items():
                values[row] = value
            number = rows.schema.get_field_index(name)
            rows = rows.set_column(number, rows.schema.field(number), pa.array(values, rows.schema.field(number).type))
    return rows


def pseudonym(author: str, source: str, key: str) -> str:
    """A stable name for an author that cannot be turned back without the key."""
    return "u" + hmac.new(key.encode(), f"{source}\0{author}".encode(), hashlib.sha256).hexdigest()[:16]
