"""What a failure means to an operator, in one line: the same on the terminal, in the journal and in the webhook."""

import errno
from pathlib import Path

from flows.errors import QuarryError

_DISK = {
    errno.ENOSPC: "the disk is full: free some space (`quarry gc` removes what no kept snapshot needs)",
    errno.EDQUOT: "the disk quota is used up: free some space",
    errno.EROFS: "the disk is read-only: set QUARRY_HOME to a folder that can be written",
    errno.EACCES: "permission denied: set QUARRY_HOME to a folder of yours",
    errno.EPERM: "permission denied: set QUARRY_HOME to a folder of yours",
}
# How libraries that do not raise OSError say that the disk is full.
_FULL = ("No space left on device", "os error 28", "database or disk is full")
_MISPLACED = (errno.EISDIR, errno.ENOTDIR, errno.EEXIST)
SERVER_GONE = "Prefect's server went away during the run"
INTERRUPTED = "interrupted; the last snapshot is untouched, and the next build continues from here"


def explained(problem: BaseException) -> str:
    """One line for whatever ended a run: our own words, the disk, a damaged file, an interruption, a fault of ours."""
    if isinstance(problem, QuarryError):
        return str(problem)
    if found := of_the_disk(problem) or _misplaced(problem):
        return found
    if not isinstance(problem, Exception):
        return INTERRUPTED
    line = (str(problem).splitlines() or [""])[0][:300]
    if "duckdb" in type(problem).__module__:
        return f"{line}: is a file damaged? Run `quarry verify`"
    return f"unexpected {type(problem).__name__}: {line} (QUARRY_DEBUG=1 shows where); the last snapshot is untouched"


def _misplaced(problem: BaseException) -> str | None:
    """What to do about a folder where a file belongs, or the other way round."""
    if not isinstance(problem, OSError) or problem.errno not in _MISPLACED or not problem.filename:
        return None
    path = Path(problem.filename2 or problem.filename)  # what a file is renamed to is the second one
    there = next((place for place in (path, *path.parents) if place.exists()), path)
    return f"{there} is a {'folder' if there.is_dir() else 'file'}: move it away"


def of_the_disk(problem: BaseException) -> str | None:
    """What to do about the disk, if that is what a failure comes from, whatever library met it."""
    found: BaseException | None = problem
    while found is not None:
        full = any(words in str(found) for words in _FULL)
        number = errno.ENOSPC if full else found.errno if isinstance(found, OSError) else None
        if number in _DISK:
            where = f" ({found.filename})" if isinstance(found, OSError) and found.filename else ""
            return f"{_DISK[number]}{where}; the last snapshot is untouched"
        found = found.__cause__ or found.__context__
    return None
