"""Keep the store in order: remove what no kept snapshot names, and check what the current one names."""

import time
from collections.abc import Iterator
from pathlib import Path

from flows.errors import QuarryError, StoreError
from flows.store import files, snapshots
from flows.store.home import Home
from flows.store.snapshots import Manifest

# A younger file may belong to a build that is just about to name it.
_DAY_SECONDS = 86_400


def garbage(home: Home, keep: int) -> tuple[list[str], list[Path]]:
    """Snapshots beyond the newest ones, and files that no kept snapshot names; nothing younger than a day."""
    current = snapshots.current_id(home)
    if current:
        _files(home, current)  # without its manifest nobody knows what it needs
    ids = [i for i in snapshots.stored(home) if i != current]
    kept = ([current] if current else []) + ids[: max(keep - 1, 0)]
    old = time.time() - _DAY_SECONDS
    doomed = [i for i in ids if i not in kept and (home / "snapshots" / f"{i}.json").stat().st_mtime < old]
    # A snapshot that is too young to go protects its files too.
    named = {ref.path for i in snapshots.stored(home) if i not in doomed for ref in _files(home, i)}
    loose = [path for path in sorted((home / "lake").rglob("*")) if path.is_file() and path.stat().st_mtime < old]
    return doomed, [path for path in loose if path.relative_to(home.path).as_posix() not in named]


def _files(home: Home, snapshot_id: str) -> list[files.FileRef]:
    try:
        return snapshots.read(home, snapshot_id).files
    except QuarryError as problem:
        raise StoreError(f"{problem}; nothing was removed") from None


def collect_garbage(home: Home, doomed: list[str], loose: list[Path]) -> int:
    """Remove snapshots and files; the number of bytes that became free."""
    freed = sum(path.stat().st_size for path in loose)
    for snapshot_id in doomed:
        (home / "snapshots" / f"{snapshot_id}.json").unlink(missing_ok=True)
    for path in loose:
        path.unlink(missing_ok=True)
    return freed


def damage(home: Home, manifest: Manifest) -> Iterator[tuple[str, str]]:
    """Every file of a snapshot that is not what the manifest says, and how."""
    for ref in manifest.files:
        path = home / ref.path
        if not path.is_file():
            yield ref.path, "is missing"
        elif path.stat().st_size != ref.bytes or files.sha256(path) != ref.sha256:
            yield ref.path, "has other bytes than when it was published"
