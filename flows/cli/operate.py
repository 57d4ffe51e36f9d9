"""Commands for operators: backfill, serve."""

from contextlib import ExitStack
from datetime import datetime

import typer

from flows.cli.output import AsJson, guarded, progress, say, show_json, show_table

Day = ["%Y-%m-%d"]


@guarded
def backfill(
    source: list[str] = typer.Option([], help="Only this source; may be given several times."),
    since: datetime | None = typer.Option(
        None, "--since", "--from", formats=Day, help="Only lessons with posts from this day on."
    ),
    until: datetime | None = typer.Option(
        None, "--until", "--to", formats=Day, help="Only lessons with posts up to this day."
    ),
    stage: list[str] = typer.Option([], help="With --force: only this stage; may be given several times."),
    lesson: list[str] = typer.Option([], help="Only this lesson; may be given several times."),
    crawl: bool = typer.Option(False, "--crawl", help="Ask the sources again, every thread; else use the archive."),
    force: bool = typer.Option(False, "--force", help="Compute the window again although nothing changed."),
    dry_run: bool = typer.Option(False, "--dry-run", help="Only list what would be computed, and why."),
    plain: bool = typer.Option(False, "--plain", help="Run without Prefect."),
    as_json: bool = AsJson,
) -> None:
    """Build again for some sources, days, lessons or stages.

    To crawl them again, to read the archive again after a parser was mended, or to compute what did not change.

    Example: quarry backfill --since 2026-10-01 --until 2026-10-31 --stage triples --force --dry-run
    """
    from flows.backfill import Window, foresee
    from flows.build import Job, build_here
    from flows.settings import load_settings
    from flows.store.home import read_home

    settings = load_settings()
    days = (since.date() if since else None, until.date() if until else None)
    window = Window(tuple(source), *days, tuple(stage), tuple(lesson))
    window.check(settings)
    if dry_run:
        reasons = foresee(read_home(settings.home), settings, window, force)
        if as_json:
            show_json([r.as_dict() for r in reasons])
        else:
            show_table(["stage", "lessons", "why"], [(r.stage, r.lessons, r.why) for r in reasons])
        return
    job = Job("backfill", from_raw=not crawl, window=window, force=force)
    with ExitStack() as stack:
        run, outcome = build_here(settings, plain=plain, job=job, notice=progress(stack, as_json))
    computed = {name: sum(d.computed for d in done) for name, done in run.stages.items()}
    if as_json:
        show_json({"snapshot_id": outcome.manifest.id, "unchanged": outcome.unchanged, "computed": computed})
        return
    show_table(["stage", "lessons computed"], list(computed.items()))
    say(f"snapshot {outcome.manifest.id} is {'unchanged' if outcome.unchanged else 'current'}")


@guarded
def serve(
    host: str = typer.Option(
        "127.0.0.1", help="Where to listen; anything but loopback needs authentication before it."
    ),
    port: int = typer.Option(4200, help="Port of Prefect's server and UI."),
    health_port: int = typer.Option(4201, help="Port of /health and of the pages in /reports/."),
    reports_url: str | None = typer.Option(None, help="Where browsers reach /reports/, if through a proxy."),
) -> None:
    """Rebuild every night, with Prefect's server and UI.

    Starts the server, the deployments nightly, backfill and train, and a worker; stays until Ctrl-C.

    Example: quarry serve --port 4300 --health-port 4301
    """
    from flows.serve import serve as start
    from flows.settings import load_settings

    start(load_settings(), host, port, health_port, say, reports_url)
