"""One crawl from beginning to end: live, or repeated from its archive."""

import hashlib
import inspect
import json
from dataclasses import replace
from pathlib import Path

from crawlers.archive import Archive, segments
from crawlers.engine import crawl_once
from crawlers.fold import lines, reached, write_lines
from crawlers.keeping import remove_orphans
from crawlers.replay import index_archive
from crawlers.spec import Spec
from crawlers.spider import SourceSpider
from crawlers.state import LAYOUT, State
from crawlers.summary import Summary, shortcomings, summary, would_fetch

SHARED_PARSERS = ("page.py", "session.py", "encoding.py", "article.py", "html_text.py", "captions.py", "strict_xml.py",
                  "times.py")  # fmt: skip


class CrawlFailed(Exception):
    """The crawl cannot go on; the message says why."""


async def live(kind: type[SourceSpider], spec: Spec, file: Path | None) -> Summary:
    """Crawl the site, and publish the records when the crawl is whole and good."""
    state = await current_state(kind, spec, file)

    def archive(number: int) -> Archive | None:
        if spec.dry_run:
            return None
        return Archive(spec.warc, number, spec.url, not spec.state, spec.tuning.segment_bytes)

    crawler = await crawl_once(kind, spec, state, archive)
    spider: SourceSpider = crawler.spider
    errors = spider.errors
    if spec.dry_run:
        return summary(spec, "finished", errors, state) | {"would_fetch": would_fetch(spec, state)}
    stopped = spider.stopping or ("limit" if spec.limit and state.pending() else None)
    remove_orphans(state, "", spider.intake.at)
    if not stopped and state.pending():
        errors.append(f"{state.pending()} pages were asked for and never came; run the crawl again")
    if not stopped and not errors:
        errors += shortcomings(spec, state)
    if not errors:
        publish(spec, state, spider)
    if not state.pending():
        state.note("phase", "done")
    result = summary(spec, stopped or "finished", errors, state)
    state.close()
    if spider.archive:
        spider.archive.end()
    return result


def publish(spec: Spec, state: State, spider: SourceSpider) -> None:
    """Write the records, then say so in the archive and in the state; a kill in between repeats it."""
    write_lines(spec.records, lines(state))
    if not state.pending():
        state.note("accepted", json.dumps(reached(state)))
    state.note("published", state.crawl)
    if spider.archive:
        spider.archive.accept()


async def current_state(kind: type[SourceSpider], spec: Spec, file: Path | None) -> State:
    """The state to continue with; one that other parsers filled is rebuilt from the archive first."""
    if spec.dry_run:  # which must change nothing
        return in_memory(State(file)) if file and file.exists() else State(None)
    code = parser_digest(kind)
    state = State(file)
    if state.layout == LAYOUT and state.fact("code") in (None, code):
        state.note("code", code)
        state.commit()
        return state
    state.close()
    if not file or not segments(spec.warc):
        raise CrawlFailed(f"{file} was made by another version, and there is no archive to rebuild it from: delete it")
    rebuilt = await replay(kind, replace(spec, from_raw=True), file)
    if not rebuilt["finished"] and rebuilt["items"]:
        raise CrawlFailed(f"{file} could not be rebuilt from the archive: {rebuilt['errors'][0]}")
    if not rebuilt["finished"]:  # the settings are new too, and what they need was never asked for: begin anew
        remove_database(file)
    state = State(file)
    state.note("code", code)
    state.commit()
    return state


async def replay(kind: type[SourceSpider], spec: Spec, file: Path | None) -> Summary:
    """Repeat every archived crawl without network, and write the records of the last accepted one."""
    if not segments(spec.warc):
        raise CrawlFailed(f"there is no archive at {spec.warc}")
    fresh = file.with_name(file.name + ".part") if file else None
    if fresh:
        remove_database(fresh)
    state = State(fresh)
    crawls, accepted = index_archive(state, spec.warc)
    if file and file.exists():  # an archive whose end was lost has lost the mark, too
        before = State(file)
        accepted = max(accepted, int(before.fact("published") or 0))
        before.close()
    errors: list[str] = []
    for number in crawls:
        if accepted and number > accepted:
            break  # it was never published
        state.note("crawl", number - 1)
        crawler = await crawl_once(kind, spec, state, no_archive)
        remove_orphans(state, "", crawler.spider.intake.at)
        state.note("phase", "done")
        state.note("accepted", json.dumps(reached(state)))
        errors = crawler.spider.errors
    if not state.db.execute("SELECT count(*) FROM records").fetchone()[0]:
        errors.append(f"the archive at {spec.warc} gives no records")
    if not errors:
        write_lines(spec.records, lines(state))
    result = summary(spec, "finished", errors, state)
    state.note("crawl", max(crawls, default=0))
    state.note("published", accepted)
    state.note("code", parser_digest(kind))
    state.db.execute("DELETE FROM archived")
    state.close()
    if fresh and file and not errors:
        remove_database(file)
        fresh.replace(file)
    return result


def no_archive(number: int) -> None:
    """A replay archives nothing."""


def parser_digest(kind: type[SourceSpider]) -> str:
    """A digest of the code that turns this source's pages into records."""
    module = Path(inspect.getfile(kind))
    here = Path(__file__).parent
    own = sorted(module.parent.glob("*.py")) if module.parent.parent == here else [module]
    digest = hashlib.blake2b(digest_size=16)
    for path in [*own, *(here / name for name in SHARED_PARSERS)]:
        digest.update(path.read_bytes())
    return digest.hexdigest()


def in_memory(state: State) -> State:
    """A copy of a state that is gone when it is closed."""
    copy = State(None)
    copy.db.execute("COMMIT")
    state.db.execute("COMMIT")
    state.db.backup(copy.db)
    state.db.close()
    copy.db.execute("BEGIN")
    return copy


def remove_database(file: Path) -> None:
    """Delete a database with the files that SQLite keeps beside it."""
    for suffix in ("", "-wal", "-shm"):
        file.with_name(file.name + suffix).unlink(missing_ok=True)
