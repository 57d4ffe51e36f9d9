"""What a crawl knows, in one SQLite file, so that a kill at any moment loses no record and doubles none.

A page leaves the frontier in the same transaction that keeps its records and adds its links. Transactions are
committed in batches, after the archive has been synced: what a kill takes away is asked for again, nothing else.
"""

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path
from time import monotonic
from typing import NamedTuple

from crawlers.link import Link
from crawlers.page import REJECT, storable

PENDING, DONE, FAILED, REFUSED, GONE = range(5)
LAYOUT = 1  # raised when the tables change; a state of another layout is rebuilt from the archive
SCHEMA = """
CREATE TABLE facts (name TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE frontier (
    id INTEGER PRIMARY KEY, key TEXT UNIQUE, unit TEXT, status INTEGER DEFAULT 0, link TEXT,
    hops INTEGER, stale INTEGER
);
CREATE INDEX frontier_unit ON frontier (unit, status);
CREATE TABLE pages (
    key TEXT PRIMARY KEY, unit TEXT, context TEXT, etag TEXT, modified TEXT, digest TEXT, links TEXT, crawl INTEGER
) WITHOUT ROWID;
CREATE INDEX pages_unit ON pages (unit, crawl);
CREATE TABLE units (
    key TEXT PRIMARY KEY, link TEXT, activity TEXT, visited INTEGER, linked INTEGER, complete INTEGER
) WITHOUT ROWID;
CREATE TABLE records (
    id INTEGER PRIMARY KEY, type TEXT, native TEXT, digest TEXT, body TEXT, fetched_at TEXT, verdict TEXT,
    version INTEGER, seen INTEGER, written INTEGER, removed_at TEXT, UNIQUE (type, native)
);
CREATE TABLE versions (record INTEGER, digest TEXT, fetched_at TEXT, PRIMARY KEY (record, digest)) WITHOUT ROWID;
CREATE TABLE shows (page TEXT, record INTEGER, PRIMARY KEY (page, record)) WITHOUT ROWID;
CREATE INDEX shows_record ON shows (record);
CREATE TABLE orphans (unit TEXT, record INTEGER, PRIMARY KEY (unit, record)) WITHOUT ROWID;
CREATE TABLE rejects (crawl INTEGER, url TEXT, reason TEXT, detail TEXT);
CREATE TABLE robots (origin TEXT PRIMARY KEY, asked_at REAL, verdict TEXT, body TEXT, reserved TEXT) WITHOUT ROWID;
CREATE TABLE archived (
    crawl INTEGER, page TEXT, url TEXT, file TEXT, offset INTEGER, site TEXT, PRIMARY KEY (crawl, page, url)
) WITHOUT ROWID;
"""
BATCH_PAGES, BATCH_SECONDS = 100, 1.0


def removed(file: Path, names: set[str]) -> list[dict[str, str]]:
    """The records of a state, by their native ids or addresses, that the site no longer shows; not what they say."""
    wanted = ", ".join("?" * len(names))
    with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as database:
        database.row_factory = sqlite3.Row
        found = database.execute(
            "SELECT native, type, fetched_at, removed_at FROM records WHERE removed_at IS NOT NULL AND type != ?"
            f" AND (native IN ({wanted}) OR json_extract(body, '$.url') IN ({wanted})) ORDER BY type, native",
            (REJECT, *names, *names),
        )
        return [dict(row) for row in found]


class Row(NamedTuple):
    """A page of the frontier."""

    id: int
    key: str
    unit: str
    link: Link
    hops: int
    stale: int


