"""What the pages of all sources have in common: they parse, and never fetch."""

import hashlib
import json
import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import urljoin

from bs4 import BeautifulSoup, Tag

from crawlers.session import without_session

Record = dict[str, Any]
# A name, a class and an attribute, each optional: `a.lesson`, `.body`, `main[data-lesson]`, `[rel="next"]`.
SIMPLE = re.compile(r'([a-z][a-z0-9]*)?(?:\.([a-zA-Z_][\w-]*))?(?:\[(data-[a-z-]+|rel|id|href)(?:="([^"\\]+)")?\])?')
REJECT = "reject"  # the type of records that stand for what cannot be taken
MAX_DETAIL = 500
MAX_TAGS = 200_000  # a page of a thousand posts has about 30,000; each takes a kilobyte when parsed


class PageError(ValueError):
    """A page is not in the form that its source promises; the reason is what it is counted under."""

    def __init__(self, message: str, reason: str = "unexpected_page") -> None:
        """Say what is wrong, and under which name it is counted."""
        super().__init__(message)
        self.reason = reason


class Unfit(PageError):
    """A page is in its form, but what it holds cannot be taken: unless its old records are still in use, a reject is
    what it shows."""


def reject(place: str, reason: str, detail: str, url: str | None = None) -> Record:
    """What stands for a record that cannot be taken: it is known by where that is and what is wrong with it."""
    name = hashlib.blake2b(f"{place}\n{reason}".encode("utf-8", "replace"), digest_size=12).hexdigest()
    return {"reject_id": name, "reason": reason, "detail": detail[:MAX_DETAIL], "url": url}


class Page:
    """A fetched HTML page and the address it was fetched from, without the number of the visit."""

    def __init__(self, html: str, url: str) -> None:
        """Parse the page, unless it is built to fill the memory."""
        self.url = without_session(url)
        if html.count("<") > MAX_TAGS:
            raise PageError(f"{url}: more than {MAX_TAGS} tags", "too_many_tags")
        self.soup = BeautifulSoup(html, "lxml")

    def one(self, selector: str, within: Tag | None = None) -> Tag:
        """The first element for a selector, which must exist."""
        found = next(select(within or self.soup, selector), None)
        if found is None:
            raise PageError(f"{self.url}: no element matches `{selector}`; has the site's layout changed?")
        return found

    def all(self, selector: str, within: Tag | None = None) -> list[Tag]:
        """All elements for a selector, in the order of the page."""
        return list(select(within or self.soup, selector))

    def links(self, selector: str) -> list[str]:
        """The absolute addresses of the links for a selector, each once."""
        found = (attribute(link, "href") for link in self.all(selector))
        joined = (absolute(self.url, address) for address in found if address)
        return list(dict.fromkeys(address for address in joined if address))


def select(root: Tag, selector: str) -> Iterator[Tag]:
    """The elements below one for a selector; simple selectors, which most are, are matched three times as fast."""
    simple = SIMPLE.fullmatch(selector)
    if simple is None or not selector:
        yield from root.select(selector)
        return
    name, class_name, key, value = simple.groups()
    for tag in root.descendants:
        if not isinstance(tag, Tag) or (name and tag.name != name):
            continue
        if class_name and class_name not in (tag.get("class") or ()):
            continue
        if key and not (tag.has_attr(key) and (value is None or joined(tag.get(key)) == value)):
            continue
        yield tag


def joined(value: object) -> str:
    """An attribute's text; BeautifulSoup splits some, such as `rel`."""
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


class JsonPage:
    """A fetched JSON document and the address it was fetched from."""

    def __init__(self, body: bytes | str, url: str) -> None:
        """Parse the document; what it is instead of JSON is said in the error."""
        self.url = url
        try:
            self.data: Any = json.loads(body)
        except (ValueError, RecursionError) as error:
            raise PageError(f"{url}: no JSON ({error})", wrong_json(body, error)) from error

    def find(self, *path: str | int) -> Any:
        """The value at a path of names and positions, None when there is none."""
        value = self.data
        for step in path:
            if isinstance(value, dict):
                value = value.get(step)
            elif isinstance(value, list) and isinstance(step, int) and -len(value) <= step < len(value):
                value = value[step]
            else:
                return None
        return value

    def objects(self, *path: str | int) -> list[Record]:
        """The objects of the list at a path; nulls and everything else that is no object are dropped."""
        value = self.find(*path)
        return [entry for entry in value if isinstance(entry, dict)] if isinstance(value, list) else []

    def known(self, *path: str | int) -> Any:
        """The value at a path, which must exist."""
        value = self.find(*path)
        if value is None:
            raise PageError(f"{self.url}: no `{'.'.join(map(str, path))}`; has the site's interface changed?")
        return value


def wrong_json(body: bytes | str, error: Exception) -> str:
    """The reason under which a document that is no JSON is counted."""
    start = body[:200].lstrip() if isinstance(body, str) else body[:200].decode("latin-1").lstrip("\ufeffï»¿ \t\r\n")
    if start.startswith("<"):
        return "html_instead_of_json"
    if isinstance(error, RecursionError):
        return "nested_too_deeply"
    return "wrong_encoding" if isinstance(error, UnicodeDecodeError) else "bad_json"


def storable(text: str) -> str:
    """A text without halves of surrogate pairs, which JSON can hold and neither files nor addresses can."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def absolute(base: str, address: str) -> str | None:
    """An address found on a page as an absolute one without the number of the visit, None when it is none at all."""
    try:
        return without_session(urljoin(base, address.strip()))
    except ValueError:  # such as `http://[bad`
        return None


def attribute(tag: Tag, name: str) -> str | None:
    """An attribute's text, None when the element lacks it."""
    value = tag.get(name)
    return None if value is None else str(value)


def titled(title: object, text: str) -> str:
    """A post's text below its title, when it has both."""
    return "\n\n".join(part for part in (str(title or "").strip(), text) if part.strip())


def integer(text: str | None) -> int | None:
    """A whole number, None when there is no text."""
    return None if text is None else int(text)
