"""Takes some records out of a page in the page's own form, so that the page still gives everything else.

First whole parts of the page (an element, an object of JSON) are cut out; what is left of the records' words, as in a
page description, is then overwritten. A change is made only when the page afterwards gives the same other records and
links, which is asked of the source's own parser; so no source has to know about it.
"""

import html
import json
import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from bs4 import BeautifulSoup, Tag

WORD = re.compile(r"[^\W_]+")
ESCAPE = re.compile(r"\\(?:u[0-9a-fA-F]{4}|.)", re.DOTALL)
ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,30});")
TAG = re.compile(r"<[^<>]*>")
MASK = "x"
RUN = 6  # words in a row that are taken for the record's and nobody else's
DISTINCT = 4  # words that a text needs to be looked for on pages that do not show the record
LAYERS = 3  # of escapes: HTML inside JSON inside JSON
ANCESTORS = 12  # parts around a text that are tried, from the smallest
TRIES = 300  # readings of one page

Accept = Callable[[bytes], bool]


class Text(NamedTuple):
    """The words of one text."""

    words: tuple[str, ...]

    @property
    def start(self) -> str:
        """The beginning, to find the text by."""
        return f" {' '.join(self.words[:RUN])} "


def text_of(value: str) -> Text:
    """The words of a text, markup left out."""
    return Text(tuple(word.casefold() for word in WORD.findall(TAG.sub(" ", value))))


