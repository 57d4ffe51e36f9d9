"""Removes records from what a source has under raw: the archive, the records file, and what the crawl knows.

Runs in a process of its own (`python -m crawlers.purge`): `{"spec": …, "entries": […]}` on stdin, what was removed as
JSON on stdout. Entries are `<source>:<native id>` or addresses; a lesson's id takes its posts and quizzes along.

The archive is rewritten by repeating its crawls: each page that shows a record is redacted until its own parser gives
everything but the record, so a later replay needs to know nothing of it. The archive comes first and the state last:
it knows the texts to look for, so a purge that was killed is finished by running it again.
"""

import base64
import gzip
import hashlib
import json
import os
import sqlite3
import sys
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

from scrapy.http import HtmlResponse

from crawlers.archive import LEVEL, SUFFIX, segments
from crawlers.engine import crawl_once, run_in_reactor
from crawlers.fold import write_lines
from crawlers.intake import Intake, deadline
from crawlers.keeping import Fetched
from crawlers.link import Link
from crawlers.page import Record
from crawlers.redact import DISTINCT, Redaction, Text, holds, overwritten, strings, text_of
from crawlers.replay import Stored, http_parts, index_archive, read_records
from crawlers.run import KINDS, locked
from crawlers.spec import Spec, SpecError, relative
from crawlers.spider import SourceSpider
from crawlers.state import Row, State

LABELS = frozenset(
    ("lesson_id", "post_id", "quiz_id", "thread_id", "parent_id", "kind", "url", "license", "language", "created_at",
     "author_role", "subject", "course")
)  # fmt: skip  # what a record shares with others, and is no text of its own
Place = tuple[str, int]
Found = list[Any]


def named(entries: frozenset[str], source: str, kind: str, body: Record) -> bool:
    """Whether a record is one of the entries: by its id, its lesson's id, or its address."""
    ids = {f"{source}:{str(body[name]).strip()}" for name in (f"{kind}_id", "lesson_id") if body.get(name) is not None}
    return bool(entries & {*ids, str(body.get("url"))})


def texts_of(body: Record) -> set[Text]:
    """The texts of a record, and the name of who wrote it."""
    found = (text_of(text) for name, value in body.items() if name not in LABELS for text in strings(value))
    return {text for text in found if text.words}


class Search(NamedTuple):
    """What is purged, and what is known of it so far."""

    source: str
    entries: frozenset[str]
    texts: set[Text]  # of all versions of the records
    examined: set[Place]  # responses that a replay has read
    redacted: dict[Place, bytes]  # those that it changed, with their new bodies

    def doomed(self, entry: Record) -> bool:
        """Whether a record goes."""
        return named(self.entries, self.source, entry["type"], entry["body"])


class Purging(Intake):
    """Reads the pages of a replay, and redacts those that hold what is purged."""

    search: Search
    redacting = False

    def parse(self, row: Row, response: Any, fetched: Fetched) -> None:
        """Take a page as it will be in the archive."""
        if isinstance(response, HtmlResponse):
            response = self.readable(response)
        found = self.read(row, response)
        doomed = [entry["body"] for entry in found or () if not isinstance(entry, Link) and self.search.doomed(entry)]
        if not self.redacting:
            for body in doomed:
                self.search.texts.update(texts_of(body))
        elif found is not None:
            response = self.redact(row, response, found, doomed)
        super().parse(row, response, fetched)

    def read(self, row: Row, response: Any) -> Found | None:
        """What the spider reads from a page; None when it cannot."""
        try:
            with deadline(self.tuning.parse_seconds):
                return list(getattr(self.spider, row.link.callback)(response, **row.link.passing) or ())
        except Exception:  # intake counts it; here it only means that nothing is read from the page
            return None

    def redact(self, row: Row, response: Any, found: Found, doomed: list[Record]) -> Any:
        """The page without what is purged, noted for the archive."""
        place = self.place(row, response)
        encoding = getattr(response, "encoding", "utf-8")
        texts = self.search.texts.union(*(texts_of(body) for body in doomed))
        if place is None:
            return response
        self.search.examined.add(place)
        if not doomed and not holds(response.body.decode(encoding, "surrogateescape"), texts):
            return response
        wanted = self.others(found)

        def records(body: bytes) -> Found | None:
            return self.read(row, response.replace(body=body))

        page = Redaction(response.body, encoding, texts, lambda body: self.others(records(body)) == wanted)
        for body in doomed:
            text = max(texts_of(body), key=lambda text: len(text.words), default=None)
            if text:
                page.cut(text.start, lambda changed, body=body: not self.shows(records(changed), body))  # type: ignore[misc]
        page.mask(DISTINCT)
        if any(self.shows(records(page.body), body) for body in doomed):
            page.texts = set().union(*(texts_of(body) for body in doomed))
            for run in (2, 1):  # the parser put something between the words, or there are but few
                page.mask(1, run)
        if page.body != response.body:
            self.search.redacted[place] = page.body
        return response.replace(body=page.body)

    def others(self, found: Found | None) -> Any:
        """What a page must still give: the other records, and all links."""
        if found is None:
            return None
        return [
            entry.fields() if isinstance(entry, Link) else entry
            for entry in found
            if isinstance(entry, Link) or not self.search.doomed(entry)
        ]

    def shows(self, found: Found | None, body: Record) -> bool:
        """Whether a page gives a record, by its id."""
        ids = {name: body.get(name) for name in ("post_id", "quiz_id", "lesson_id")}
        entries = (entry["body"] for entry in found or () if not isinstance(entry, Link))
        return any({name: entry.get(name) for name in ids} == ids for entry in entries)

    def place(self, row: Row, response: Any) -> Place | None:
        """Where the archive has a response."""
        found = self.state.db.execute(
            "SELECT file, offset FROM archived WHERE crawl = ? AND page = ? AND url = ?",
            (self.state.crawl, row.key, relative(response.url, self.spider.start_url)),
        ).fetchone()
        return found and (found[0], found[1])


