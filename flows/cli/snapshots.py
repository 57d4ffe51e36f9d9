"""Commands about snapshots: snapshots, rollback, diff, gc, verify."""

from typing import Any

import typer

from flows.cli.output import AsJson, guarded, say, show_json, show_table

_COUNTED = ("posts", "questions", "triples")


@guarded
def snapshots(as_json: bool = AsJson) -> None:
    """List the stored snapshots, newest first.

    Example: quarry snapshots --json
    """
    from flows.settings import load_settings
    from flows.store import snapshots as store
    from flows.store.home import read_home

    home = read_home(load_settings().home)
    current = store.current_id(home)
    manifests = {manifest.id: manifest for manifest in store.whole(home)}
    rows: list[dict[str, Any]] = []
    for snapshot_id in store.stored(home):
        found = manifests.get(snapshot_id)
        counts = {name: sum(f.rows for f in found.of_table(name)) if found else None for name in _COUNTED}
        when = store.written_at(home, snapshot_id)
        rows.append({"snapshot_id": snapshot_id, "current": snapshot_id == current, "broken": found is None,
                     "written_at": when, **counts})  # fmt: skip
    if as_json:
        show_json(rows)
    else:
        show_table(["", "snapshot", "written at (UTC)", *_COUNTED, ""],
                   [("*" if r["current"] else "", r["snapshot_id"], r["written_at"], *(r[name] for name in _COUNTED),
                     "its manifest is broken" if r["broken"] else "") for r in rows])  # fmt: skip
    if current is not None:
        store.current(home)  # that the current one is lost or broken is a failure


@guarded
def rollback(
    snapshot: str | None = typer.Argument(None, help="Where to go back to; without it, the one before the current."),
    as_json: bool = AsJson,
) -> None:
    """Make an older snapshot the current one.

    Example: quarry rollback 3f2a
    """
    from flows.errors import ConfigError, StoreError
    from flows.settings import load_settings
    from flows.store import catalog, maintenance
    from flows.store import snapshots as store
    from flows.store.home import read_home
    from flows.store.lease import Lease

    home = read_home(load_settings().home)
    before = store.current_id(home)
    with Lease(home, "rollback") as lease:
        if snapshot is None:
            stored = store.stored(home)
            older = stored[stored.index(before) + 1 :] if before in stored else stored
            manifest = next((m for m in store.whole(home) if m.id in older), None)
            if manifest is None:
                raise ConfigError("there is no older snapshot to go back to: `quarry snapshots` lists all of them")
        else:
            manifest = store.read(home, store.resolve(home, snapshot))
        for path, problem in maintenance.damage(home, manifest):
            raise StoreError(f"{path} of snapshot {manifest.id} {problem}: go back to another one; the pointer stays")
        store.move(home, manifest.id, before, lease)
        catalog.rebuild(home, manifest)
    if as_json:
        show_json({"snapshot_id": manifest.id, "before": before})
    else:
        say(f"snapshot {manifest.id} is current (before: {before}); the next build starts from it")


@guarded
def diff(
    older: str | None = typer.Argument(None, help="Without it, the newest snapshot that is not current."),
    newer: str | None = typer.Argument(None, help="Without it, the current snapshot."),
    as_json: bool = AsJson,
) -> None:
    """Compare two snapshots, table by table.

    Added, removed and changed rows of every table, by key.

    Example: quarry diff 3f2a 9c41
    """
    from flows.diff import compare
    from flows.errors import ConfigError
    from flows.settings import load_settings
    from flows.store import snapshots as store
    from flows.store.home import read_home

    home = read_home(load_settings().home)
    new = store.read(home, store.resolve(home, newer, stopped=True)) if newer else store.current(home)
    if older is None:
        old = next((m for m in store.whole(home) if m.id != new.id), None)
        if old is None:
            raise ConfigError("there is only one snapshot: nothing to compare")
    else:
        old = store.read(home, store.resolve(home, older, stopped=True))
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
    """Remove old snapshots, and files that no kept one names.

    Nothing younger than a day; `keep_snapshots` in the settings says how many are kept.

    Example: quarry gc --dry-run
    """
    from flows.settings import load_settings
    from flows.store import maintenance
    from flows.store import snapshots as store
    from flows.store.home import read_home
    from flows.store.lease import alone

    settings = load_settings()
    home = read_home(settings.home)
    with alone(home, "gc"):
        doomed, loose = maintenance.garbage(home, settings.keep_snapshots)
        size = sum(path.stat().st_size for path in loose)
        if not dry_run:
            maintenance.collect_garbage(home, doomed, loose)
        broken = store.broken(home)
    if as_json:
        removed = {"snapshots": doomed, "files": len(loose), "bytes": size, "removed": not dry_run}
        show_json({**removed, "broken": broken})
    else:
        verb = "would remove" if dry_run else "removed"
        say(f"{verb} {len(doomed)} snapshots and {len(loose)} files ({size / 1e6:.1f} MB)")
        if broken:
            say(f"kept what broken manifests may name ({', '.join(broken)}): restore them from a backup, or remove "
                "them from snapshots/ if nobody needs them, and run it again")  # fmt: skip


@guarded
def verify(
    repair: bool = typer.Option(
        False, "--repair", help="Remove damaged files, so that the next build makes them anew."
    ),
    as_json: bool = AsJson,
) -> None:
    """Hash and check the current snapshot again.

    Every file is hashed, and every rule evaluated, as if nothing were known about it.

    Example: quarry verify --repair && quarry build
    """
    from flows.verify import verify_current

    found = verify_current(repair)
    if as_json:
        show_json(found.as_dict())
    else:
        for path, problem in found.damage:
            say(f"BAD  {path} {problem}")
        for check in found.stopping:
            say(f"BAD  {check.name} {check.outcome}")
        for check in found.accepted:
            say(f"note {check.name} {check.outcome}, knowingly published")
        if found.good:
            passed = f"{found.passed} of {found.checks} checks passed"
            passed += f", {len(found.accepted)} were accepted" if found.accepted else ""
            say(f"snapshot {found.snapshot_id} is whole: {found.files} files hashed, {passed}")
        elif repair and found.damage:
            say(f"removed {len(found.damage)} damaged files: run `quarry build` to make them again")
    if not found.good:
        raise typer.Exit(1)
