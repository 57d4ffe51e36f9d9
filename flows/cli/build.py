"""Commands that make a dataset: init, sources, doctor, build."""

import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from flows.cli.output import AsJson, guarded, progress, say, show_json, show_table

if TYPE_CHECKING:
    from flows.pipeline import Outcome
    from flows.run import Run

EXAMPLE = """\
# Settings of Quarry. `quarry sources` lists the kinds of source; docs/tables.md lists the tables.
# home = "data"                # where everything is kept; QUARRY_HOME wins over it
# buckets = 8                  # at least 4 for each core; fixed when the home is made: docs/scale.md
# keep_snapshots = 10          # what `quarry gc` keeps
# webhook = "https://hooks.example.org/quarry"  # told of failed runs; QUARRY_WEBHOOK hides it
# pseudonym_key = "change me"  # of the authors' pseudonyms; without it pseudonym.key is made

[[sources]]
name = "campus"                # the prefix of its ids
kind = "campus"                # the bundled demonstration site

# [[sources]]
# name = "physics"
# kind = "jsonl"               # bring your own lessons.jsonl and posts.jsonl
# path = "exports/physics"

[usefulness]
threshold = 0.5                # a question with at least this score counts as useful
# kind = "cnn"                 # the paper's network; "encoder" is slower: docs/usefulness.md
# vectors = "glove.6B.300d.txt"  # word vectors of your own: word2vec .bin, GloVe or fastText text

[alignment]
max_words = 100                # longer spans are flagged, not dropped

# [triples]
# min_useful_score = 0.5       # only questions with at least this score; by default KhanQ's rules alone decide
# needs_span = true            # only questions whose source was found in the lesson

# [schedule]                   # when `quarry serve` rebuilds: docs/operations.md
# cron = "0 3 * * *"
# timezone = "Europe/Berlin"

# [runner]                     # where buckets are computed: auto, threads, processes or dask
# kind = "auto"
# workers = 2
# address = "tcp://10.0.0.5:8786"  # of the scheduler, for dask
"""


@guarded
def init(path: Path = typer.Argument(Path("quarry.toml"), help="The file to write."), as_json: bool = AsJson) -> None:
    """Write a commented quarry.toml to start from.

    Example: quarry init && quarry sources
    """
    from flows.errors import ConfigError

    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(EXAMPLE)
    except FileExistsError:
        raise ConfigError(f"{path} exists already: edit it, or name another file") from None
    except OSError as problem:
        raise ConfigError(f"{path} cannot be written ({problem.strerror}): name another file") from None
    if as_json:
        show_json({"path": str(path.absolute())})
    else:
        say(f"wrote {path}; next: edit its sources, then run `quarry build`")


@guarded
def sources(as_json: bool = AsJson) -> None:
    """List the configured sources, and what each kind needs.

    Example: QUARRY_CONFIG=other.toml quarry sources
    """
    from flows.settings import SOURCE_KINDS, load_settings

    settings = load_settings()
    configured = [
        {"name": s.name, "kind": s.kind, "from": str(s.path or s.url or "bundled"), "language": s.language}
        for s in settings.sources
    ]
    if as_json:
        show_json({"configured": configured, "kinds": SOURCE_KINDS})
        return
    show_table(["name", "kind", "from", "language"], [list(c.values()) for c in configured], "configured")
    say()
    show_table(["kind", "needs"], SOURCE_KINDS.items(), "kinds")


@guarded
def doctor(as_json: bool = AsJson) -> None:
    """Check this machine, the settings and the home.

    Example: quarry doctor --json
    """
    from flows.doctor import examine

    findings = examine()
    if as_json:
        show_json([f.as_dict() for f in findings])
    else:
        show_table(["", "what", "finding"], [("ok" if f.good else "BAD", f.what, f.finding) for f in findings])
    if not all(f.good for f in findings):
        raise typer.Exit(1)