def purging(kind: type[SourceSpider], search: Search, redacting: bool) -> type[SourceSpider]:
    """A source's spider whose pages are searched."""

    class PurgingSpider(kind):  # type: ignore[misc, valid-type]
        """The same source."""

        def __init__(self, **arguments: Any) -> None:
            super().__init__(**arguments)
            self.intake = Purging(self)
            self.intake.search, self.intake.redacting = search, redacting

    return PurgingSpider


async def repeat(kind: type[SourceSpider], spec: Spec) -> None:
    """Repeat all archived crawls, those too that were never published."""
    state = State(None)
    crawls, _ = index_archive(state, spec.warc)
    for number in crawls:
        state.note("crawl", number - 1)
        state.note("phase", "done")
        await crawl_once(kind, spec, state, lambda _: None)
    state.note("phase", "done")
    state.close()


def purge(spec: Spec, entries: frozenset[str]) -> dict[str, int]:
    """Remove records from everything that a source has under raw; what was removed."""
    removed: Counter[str] = Counter(records=0, responses=0)
    with locked(spec.state if spec.state and spec.state.is_dir() else None) as file:
        remove_unfinished(spec)
        search = Search(spec.name, entries, known_texts(spec, entries, file), set(), {})
        if segments(spec.warc) and spec.kind in KINDS:
            kind = KINDS[spec.kind]

            async def both() -> bool:
                await repeat(purging(kind, search, False), spec)
                if search.texts:
                    await repeat(purging(kind, search, True), spec)
                return True

            if not run_in_reactor(both):
                raise SpecError("a signal ended the purge; run it again and it continues")
        if search.texts:
            for segment in segments(spec.warc):
                removed["responses"] += rewrite_segment(segment, search)
        removed["records"] = max(filter_records(spec, entries), clean_state(file, search))
    return dict(removed)


def remove_unfinished(spec: Spec) -> None:
    """Delete what a killed crawl or purge was about to write; nothing reads it."""
    for folder in {spec.records.parent, spec.warc.parent, spec.state or spec.warc.parent}:
        for path in [*folder.glob("*.part"), *folder.glob("*.part-*"), *folder.glob("*.new")]:
            path.unlink()


def known_texts(spec: Spec, entries: frozenset[str], file: Path | None) -> set[Text]:
    """The texts of the records as they are known before the archive is read."""
    found: set[Text] = set()
    if spec.records.exists():
        with spec.records.open(encoding="utf-8") as lines:
            for record in map(json.loads, lines):
                if named(entries, spec.name, record["type"], record["body"]):
                    found |= texts_of(record["body"])
    if file and file.exists():
        database = sqlite3.connect(file)
        for kind, body in database.execute("SELECT type, body FROM records"):
            if named(entries, spec.name, kind, json.loads(body)):
                found |= texts_of(json.loads(body))
        database.close()
    return found


def filter_records(spec: Spec, entries: frozenset[str]) -> int:
    """Write the records file without some records; how many they were."""
    if not spec.records.exists():
        return 0
    gone = 0

    def goes(line: str) -> bool:
        record = json.loads(line)
        return named(entries, spec.name, record["type"], record["body"])

    with spec.records.open(encoding="utf-8", newline="\n") as lines:
        gone = sum(map(goes, lines))
    if gone:
        with spec.records.open(encoding="utf-8", newline="\n") as lines:
            write_lines(spec.records, (line for line in lines if not goes(line)))
    return gone


