"""Runs one crawl in a process of its own: a JSON spec on stdin, a JSON summary on stdout.

Exit codes: 0 the records are written, 1 the crawl failed and the old records stay, 2 the spec cannot be done.
"""

import fcntl
import json
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from crawlers.campus.spider import CampusSpider
from crawlers.crawl import CrawlFailed, live, replay
from crawlers.discourse.spider import DiscourseSpider
from crawlers.engine import run_in_reactor
from crawlers.files import Reader, read_source
from crawlers.html.spider import HtmlSpider
from crawlers.khan.spider import KhanSpider
from crawlers.learningq.reader import read_learningq
from crawlers.moodle.spider import MoodleSpider
from crawlers.page import PageError
from crawlers.qapage.spider import QAPageSpider
from crawlers.spec import Spec, SpecError
from crawlers.spider import SourceSpider
from crawlers.stackexchange.reader import read_stackexchange
from crawlers.summary import Summary, failure
from crawlers.teded.spider import TededSpider

# A new source is one line: a spider for what is crawled, a reader for what is a file.
KINDS: dict[str, type[SourceSpider]] = {
    "campus": CampusSpider,
    "discourse": DiscourseSpider,
    "html": HtmlSpider,
    "khan": KhanSpider,
    "moodle": MoodleSpider,
    "qapage": QAPageSpider,
    "teded": TededSpider,
}
READERS: dict[str, Reader] = {"learningq": read_learningq, "stackexchange": read_stackexchange}


def crawl(spec: Spec) -> Summary:
    """Do what a spec asks for."""
    if spec.kind in READERS:
        return read_source(spec, READERS[spec.kind])
    if spec.kind not in KINDS:
        raise SpecError(f"unknown kind {spec.kind!r}; known are {', '.join(sorted({*KINDS, *READERS}))}")
    spec.check_contact()
    kind = KINDS[spec.kind]
    with locked(spec.state) as file:
        result = run_in_reactor(lambda: (replay if spec.from_raw else live)(kind, spec, file))
    return result or failure("stopped", CrawlFailed("a signal ended the crawl; run it again and it continues"))


@contextmanager
def locked(folder: Path | None) -> Iterator[Path | None]:
    """The database of a state folder, held by one crawl at a time."""
    if folder is None:
        yield None
        return
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise CrawlFailed(f"another crawl is at work in {folder}") from error
        yield folder / "crawl.sqlite3"


def main() -> int:
    """Read the spec, crawl, print the summary."""
    try:
        result = crawl(Spec.read(json.load(sys.stdin)))
        code = 0 if result["finished"] else 1
    except (SpecError, json.JSONDecodeError) as error:
        code, result = 2, failure("bad spec", error)
    except (CrawlFailed, PageError, OSError) as error:
        code, result = 1, failure("failed", error)
    except sqlite3.Error as error:  # which says `disk I/O error` of a full disk, too
        told = f"its state cannot be kept ({error}): is the disk full, or the file damaged?"
        code, result = 1, failure("failed", CrawlFailed(told))
    print(json.dumps(result, ensure_ascii=False), flush=True)
    return code


if __name__ == "__main__":
    sys.exit(main())
