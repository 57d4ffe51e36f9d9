"""Commands that look at a dataset: status, sql, trace, rejects, explain."""

from typing import Any

import typer

from flows.cli.output import MOST, AsJson, At, fail, guarded, say, show_json, show_table
from flows.printable import escaped


def _connect(at: str | None) -> Any:
    """A connection to the current snapshot's catalog, or to the views of another snapshot."""
    from flows.settings import load_settings
    from flows.store import catalog
    from flows.store.home import read_home

    home = read_home(load_settings().home)
    return catalog.open_at(home, _manifest(home, at)) if at is not None else catalog.connect(home)


@guarded
def status(as_json: bool = AsJson) -> None:
    """Say what is current, what runs, and how the last run ended.

    Example: quarry status --json
    """
    from flows.status import status as look

    found = look()
    if as_json:
        show_json(found)
    else:
        _show_status(found)
    if found["problem"]:
        fail(found["problem"], 1)


def _show_status(found: dict[str, Any]) -> None:
    for name, value in found.items():
        if name not in ("funnel", "failing", "age_seconds"):
            shown = ", ".join(value.values()) if isinstance(value, dict) else value
            say(f"{name.replace('_', ' '):18}{shown if shown is not None else '-'}")
    for check in found["failing"]:
        say(f"  {check['table']}.{check['rule']} {check['outcome']}")
        say(f"    {check['remedy']}")
    if found["funnel"]:
        say()
        rows = [
            (x["stage"], x["rows_in"], x["kept"], x["merged"], sum(x["rejected"].values())) for x in found["funnel"]
        ]
        show_table(["stage", "in", "kept", "merged", "rejected"], rows)


def _manifest(home: Any, at: str | None) -> Any:
    from flows.store import snapshots as store

    return store.read(home, store.resolve(home, at, stopped=True)) if at is not None else store.current(home)


def _blamed(problem: Exception, at: str | None) -> Exception:
    """Whose fault it is that a query failed: damaged files raise whatever their bytes look like, so they are hashed."""
    import duckdb

    from flows.errors import ConfigError, StoreError
    from flows.explanations import of_the_disk
    from flows.settings import load_settings
    from flows.store import maintenance
    from flows.store.home import read_home

    if of_the_disk(problem):
        return problem
    line = (str(problem).splitlines() or [""])[0]
    if not isinstance(problem, duckdb.ParserException | duckdb.BinderException | duckdb.CatalogException):
        home = read_home(load_settings().home)
        for path, damage in maintenance.damage(home, _manifest(home, at)):
            return StoreError(f"{path} {damage} ({line}): run `quarry verify --repair`, then `quarry build`")
    return ConfigError(str(problem))


@guarded
def sql(
    query: str = typer.Argument(help="What to ask; the tables are listed in docs/tables.md."),
    at: str | None = At,
    limit: int | None = typer.Option(
        None, min=0, max=MOST, help="At most this many rows; 0 for all. Tables show 100 by default."
    ),
    csv: bool = typer.Option(False, "--csv", help="Print CSV; control characters are escaped."),
    as_json: bool = AsJson,
) -> None:
    """Ask the catalog in SQL.

    Example: quarry sql "select reason, count(*) as n from rejects group by all order by n desc"
    """
    import duckdb

    from flows.errors import ConfigError

    if csv and as_json:
        raise ConfigError("--csv and --json are two forms: choose one")
    if limit is None:
        limit = 0 if csv or as_json else 100
    with _connect(at) as connection:
        try:
            cursor = connection.execute(query)
            if cursor is None or cursor.description is None:  # an empty query gives no cursor
                raise ConfigError("that asks nothing: write a query such as `select * from triples limit 5`")
            columns = [column[0] for column in cursor.description]
            rows = cursor.fetchmany(limit + 1) if limit else cursor.fetchall()
        except duckdb.Error as problem:
            raise _blamed(problem, at) from None
    more = bool(limit) and len(rows) > limit
    rows = rows[:limit] if limit else rows
    if as_json:
        if len(set(columns)) < len(columns):
            raise ConfigError("two columns have the same name: give them names with `as`")
        show_json([dict(zip(columns, row, strict=True)) for row in rows])
    elif csv:
        _show_csv(columns, rows)
    else:
        show_table(columns, rows)
        if more:
            say(f"… more than {limit} rows: add --limit 0 to see all")


def _show_csv(columns: list[str], rows: list[Any]) -> None:
    import csv
    import sys

    writer = csv.writer(sys.stdout)
    writer.writerow(columns)
    writer.writerows([_cell(cell) for cell in row] for row in rows)


