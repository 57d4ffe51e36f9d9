"""Commands that measure: evaluate describe."""

from pathlib import Path
from typing import Any

import typer

from flows.cli.inspect import _connect
from flows.cli.output import AsJson, At, guarded, say, show_json, show_table

evaluate = typer.Typer(help="Measure a dataset.", no_args_is_help=True, rich_markup_mode=None)


@evaluate.callback()
def _verbs() -> None:
    """Keep the verb in the command while there is only one."""


@evaluate.command("describe")
@guarded
def describe(
    khanq: Path | None = typer.Option(None, "--khanq", help="Describe this JSON file in KhanQ's form instead."),
    at: str | None = At,
    as_json: bool = AsJson,
) -> None:
    """Describe triples, questions and lessons in figures.

    Counts, lengths, leading bigrams and types of triples; readability of questions and lessons.

    Example: quarry evaluate describe --khanq KhanQ.json
    """
    import duckdb

    from flows.describe import corpora_of, khanq_file, triples_of
    from flows.errors import ConfigError, StoreError

    corpora: list[Any] = []
    if khanq is not None:
        if at is not None:
            raise ConfigError("--khanq reads a file and --at a snapshot: choose one")
        triples, by = khanq_file(khanq, _home())
    else:
        with _connect(at) as connection:
            try:
                triples, by, corpora = triples_of(connection), "the build", corpora_of(connection)
            except duckdb.Error as problem:
                raise StoreError(f"{str(problem).splitlines()[0]}: is a file damaged? Run `quarry verify`") from None
    if as_json:
        _show_as_json(triples, by, corpora)
    else:
        _show(triples, by, corpora)


def _home() -> Any:
    """The home, if there is one: a file can be described without."""
    from flows.settings import load_settings
    from flows.store.home import read_home

    home = load_settings().home
    return read_home(home) if (home / "home.json").exists() else None


def _show_as_json(triples: Any, by: str, corpora: list[Any]) -> None:
    from dataclasses import asdict

    columns = [{"source": s, "kind": k, "asked_by": who, **asdict(corpus)} for s, k, who, corpus in corpora]
    show_json({"triples": {**asdict(triples), "reasoning_types_by": by}, "corpora": columns})


def _show(triples: Any, by: str, corpora: list[Any]) -> None:
    from dataclasses import asdict

    say(f"triples: {triples.triples}")
    say("mean words: " + ", ".join(f"{part} {_number(mean)}" for part, mean in triples.mean_words.items()))
    for title, shares in (
        ("prompt types (KhanQ 4.4)", triples.prompt_types),
        (f"reasoning types (KhanQ 4.3), by {by}", triples.reasoning_types),
        ("leading bigrams (KhanQ 4.2)", triples.leading_bigrams),
    ):
        say()
        show_table([title, "rows", "%"], [(s.value, s.rows, _number(100 * s.share)) for s in shares])
    if triples.deep_share is not None:
        say(f"\ndeep (cause, consequence, procedural): {100 * triples.deep_share:.2f} %")
    if corpora:
        say()
        names = list(asdict(corpora[0][3]))
        rows = [[name.replace("_", " "), *(_number(getattr(c[3], name)) for c in corpora)] for name in names]
        show_table(["LearningQ, Table 3", *(f"{s} {k}\n{who}" for s, k, who, _ in corpora)], rows)


def _number(value: float | None) -> str:
    return "-" if value is None else str(value) if isinstance(value, int) else f"{value:.2f}"