def clean_state(file: Path | None, search: Search) -> int:
    """Delete records from the state, which afterwards holds no byte of them; how many they were."""
    if not file or not file.exists():
        return 0
    database = sqlite3.connect(file, isolation_level=None)
    database.execute("BEGIN IMMEDIATE")
    found = database.execute("SELECT id, type, body, removed_at IS NULL FROM records").fetchall()
    gone = [
        (number, kind, live)
        for number, kind, body, live in found
        if named(search.entries, search.source, kind, json.loads(body))
    ]
    for number, _, _ in gone:
        database.execute("DELETE FROM records WHERE id = ?", (number,))
        for table in ("versions", "shows", "orphans"):
            database.execute(f"DELETE FROM {table} WHERE record = ?", (number,))
    details = database.execute("SELECT rowid, detail FROM rejects").fetchall()
    for number, detail in details:
        if holds(detail, search.texts):
            database.execute("UPDATE rejects SET detail = '' WHERE rowid = ?", (number,))
    # Otherwise the next crawl would look as if the site had lost them.
    accepted = database.execute("SELECT value FROM facts WHERE name = 'accepted'").fetchone()
    if gone and accepted:
        counts = Counter(json.loads(accepted[0])) - Counter(kind for _, kind, live in gone if live)
        database.execute("UPDATE facts SET value = ? WHERE name = 'accepted'", (json.dumps(counts),))
    database.execute("COMMIT")
    database.execute("VACUUM")  # deleted rows stay in the file's free pages until then
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()
    return len(gone)


def rewrite_segment(segment: Path, search: Search) -> int:
    """Write a file of the archive anew if it holds what is purged; how many responses were changed."""
    stored = list(fresh_blocks(segment, search))
    changed = sum(block is not None for _, _, block in stored)
    end = stored[-1][1] if stored else 0
    if not changed and end == segment.stat().st_size:
        return 0
    # A member that a kill cut off is read by nobody and left out.
    part = segment.with_name(segment.name.removesuffix(SUFFIX) + ".part")
    with segment.open("rb") as old, part.open("wb") as new:
        for start, stop, block in stored:
            old.seek(start)
            new.write(old.read(stop - start) if block is None else block)
        new.flush()
        os.fsync(new.fileno())
    part.replace(segment)
    return changed


def fresh_blocks(segment: Path, search: Search) -> Any:
    """Start and end of every member of a file, with what to write in its place, if anything."""
    pages = {key for key, place in keys(segment) if place in search.redacted}
    before: tuple[int, bytes | None] | None = None
    for record in read_records(segment):
        if before:
            yield before[0], record.offset, before[1]
        before = (record.offset, changed_member(segment, record, search, pages))
    if before:
        yield before[0], whole_length(segment), before[1]


def keys(segment: Path) -> list[tuple[tuple[str, ...], Place]]:
    """The crawl, page and address of every response, with where it is."""
    names = ("Quarry-Crawl", "Quarry-Page", "WARC-Target-URI")
    return [
        (tuple(record.fields.get(name, "") for name in names), (str(segment), record.offset))
        for record in read_records(segment)
        if record.fields.get("WARC-Type") == "response"
    ]


def changed_member(segment: Path, record: Stored, search: Search, pages: set[tuple[str, ...]]) -> bytes | None:
    """The member to write in place of a response that holds what is purged."""
    if record.fields.get("WARC-Type") != "response":
        return None
    place = (str(segment), record.offset)
    body = search.redacted.get(place)
    if body is None and place not in search.examined:  # no replay reads it, so nothing else must be kept
        names = ("Quarry-Crawl", "Quarry-Page", "WARC-Target-URI")
        same_page = tuple(record.fields.get(name, "") for name in names) in pages
        old = unpacked(record)
        fresh = overwritten(old, "utf-8", search.texts, 1 if same_page else DISTINCT)
        body = fresh if fresh != old else None
    return None if body is None else member(record, body)


def unpacked(record: Stored) -> bytes:
    """The body of a response without its compression."""
    _, headers, body = http_parts(record.block)
    coding = (headers.get("Content-Encoding") or b"").decode("latin-1").strip().lower()
    try:
        if coding in ("gzip", "x-gzip"):
            return gzip.decompress(body)
        if coding == "deflate":
            import zlib

            return zlib.decompress(body, 15 if body[:1] == b"\x78" else -15)
    except (OSError, EOFError, ValueError):
        return body
    return body


def member(record: Stored, body: bytes) -> bytes:
    """A response with another body, as a gzip member."""
    head = record.block.partition(b"\r\n\r\n")[0].split(b"\r\n")
    dropped = (b"content-length", b"content-encoding")
    lines = [line for line in head if line.partition(b":")[0].lower() not in dropped]
    block = b"\r\n".join([*lines, b"Content-Length: %d" % len(body), b"", b""]) + body
    digest = base64.b32encode(hashlib.sha1(body, usedforsecurity=False).digest()).decode()
    fields = record.fields | {
        "WARC-Payload-Digest": f"sha1:{digest}", "Content-Length": str(len(block)), "Quarry-Redacted": "true"
    }  # fmt: skip
    text = "WARC/1.1\r\n" + "".join(f"{name}: {value}\r\n" for name, value in fields.items()) + "\r\n"
    return gzip.compress(text.encode() + block + b"\r\n\r\n", LEVEL, mtime=0)


def main() -> int:
    """Read what to purge, do it, print what was removed."""
    try:
        given = json.load(sys.stdin)
        result: dict[str, Any] = purge(Spec.read({**given["spec"], "from_raw": True}), frozenset(given["entries"]))
        code = 0
    except (SpecError, OSError, sqlite3.Error) as error:
        code, result = 1, {"error": str(error)}
    print(json.dumps(result), flush=True)
    return code


if __name__ == "__main__":
    sys.exit(main())
