"""Removes records from what a source has under raw: the archive, the records file, and what the crawl knows.

Runs in a process of its own (`python -m crawlers.purge`): `{"spec": …, "entries": […]}` on stdin, what was removed as
JSON on stdout. Entries are `<source>:<native id>` or addresses; a lesson's id takes its posts and quizzes along.

The archive is rewritten by repeating its crawls: each page that shows a record is redacted until its own parser gives
everything but the record, so a later replay needs to know nothing of it. The archive comes first and the state last:
it knows the texts to look for, so a purge that was killed is finished by running it again.
"""

import json
import sqlite3
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from crawlers.archive import segments
from crawlers.crawl import CrawlFailed
from crawlers.engine import run_in_reactor
from crawlers.fold import write_lines
from crawlers.page import Record
from crawlers.purge_archive import rewrite_segment
from crawlers.purge_pages import Search, named, purging, repeat, texts_of
from crawlers.redact import holds, mentions
from crawlers.run import KINDS, locked
from crawlers.spec import Spec, SpecError


def purge(spec: Spec, entries: frozenset[str]) -> dict[str, int]:
    """Remove records from everything that a source has under raw; what was removed."""
    responses = 0
    with locked(spec.state if spec.state and spec.state.is_dir() else None) as file:
        remove_unfinished(spec)
        search = Search(spec.name, entries, set())
        for _, body in known_records(spec, search, file):
            search.texts.update(texts_of(body))
        if segments(spec.warc) and spec.kind in KINDS:
            repeat_archive(spec, search)
        if search.texts:  # of a source that is no longer configured nothing is ever read again
            responses = sum([rewrite_segment(segment, search) for segment in segments(spec.warc)])
        records = max(filter_records(spec, search), clean_state(file, search))
    return {"records": records, "responses": responses}


def repeat_archive(spec: Spec, search: Search) -> None:
    """Read the archive for the texts of all versions, and again for the pages that hold one of them."""
    kind = KINDS[spec.kind]

    async def twice() -> bool:
        await repeat(purging(kind, search, redacting=False), spec)
        if search.texts:
            await repeat(purging(kind, search, redacting=True), spec)
        return True

    if not run_in_reactor(twice):
        raise CrawlFailed("a signal ended the purge; run it again and it continues")


def remove_unfinished(spec: Spec) -> None:
    """Delete what a killed crawl or purge was about to write; nothing reads it."""
    for folder in {spec.records.parent, spec.warc.parent, spec.state or spec.warc.parent}:
        for pattern in ("*.part", "*.part-*", "*.new"):
            for path in folder.glob(pattern):
                path.unlink()


def known_records(spec: Spec, search: Search, file: Path | None) -> Iterator[tuple[str, Record]]:
    """The records to purge, as they are known before the archive is read."""
    if spec.records.exists():
        with spec.records.open(encoding="utf-8") as lines:
            yield from ((r["type"], r["body"]) for r in map(json.loads, lines) if search.doomed(r))
    if file and file.exists():
        database = sqlite3.connect(file)
        for kind, text in database.execute("SELECT type, body FROM records"):
            body = json.loads(text)
            if named(search.entries, search.source, kind, body):
                yield kind, body
        database.close()


def filter_records(spec: Spec, search: Search) -> int:
    """Write the records file without some records; how many they were."""
    if not spec.records.exists():
        return 0
    with spec.records.open(encoding="utf-8", newline="\n") as lines:
        gone = sum(search.doomed(json.loads(line)) for line in lines)
    if gone:
        with spec.records.open(encoding="utf-8", newline="\n") as lines:
            write_lines(spec.records, (line for line in lines if not search.doomed(json.loads(line))))
    return gone


def clean_state(file: Path | None, search: Search) -> int:
    """Delete records from the state, which afterwards holds no byte of them; how many they were."""
    if not file or not file.exists():
        return 0
    database = sqlite3.connect(file, isolation_level=None)
    database.execute("BEGIN IMMEDIATE")
    found = database.execute("SELECT id, type, body, removed_at IS NULL FROM records")
    gone = [
        (number, kind, live)
        for number, kind, body, live in found.fetchall()
        if named(search.entries, search.source, kind, json.loads(body))
    ]
    for number, _, _ in gone:
        database.execute("DELETE FROM records WHERE id = ?", (number,))
        for table in ("versions", "shows", "orphans"):
            database.execute(f"DELETE FROM {table} WHERE record = ?", (number,))
    for number, detail in database.execute("SELECT rowid, detail FROM rejects").fetchall():
        if holds(detail, search.texts):
            database.execute("UPDATE rejects SET detail = '' WHERE rowid = ?", (number,))
    forget_links(database, search)
    accepted = database.execute("SELECT value FROM facts WHERE name = 'accepted'").fetchone()
    if accepted:  # or the next crawl looks as if the site had lost them
        counts = Counter(json.loads(accepted[0])) - Counter(kind for _, kind, live in gone if live)
        database.execute("UPDATE facts SET value = ? WHERE name = 'accepted'", (json.dumps(counts),))
    database.execute("COMMIT")
    database.execute("VACUUM")  # deleted rows stay in the file's free pages until then
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()
    return len(gone)


def forget_links(database: sqlite3.Connection, search: Search) -> None:
    """Forget links that hand words of a record on to other pages; the next crawl finds them again."""
    for key, links in database.execute("SELECT key, links FROM pages").fetchall():
        if mentions(json.loads(links), search.texts):
            unknown = "links = '[]', etag = NULL, modified = NULL, digest = NULL"
            database.execute(f"UPDATE pages SET {unknown} WHERE key = ?", (key,))
    for table in ("frontier", "units"):
        for key, link in database.execute(f"SELECT key, link FROM {table}").fetchall():
            if mentions(json.loads(link), search.texts):
                database.execute(f"DELETE FROM {table} WHERE key = ?", (key,))


def main() -> int:
    """Read what to purge, do it, print what was removed."""
    try:
        given = json.load(sys.stdin)
        result: dict[str, Any] = purge(Spec.read({**given["spec"], "from_raw": True}), frozenset(given["entries"]))
        code = 0
    except (SpecError, CrawlFailed, OSError, sqlite3.Error) as error:
        code, result = 1, {"error": str(error)}
    print(json.dumps(result), flush=True)
    return code


if __name__ == "__main__":
    sys.exit(main())
