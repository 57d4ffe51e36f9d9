"""Commands about labels and models: labels import, export, agreement, quality; train."""

import json
from pathlib import Path

import typer

from flows.cli.output import MOST, AsJson, guarded, say, show_json, show_table

labels = typer.Typer(help="Import, export and compare human labels.", no_args_is_help=True, rich_markup_mode=None)
Task = typer.Option(..., "--task", help="usefulness, reasoning_type, triples or validation.")


@labels.command("import")
@guarded
def import_labels(
    file: Path = typer.Argument(help="JSON lines with `text` and the label (`useful`: 0/1, or `label`)."),
    task: str = Task,
) -> None:
    """Import what people labelled: all rows of a file, or none.

    Labels of questions, verdicts on triples, or answers of their validation.

    Example: quarry labels import --task usefulness labelled.jsonl && quarry build
    """
    from flows.annotations import import_file
    from flows.labels import shortage
    from flows.review import drafts, shown
    from flows.settings import load_settings
    from flows.store.home import open_home
    from flows.store.lease import Lease

    _check(task)
    home = open_home(load_settings())
    with Lease(home, "labels"):
        triples = {"triples": drafts, "validation": shown}
        new, replaced = import_file(home, task, file, triples[task](home) if task in triples else None)
    say(f"imported {new} new rows, replaced {replaced}")
    if task in triples:
        say("next: `quarry labels quality` shows how the annotators and the triples do")
    elif problem := shortage(home, task):
        say(f"next: label more; {problem}")
    else:
        say("next: `quarry build` trains on them, or `quarry train` to see how good they are first")


@labels.command("export")
@guarded
def export_labels(
    task: str = Task,
    out: Path | None = typer.Option(None, help="Write to this file instead of the terminal."),
    limit: int = typer.Option(200, min=1, max=MOST, help="At most this many rows."),
    label_studio: bool = typer.Option(False, "--label-studio", help="Tasks for Label Studio (a JSON list)."),
    config: bool = typer.Option(False, "--config", help="Print Label Studio's labelling configuration instead."),
) -> None:
    """Write down what to label next.

    The questions that the model is least sure of, drafted triples, or triples to validate.

    Example: quarry labels export --task usefulness --limit 50 --out next.jsonl
    """
    from flows.errors import ConfigError
    from flows.review import CONFIGURATION, export, label_studio_tasks
    from flows.settings import load_settings
    from flows.store.home import read_home

    _check(task)
    if config:
        body = CONFIGURATION[task]
    else:
        rows = export(read_home(load_settings().home), task, limit)
        if label_studio:
            body = json.dumps(label_studio_tasks(rows), ensure_ascii=False, indent=1) + "\n"
        else:
            body = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    if out is None:
        print(body, end="")
    else:
        try:
            out.write_text(body, encoding="utf-8")
        except OSError as problem:
            raise ConfigError(f"{out} cannot be written ({problem.strerror})") from None
        say(f"wrote {out}")


@labels.command("agreement")
@guarded
def agreement(task: str = Task, as_json: bool = AsJson) -> None:
    """Show where annotators differ, and Cohen's kappa of each pair.

    Example: quarry labels agreement --task usefulness
    """
    from dataclasses import asdict

    from flows.review import opinions
    from flows.settings import load_settings
    from flows.store.home import read_home
    from transforms.usefulness.agreement import Vote, agreements, disagreements

    _check(task)
    rows = opinions(read_home(load_settings().home), task)
    votes = [Vote(row["record_id"], row.get("annotator") or "unnamed", row["label"]) for row in rows]
    texts = {row["record_id"]: row["text"] for row in rows}
    pairs, differing = agreements(votes), disagreements(votes)
    if as_json:
        show_json({"pairs": [asdict(p) for p in pairs],
                   "disagreements": [{**asdict(d), "text": texts[d.record_id]} for d in differing]})  # fmt: skip
        return
    if not pairs:
        say("no record was labelled by two annotators yet")
        return
    show_table(["first", "second", "records", "agreed", "kappa"],
               [(p.first, p.second, p.records, f"{p.agreed:.3f}", "-" if p.kappa is None else f"{p.kappa:.3f}")
                for p in pairs])  # fmt: skip
    for d in differing:
        said = ", ".join(f"{who}: {label}" for who, label in d.labels)
        say(f"{said}  {texts[d.record_id]}")


