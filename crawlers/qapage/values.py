"""What the values of schema.org properties mean: text, people, numbers, times, licences."""

import re
from datetime import UTC
from html import unescape

from bs4 import Tag

from crawlers.html_text import html_to_text
from crawlers.page import Page
from crawlers.qapage.addresses import is_address, place
from crawlers.qapage.items import Item, Value
from crawlers.times import time_of

# Real elements, so that `if a<b and b>c` stays as it is.
MARKUP = re.compile(
    r"</(?:p|div|a|b|i|em|strong|code|pre|ul|ol|li|span|blockquote|h[1-6]|table|sup|sub)>|<(?:br|p|hr|img)[\s/>]",
    re.IGNORECASE,
)
ESCAPED = re.compile(r"\s{0,20}&lt;(?:p|div|ul|ol|pre|blockquote|h[1-6])[\s&]", re.IGNORECASE)
NUMBER = re.compile(r"\s{0,20}([+\-\u2212]?)\s?([0-9][0-9,.\u00a0\u202f']{0,20})(?![0-9,.\u00a0\u202f'kKmM:/-])")
GROUPED = re.compile(r"[0-9]{1,3}(?:[,.\u00a0\u202f'][0-9]{3})+|[0-9]+")
LANGUAGE = re.compile(r"([a-zA-Z]{2})(?:[-_]|$)")
CREATIVE_COMMONS = re.compile(r"creativecommons\.org/(?:licenses|publicdomain)/([a-z+-]{2,12})/([0-9]\.[0-9])", re.I)


def text_of(value: Value, url: str) -> str:
    """The plain text of a value; HTML becomes text, with code as it was."""
    if isinstance(value, Tag):
        return html_to_text(value).strip()
    if isinstance(value, Item):
        return next((text_of(inner, url) for inner in value.values("name", "text") if not isinstance(inner, Item)), "")
    if ESCAPED.match(value):
        value = unescape(value)
    if MARKUP.search(value):
        return html_to_text(Page(value, url).soup).strip()
    return unescape(value).strip() if "&" in value else value.strip()


def first_text(item: Item, url: str, *names: str) -> str | None:
    """The first value of some properties that says anything."""
    return next((text for text in (text_of(value, url) for value in item.values(*names)) if text), None)


def line(item: Item, url: str, *names: str) -> str | None:
    """A value that is one line, such as a title."""
    found = first_text(item, url, *names)
    return " ".join(found.split()) if found else None


def author(item: Item, url: str) -> tuple[str | None, str | None]:
    """The name of who wrote something, or the address when there is no name; and the role, if it is told."""
    for value in item.values("author", "creator"):
        if isinstance(value, Item):
            name = line(value, url, "name", "alternateName", "url", "identifier") or value.address
            if name:
                return placed(name, url), line(value, url, "jobTitle", "roleName")
        elif text := " ".join(text_of(value, url).split()):
            return placed(text, url), None
    return None, None


def placed(name: str, url: str) -> str:
    """A name; an address in its place without the site, which may move from http to https."""
    return place(name, url) if is_address(name) else name


def integer(text: str | None) -> int | None:
    """The whole number that a text begins with, such as `-3`, `1,204` or `12 votes`; `1.2k` is none."""
    found = NUMBER.match(text or "")
    digits = found[2].rstrip(",.'\u00a0\u202f") if found else ""
    if not found or not GROUPED.fullmatch(digits):
        return None
    number = int(re.sub(r"[^0-9]", "", digits))
    return number if found[1] in ("", "+") else -number


def votes(item: Item, url: str) -> int | None:
    """Up minus down; where only ups are told they may already be the net score, and negative."""
    up, down = (integer(line(item, url, name)) for name in ("upvoteCount", "downvoteCount"))
    if up is None and down is None:
        for counter in item.items("interactionStatistic"):
            types = [name for kind in counter.items("interactionType") for name in sorted(kind.types)]
            kind = " ".join([line(counter, url, "interactionType") or "", *types])
            count = integer(line(counter, url, "userInteractionCount"))
            up = count if re.search(r"(?<!Dis)(?:Like|Vote|Agree)Action", kind) else up
            down = count if "DislikeAction" in kind else down
    return None if up is None and down is None else (up or 0) - abs(down or 0)


def created_at(item: Item, url: str) -> str | None:
    """When something was written, in UTC; a time without a zone is taken as UTC."""
    for name in ("dateCreated", "datePublished", "uploadDate"):
        for value in item.values(name):
            found = time_of(text_of(value, url))
            if found:
                return found.astimezone(UTC).isoformat()
    return None


def language(item: Item, url: str) -> str | None:
    """The ISO 639-1 code of the language that something says it is in, from `en-GB` too."""
    found = LANGUAGE.match(line(item, url, "inLanguage") or "")
    return found[1].lower() if found else None


def license_name(text: str | None) -> str | None:
    """A licence by its short name when its address is known, else as it is given."""
    known = CREATIVE_COMMONS.search(text or "")
    if not known:
        return text or None
    name, version = known[1].upper(), known[2]
    return (
        f"CC0 {version}" if name == "ZERO" else "Public Domain Mark 1.0" if name == "MARK" else f"CC {name} {version}"
    )
