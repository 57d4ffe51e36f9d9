"""The command `quarry`: verbs, each a thin shell around a function of `flows`."""

import logging
import warnings

import typer

from flows.cli import build, inspect, snapshots

HELP = """Mine course forums for the questions learners really ask.

Start with `quarry build`; then `quarry sql "select prompt, question from triples limit 5"`.
Exit codes: 0 done, 1 failed, 2 wrong usage or settings, 3 a quality gate stopped it."""

app = typer.Typer(help=HELP, no_args_is_help=True, add_completion=False, rich_markup_mode=None,
                  pretty_exceptions_enable=False)  # fmt: skip

for command in (
    build.init, build.doctor, build.build, build.sources,
    inspect.status, inspect.sql, inspect.trace, inspect.rejects, inspect.explain,
    snapshots.snapshots, snapshots.rollback, snapshots.diff, snapshots.gc, snapshots.verify,
):  # fmt: skip
    app.command()(command)


def main() -> None:
    """Run the command line; libraries stay quiet unless they have news."""
    logging.basicConfig(level=logging.WARNING, format="%(message)s")
    warnings.simplefilter("ignore", DeprecationWarning)
    app()


if __name__ == "__main__":
    main()
