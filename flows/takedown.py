"""Takedowns: records that no build takes in any more, and, on request, that nothing in the home holds any more.

A purge is the exception to immutability. It goes through raw, annotations, a rebuild, pages and releases, snapshots and
the lake in an order in which each step still finds what it needs, so one that was killed is finished by running it
again: `takedowns.txt` is written first, and the files that name the records go last.
"""

import json
import sys
import uuid
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

import orjson

from expectations import TABLES
from flows import guard
from flows.collect import lines, takedowns
from flows.conduct import Plain
from flows.errors import ConfigError, CrawlError, StoreError
from flows.pipeline import carry_out, prepare, rebuild
from flows.run import Run
from flows.settings import PROJECT, Settings, Source
from flows.store import exchange, remains, snapshots
from flows.store.faults import point
from flows.store.home import Home, write_text
from flows.store.lease import Lease, locked
from flows.store.remains import Remains
from flows.tombstones import tombstones
from transforms.fields import optional_id

# A takedown is meant to make tables smaller and other than before.
_EXPECTED = tuple(
    f"{table.name}.{rule.name}"
    for table in TABLES.values()
    for rule in table.rules
    if rule.check in ("not_shrunk", "no_drift")
)


@dataclass
class Purged:
    """What a purge removed."""

    snapshot_id: str | None = None
    raw: dict[str, dict[str, int]] = field(default_factory=dict)
    annotations: int = 0
    pages: list[str] = field(default_factory=list)
    snapshots: list[str] = field(default_factory=list)
    files: int = 0

    def as_dict(self) -> dict[str, Any]:
        """Plain data for scripts."""
        return asdict(self)


def add(home: Home, settings: Settings, names: Iterable[str]) -> tuple[list[str], list[str]]:
    """Write ids and addresses into `takedowns.txt`; those that are named now, and those of them that are new there."""
    wanted = [name.strip() for name in names]
    for name in wanted:
        _check(home, settings, name)
    entries = list(dict.fromkeys([*wanted, *sorted(_ids_at(home, settings, frozenset(wanted)))]))
    with locked(home):
        path = home / "takedowns.txt"
        known = takedowns(home)
        new = [entry for entry in entries if entry not in known]
        if new:
            before = path.read_text(encoding="utf-8") if path.is_file() else ""
            gap = "" if not before or before.endswith("\n") else "\n"
            write_text(path, before + gap + "".join(f"{entry}\n" for entry in new))
    return entries, new


def _check(home: Home, settings: Settings, name: str) -> None:
    source, colon, native = name.partition(":")
    if "\n" in name or not colon or not native:
        raise ConfigError(f"{name!r} is neither an id (`<source>:<native id>`, as in the tables) nor an address")
    configured = {s.name for s in settings.sources}
    if "://" not in name and source not in configured and not (home / "raw" / source).is_dir():
        raise ConfigError(f"{name}: there is no source {source!r}; the configured ones are {', '.join(configured)}")


def _ids_at(home: Home, settings: Settings, names: frozenset[str]) -> set[str]:
    """The ids of the records at the addresses among the names: a lesson's id takes its posts along, too."""
    addresses = frozenset(name for name in names if "://" in name)
    if not addresses:
        return set()
    found = remains.ids_at(home, addresses)
    for own, _, address in _named(home, settings):
        if own and address in addresses:
            found.add(own)
    return found


def unknown(home: Home, settings: Settings, names: Iterable[str]) -> list[str]:
    """Those of some names by which neither a source nor the home knows anything: mistyped, or not there yet."""
    wanted = {name.strip() for name in names}
    if wanted:
        wanted -= remains.known(home, wanted)
    for called in _named(home, settings) if wanted else ():
        wanted.difference_update(called)
    return sorted(name for name in wanted if not tombstones(home, name))


def _named(home: Home, settings: Settings) -> Iterator[tuple[str, str, str]]:
    """What each record of the sources is called: by its id, its lesson's id, its address."""
    for source in settings.sources:
        alone = settings.model_copy(update={"sources": [source]})
        try:
            for name, _, records in lines(home, alone):
                for line in records:
                    body = _body(line.body)
                    own, lesson = (optional_id(body, key) for key in (f"{line.type}_id", "lesson_id"))
                    yield f"{name}:{own}" if own else "", f"{name}:{lesson}" if lesson else "", str(body.get("url"))
        except (CrawlError, OSError):
            continue  # it has nothing yet


