"""What all commands share: one line for an error, tables for people, JSON for scripts."""

import functools
import json
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from typing import Any, NoReturn, ParamSpec, TypeVar

import typer

from flows.errors import QuarryError
from flows.explanations import INTERRUPTED, explained
from flows.printable import escaped, printable

P = ParamSpec("P")
R = TypeVar("R")

AsJson = typer.Option(False, "--json", help="Print JSON for scripts.")
At = typer.Option(None, "--at", metavar="SNAPSHOT", help="Look at this snapshot instead of the current one.")

# More than any table has, and less than what libraries in other languages count with.
MOST = 2**31 - 2


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
            fail(INTERRUPTED, 1)
        except Exception as problem:
            if os.environ.get("QUARRY_DEBUG"):
                raise
            fail(explained(problem), 1)

    return call


def fail(message: str, code: int) -> NoReturn:
    """Print one line for an error and end with the code."""
    warn(message)
    raise typer.Exit(code)


def warn(message: str) -> None:
    """Print one line on standard error."""
    print("quarry: " + " ".join(printable(message).split()), file=sys.stderr)


def show_json(value: Any) -> None:
    """Print a value as JSON; numbers that JSON does not have become null, and control characters are escaped."""
    try:
        text = json.dumps(value, indent=1, ensure_ascii=False, default=str, allow_nan=False)
    except ValueError:
        finite = json.loads(json.dumps(value, default=str), parse_constant=lambda _: None)
        text = json.dumps(finite, indent=1, ensure_ascii=False)
    print(escaped(text, kept="\n"))


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
    console = Console(width=None if sys.stdout.isatty() else 200)
    # Rich would end the program with code 1 when the reader of a pipe went away.
    with console.capture() as captured:
        console.print(table)
    print("\n".join(line.rstrip() for line in captured.get().split("\n")), end="")


def progress(stack: ExitStack, as_json: bool) -> Callable[[str], None]:
    """A line that says what is going on, for people at a terminal."""
    if as_json or not sys.stderr.isatty():
        return lambda _: None
    from rich.console import Console

    status = stack.enter_context(Console(stderr=True).status("starting"))
    return lambda text: status.update(printable(text))


def say(line: str = "") -> None:
    """Print one line."""
    print(printable(line))
