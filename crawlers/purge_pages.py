"""Repeats archived crawls to find the pages that show some records, and to redact them."""

from dataclasses import dataclass, field, replace
from typing import Any

from crawlers.engine import crawl_once
from crawlers.intake import Intake, deadline
from crawlers.keeping import Fetched
from crawlers.link import Link
from crawlers.page import Record
from crawlers.redact import DISTINCT, Redaction, Text, holds, mentions, strings, text_of
from crawlers.replay import index_archive, place_of
from crawlers.spec import Spec
from crawlers.spider import SourceSpider
from crawlers.state import Row, State

# What a record shares with others, and is no text of its own.
LABELS = frozenset(
    ("lesson_id", "post_id", "quiz_id", "thread_id", "parent_id", "kind", "url", "license", "language", "created_at",
     "author_role", "subject", "course", "reject_id", "reason", "detail")
)  # fmt: skip
Place = tuple[str, int]
Found = list[Any] | None


def named(entries: frozenset[str], source: str, kind: str, body: Record) -> bool:
    """Whether a record is one of the entries: by its id, its lesson's id, or its address."""
    ids = {f"{source}:{str(body[name]).strip()}" for name in (f"{kind}_id", "lesson_id") if body.get(name) is not None}
    return bool(entries & {*ids, str(body.get("url"))})


def texts_of(body: Record) -> set[Text]:
    """The texts of a record, and the name of who wrote it."""
    found = (text_of(text) for name, value in body.items() if name not in LABELS for text in strings(value))
    return {text for text in found if text.words}


@dataclass
class Search:
    """What is purged, and what is known of it so far."""

    source: str
    entries: frozenset[str]
    texts: set[Text]  # of all versions of the records
    examined: set[Place] = field(default_factory=set)  # responses that a replay has read
    redacted: dict[Place, bytes] = field(default_factory=dict)  # those that it changed, with their new bodies

    def doomed(self, entry: Record) -> bool:
        """Whether a record goes."""
        return named(self.entries, self.source, entry["type"], entry["body"])


class Purging(Intake):
    """Reads the pages of a replay: first to learn the texts of all versions, then to redact them."""

    def __init__(self, spider: Any, search: Search, redacting: bool) -> None:
        """Take the pages of one spider."""
        super().__init__(spider)
        self.search, self.redacting = search, redacting

    def parse(self, row: Row, response: Any, fetched: Fetched) -> None:
        """Take a page as it will be in the archive."""
        found = self.read(row, response)
        doomed = [entry["body"] for entry in found or () if not isinstance(entry, Link) and self.search.doomed(entry)]
        if not self.redacting:
            self.search.texts.update(*(texts_of(body) for body in doomed))
        elif found is not None:
            response = self.redact(row, response, found, doomed)
        super().parse(row, response, fetched)

    def read(self, row: Row, response: Any) -> Found:
        """What the spider reads from a page; None when it cannot."""
        try:
            response = self.readable(response)
            with deadline(self.tuning.parse_seconds):
                return list(getattr(self.spider, row.link.callback)(response, **row.link.passing) or ())
        except Exception:  # intake counts it; here it only means that nothing is read from the page
            return None

    def redact(self, row: Row, response: Any, found: Found, doomed: list[Record]) -> Any:
        """The page without what is purged, noted for the archive."""
        place = self.place(row, response)
        if place is None:
            return response
        self.search.examined.add(place)
        encoding = getattr(response, "encoding", "utf-8")
        if not doomed and not holds(response.body.decode(encoding, "surrogateescape"), self.search.texts):
            return response
        carrying = {entry.key for entry in found or () if isinstance(entry, Link) and self.carries(entry)}
        wanted = self.others(found, carrying)

        def read(body: bytes) -> Found:
            return self.read(row, response.replace(body=body))

        def accept(body: bytes) -> bool:
            return self.others(read(body), carrying) == wanted

        page = Redaction(response.body, encoding, self.search.texts, accept)
        for body in doomed:
            self.cut(page, body, read)
        page.mask(DISTINCT)
        left = [body for body in doomed if shows(read(page.body), body)]
        if left:  # the parser puts something between the words, or there are but few
            page.texts = set().union(*(texts_of(body) for body in left))
            page.mask(1, run=2)
            page.mask(1, run=1)
        if page.body != response.body:
            self.search.redacted[place] = page.body
        return response.replace(body=page.body)

    def cut(self, page: Redaction, body: Record, read: Any) -> None:
        """Cut out the part of a page that shows a record, if there is one that shows nothing else."""
        longest = max(texts_of(body), key=lambda text: len(text.words), default=None)
        if longest and shows(read(page.body), body):
            page.cut(longest.start, lambda changed: not shows(read(changed), body))

    def carries(self, link: Link) -> bool:
        """Whether a link hands some words of a record on to the next page, as a lesson to its captions."""
        return mentions(link.passing, self.search.texts)

    def others(self, found: Found, carrying: set[str]) -> list[Any] | None:
        """What a page must still give: the other records, and all links, but not what those hand on of a record."""
        if found is None:
            return None
        return [
            (replace(entry, passing={}) if entry.key in carrying else entry) if isinstance(entry, Link) else entry
            for entry in found
            if isinstance(entry, Link) or not self.search.doomed(entry)
        ]

    def place(self, row: Row, response: Any) -> Place | None:
        """Where the archive has a response."""
        found = self.state.db.execute(
            "SELECT file, offset FROM archived WHERE crawl = ? AND page = ? AND url = ?",
            (self.state.crawl, row.key, place_of(response.url, self.spider.start_url)),
        ).fetchone()
        return (found[0], found[1]) if found else None


def shows(found: Found, body: Record) -> bool:
    """Whether a page gives a record, by its id."""
    ids = {name: body.get(name) for name in ("post_id", "quiz_id", "lesson_id", "reject_id")}
    entries = (entry["body"] for entry in found or () if not isinstance(entry, Link))
    return any({name: entry.get(name) for name in ids} == ids for entry in entries)


def purging(kind: type[SourceSpider], search: Search, redacting: bool) -> type[SourceSpider]:
    """A source's spider whose pages are searched."""

    def begin(self: Any, **arguments: Any) -> None:
        kind.__init__(self, **arguments)
        self.intake = Purging(self, search, redacting)

    return type(f"Purging{kind.__name__}", (kind,), {"__init__": begin, "__module__": kind.__module__})


async def repeat(kind: type[SourceSpider], spec: Spec) -> None:
    """Repeat all archived crawls, those too that were never published."""
    state = State(None)
    crawls, _ = index_archive(state, spec.warc)
    for number in crawls:
        state.note("crawl", number - 1)
        state.note("phase", "done")
        await crawl_once(kind, spec, state, lambda _: None)
    state.close()