def _body(line: bytes) -> dict[str, Any]:
    try:
        body = orjson.loads(line)
    except orjson.JSONDecodeError:
        return {}
    return body if isinstance(body, dict) else {}


def purge(
    home: Home, settings: Settings, entries: Iterable[str], notice: Callable[[str], None] = lambda _: None
) -> Purged:
    """Remove everything that the home holds of some entries of `takedowns.txt`."""
    wanted, done = frozenset(entries), Purged()
    if not wanted:
        raise ConfigError(
            f"nothing is named to be purged: name an id or address, or write it into {home / 'takedowns.txt'}"
        )
    with Lease(home, "takedown") as lease:
        exchange.remove(home)
        for source in _crawled(home, settings):
            notice(f"purging the archive of {source.name}")
            done.raw[source.name] = _purge_raw(home, source, wanted)
            point(f"raw of {source.name} purged")
        found = remains.find(home, wanted)
        done.annotations = remains.remove_annotations(home, found)
        point("annotations purged")
        if snapshots.current_id(home) is not None:
            run = Run(home, settings, lease, uuid.uuid4().hex[:12], flow="takedown", notice=notice, from_raw=True,
                      accept=_EXPECTED)  # fmt: skip
            outcome = carry_out(run, lambda: rebuild(run, prepare(run, Plain()), Plain()))
            done.snapshot_id = outcome.manifest.id
        point("rebuilt without")
        done.pages = remains.remove_pages(home, found)
        point("pages purged")
        _remove_from_store(home, found, done)
    return done


def _remove_from_store(home: Home, found: Remains, done: Purged) -> None:
    """Delete the snapshots and files that hold the records; never those of the current snapshot."""
    current = {ref.path for ref in snapshots.current(home).files} if done.snapshot_id else set()
    held = remains.files_with(home, found)
    if left := sorted(set(held) & current):
        raise StoreError(
            f"the current snapshot still holds what was taken down ({left[0]} and {len(left) - 1} more files): "
            "are there several records of that id? Remove them from the source and run it again"
        )
    doomed = [path for path in held if path not in current]
    for snapshot_id in remains.snapshots_with(home, set(doomed)):
        (home / "snapshots" / f"{snapshot_id}.json").unlink()
        done.snapshots.append(snapshot_id)
        point("snapshot purged")
    for path in doomed:
        (home / path).unlink(missing_ok=True)
        done.files += 1
        point(f"{path.split('/')[1]} file purged")


def _crawled(home: Home, settings: Settings) -> list[Source]:
    """The sources that have something under raw, also those that are no longer configured."""
    configured = {source.name: source for source in settings.sources}
    folders = sorted(path.name for path in (home / "raw").iterdir() if path.is_dir())
    gone = {name: Source.model_construct(name=name, kind="gone") for name in folders if name not in configured}
    return [(configured | gone)[name] for name in folders]


def _purge_raw(home: Home, source: Source, entries: frozenset[str]) -> dict[str, int]:
    """Purge one source's folder in a child process, as Scrapy reads its archive."""
    folder = home / "raw" / source.name
    spec = {
        "kind": source.kind,
        "name": source.name,
        "url": source.url or "http://127.0.0.1/",
        "records": str(folder / "records.jsonl"),
        "warc": str(folder / "warc"),
        "state": str(folder / "state"),
        "language": source.language,
        "options": source.options,
    }
    order = json.dumps({"spec": spec, "entries": sorted(entries)})
    ended = guard.run([sys.executable, "-m", "crawlers.purge"], order, cwd=PROJECT)
    try:
        found: dict[str, Any] = json.loads(ended.stdout.strip().splitlines()[-1])
    except (ValueError, IndexError):
        last = (ended.stderr.strip().splitlines() or [f"exit code {ended.returncode}"])[-1]
        found = {"error": last}
    if "error" in found:
        raise CrawlError(f"the archive of {source.name} could not be purged ({found['error']}): run it again")
    return found