@guarded
def build(
    plain: bool = typer.Option(False, "--plain", help="Run without Prefect: quicker to start, no record in its UI."),
    from_raw: bool = typer.Option(
        False, "--from-raw", help="Do not crawl: read the raw archive again, without network."
    ),
    accept: list[str] = typer.Option([], metavar="RULE", help="Publish although this rule fails: `table.rule`."),
    as_json: bool = AsJson,
) -> None:
    """Read every source, rebuild what changed, check and publish it.

    Sources with an address are crawled. What passes every check becomes the current snapshot.

    Example: quarry build && quarry sql "select prompt, question from triples limit 5"
    """
    from flows.build import Job, build_here
    from flows.settings import load_settings

    settings = load_settings()
    _check_rules(accept)
    with ExitStack() as stack:
        notice = progress(stack, as_json)
        run, outcome = build_here(
            settings, plain=plain, job=Job(from_raw=from_raw, accept=tuple(accept)), notice=notice
        )
    if as_json:
        show_json(_summary(run, outcome))
    else:
        _report(run, outcome)


def _check_rules(accept: list[str]) -> None:
    """Refuse to accept a rule that does not exist, rather than to ignore it."""
    from expectations import TABLES
    from expectations.projection import rule_names
    from flows.errors import ConfigError
    from flows.gate.check import SCHEMA

    if any(rule.rpartition(".")[2] == SCHEMA for rule in accept):
        raise ConfigError(f"{SCHEMA} cannot be accepted: of a table with other columns no other rule can be checked")
    known = {name for t in TABLES.values() for rule in rule_names(t) for name in (rule, f"{t.name}.{rule}")}
    unknown = sorted(set(accept) - known)
    if unknown:
        raise ConfigError(f"there is no rule {unknown[0]}: `quarry status` names the rules that stopped the last build")


def _summary(run: "Run", outcome: "Outcome") -> dict[str, Any]:
    from flows.funnel import funnel

    return {
        "run_id": run.run_id,
        "snapshot_id": outcome.manifest.id,
        "unchanged": outcome.unchanged,
        "stages": [level.as_dict() for level in funnel(outcome.manifest)],
        "warnings": _warnings(run, outcome),
        "left_out": list(outcome.left_out),
    }


def _warnings(run: "Run", outcome: "Outcome") -> list[str]:
    from flows.gate.check import Check
    from flows.labels import shortages

    checks = map(Check.of, outcome.manifest.content["checks"])
    bad = [f"{check.name} {check.outcome}" for check in checks if check.result != "passed"]
    return [*run.warnings, *bad, *shortages(run.home)]


def _report(run: "Run", outcome: "Outcome") -> None:
    """What a person wants to see after a build: the funnel, three triples, and what to do next."""
    from flows.funnel import funnel
    from flows.status import advice
    from flows.store.catalog import open_at

    computed = sum(d.computed for done in run.stages.values() for d in done)
    results = sum(len(d.lessons) for done in run.stages.values() for d in done)
    head = f"snapshot {outcome.manifest.id}"
    say(f"{head} is unchanged: all {results} lesson results were reused" if outcome.unchanged else
        f"{head} is current: {computed} lesson results computed, {results - computed} reused")  # fmt: skip
    say()
    rows = [(x.stage, x.rows_in, x.kept, x.merged, x.rejected_rows, x.reasons) for x in funnel(outcome.manifest)]
    show_table(["stage", "in", "kept", "merged", "rejected", "why"], rows)
    for warning in _warnings(run, outcome):
        say(f"warning: {warning}")
    advised = advice(outcome.manifest)
    for note in [*outcome.left_out, *([advised] if advised else [])]:
        say(f"note: {note}")
    if not outcome.unchanged:
        say()
        with open_at(run.home, outcome.manifest) as connection:
            _show_samples(connection)
    say()
    program = Path(sys.argv[0]).name if sys.argv[0].startswith("/usr") else sys.argv[0]
    say("next:")
    for command in ('sql "select prompt, question from triples limit 5"', "status", "rejects", "verify"):
        say(f"  {program} {command}")


def _show_samples(connection: Any) -> None:
    # The hash spreads the three over the lessons and is the same for the same snapshot.
    rows = connection.execute(
        "select title, context, prompt, question from triples "
        "qualify row_number() over (partition by lesson_id order by triple_id) = 1 order by md5(lesson_id) limit 3"
    ).fetchall()
    for number, (title, context, prompt, question) in enumerate(rows, 1):
        short = context if len(context) <= 300 else context[:300].rsplit(" ", 1)[0] + " …"
        say(f"sample {number}: {title}\n  context   {short}\n  prompt    {prompt}\n  question  {question}")