class State:
    """The database of one source, opened for one crawl."""

    def __init__(self, path: Path | None) -> None:
        """Open the file, or a state in memory and temporary files when there is none."""
        if path:
            path.parent.mkdir(parents=True, exist_ok=True)
        self.path = path
        # An empty name is SQLite's for a database that spills to a temporary file and is gone when closed.
        self.db = sqlite3.connect(path or "", isolation_level=None, cached_statements=512)
        self.db.execute("PRAGMA journal_mode = WAL")
        self.db.execute("PRAGMA synchronous = NORMAL")
        if not self.db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            self.db.executescript(f"BEGIN; {SCHEMA} PRAGMA user_version = {LAYOUT}; COMMIT;")
        self.layout = self.db.execute("PRAGMA user_version").fetchone()[0]
        self.before_commit: Callable[[], None] = lambda: None
        self.counts: Counter[str] = Counter()
        self.crawl = 0
        self._open_pages, self._opened_at = 0, monotonic()
        self._cursor = 0
        self.db.execute("BEGIN")

    def fact(self, name: str) -> str | None:
        """A fact that was noted before."""
        found = self.db.execute("SELECT value FROM facts WHERE name = ?", (name,)).fetchone()
        return None if found is None else str(found[0])

    def note(self, name: str, value: object) -> None:
        """Note a fact."""
        self.db.execute("INSERT OR REPLACE INTO facts VALUES (?, ?)", (name, str(value)))

    def begin(self, first: Iterable[Link], revisit: int, archived: int = 0) -> bool:
        """Continue the crawl that was cut off, or begin the next one after the last archived; whether it is new."""
        self.crawl, self._cursor = int(self.fact("crawl") or 0), 0
        if self.fact("phase") == "crawling":
            self.try_failed_again()
            return False
        self.crawl = max(self.crawl, archived) + 1
        self.db.execute("DELETE FROM frontier")
        self.db.execute("DELETE FROM rejects WHERE crawl < ?", (self.crawl - 1,))
        for link in first:
            self.follow(link, "", 0, 0)
        self.revisit(revisit)
        self.note("crawl", self.crawl)
        self.note("phase", "crawling")
        self.commit()
        return True

    def try_failed_again(self) -> None:
        """A crawl that continues asks once more for what it could not get."""
        self.db.execute(
            "DELETE FROM rejects WHERE crawl = ? AND url IN (SELECT json_extract(link, '$.url') FROM frontier"
            " WHERE status = ?)",
            (self.crawl, FAILED),
        )
        self.db.execute("UPDATE frontier SET status = ? WHERE status = ?", (PENDING, FAILED))
        self.commit()

    def revisit(self, share: int) -> None:
        """Visit one in so many of the threads that were visited longest ago, whatever the listings say."""
        total = self.db.execute("SELECT count(*) FROM units").fetchone()[0]
        due = self.db.execute(
            "SELECT link FROM units ORDER BY visited, key LIMIT ?", (-(-total // share) if share else 0,)
        )
        for (text,) in due.fetchall():
            link = Link.load(text)
            self.db.execute(
                "INSERT INTO frontier (key, unit, link, hops, stale) VALUES (?, ?, ?, 0, 0) ON CONFLICT DO NOTHING",
                (link.key, link.key, text),
            )

    def follow(self, link: Link, unit: str, hops: int, stale: int) -> bool:
        """Put a page into the frontier unless it is there or has no news; whether this crawl sees it first."""
        key = link.key
        first_linked = False
        if link.thread:
            unit = key
            news, first_linked = self.news(link, key)
            if not news:
                return first_linked
        added = self.db.execute(
            "INSERT INTO frontier (key, unit, link, hops, stale) VALUES (?, ?, ?, ?, ?) ON CONFLICT (key) DO NOTHING",
            (key, unit, link.dump(), hops, stale),
        )
        if added.rowcount != 1 and link.activity is not None:  # the listing knows more than the revisit did
            self.db.execute("UPDATE frontier SET link = ? WHERE key = ? AND status = ?", (link.dump(), key, PENDING))
        return added.rowcount == 1 or first_linked

    def leave(self, link: Link, unit: str) -> bool:
        """Put a page into the frontier that is never asked for, so that its thread does not count as read whole;
        whether it was not there."""
        added = self.db.execute(
            "INSERT INTO frontier (key, unit, link, status) VALUES (?, ?, ?, ?) ON CONFLICT (key) DO NOTHING",
            (link.key, unit, link.dump(), REFUSED),
        )
        return added.rowcount == 1

    def news(self, link: Link, key: str) -> tuple[bool, bool]:
        """Whether a thread must be visited: its mark changed or it was never taken whole; and if this is the first
        listing of the crawl that links a thread known from before."""
        known = self.db.execute("SELECT activity, complete, linked FROM units WHERE key = ?", (key,)).fetchone()
        if not known:
            return True, False
        self.db.execute("UPDATE units SET linked = ? WHERE key = ?", (self.crawl, key))
        return link.activity is None or known[:2] != (link.activity, 1), known[2] != self.crawl

    def next_rows(self, count: int) -> list[Row]:
        """The next pages of the frontier; each is given once by this process."""
        found = self.db.execute(
            "SELECT id, key, unit, link, hops, stale FROM frontier WHERE id > ? AND status = 0 ORDER BY id LIMIT ?",
            (self._cursor, count),
        ).fetchall()
        if found:
            self._cursor = found[-1][0]
        return [Row(i, key, unit, Link.load(link), hops, stale) for i, key, unit, link, hops, stale in found]

    def has_more(self) -> bool:
        """Whether the frontier holds pages that were not given out."""
        found = self.db.execute("SELECT 1 FROM frontier WHERE id > ? AND status = 0 LIMIT 1", (self._cursor,))
        return found.fetchone() is not None

    def pending(self) -> int:
        """How many pages are still to be fetched."""
        return int(self.db.execute("SELECT count(*) FROM frontier WHERE status = 0").fetchone()[0])

    def validators(self, row: Row) -> tuple[str | None, str | None, str | None]:
        """ETag, Last-Modified and digest of the page as it is known, if it was read in the same way."""
        found = self.db.execute(
            "SELECT etag, modified, digest FROM pages WHERE key = ? AND context = ?", (row.key, row.link.context)
        )
        return found.fetchone() or (None, None, None)

    def gave_records(self, key: str) -> bool:
        """Whether a page gave records when it was last read."""
        found = self.db.execute(
            "SELECT 1 FROM shows JOIN records ON records.id = shows.record WHERE page = ? AND type != ? LIMIT 1",
            (key, REJECT),
        )
        return found.fetchone() is not None

    def settle(self, row: Row, status: int) -> None:
        """Take a page out of the frontier."""
        self.db.execute("UPDATE frontier SET status = ? WHERE id = ?", (status, row.id))
        self._open_pages += 1

    def pause(self) -> None:
        """Between two pages: commit when there is enough to."""
        if self._open_pages >= BATCH_PAGES or monotonic() - self._opened_at >= BATCH_SECONDS:
            self.commit()

    def reject(self, url: str, reason: str, detail: str) -> None:
        """Write down what is wrong with a page."""
        values = (self.crawl, storable(url), reason, storable(detail[:500]))
        self.db.execute("INSERT INTO rejects VALUES (?, ?, ?, ?)", values)

    def commit(self) -> None:
        """Make everything so far last, the archive first."""
        self.before_commit()
        self.db.execute("COMMIT")
        self.db.execute("BEGIN")
        self._open_pages, self._opened_at = 0, monotonic()

    def rollback(self) -> None:
        """Forget everything since the last commit."""
        self.db.execute("ROLLBACK")
        self.db.execute("BEGIN")

    def close(self) -> None:
        """Commit and close."""
        self.before_commit()
        self.db.execute("COMMIT")
        self.db.close()
