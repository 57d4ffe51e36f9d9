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
        except OSError as problem:
            if problem.errno not in _DISK:
                raise
            where = f" ({problem.filename})" if problem.filename else ""
            fail(f"{_DISK[problem.errno]}{where}; the last snapshot is untouched", 1)
        except KeyboardInterrupt:
            fail("interrupted; the last snapshot is untouched, and the next build continues from here", 1)

    return call


def fail(message: str, code: int) -> NoReturn:
    """Print one line for an error and end with the code."""
    print("quarry: " + " ".join(printable(message).split()), file=sys.stderr)
    raise typer.Exit(code)


def printable(text: str) -> str:
    """Text without the control characters that could move a terminal's cursor or change its colours."""
    return "".join(c if c.isprintable() or c in "\n\t" else "�" for c in text)


def show_json(value: Any) -> None:
    """Print a value as JSON."""
    print(json.dumps(value, indent=1, ensure_ascii=False, default=str))


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
