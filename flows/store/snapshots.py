"""Snapshots: manifests that list exactly which files make a dataset, and the one pointer to the current one."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from flows.errors import ConfigError, StoreError
from flows.store.faults import point
from flows.store.files import FileRef
from flows.store.home import Home, parsed, write_text
from flows.store.lease import Lease, locked
from transforms.digest import digest

FORMAT = 1
_LONGEST = 40  # characters of a pointer that may be anything
CANDIDATES = "candidates"  # the folder of those that the gate stopped


@dataclass(frozen=True)
class Manifest:
    """Everything that a snapshot is: plain data without a clock, so that equal datasets have equal manifests."""

    id: str
    content: dict[str, Any]

    @property
    def files(self) -> list[FileRef]:
        """All files, in a fixed order."""
        return [FileRef(**entry) for entry in self.content["files"]]

    def of_table(self, name: str) -> list[FileRef]:
        """The files of one table."""
        return [ref for ref in self.files if ref.table == name]

    def of_stage(self, stage: str, bucket: str) -> tuple[FileRef, ...]:
        """The files that one stage wrote for one bucket."""
        return tuple(ref for ref in self.files if (ref.stage, ref.bucket) == (stage, bucket))


def make(content: dict[str, Any]) -> Manifest:
    """A manifest named by its content."""
    content = {"format": FORMAT, **content}
    return Manifest(digest(content, length=12), content)


def write(home: Home, manifest: Manifest) -> None:
    """Store a manifest; the last file that a build writes before the pointer moves."""
    write_text(home / "snapshots" / f"{manifest.id}.json", json.dumps(manifest.content, indent=1, sort_keys=True))


def keep_candidate(home: Home, manifest: Manifest) -> None:
    """Store the manifest of a snapshot that the gate stopped, for inspection; it can never become current."""
    path = home / "snapshots" / CANDIDATES / f"{manifest.id}.json"
    write_text(path, json.dumps(manifest.content, indent=1, sort_keys=True))


def read(home: Home, snapshot_id: str) -> Manifest:
    """A stored manifest, also that of a stopped candidate; a clear error when it is not there or not whole."""
    places = [home / "snapshots" / f"{snapshot_id}.json", home / "snapshots" / CANDIDATES / f"{snapshot_id}.json"]
    path = next((place for place in places if place.is_file()), None)
    if "/" in snapshot_id or path is None:
        raise ConfigError(f"there is no snapshot {snapshot_id!r}: `quarry snapshots` lists them")
    try:
        content = parsed(path.read_text(encoding="utf-8"))
        if digest(content, length=12) != snapshot_id:
            raise ValueError
    except (OSError, ValueError):
        if snapshot_id == current_id(home):
            advice = "run `quarry rollback` to an older snapshot, or `quarry build`"
        else:
            advice = "restore it from a backup, or remove it if nobody needs that snapshot"
        raise StoreError(f"the manifest {path} is broken: {advice}") from None
    return Manifest(snapshot_id, content)


def resolve(home: Home, start: str, stopped: bool = False) -> str:
    """The full id of the one snapshot that starts with this; on request also of a candidate that the gate stopped."""
    known = stored(home) + (candidates(home) if stopped else [])
    found = [name for name in sorted(set(known)) if start and name.startswith(start)]
    if len(found) == 1:
        return found[0]
    problem = "no snapshot starts" if not found else f"{len(found)} snapshots start"
    raise ConfigError(f"{problem} with {start!r}: `quarry snapshots` lists them")


def current_id(home: Home) -> str | None:
    """The id that the pointer names, if there is one."""
    try:
        return (home / "snapshots" / "CURRENT").read_text(errors="replace").strip() or None
    except FileNotFoundError:
        return None


def current(home: Home) -> Manifest:
    """The current snapshot, which must exist."""
    found = current_id(home)
    if found is None:
        raise ConfigError(f"there is no dataset in {home.path} yet: run `quarry build` first")
    if found not in stored(home):
        raise StoreError(
            f"the manifest of the current snapshot {found[:_LONGEST]!r} is missing: run `quarry build`, which makes "
            "it again from finished files, or `quarry rollback` to an older snapshot"
        )
    return read(home, found)


def stored(home: Home) -> list[str]:
    """Ids of all stored snapshots, the one that was published last first."""
    # A copied home has other file times: they only tell of snapshots from before the order was kept.
    order = {snapshot_id: number for number, snapshot_id in enumerate(published(home))}
    paths = [path for path in (home / "snapshots").glob("*.json") if path.is_file()]
    paths.sort(key=lambda p: (order.get(p.stem, -1), p.stat().st_mtime_ns, p.name), reverse=True)
    return [path.stem for path in paths]


def candidates(home: Home) -> list[str]:
    """Ids of the candidates that the gate stopped and that are still kept, newest first."""
    folder = home / "snapshots" / CANDIDATES
    paths = sorted(folder.glob("*.json"), key=lambda p: (p.stat().st_mtime_ns, p.name), reverse=True)
    return [path.stem for path in paths]


def whole(home: Home) -> Iterator[Manifest]:
    """All stored snapshots but those whose manifest is broken, newest first."""
    return (manifest for _, manifest in _attempts(home) if manifest)


def broken(home: Home) -> list[str]:
    """Ids of the stored snapshots whose manifest is broken."""
    return [snapshot_id for snapshot_id, manifest in _attempts(home) if manifest is None]


def _attempts(home: Home) -> Iterator[tuple[str, Manifest | None]]:
    for snapshot_id in stored(home):
        try:
            manifest = read(home, snapshot_id)
        except StoreError:
            yield snapshot_id, None
        else:
            yield snapshot_id, manifest


def published(home: Home) -> dict[str, str]:
    """When each snapshot was last published, the oldest first: a manifest itself holds no clock."""
    path = home / "snapshots" / "order"
    if not path.is_file():
        return {}
    lines = (line.split() for line in path.read_text(encoding="utf-8", errors="replace").splitlines())
    return {words[0]: words[1] for words in lines if len(words) == 2}


def written_at(home: Home, snapshot_id: str) -> str:
    """When a snapshot was published, as far as that is known."""
    when = (home / "snapshots" / f"{snapshot_id}.json").stat().st_mtime
    return published(home).get(snapshot_id) or datetime.fromtimestamp(when, UTC).isoformat(timespec="seconds")


def publish(home: Home, manifest: Manifest, expected: str | None, lease: Lease) -> None:
    """Make a snapshot current, if the current one is still the one that the build began with."""
    _keep_order(home, manifest.id, lease)
    point("order written")
    write(home, manifest)
    point("manifest written")
    move(home, manifest.id, expected, lease)
    point("pointer moved")


def _keep_order(home: Home, snapshot_id: str, lease: Lease) -> None:
    """Write down that a snapshot is the newest; those that are gone leave the list."""
    with locked(home):
        lease.check()
        times = {name: written_at(home, name) for name in reversed(stored(home)) if name != snapshot_id}
        times[snapshot_id] = datetime.now(UTC).isoformat(timespec="seconds")
        write_text(home / "snapshots" / "order", "".join(f"{name} {when}\n" for name, when in times.items()))


def move(home: Home, snapshot_id: str, expected: str | None, lease: Lease) -> None:
    """Move the pointer by compare-and-swap, under the file lock and a lease that still holds."""
    with locked(home):
        lease.check()
        if current_id(home) != expected:
            raise StoreError("another writer moved the current snapshot meanwhile: run it again")
        write_text(home / "snapshots" / "CURRENT", snapshot_id + "\n")
