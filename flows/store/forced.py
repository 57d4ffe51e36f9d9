"""How far a backfill by force has come, so that one that was interrupted is continued instead of begun again.

Force makes finished files a second time, never a third: what was made since the mark was set is done. Any other run
in between removes the mark, because it may copy what should have been computed. The mark's own time is what counts, not
a clock: the file system gives the same kind of time to all files.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from flows.store.home import Home, write_text


@contextmanager
def continued(home: Home, window: str) -> Iterator[tuple[int, bool]]:
    """Since when files count as made by this backfill, and whether an earlier run of it began; under the lease."""
    mark = _mark(home)
    begun = mark.is_file() and mark.read_text(encoding="utf-8", errors="replace") == window
    if not begun:
        write_text(mark, window)
    yield mark.stat().st_mtime_ns, begun
    mark.unlink()


def forget(home: Home) -> None:
    """Another run has begun."""
    _mark(home).unlink(missing_ok=True)


def _mark(home: Home) -> Path:
    return home / "journal" / "forced"
