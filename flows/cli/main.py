"""The command `quarry`: verbs, each a thin shell around a function of `flows`."""

import atexit
import logging
import os
import signal
import sys
import warnings
from contextlib import suppress

import typer

from flows.cli import build, crawl, evaluate, inspect, labels, operate, snapshots, takedown

HELP = """Mine course forums for the questions learners really ask.

Start with `quarry build`; then `quarry sql "select prompt, question from triples limit 5"`.
Exit codes: 0 done, 1 failed, 2 wrong usage or settings, 3 a quality gate stopped it."""


def _show_version(asked: bool) -> None:
    if asked:
        from importlib.metadata import version

        print(f"quarry {version('quarry-datasets')}")
        raise typer.Exit


app = typer.Typer(help=HELP, no_args_is_help=True, add_completion=False, rich_markup_mode=None,
                  pretty_exceptions_enable=False)  # fmt: skip

for command in (
    build.init, build.doctor, build.build, crawl.crawl, build.sources,
    inspect.status, inspect.sql, inspect.trace, inspect.rejects, inspect.explain,
    snapshots.snapshots, snapshots.rollback, snapshots.diff, snapshots.gc, snapshots.verify,
    labels.train, operate.backfill, operate.serve, takedown.takedown,
):  # fmt: skip
    app.command()(command)


@app.callback()
def _root(
    version: bool = typer.Option(
        False, "--version", is_eager=True, callback=_show_version, help="Show the version and exit."
    ),
) -> None:
    """Options that need no command."""


app.add_typer(labels.labels, name="labels")
app.add_typer(evaluate.evaluate, name="evaluate")


def main() -> None:
    """Run the command line; libraries stay quiet unless they have news."""
    news = logging.StreamHandler()
    news.addFilter(lambda record: not record.name.startswith("prefect"))  # the server keeps its records
    logging.basicConfig(level=logging.WARNING, format="%(message)s", handlers=[news])
    warnings.simplefilter("ignore", DeprecationWarning)
    # Being asked to end (by the system, by `kill`) is told and tidied up as Ctrl-C is.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        app()
    except SystemExit as end:
        _leave(end.code if isinstance(end.code, int) else 1)


def _leave(code: int) -> None:
    """End at once after the exit handlers: Prefect's threads keep DuckDB's bindings alive, which complain of leaks."""
    atexit._run_exitfuncs()
    with suppress(BrokenPipeError):  # `quarry sql … | head`
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    main()
