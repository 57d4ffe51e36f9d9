"""Runs one crawl in a process of its own: a JSON spec on stdin, a JSON summary on stdout.

Exit codes: 0 the records are written, 1 the crawl failed and the old records stay, 2 the spec cannot be done.
"""

import fcntl
import json
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from crawlers.archive import Archive, segments
from crawlers.campus.spider import CampusSpider
from crawlers.engine import crawl_once, run_in_reactor
from crawlers.fold import last_time, lines, reached, shortfall, write_lines
from crawlers.keeping import remove_orphans
from crawlers.replay import index_archive
from crawlers.spec import Spec, SpecError
from crawlers.spider import SourceSpider
from crawlers.state import LAYOUT, State

KINDS: dict[str, type[SourceSpider]] = {"campus": CampusSpider}
SHOWN = 50  # rejects, or addresses of a dry run, in the summary
Summary = dict[str, Any]


class CrawlFailed(Exception):
    """The crawl cannot go on; the message says why."""


def crawl(spec: Spec) -> Summary:
    """Do what a spec asks for."""
    if spec.kind not in KINDS:
        raise SpecError(f"unknown kind {spec.kind!r}; known are {', '.join(sorted(KINDS))}")
    spec.check_contact()
    with locked(spec.state) as file:
        if spec.from_raw:
            return replay(spec, file)
        state = State(None if spec.dry_run else file)
        if spec.dry_run and file and file.exists():
            copy_state(file, state)
        if state.layout != LAYOUT:
            raise CrawlFailed(f"{file} was made by another version; rebuild it with from_raw")
        return live(spec, state)


def live(spec: Spec, state: State) -> Summary:
    """Crawl the site, and publish the records when the crawl is whole and good."""

    def archive(number: int) -> Archive | None:
        return None if spec.dry_run else Archive(spec.warc, number, not spec.state, spec.tuning.segment_bytes)

    crawler = run_in_reactor(lambda: crawl_once(KINDS[spec.kind], spec, state, archive))
    if crawler is None:
        return summary("stopped", ["a signal ended the crawl; run it again and it continues"], state)
    spider: SourceSpider = crawler.spider
    errors = spider.errors
    stopped = spider.stopping or ("limit" if state.pending() and spec.limit else None)
    close_root(state, spider.intake.at)
    if not stopped and not errors and not spec.dry_run:
        errors += judge(spec, state)
    if spec.dry_run:
        return dry_summary(errors, state)
    if not errors:
        publish(spec, state, spider)
    if not stopped:
        state.note("phase", "done")
    result = summary(stopped or "finished", errors, state)
    state.close()
    if spider.archive:
        spider.archive.end()
    return result


def judge(spec: Spec, state: State) -> list[str]:
    """What is wrong with a crawl that came to its end."""
    found = dict(state.db.execute("SELECT status, count(*) FROM frontier GROUP BY status").fetchall())
    total, failed = sum(found.values()), found.get(2, 0)
    now = reached(state)
    if not now:
        return [f"{spec.url}: not one record was found; is it a site of the kind {spec.kind}?"]
    if failed > spec.tuning.max_rejected * total:
        worst = Counter(dict(state.db.execute(
            "SELECT reason, count(*) FROM rejects WHERE crawl = ? AND reason NOT LIKE 'refused/%' GROUP BY reason",
            (state.crawl,)
        ).fetchall())).most_common(1)  # fmt: skip
        return [f"quality: {failed} of {total} pages were rejected, most as {worst[0][0]}; the old records stay"]
    return shortfall(now, last_time(state, spec.records), spec.tuning.min_share)


def publish(spec: Spec, state: State, spider: SourceSpider) -> None:
    """Write the records, then say so in the archive and in the state; a kill in between repeats it."""
    write_lines(spec.records, lines(state))
    state.note("accepted", json.dumps(reached(state)))
    if spider.archive:
        spider.archive.accept(spec.url)