@labels.command("quality")
@guarded
def quality(
    assigned: int | None = typer.Option(
        None, min=1, help="Tasks of each annotator; without it, those reviewed so far."
    ),
    as_json: bool = AsJson,
) -> None:
    """Show how annotators of triples do (KhanQ 3.3).

    Their gate and spot checks, and the pass rate of the final validation.

    Example: quarry labels quality --assigned 500
    """
    from dataclasses import asdict

    from flows.review import quality as look
    from flows.settings import load_settings
    from flows.store.home import read_home

    annotators, validation = look(read_home(load_settings().home), assigned)
    if as_json:
        show_json({"annotators": [asdict(a) for a in annotators], "validation": asdict(validation)})
        return
    if annotators:
        show_table(["annotator", "reviewed", "first 10 %", "approved", "gate", "spot checks", "pass rate", "state"],
                   [(a.annotator, a.reviewed, a.first, a.approved, a.gate, a.spot_check.checked,
                     _percent(a.spot_check.rate), a.state) for a in annotators])  # fmt: skip
    else:
        say("nobody reviewed a triple yet: start with `quarry labels export --task triples`")
    found = validation.triples
    if found.rate is None:
        say("no triple was validated yet: start with `quarry labels export --task validation`")
        return
    say(f"validation: {found.passed} of {found.checked} triples pass, {_percent(found.rate)} "
        f"(95 % interval {_percent(found.low)} to {_percent(found.high)})")  # fmt: skip
    for name, number in validation.failed.items():
        say(f"  {name:12}{number} fail")
    if validation.ignored:
        say(f"  {validation.ignored} answers of people who reviewed the triple themselves do not count")


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.1f} %"


@guarded
def train(
    task: str = typer.Option("usefulness", "--task", help="usefulness or reasoning_type."),
    kind: str | None = typer.Option(None, help="Kind of usefulness model: blend, cnn (the paper's) or encoder."),
    splits: int | None = typer.Option(
        None, min=1, max=MOST, help="Only measure: this many random splits, beside TF-IDF."
    ),
    force: bool = typer.Option(False, "--force", help="Make it current even if it is worse."),
    as_json: bool = AsJson,
) -> None:
    """Train a model on imported labels, else on the bundled ones.

    Example: quarry train --splits 20
    """
    from flows.errors import ConfigError
    from flows.model_tasks import TASKS
    from flows.settings import load_settings
    from flows.store.home import open_home
    from flows.store.lease import Lease
    from flows.training import compare_splits, train_task

    if task not in TASKS:
        raise ConfigError(f"there is no model for task {task!r}: choose {' or '.join(TASKS)}")
    if (kind or splits) and task != "usefulness":
        raise ConfigError("--kind and --splits are for the task usefulness")
    settings = load_settings()
    home = open_home(settings)
    options = TASKS[task].options(settings) | ({"kind": kind} if kind else {})
    if splits:
        rows = compare_splits(home, splits, options)
        if as_json:
            show_json([{"measure": name, "model": model, "tfidf": tfidf} for name, model, tfidf in rows])
        else:
            show_table([f"over {splits} splits", "model", "TF-IDF"], rows)
        return
    with Lease(home, "train"):
        found = train_task(home, task, options, force)
    if as_json:
        show_json(found.as_dict())
        return
    for name, ref in (("candidate", found.candidate), ("before", found.before)):
        if ref:
            say(f"{name:10} {ref.id}  {ref.labels} labels  {ref.results}")
    say(f"the candidate is {'current' if found.current else 'not current'}: {found.why}")


def _check(task: str) -> None:
    from flows.annotations import TASKS
    from flows.errors import ConfigError

    if task not in TASKS:
        raise ConfigError(f"there is no task {task!r}: choose {', '.join(TASKS)}")
