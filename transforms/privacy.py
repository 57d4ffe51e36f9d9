"""Personal data: keyed pseudonyms for authors, and the scrubbing of text.

The scrubber and the gate's rule for personal data share `contains_personal_data`, so they cannot disagree.
"""

import hashlib
import hmac
import re

EMAIL = re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}")
# A phone number has a separator or a leading plus and at least nine digits, or the form 555-0123;
# long plain numbers, decimals and years stay.
PHONE = re.compile(r"(?<![\w.])(?:\+\d[\d ().-]{7,17}\d|\(?\d{3}\)?[ .-]\d{3}[ .-]\d{4}|\d{3}-\d{4})(?![\w]|\.\d)")
MENTION = re.compile(r"(?<![\w@/.])@[A-Za-z][\w.-]{1,38}\w")


def scrub(text: str) -> str:
    """The text with e-mail addresses, phone numbers and user mentions replaced by a mark."""
    if "@" in text:
        text = MENTION.sub("[user]", EMAIL.sub("[email]", text))
    return PHONE.sub("[phone]", text) if "-" in text or "." in text or " " in text or "+" in text else text


def contains_personal_data(text: str) -> bool:
    """Whether the scrubber would still change the text."""
    return scrub(text) != text


def pseudonym(author: str, source: str, key: str) -> str:
    """A stable name for an author that cannot be turned back without the key."""
    return "u" + hmac.new(key.encode(), f"{source}\0{author}".encode(), hashlib.sha256).hexdigest()[:16]