def replay(spec: Spec, file: Path | None) -> Summary:
    """Repeat every archived crawl without network, and write the records of the last accepted one."""
    if not segments(spec.warc):
        raise CrawlFailed(f"there is no archive at {spec.warc}")
    fresh = file.with_name(file.name + ".part") if file else None
    if fresh:
        remove_database(fresh)
    state = State(fresh)
    crawls, accepted = index_archive(state, spec.warc)
    errors: list[str] = []

    async def repeat() -> bool:
        for number in crawls:
            if accepted and number > accepted:
                break
            state.note("crawl", number - 1)
            crawler = await crawl_once(KINDS[spec.kind], spec, state, no_archive)
            close_root(state, crawler.spider.intake.at)
            state.note("phase", "done")
            state.note("accepted", json.dumps(reached(state)))
            errors[:] = crawler.spider.errors
        return True

    done = run_in_reactor(repeat)
    if not done:
        return summary("stopped", ["a signal ended the replay"], state)
    if not state.db.execute("SELECT count(*) FROM records").fetchone()[0]:
        errors.append(f"the archive at {spec.warc} gives no records")
    if not errors:
        write_lines(spec.records, lines(state))
    result = summary("finished", errors, state)
    state.note("crawl", max(crawls, default=0))
    state.db.execute("DELETE FROM archived")
    state.close()
    if fresh and file and not errors:
        remove_database(file)
        fresh.replace(file)
    return result


def no_archive(number: int) -> None:
    """A replay archives nothing."""


def close_root(state: State, at: str) -> None:
    """Remove what pages outside of any thread no longer show."""
    remove_orphans(state, "", at)


def summary(reason: str, errors: list[str], state: State) -> Summary:
    """What the process prints."""
    rows = state.db.execute("SELECT reason, count(*) FROM rejects WHERE crawl = ? GROUP BY reason", (state.crawl,))
    reasons = dict(sorted(rows.fetchall()))
    refused = {name.removeprefix("refused/"): count for name, count in reasons.items() if name.startswith("refused/")}
    if state.counts["offsite"]:
        refused["offsite_links"] = state.counts["offsite"]
    shown = state.db.execute("SELECT url, reason, detail FROM rejects WHERE crawl = ? LIMIT ?", (state.crawl, SHOWN))
    return {
        "finished": not errors and reason in ("finished", "limit"),
        "reason": reason if not errors or reason != "finished" else "failed",
        "pages": state.counts["pages"],
        "items": state.db.execute("SELECT count(*) FROM records WHERE removed_at IS NULL").fetchone()[0],
        "errors": errors,
        "crawl": state.crawl,
        "changes": {name: state.counts[name] for name in ("new", "changed", "removed", "returned")},
        "unchanged_pages": state.counts["unchanged"],
        "gone_pages": state.counts["gone"],
        "left": state.pending(),
        "refused": refused,
        "rejects": {name: count for name, count in reasons.items() if not name.startswith("refused/")},
        "rejected": [dict(zip(("url", "reason", "detail"), row, strict=True)) for row in shown],
    }


def dry_summary(errors: list[str], state: State) -> Summary:
    """What a dry run prints: the pages that a crawl would fetch."""
    found = state.db.execute(
        "SELECT json_extract(link, '$.url') FROM frontier WHERE status = 0 ORDER BY id LIMIT ?", (1000,)
    )
    addresses = [url for (url,) in found]
    return summary("finished", errors, state) | {"would_fetch": addresses}


@contextmanager
def locked(folder: Path | None) -> Iterator[Path | None]:
    """The database of a state folder, held by one crawl at a time."""
    if folder is None:
        yield None
        return
    folder.mkdir(parents=True, exist_ok=True)
    lock: IO[str] = (folder / "lock").open("w")
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise CrawlFailed(f"another crawl is at work in {folder}") from error
        yield folder / "crawl.sqlite3"


def copy_state(file: Path, state: State) -> None:
    """Copy a state for a dry run, which must change nothing."""
    source = State(file)
    state.db.execute("COMMIT")
    source.db.execute("COMMIT")
    source.db.backup(state.db)
    source.db.close()
    state.db.execute("BEGIN")


def remove_database(file: Path) -> None:
    """Delete a database with the files that SQLite keeps beside it."""
    for suffix in ("", "-wal", "-shm"):
        file.with_name(file.name + suffix).unlink(missing_ok=True)


def main() -> int:
    """Read the spec, crawl, print the summary."""
    code = 1
    try:
        result = crawl(Spec.read(json.load(sys.stdin)))
        code = 0 if result["finished"] else 1
    except (SpecError, json.JSONDecodeError) as error:
        code, result = 2, failure("bad spec", error)
    except (CrawlFailed, OSError) as error:
        result = failure("failed", error)
    print(json.dumps(result, ensure_ascii=False), flush=True)
    return code


def failure(reason: str, error: Exception) -> Summary:
    """The summary of a crawl that never began."""
    return {"finished": False, "reason": reason, "pages": 0, "items": 0, "errors": [str(error)]}


if __name__ == "__main__":
    sys.exit(main())
