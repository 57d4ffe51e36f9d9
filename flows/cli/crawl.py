"""The command that only crawls."""

from collections.abc import Iterator
from typing import Any

import typer

from flows.cli.output import MOST, AsJson, guarded, say, show_json


@guarded
def crawl(
    name: str = typer.Argument(help="The source to crawl, as named in quarry.toml."),
    limit: int | None = typer.Option(None, min=1, max=MOST, help="Fetch at most this many pages; the rest next time."),
    dry_run: bool = typer.Option(False, "--dry-run", help="Read only the listings and say what would be fetched."),
    as_json: bool = AsJson,
) -> None:
    """Crawl one source into the raw archive, and build nothing.

    Example: quarry crawl forum --limit 50 --dry-run
    """
    from flows.collect import collect_source
    from flows.collect import crawl as run
    from flows.errors import ConfigError
    from flows.settings import load_settings
    from flows.store.home import open_home
    from flows.store.lease import Lease

    settings = load_settings()
    source = next((s for s in settings.sources if s.name == name), None)
    if source is None:
        known = ", ".join(s.name for s in settings.sources)
        raise ConfigError(f"there is no source {name!r}: the configured ones are {known}")
    home = open_home(settings)
    with Lease(home, "crawl"):
        if source.kind == "jsonl":
            found = collect_source(home, source)
        else:
            extra = {"limit": limit, "dry_run": True} if dry_run else {"limit": limit}
            found = run(home, source, **extra)
    if as_json:
        show_json(found)
        return
    for key, value in found.items():
        lines = list(_lines(value))
        for number, line in enumerate(lines):
            say(f"{key.replace('_', ' ') if not number else '':18}{line}")


def _lines(value: Any) -> Iterator[str]:
    """A value of the summary for people: counts on one line, addresses and rejects one a line, nothing for nothing."""
    if isinstance(value, list):
        for entry in value:
            yield " ".join(map(str, entry.values())) if isinstance(entry, dict) else str(entry)
    elif isinstance(value, dict):
        counts = [f"{name}: {count}" for name, count in value.items() if count]
        yield from [", ".join(counts)] if counts else []
    elif value:
        yield str(value)