def strings(value: Any) -> Iterator[str]:
    """All texts inside a record."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from strings(inner)


def holds(page: str, texts: set[Text]) -> bool:
    """Whether a page shows some words in a row of a text."""
    return next(matches(page, texts), None) is not None


def mentions(data: Any, texts: set[Text]) -> bool:
    """Whether a text inside some data does; ids and addresses, which have no spaces, are no texts."""
    return any(holds(text, texts) for text in strings(data) if " " in text)


def matches(page: str, texts: set[Text], shortest: int = DISTINCT, run: int = RUN) -> Iterator[tuple[int, int]]:
    """Where the words are that stand in a row in a text too: in what the page shows, and inside its tags."""
    runs: dict[int, set[tuple[str, ...]]] = {}
    for words in (text.words for text in texts if len(text.words) >= max(shortest, 1)):
        length = min(run, len(words))
        runs.setdefault(length, set()).update(words[i : i + length] for i in range(len(words) - length + 1))
    found: set[tuple[int, int]] = set()
    for decoded, places in views(page):
        shown = TAG.sub(lambda tag: " " * len(tag.group()), decoded)
        inside = "".join([" " * (tag.start() - end) + tag.group() for end, tag in _tags(decoded)])
        for layer in (shown, inside):
            tokens = [(word.group().casefold(), word.start(), word.end()) for word in WORD.finditer(layer)]
            for start, end in _in_a_row(tokens, runs):
                found.add((places[start][0], places[end - 1][1]))
    yield from sorted(found)


def _in_a_row(tokens: list[tuple[str, int, int]], runs: dict[int, set[tuple[str, ...]]]) -> Iterator[tuple[int, int]]:
    for length, wanted in runs.items():
        firsts = {words[0] for words in wanted}
        for i in range(len(tokens) - length + 1):
            if tokens[i][0] in firsts and tuple(token[0] for token in tokens[i : i + length]) in wanted:
                yield from ((start, end) for _, start, end in tokens[i : i + length])


def _tags(page: str) -> Iterator[tuple[int, re.Match[str]]]:
    """The tags of a page, each with where the one before it ended."""
    end = 0
    for tag in TAG.finditer(page):
        yield end, tag
        end = tag.end()


def views(page: str) -> Iterator[tuple[str, list[tuple[int, int]]]]:
    """The page as HTML, as HTML inside JSON, and inside JSON inside JSON; with where each character stood."""
    places = [(i, i + 1) for i in range(len(page))]
    for _ in range(LAYERS):
        yield undo(ENTITY, html.unescape, *undo(ENTITY, html.unescape, page, places))
        inner, places = undo(ESCAPE, unescape, page, places)
        if inner == page:
            return
        page = inner


def undo(
    pattern: re.Pattern[str], plain: Callable[[str], str], page: str, places: list[tuple[int, int]]
) -> tuple[str, list[tuple[int, int]]]:
    """The page with one layer of escapes undone."""
    pieces: list[str] = []
    moved: list[tuple[int, int]] = []
    end = 0
    for escape in pattern.finditer(page):
        character = plain(escape.group())
        pieces += [page[end : escape.start()], character]
        moved += places[end : escape.start()]
        moved += [(places[escape.start()][0], places[escape.end() - 1][1])] * len(character)
        end = escape.end()
    return "".join([*pieces, page[end:]]), [*moved, *places[end:]]


def unescape(escape: str) -> str:
    """The character that an escape of JSON stands for."""
    code = escape[1:]
    return chr(int(code[1:], 16)) if len(code) == 5 else " " if code in "bfnrt" else code


def overwrite(page: str, places: list[tuple[int, int]]) -> str:
    """The page with other letters in these places."""
    pieces: list[str] = []
    end = 0
    for start, stop in sorted(places):
        if start >= end:
            pieces += [page[end:start], MASK]
            end = stop
    return "".join([*pieces, page[end:]])


def overwritten(body: bytes, encoding: str, texts: set[Text], shortest: int) -> bytes:
    """A page that nothing is read from, with all words of some texts overwritten."""
    page = body.decode(encoding, "surrogateescape")
    found = list(matches(page, texts, shortest))
    return overwrite(page, found).encode(encoding, "surrogateescape") if found else body


class Redaction:
    """One page on its way to being without some texts."""

    def __init__(self, body: bytes, encoding: str, texts: set[Text], accept: Accept) -> None:
        """Take a page; `accept` tells whether a changed one still gives everything else."""
        self.body, self.encoding, self.texts, self.accept = body, encoding, texts, accept
        self.tries = 0

    def allowed(self, changed: bytes) -> bool:
        """Whether a change may be made."""
        self.tries += 1
        return self.tries <= TRIES and self.accept(changed)

    def cut(self, start: str, gone: Accept) -> None:
        """Cut out the smallest part of the page around a text with which `gone` holds."""
        for changed in parts_cut(self.body, self.encoding, start):
            if self.allowed(changed) and gone(changed):
                self.body = changed
                return

    def mask(self, shortest: int, run: int = RUN) -> None:
        """Overwrite the words of the texts wherever nothing else is read from them."""
        page = self.body.decode(self.encoding, "surrogateescape")
        self._mask(page, list(matches(page, self.texts, shortest, run)), [])

    def _mask(self, page: str, places: list[tuple[int, int]], done: list[tuple[int, int]]) -> list[tuple[int, int]]:
        """Overwrite all places, or those in each half that may be; which ones they were."""
        if not places or self.tries > TRIES:
            return done
        changed = overwrite(page, [*done, *places]).encode(self.encoding, "surrogateescape")
        if self.allowed(changed):
            self.body = changed
            return [*done, *places]
        if len(places) == 1:
            return done
        middle = len(places) // 2
        return self._mask(page, places[middle:], self._mask(page, places[:middle], done))


def parts_cut(body: bytes, encoding: str, start: str) -> Iterator[bytes]:
    """The page without each part around a text, the smallest part first."""
    try:
        data = json.loads(body)
    except (ValueError, RecursionError):
        yield from _elements_cut(body, encoding, start)
        return
    for path in _paths(data, start, ()):
        for depth in range(len(path), max(len(path) - ANCESTORS, 0), -1):
            changed = json.loads(body)
            parent = changed
            for step in path[: depth - 1]:
                parent = parent[step]
            del parent[path[depth - 1]]
            yield json.dumps(changed, ensure_ascii=False).encode("utf-8", "replace")


def _paths(data: Any, start: str, path: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    if isinstance(data, str):
        if start in _padded(data):
            yield path
    elif isinstance(data, dict | list):
        for key, inner in data.items() if isinstance(data, dict) else enumerate(data):
            yield from _paths(inner, start, (*path, key))


def _elements_cut(body: bytes, encoding: str, start: str) -> Iterator[bytes]:
    page = body.decode(encoding, "replace")
    count = len(_around(BeautifulSoup(page, "lxml"), start))
    for number in range(min(count, ANCESTORS)):
        soup = BeautifulSoup(page, "lxml")
        _around(soup, start)[number].decompose()
        yield soup.encode(encoding, errors="xmlcharrefreplace")


def _around(soup: BeautifulSoup, start: str) -> list[Tag]:
    """The elements around the first place that shows a text, the smallest first, the page itself left out."""
    found: list[Tag] = []
    inside: Tag | None = soup.body
    while inside is not None:
        found.append(inside)
        inner = (child for child in inside.children if isinstance(child, Tag))
        inside = next((child for child in inner if start in _padded(child.get_text(" "))), None)
    return found[:0:-1]


def _padded(text: str) -> str:
    return f" {' '.join(text_of(text).words)} "
