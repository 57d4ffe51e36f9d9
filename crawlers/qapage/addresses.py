"""Addresses of threads and posts, and the ids that are made of them."""

import re
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from crawlers.spec import site

# What a query says about which part of a thread is shown, and how, not which thread it is.
VIEW = frozenset(("page", "start", "offset", "sort", "order", "orderby", "sortby", "tab", "answertab", "highlight",
                  "sid", "phpsessid", "lang", "view"))  # fmt: skip

MARKS = ("/", "-", "_", ".")
EXTENSION = re.compile(r"\.[a-z]{1,5}$", re.IGNORECASE)


def thread_address(url: str) -> str:
    """The address of a thread, whichever of its pages this one is."""
    parts = urlsplit(url)
    kept = [(name, value) for name, value in parse_qsl(parts.query, keep_blank_values=True) if not is_view(name)]
    return urlunsplit((parts.scheme, parts.netloc, parts.path, urlencode(kept), ""))


def is_view(name: str) -> bool:
    """Whether a query's name says how a page is shown."""
    return name.lower() in VIEW or name.lower().startswith("utm_")


def same_thread(one: str, other: str) -> bool:
    """Whether two addresses are of one thread."""
    return place(thread_address(one), other).rstrip("/") == place(thread_address(other), other).rstrip("/")


def continues(url: str, thread: str) -> bool:
    """Whether an address can be a further page of a thread: `?page=2`, or `/page-2` and the like behind its path."""
    if same_thread(url, thread):
        return True
    one, other = urlsplit(thread_address(url)), urlsplit(thread_address(thread))
    stem = EXTENSION.sub("", other.path.rstrip("/"))
    rest = one.path.removeprefix(stem) if stem and one.path.startswith(stem) else ""
    return site(url) == site(thread) and one.query == other.query and one.path != other.path and rest[:1] in MARKS


def place(url: str, base: str) -> str:
    """An address without the origin that it shares with another, which is what ids are made of."""
    if site(url) != site(base):
        return url
    parts = urlsplit(url)
    query = f"?{parts.query}" if parts.query else ""
    fragment = f"#{parts.fragment}" if parts.fragment else ""
    return f"{parts.path.lstrip('/')}{query}{fragment}" or "/"


def is_address(text: str | None) -> bool:
    """Whether a text is a web address that can be taken apart."""
    try:
        return bool(text) and urlsplit(str(text)).scheme in ("http", "https") and bool(urlsplit(str(text)).hostname)
    except ValueError:
        return False
