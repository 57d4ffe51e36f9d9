"""Bring the newest records of every source to the raw archive, and read them from there.

Sources that crawl run Scrapy in a process of its own, so that one long-lived worker can crawl any number of times;
a crawl that fails leaves the records of the last good one in place.
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path
from typing import Any

import orjson

from flows import guard
from flows.errors import ConfigError, CrawlError
from flows.records import Line
from flows.settings import CAMPUS, FILE_KINDS, PROJECT, Settings, Source
from flows.store.home import Home

_FILES = {"lesson": "lessons.jsonl", "post": "posts.jsonl", "quiz": "quizzes.jsonl"}


def collect_source(home: Home, source: Source, from_raw: bool = False) -> dict[str, Any]:
    """Bring one source up to date; from raw, by reading its archive again and asking nobody."""
    if source.kind == "jsonl":
        return check_files(source)
    if not from_raw:
        return crawl(home, source)
    if source.kind in FILE_KINDS:
        return {}  # its files are the archive, and they were read when they last changed
    if not (home / "raw" / source.name / "warc").is_dir():
        raise CrawlError(f"source {source.name} has never been crawled: run `quarry build` without --from-raw")
    return crawl(home, source, from_raw=True)


def lines(home: Home, settings: Settings) -> Iterator[tuple[str, str, Iterator[Line]]]:
    """Name, language and lines of every source."""
    for source in settings.sources:
        read = _file_lines(source) if source.kind == "jsonl" else _archived_lines(home, source)
        yield source.name, source.language, read


def takedowns(home: Home) -> frozenset[str]:
    """The ids and addresses that `takedowns.txt` in the home names, one a line; a line with # in front is a remark."""
    path = home / "takedowns.txt"
    if not path.is_file():
        return frozenset()
    found = (line.strip() for line in path.read_text(encoding="utf-8", errors="replace").splitlines())
    return frozenset(line for line in found if line and not line.startswith("#"))


def check_files(source: Source) -> dict[str, Any]:
    """Which files of its own a source has; those that it must have are there."""
    assert source.path is not None
    for name in ("lessons.jsonl", "posts.jsonl"):
        if not (source.path / name).is_file():
            raise ConfigError(f"source {source.name}: {source.path / name} is missing: put it there or mend `path`")
    return {"files": sum((source.path / name).is_file() for name in _FILES.values())}


def _file_lines(source: Source) -> Iterator[Line]:
    assert source.path is not None
    for kind, name in _FILES.items():
        path = source.path / name
        if not path.is_file():
            continue
        with path.open("rb") as file:
            for number, line in enumerate(file):
                line = line.removeprefix(b"\xef\xbb\xbf") if number == 0 else line
                if line.strip():
                    yield Line(line.strip(), kind)


def _archived_lines(home: Home, source: Source) -> Iterator[Line]:
    path = _records(home, source)
    if not path.is_file():
        raise CrawlError(f"source {source.name} has never been crawled: run `quarry build` without --from-raw")
    with path.open("rb") as file:
        for line in file:
            record = orjson.loads(line)
            fetched_at = record.get("fetched_at")
            when = datetime.fromisoformat(fetched_at) if fetched_at else None
            yield Line(orjson.dumps(record["body"]), record["type"], when, record.get("verdict"))


def _records(home: Home, source: Source) -> Path:
    return home / "raw" / source.name / "records.jsonl"


def crawl(home: Home, source: Source, **extra: Any) -> dict[str, Any]:
    """Crawl one source in a child process; `extra` is for the crawl alone, such as a limit."""
    folder = home / "raw" / source.name
    with ExitStack() as stack:
        url = source.url or str(source.path)
        if source.kind == "campus" and not source.url:
            from crawlers.campus.site import serve

            url = stack.enter_context(serve(CAMPUS))
        spec = {
            "kind": source.kind,
            "name": source.name,
            "url": url,
            "records": str(_records(home, source)),
            "warc": str(folder / "warc"),
            "state": str(folder / "state"),
            "language": source.language,
            "contact": source.contact,
            "options": source.options,
            **extra,
        }
        done = guard.run([sys.executable, "-m", "crawlers.run"], json.dumps(spec), cwd=PROJECT)
    return _summary(source, done)


def _summary(source: Source, done: "subprocess.CompletedProcess[str]") -> dict[str, Any]:
    try:
        found: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    except (ValueError, IndexError):
        last = (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
        raise CrawlError(f"the crawl of {source.name} died ({last}): run the build again") from None
    if done.returncode == 2:
        raise ConfigError(f"source {source.name}: {found['errors'][0]}")
    if not found["finished"]:
        first = (found["errors"] or [found["reason"]])[0]
        more = f" and {len(found['errors']) - 1} more" if len(found["errors"]) > 1 else ""
        raise CrawlError(f"the crawl of {source.name} failed: {first}{more}; its last records stay in use")
    return found
