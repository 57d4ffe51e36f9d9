"""Addresses of threads and posts, and the ids that are made of them."""

import re
from functools import lru_cache
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from crawlers.session import without_session
from crawlers.spec import site

# What a query says about which part of a thread is shown, and how, not which thread it is.
PAGES = ("page", "start", "offset")
VIEW = frozenset(("sort", "order", "orderby", "sortby", "tab", "answertab", "highlight", "lang", "view", *PAGES))

# Last steps of addresses that lead into a thread, whose own address is linked beside them.
INTO = frozenset(("last", "latest", "new", "newest", "unread", "lastpost", "last-post"))

MEMORY = 1024  # addresses: those of one thread are compared over and over
MARKS = ("/", "-", "_", ".")
EXTENSION = re.compile(r"\.[a-z]{1,5}$", re.IGNORECASE)
NUMBERED = re.compile(r"[/_.-]page[/_.-]?([0-9]{1,6})/?$", re.IGNORECASE)


@lru_cache(MEMORY)
def thread_address(url: str) -> str:
    """The address of a thread, whichever of its pages this one is."""
    parts = urlsplit(without_session(url))
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


def page_number(url: str) -> int:
    """Which part of a thread an address shows: `?page=2`, `?start=20`, `/page-2`; 0 when it does not say."""
    parts = urlsplit(url)
    query = (value for name, value in parse_qsl(parts.query) if name.lower() in PAGES)
    path = NUMBERED.search(parts.path)
    number = next(query, path[1] if path else "")
    return int(number) if number.isascii() and number.isdigit() and len(number) < 10 else 0


def first_page(url: str) -> str:
    """The address of a thread's first page, by that of a later one whose number stands in its path."""
    parts = urlsplit(url)
    path = NUMBERED.sub(lambda found: "/" if found[0].startswith("/") else "", parts.path)
    return urlunsplit(parts._replace(path=path))


def is_second(url: str, before: str) -> bool:
    """Whether an address is the one before it with a 2 behind its path: `/t/5/2` after `/t/5`."""
    path = urlsplit(url).path.rstrip("/")
    return site(url) == site(before) and path == f"{urlsplit(before).path.rstrip('/')}/2"


def without_entries(urls: list[str]) -> list[str]:
    """Addresses without those that only lead to the end of a thread that is among them."""
    known = {urlsplit(url).path.rstrip("/") for url in urls}

    def enters(url: str) -> bool:
        before, _, step = urlsplit(url).path.rstrip("/").rpartition("/")
        return step.lower() in INTO and bool(before) and before in known

    return [url for url in urls if not enters(url)]


@lru_cache(MEMORY)
def place(url: str, base: str) -> str:
    """An address without the origin that it shares with another, which is what ids are made of."""
    if site(url) != site(base):
        return url
    parts = urlsplit(url)
    query = f"?{parts.query}" if parts.query else ""
    fragment = f"#{parts.fragment}" if parts.fragment else ""
    return f"{parts.path.lstrip('/')}{query}{fragment}" or "/"


@lru_cache(MEMORY)
def is_address(text: str | None) -> bool:
    """Whether a text is a web address that can be taken apart."""
    try:
        return bool(text) and urlsplit(str(text)).scheme in ("http", "https") and bool(urlsplit(str(text)).hostname)
    except ValueError:
        return False