def _cell(value: Any) -> Any:
    """What CSV shows of a value: nested ones as JSON, and no character that a terminal would obey."""
    import json

    if isinstance(value, list | dict):
        return json.dumps(value, default=str)
    return escaped(value) if isinstance(value, str) else value


@guarded
def trace(
    record: str = typer.Argument(help="An id of a lesson, post, question, quiz or triple, or an address."),
    at: str | None = At,
    as_json: bool = AsJson,
) -> None:
    """Follow one record through every table to its triple or reject.

    Of a record that its site no longer shows it says so: when it was fetched, and when it was gone.

    Example: quarry trace campus:80401
    """
    from flows.settings import load_settings
    from flows.store.home import read_home
    from flows.tombstones import tombstones
    from flows.trace import trace as follow

    with _connect(at) as connection:
        found = follow(connection, record, tombstones(read_home(load_settings().home), record))
    if as_json:
        show_json({table: rows for table, rows in found})
        return
    for table, rows in found:
        for row in rows:
            say(f"{table}")
            for name, value in row.items():
                if value is not None:
                    text = str(value)
                    say(f"  {name:18}{text if len(text) <= 300 else text[:300] + ' …'}")


@guarded
def rejects(
    stage: str | None = typer.Option(None, help="Only this stage."),
    reason: str | None = typer.Option(None, help="Only this reason."),
    source: str | None = typer.Option(None, help="Only this source."),
    examples: int = typer.Option(1, min=0, max=MOST, help="Examples for each reason."),
    at: str | None = At,
    as_json: bool = AsJson,
) -> None:
    """Show what was dropped, by stage, source and reason.

    Example: quarry rejects --stage triples --reason no_prompt --examples 5
    """
    from flows.errors import ConfigError
    from flows.stages import STAGES

    stages = [known.name for known in STAGES]
    if stage is not None and stage not in stages:
        raise ConfigError(f"there is no stage {stage}: choose from {', '.join(stages)}")
    query = """
        select stage, split_part(lesson_id, ':', 1) as source, reason, count(*) as records,
               count(merged_into) as merged,
               list({'record_id': record_id, 'detail': detail, 'text': text}
                    order by md5(record_id || coalesce(detail, '')))[:$examples] as examples
        from rejects
        where ($stage is null or stage = $stage) and ($reason is null or reason = $reason)
          and ($source is null or starts_with(lesson_id, $source || ':'))
        group by all order by stage, records desc, reason, source
    """
    with _connect(at) as connection:
        _check_source(connection, source)
        arguments = {"stage": stage, "reason": reason, "source": source, "examples": examples}
        rows = connection.execute(query, arguments).fetchall()
        reasons = [] if rows else connection.execute("select distinct reason from rejects order by 1").fetchall()
    names = ("stage", "source", "reason", "records", "merged", "examples")
    if as_json:
        show_json([dict(zip(names, row, strict=True)) for row in rows])
        return
    shown = []
    for row in rows:
        texts = [": ".join(part[:100] for part in (e["record_id"], e["detail"], e["text"]) if part) for e in row[5]]
        shown.append((*row[:5], "\n".join(" ".join(text.split()) for text in texts)))
    if shown:
        show_table(names, shown)
    else:
        known = ", ".join(name for (name,) in reasons)
        say("nothing was rejected for that" + (f"; the reasons that there are: {known}" if known else ""))


def _check_source(connection: Any, source: str | None) -> None:
    """Refuse a source from which the snapshot has nothing at all, rather than to show nothing."""
    from flows.errors import ConfigError

    found = connection.execute(
        "select split_part(lesson_id, ':', 1) from lessons union select split_part(lesson_id, ':', 1) from rejects"
    ).fetchall()
    known = sorted(name for (name,) in found)
    if source is not None and source not in known:
        raise ConfigError(f"nothing comes from a source {source}: choose from {', '.join(known)}")


@guarded
def explain(
    stage: str | None = typer.Argument(None, help="Only this stage."),
    as_json: bool = AsJson,
) -> None:
    """Say why a stage would run again, and for how many lessons.

    Nothing is crawled: the records archived last are looked at.

    Example: quarry explain triples
    """
    from flows.errors import ConfigError
    from flows.explain import explain as look
    from flows.settings import load_settings
    from flows.store import snapshots as store
    from flows.store.home import read_home

    settings = load_settings()
    home = read_home(settings.home)
    reasons = look(home, settings, store.current(home))
    if stage is not None:
        known = [r.stage for r in reasons]
        reasons = [r for r in reasons if r.stage == stage]
        if not reasons:
            raise ConfigError(f"there is no stage {stage!r}: the stages are {', '.join(known)}")
    if as_json:
        show_json([r.as_dict() for r in reasons])
    else:
        show_table(["stage", "lessons", "why"], [(r.stage, r.lessons, r.why) for r in reasons])
