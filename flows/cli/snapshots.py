"""Commands about snapshots: snapshots, rollback, diff, gc, verify."""

from datetime import UTC, datetime
from typing import Any

import typer

from flows.cli.output import AsJson, guarded, say, show_json, show_table


@guarded
def snapshots(as_json: bool = AsJson) -> None:
    """List the stored snapshots, newest first."""
    from flows.settings import load_settings
    from flows.store import snapshots as store
    from flows.store.home import read_home

    home = read_home(load_settings().home)
    current = store.current_id(home)
    rows: list[dict[str, Any]] = []
    for snapshot_id in store.stored(home):
        manifest = store.read(home, snapshot_id)
        written = (home / "snapshots" / f"{snapshot_id}.json").stat().st_mtime
        counts = {name: sum(f.rows for f in manifest.of_table(name)) for name in ("posts", "questions", "triples")}
        when = datetime.fromtimestamp(written, UTC).isoformat(timespec="seconds")
        rows.append({"snapshot_id": snapshot_id, "current": snapshot_id == current, "written_at": when, **counts})
    if as_json:
        show_json(rows)
    else:
        show_table(["", "snapshot", "written at (UTC)", "posts", "questions", "triples"],
                   [("*" if r["current"] else "", r["snapshot_id"], r["written_at"], r["posts"], r["questions"],
                     r["triples"]) for r in rows])  # fmt: skip


@guarded
def rollback(
    snapshot: str | None = typer.Argument(None, help="Where to go back to; without it, the one before the current."),
) -> None:
    """Make an older snapshot the current one."""
    from flows.errors import ConfigError
    from flows.settings import load_settings
    from flows.store import catalog
    from flows.store import snapshots as store
    from flows.store.home import read_home
    from flows.store.lease import Lease

    home = read_home(load_settings().home)
    before = store.current_id(home)
    with Lease(home, "rollback") as lease:
        if snapshot is None:
            stored = store.stored(home)
            older = stored[stored.index(before) + 1 :] if before in stored else stored
            if not older:
                raise ConfigError("there is no older snapshot to go back to: `quarry snapshots` lists all of them")
            snapshot = older[0]
        manifest = store.read(home, store.resolve(home, snapshot))
        store.move(home, manifest.id, before, lease)
        catalog.rebuild(home, manifest)
    say(f"snapshot {manifest.id} is current (before: {before}); the next build starts from it")


@guarded
def diff(
    older: str | None = typer.Argument(None, help="Without it, the newest snapshot that is not current."),
    newer: str | None = typer.Argument(None, help="Without it, the current snapshot."),
    as_json: bool = AsJson,
) -> None:
    """Compare two snapshots: rows added, removed and changed in each table."""
    from flows.diff import compare
    from flows.errors import ConfigError
    from flows.settings import load_settings
    from flows.store import snapshots as store
    from flows.store.home import read_home

    home = read_home(load_settings().home)
    new = store.read(home, store.resolve(home, newer)) if newer else store.current(home)
    if older is None:
        older = next((i for i in store.stored(home) if i != new.id), None)
        if older is None:
            raise ConfigError("there is only one snapshot: nothing to compare")
    old = store.read(home, store.resolve(home, older))
    rows = compare(home, old, new)
    if as_json:
        show_json({"older": old.id, "newer": new.id, "tables": [row.as_dict() for row in rows]})
        return
    say(f"from {old.id} to {new.id}")
    show_table(
        ["table", "before", "after", "added", "removed", "changed"], [tuple(row.as_dict().values()) for row in rows]
    )


@guarded
def gc(
    dry_run: bool = typer.Option(False, "--dry-run", help="Only say what would be removed."),
    as_json: bool = AsJson,
) -> None:
    """Remove old snapshots and files that no kept snapshot names; nothing younger than a day."""
    from flows.settings import load_settings
    from flows.store import maintenance
    from flows.store.home import read_home
    from flows.store.lease import Lease

    settings = load_settings()
    home = read_home(settings.home)
    with Lease(home, "gc"):
        doomed, loose = maintenance.garbage(home, settings.keep_snapshots)
        size = sum(path.stat().st_size for path in loose)
        if not dry_run:
            maintenance.collect_garbage(home, doomed, loose)
    if as_json:
        show_json({"snapshots": doomed, "files": len(loose), "bytes": size, "removed": not dry_run})
    else:
        verb = "would remove" if dry_run else "removed"
        say(f"{verb} {len(doomed)} snapshots and {len(loose)} files ({size / 1e6:.1f} MB)")


@guarded
def verify(
    repair: bool = typer.Option(
        False, "--repair", help="Remove damaged files, so that the next build makes them anew."
    ),
    as_json: bool = AsJson,
) -> None:
    """Hash every file of the current snapshot again, and evaluate every rule on it again."""
    from flows.verify import verify_current

    found = verify_current(repair)
    if as_json:
        show_json(found.as_dict())
    else:
        for path, problem in found.damage:
            say(f"BAD  {path} {problem}")
        for check in found.stopping:
            say(f"BAD  {check.table}: {check.rule} {check.result} ({check.observed})")
        if found.good:
            say(f"snapshot {found.snapshot_id} is whole: {found.files} files hashed, {found.checks} checks passed")
        elif repair and found.damage:
            say(f"removed {len(found.damage)} damaged files: run `quarry build` to make them again")
    if not found.good:
        raise typer.Exit(1)
