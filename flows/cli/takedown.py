"""The command that takes records down."""

import typer

from flows.cli.output import AsJson, guarded, say, show_json, warn


@guarded
def takedown(
    names: list[str] | None = typer.Argument(
        None, metavar="[ID_OR_URL]…", help="Ids of posts, lessons or quizzes as in the tables, or their addresses."
    ),
    purge: bool = typer.Option(
        False, "--purge", help="Also remove them from raw and from old snapshots; without names, all of takedowns.txt."
    ),
    as_json: bool = AsJson,
) -> None:
    """Take records out of all future builds, or out of the past too.

    With --purge they leave everything that the home holds.

    Example: quarry takedown forum:4711 https://forum.example.org/t/12 --purge
    """
    from flows import takedown as work
    from flows.collect import takedowns
    from flows.errors import ConfigError
    from flows.settings import load_settings
    from flows.store.home import open_home

    settings = load_settings()
    home = open_home(settings)
    if not names and not purge:
        raise ConfigError("name at least one id or address: `quarry takedown forum:4711`")
    entries, new = work.add(home, settings, names) if names else (sorted(takedowns(home)), [])
    unknown = work.unknown(home, settings, names or [])
    if unknown:
        warn(f"nothing is known yet by the name {', '.join(unknown)}: is it written as in the tables?")
    done = work.purge(home, settings, entries) if purge else None
    own = [f"{s.name} ({s.path})" for s in settings.sources if s.path is not None]
    if as_json:
        purged = done.as_dict() if done else None
        show_json({"entries": entries, "added": new, "purged": purged, "untouched": own, "unknown": unknown})
        return
    known = len(entries) - len(new)
    say(f"{len(new)} entries were added to {home / 'takedowns.txt'}" + (f", {known} were there" if known else ""))
    if done is None:
        say("the next build takes them out; raw and old snapshots keep them (--purge removes them there too)")
        return
    for name, counts in done.raw.items():
        say(f"raw of {name}: {counts['records']} records removed, {counts['responses']} archived responses redacted")
    store = f"{len(done.snapshots)} old snapshots, {done.files} files of the lake"
    say(f"{store} and {done.annotations} annotations removed")
    for path in done.pages:
        say(f"removed from {path}")
    if done.snapshot_id:
        say(f"snapshot {done.snapshot_id} is current and without them")
    if own:
        say(f"your own files were not touched: {', '.join(own)}; delete the records there yourself")
