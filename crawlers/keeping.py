"""Keeps what pages show: a record lives as long as a page of its thread shows it, and keeps the time of its content.

Absence from a listing removes nothing. A page that is gone (404, 410) or that no longer shows a record makes the record
an orphan; when its thread has been read whole and no page shows it, it is removed.
"""

import hashlib
import json
from collections.abc import Iterable
from typing import NamedTuple

from crawlers.link import Link
from crawlers.page import REJECT, Record, storable
from crawlers.state import DONE, FAILED, GONE, PENDING, REFUSED, Row, State

NATIVE = {"lesson": "lesson_id", "quiz": "quiz_id", "post": "post_id", REJECT: "reject_id"}
MAX_STALE = 10  # pages of one chain that show nothing new: the cursor never ends


class Fetched(NamedTuple):
    """What is kept of a response beside its records."""

    at: str
    verdict: str
    etag: str | None = None
    modified: str | None = None
    digest: str | None = None


class Written(NamedTuple):
    """A record as it is stored."""

    kind: str
    native: str
    digest: str
    text: str


def written_record(kind: str, body: Record) -> Written:
    """A record as JSON, with its own id and the digest of its content."""
    text = storable(json.dumps(body, ensure_ascii=False, sort_keys=True, allow_nan=False))
    digest = hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
    return Written(kind, storable(str(body.get(NATIVE.get(kind, ""), digest))), digest, text)


def keep_page(state: State, row: Row, fetched: Fetched, records: list[Written], links: list[Link], hops: int) -> None:
    """Replace what is known of a page by what it shows now."""
    shown: set[int] = set()
    new = 0
    for record in records:
        number, first = keep_record(state, record, fetched)
        shown.add(number)
        new += first
    before = {number for (number,) in state.db.execute("SELECT record FROM shows WHERE page = ?", (row.key,))}
    state.db.executemany("INSERT INTO shows VALUES (?, ?)", [(row.key, number) for number in shown - before])
    if not row.link.listing:
        hide(state, row.key, row.unit, before - shown)
    state.db.execute(
        "INSERT OR REPLACE INTO pages VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (row.key, row.unit, row.link.context, fetched.etag, fetched.modified, fetched.digest,
         json.dumps([link.fields() for link in links]), state.crawl),
    )  # fmt: skip
    follow_links(state, row, links, new, hops)
    settle(state, row, DONE, fetched.at)


def keep_unchanged(state: State, row: Row, fetched: Fetched, hops: int) -> bool:
    """Keep a page that has not changed, and go where it led; False when it is not known at all."""
    known = state.db.execute("SELECT links FROM pages WHERE key = ?", (row.key,)).fetchone()
    if known is None:
        return False
    state.db.execute(
        "UPDATE pages SET crawl = ?, unit = ?, etag = coalesce(?, etag), modified = coalesce(?, modified)"
        " WHERE key = ?",
        (state.crawl, row.unit, fetched.etag, fetched.modified, row.key),
    )
    seen = state.db.execute(
        "UPDATE records SET seen = ?1 WHERE seen != ?1 AND id IN (SELECT record FROM shows WHERE page = ?2)",
        (state.crawl, row.key),
    )
    state.counts["unchanged"] += 1
    follow_links(state, row, [Link(**fields) for fields in json.loads(known[0])], seen.rowcount, hops)
    settle(state, row, DONE, fetched.at)
    return True


def keep_record(state: State, record: Written, fetched: Fetched) -> tuple[int, bool]:
    """Keep a record, as a new version when its content changed; its number, and whether this crawl first sees it."""
    kind, native, digest, text = record
    known = state.db.execute(
        "SELECT id, digest, seen, written, removed_at, body FROM records WHERE type = ? AND native = ?", (kind, native)
    ).fetchone()
    if known is None:
        values = (kind, native, digest, text, fetched.at, fetched.verdict, state.crawl)
        added = state.db.execute(
            "INSERT INTO records (type, native, digest, body, fetched_at, verdict, version, seen, written)"
            " VALUES (?1, ?2, ?3, ?4, ?5, ?6, 1, ?7, ?7)",
            values,
        )
        state.counts["new"] += kind != REJECT
        return int(added.lastrowid or 0), True
    number, old_digest, seen, written, removed_at, old_text = known
    if digest == old_digest:
        state.counts["returned"] += bool(removed_at) and kind != REJECT
    elif written == state.crawl and (len(old_text), old_text) > (len(text), text):
        return number, False  # two pages of one crawl disagree: which came first must not matter
    else:
        change_record(state, number, digest, text, fetched)
        state.counts["changed"] += written != state.crawl and kind != REJECT
    state.db.execute(
        "UPDATE records SET seen = ?1, written = ?1, removed_at = NULL WHERE id = ?2", (state.crawl, number)
    )
    return number, seen != state.crawl


