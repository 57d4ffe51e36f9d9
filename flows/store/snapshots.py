"""Snapshots: manifests that list exactly which files make a dataset, and the one pointer to the current one."""

import json
from dataclasses import dataclass
from typing import Any

from flows.errors import ConfigError, StoreError
from flows.store.faults import point
from flows.store.files import FileRef
from flows.store.home import Home, write_text
from flows.store.lease import Lease, locked
from transforms.digest import digest

FORMAT = 1


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
    write_text(
        home / "snapshots" / "candidates" / f"{manifest.id}.json",
        json.dumps(manifest.content, indent=1, sort_keys=True),
    )


def read(home: Home, snapshot_id: str) -> Manifest:
    """A stored manifest; a clear error when it is not there or not whole."""
    path = home / "snapshots" / f"{snapshot_id}.json"
    if "/" in snapshot_id or not path.is_file():
        raise ConfigError(f"there is no snapshot {snapshot_id!r}: `quarry snapshots` lists them")
    try:
        content = json.loads(path.read_text())
        if digest(content, length=12) != snapshot_id:
            raise ValueError
    except ValueError:
        raise StoreError(
            f"the manifest {path} is broken: run `quarry rollback` to an older snapshot, or `quarry build`"
        ) from None
    return Manifest(snapshot_id, content)


def resolve(home: Home, start: str) -> str:
    """The full id of the one snapshot that starts with this."""
    found = [name for name in stored(home) if start and name.startswith(start)]
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
            f"the manifest of the current snapshot {found!r} is missing: run `quarry build`, which makes it again from "
            "finished files, or `quarry rollback` to an older snapshot"
        )
    return read(home, found)


def stored(home: Home) -> list[str]:
    """Ids of all stored snapshots, newest first."""
    paths = sorted((home / "snapshots").glob("*.json"), key=lambda p: (p.stat().st_mtime_ns, p.name), reverse=True)
    return [path.stem for path in paths]


def publish(home: Home, manifest: Manifest, expected: str | None, lease: Lease) -> None:
    """Make a snapshot current, if the current one is still the one that the build began with."""
    write(home, manifest)
    point("manifest written")
    move(home, manifest.id, expected, lease)
    point("pointer moved")


def move(home: Home, snapshot_id: str, expected: str | None, lease: Lease) -> None:
    """Move the pointer by compare-and-swap, under the file lock and a lease that still holds."""
    with locked(home):
        lease.check()
        if current_id(home) != expected:
            raise StoreError("another writer moved the current snapshot meanwhile: run it again")
        write_text(home / "snapshots" / "CURRENT", snapshot_id + "\n")
