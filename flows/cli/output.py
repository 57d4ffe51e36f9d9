"""What all commands share: one line for an error, tables for people, JSON for scripts."""

import errno
import functools
import json
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NoReturn, ParamSpec, TypeVar

import typer

from flows.errors import QuarryError

P = ParamSpec("P")
R = TypeVar("R")

AsJson = typer.Option(False, "--json", help="Print JSON for scripts.")
At = typer.Option(None, "--at", metavar="SNAPSHOT", help="Look at this snapshot instead of the current one.")

_DISK = {
    errno.ENOSPC: "the disk is full: free some space (`quarry gc` removes what no kept snapshot needs)",
    errno.EDQUOT: "the disk quota is used up: free some space",
    errno.EROFS: "the disk is read-only: set QUARRY_HOME to a folder that can be written",
    errno.EACCES: "permission denied: set QUARRY_HOME to a folder of yours",
    errno.EPERM: "permission denied: set QUARRY_HOME to a folder of yours",
}
# How libraries that do not raise OSError say that the disk is full.
_FULL = ("No space left on device", "os error 28", "database or disk is full")


def guarded(function: Callable[P, R]) -> Callable[P, R]:
    """A command that ends an expected failure with one line on standard error and the right exit code."""

    @functools.wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return function(*args, **kwargs)
        except QuarryError as problem:
            fail(str(problem), problem.exit_code)
        except BrokenPipeError:
            # The reader went away (`quarry sql … | head`): that is no failure, and nothing is left to flush.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise typer.Exit(0) from None
        except typer.Exit:
            raise
        except KeyboardInterrupt:
            fail("interrupted; the last snapshot is untouched, and the next build continues from here", 1)
        except Exception as problem:
            if os.environ.get("QUARRY_DEBUG"):
                raise
            fail(_explain(problem), 1)

    return call


def _explain(problem: BaseException) -> str:
    """One line for what libraries report: the disk, a damaged file, or a fault of ours."""
    found: BaseException | None = problem
    while found is not None:
        full = any(words in str(found) for words in _FULL)
        number = errno.ENOSPC if full else found.errno if isinstance(found, OSError) else None
        if number in _DISK:
            where = f" ({found.filename})" if isinstance(found, OSError) and found.filename else ""
            return f"{_DISK[number]}{where}; the last snapshot is untouched"
        found = found.__cause__ or found.__context__
    line = (str(problem).splitlines() or [""])[0][:300]
    if "duckdb" in type(problem).__module__:
        return f"{line}: is a file damaged? Run `quarry verify`"
    return f"unexpected {type(problem).__name__}: {line} (QUARRY_DEBUG=1 shows where); the last snapshot is untouched"


def fail(message: str, code: int) -> NoReturn:
    """Print one line for an error and end with the code."""
    print("quarry: " + " ".join(printable(message).split()), file=sys.stderr)
    raise typer.Exit(code)


def printable(text: str) -> str:
    """Text without the control characters that could move a terminal's cursor or change its colours."""
    return "".join(c if c.isprintable() or c in "\n\t\u200c\u200d" else "�" for c in text)


def show_json(value: Any) -> None:
    """Print a value as JSON; numbers that JSON does not have become null."""
    try:
        text = json.dumps(value, indent=1, ensure_ascii=False, default=str, allow_nan=False)
    except ValueError:
        finite = json.loads(json.dumps(value, default=str), parse_constant=lambda _: None)
        text = json.dumps(finite, indent=1, ensure_ascii=False)
    print(text)


def show_table(columns: Sequence[str], rows: Iterable[Sequence[Any]], title: str | None = None) -> None:
    """Print rows as a table; forum text is shown literally, never as markup."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(title=title, title_justify="left", box=None, header_style="bold", pad_edge=False)
    rows = [list(row) for row in rows]
    for number, column in enumerate(columns):
        numeric = bool(rows) and all(isinstance(r[number], int | float) for r in rows)
        table.add_column(column, justify="right" if numeric else "left", overflow="fold")
    for row in rows:
        table.add_row(*(Text(printable("" if cell is None else str(cell))) for cell in row))
    # In a pipe lines are not cut to a terminal's width.
    Console(width=None if sys.stdout.isatty() else 200).print(table)


def say(line: str = "") -> None:
    """Print one line."""
    print(printable(line))