def change_record(state: State, number: int, digest: str, text: str, fetched: Fetched) -> None:
    """Give a record a new version; content that was there before has the time at which it first was."""
    state.db.execute(
        "INSERT OR IGNORE INTO versions SELECT id, digest, fetched_at FROM records WHERE id = ?", (number,)
    )
    earlier = state.db.execute("SELECT fetched_at FROM versions WHERE record = ? AND digest = ?", (number, digest))
    (at,) = earlier.fetchone() or (fetched.at,)
    state.db.execute(
        "UPDATE records SET digest = ?, body = ?, fetched_at = ?, verdict = ?, version = version + 1 WHERE id = ?",
        (digest, text, at, fetched.verdict, number),
    )


def follow_links(state: State, row: Row, links: list[Link], new: int, max_hops: int) -> None:
    """Put the links of a page into the frontier; a chain of next pages that shows nothing new is cut."""
    onward = [link for link in links if link.callback == row.link.callback and not link.thread]
    for link in links:
        if link.callback != row.link.callback or link.thread:
            new += state.follow(link, row.unit, 0, 0)
    stale = 0 if new else row.stale + 1
    for link in onward:
        if stale >= MAX_STALE or row.hops >= max_hops:
            if state.leave(link, row.unit):
                state.reject(link.url, "endless_listing", f"after {row.hops} pages, {stale} of them without news")
        else:
            state.follow(link, row.unit, row.hops + 1, stale)


def hide(state: State, page: str, unit: str, numbers: Iterable[int]) -> None:
    """Note that a page no longer shows some records."""
    for number in numbers:
        state.db.execute("DELETE FROM shows WHERE page = ? AND record = ?", (page, number))
        state.db.execute("INSERT OR IGNORE INTO orphans VALUES (?, ?)", (unit, number))


def drop_pages(state: State, row: Row) -> bool:
    """Forget a page that is gone, with its whole thread when it is the thread's first; whether it was known."""
    whole = row.key == row.unit
    found = state.db.execute(
        "SELECT key FROM pages WHERE unit = ?" if whole else "SELECT key FROM pages WHERE key = ?", (row.key,)
    ).fetchall()
    for (key,) in found:
        forget_page(state, key, row.unit)
    if whole:
        state.db.execute("DELETE FROM units WHERE key = ?", (row.unit,))
    return bool(found)


def forget_page(state: State, key: str, unit: str) -> None:
    """Delete a page; what it showed is orphaned."""
    state.db.execute("INSERT OR IGNORE INTO orphans SELECT ?, record FROM shows WHERE page = ?", (unit, key))
    state.db.execute("DELETE FROM shows WHERE page = ?", (key,))
    state.db.execute("DELETE FROM pages WHERE key = ?", (key,))


def settle(state: State, row: Row, status: int, at: str) -> None:
    """Take a page out of the frontier, and close its thread when it was the last one."""
    state.settle(row, status)
    if row.unit:
        close_unit(state, row.unit, at)


def close_unit(state: State, unit: str, at: str) -> None:
    """When all pages of a thread were read: drop the pages that no longer exist and remove what none shows."""
    rows = state.db.execute("SELECT DISTINCT status FROM frontier WHERE unit = ?", (unit,)).fetchall()
    statuses = {status for (status,) in rows}
    if PENDING in statuses:
        return
    complete = not statuses & {FAILED, REFUSED}
    if complete:
        # A page that another thread leads to as well may still be on its way, asked for on that one's behalf.
        old = state.db.execute(
            "SELECT key FROM pages WHERE unit = ? AND crawl < ? AND key NOT IN (SELECT key FROM frontier)",
            (unit, state.crawl),
        ).fetchall()
        for (key,) in old:
            forget_page(state, key, unit)
        remove_orphans(state, unit, at)
    root = state.db.execute("SELECT link, status FROM frontier WHERE key = ?", (unit,)).fetchone()
    if root and root[1] != GONE:
        state.db.execute(
            "INSERT INTO units VALUES (?1, ?2, ?3, ?4, ?4, ?5) ON CONFLICT (key) DO UPDATE SET link = ?2,"
            " activity = coalesce(?3, activity), visited = ?4, linked = max(linked, ?4), complete = ?5",
            (unit, root[0], Link.load(root[0]).activity, state.crawl, int(complete)),
        )


def remove_orphans(state: State, unit: str, at: str) -> None:
    """Remove the records of a thread that no page shows any more."""
    removed = state.db.execute(
        "UPDATE records SET removed_at = ?1 WHERE removed_at IS NULL AND id IN (SELECT record FROM orphans WHERE"
        " unit = ?2) AND NOT EXISTS (SELECT 1 FROM shows WHERE shows.record = records.id) RETURNING type",
        (at, unit),
    ).fetchall()
    state.counts["removed"] += sum(kind != REJECT for (kind,) in removed)
    state.db.execute("DELETE FROM orphans WHERE unit = ?", (unit,))
