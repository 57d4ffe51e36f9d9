"""Keep the store in order: remove what no kept snapshot names, and check what the current one names."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from flows.errors import QuarryError, StoreError
from flows.store import files, snapshots
from flows.store.doubt import may_name
from flows.store.home import Home, leftovers
from flows.store.snapshots import Manifest

# A younger file may belong to a build that is just about to name it.
_DAY_SECONDS = 86_400
# Stopped candidates are looked at once: the last ones tell whether a rule stops every night for the same reason.
KEPT_CANDIDATES = 3


def garbage(home: Home, keep: int) -> tuple[list[str], list[Path]]:
    """Snapshots and candidates beyond the newest ones, and files that no kept one names; nothing younger than a day.

    A broken manifest and all that it may name stay.
    """
    current = snapshots.current_id(home)
    if current:
        with _nothing_removed():
            snapshots.current(home)  # without its manifest nobody knows what it needs
    manifests = {manifest.id: manifest for manifest in snapshots.whole(home)}
    others = [i for i in manifests if i != current]
    stopped = {f"{snapshots.CANDIDATES}/{i}": i for i in snapshots.candidates(home)}
    beyond = [*others[max(keep - 1, 0) :], *list(stopped)[KEPT_CANDIDATES:]]
    old = time.time() - _DAY_SECONDS
    doomed = [name for name in beyond if (home / "snapshots" / f"{name}.json").stat().st_mtime < old]
    for name in stopped:
        if name not in doomed:
            with _nothing_removed():
                manifests[name] = snapshots.read(home, stopped[name])
    # What is too young to go protects its files too.
    named = {ref.path for name, manifest in manifests.items() if name not in doomed for ref in manifest.files}
    doubts = [may_name(home, i) for i in snapshots.broken(home)]
    places = (*sorted((home / "lake").rglob("*")), *leftovers(home))
    loose = [path for path in places if path.is_file() and path.stat().st_mtime < old]
    names = {path: path.relative_to(home.path).as_posix() for path in loose}
    return doomed, [p for p in loose if names[p] not in named and not any(doubt(names[p]) for doubt in doubts)]


@contextmanager
def _nothing_removed() -> Iterator[None]:
    try:
        yield
    except QuarryError as problem:
        raise StoreError(f"{problem}; nothing was removed") from None


def collect_garbage(home: Home, doomed: list[str], loose: list[Path]) -> int:
    """Remove manifests and files; the number of bytes that became free."""
    freed = sum(path.stat().st_size for path in loose)
    for name in doomed:
        (home / "snapshots" / f"{name}.json").unlink(missing_ok=True)
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
