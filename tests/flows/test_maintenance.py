"""What is tidied up, and what is kept."""

import os
from collections.abc import Callable
from pathlib import Path

from flows.settings import Settings
from flows.store import maintenance, snapshots
from flows.store.home import Home


def _age(*paths: Path) -> None:
    for path in paths:
        os.utime(path, (0, 0))


def test_garbage_is_what_no_kept_snapshot_names(build: Callable, settings: Settings) -> None:
    run, first = build()
    changed = settings.model_copy(deep=True)
    changed.alignment.max_words = 3
    _, second = build(changed)
    home = run.home
    assert maintenance.garbage(home, keep=1) == ([], [])  # nothing is a day old
    _age(*home.path.rglob("*.parquet"), *(home / "snapshots").glob("*.json"))
    doomed, loose = maintenance.garbage(home, keep=1)
    assert doomed == [first.manifest.id]
    assert {path.relative_to(home.path).as_posix() for path in loose} == (
        {ref.path for ref in first.manifest.files} - {ref.path for ref in second.manifest.files}
    )
    assert maintenance.collect_garbage(home, doomed, loose) > 0
    assert list(maintenance.damage(home, second.manifest)) == []
    assert maintenance.garbage(home, keep=1) == ([], [])


def test_what_killed_runs_left_is_garbage_after_a_day(home: Home) -> None:
    names = (
        ".catalog.duckdb.7-ab.tmp",
        ".catalog.duckdb.7-ab.tmp.wal",
        "snapshots/.x.7-ab.tmp",
        "models/m/.x.7-ab.tmp",
    )
    left = [home / name for name in (*names, "lake/posts/.x.7-ab.tmp")]
    for path in left:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    assert maintenance.garbage(home, keep=1) == ([], [])
    _age(*left)
    doomed, loose = maintenance.garbage(home, keep=1)
    assert sorted(loose) == sorted(left)
    maintenance.collect_garbage(home, doomed, loose)
    assert not any(path.exists() for path in left)


def test_a_broken_old_manifest_keeps_all_that_it_may_name(build: Callable, settings: Settings) -> None:
    ids = []
    for words in (3, 4, 5):
        changed = settings.model_copy(deep=True)
        changed.alignment.max_words = words
        run, outcome = build(changed)
        ids.append(outcome.manifest.id)
    home = run.home
    manifests = [snapshots.read(home, i) for i in ids]
    path = home / "snapshots" / f"{ids[0]}.json"
    whole = path.read_text()
    _age(*home.path.rglob("*.parquet"), *(home / "snapshots").glob("*.json"))

    def doomed_by(text: str) -> set[str]:
        path.write_text(text)
        doomed, loose = maintenance.garbage(home, keep=1)
        assert doomed == [ids[1]]
        assert snapshots.broken(home) == [ids[0]]
        return {name.relative_to(home.path).as_posix() for name in loose}

    first, second, third = ({ref.path for ref in manifest.files} for manifest in manifests)
    assert doomed_by(whole + "x") == second - first - third  # it still tells all that it names
    assert doomed_by("") == set()
    half = doomed_by(whole[: whole.index('"lake/spans/001')])
    assert set() < half < second - first - third


def test_what_the_gate_stopped_is_kept_for_a_while(home: Home) -> None:
    names = []
    for number in range(maintenance.KEPT_CANDIDATES + 1):
        path = home / "lake" / "posts" / f"{number}.parquet"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"rows")
        ref = {"path": f"lake/posts/{number}.parquet", "table": "posts", "stage": "ingest", "bucket": "000", "rows": 1,
               "bytes": 4, "sha256": ""}  # fmt: skip
        candidate = snapshots.make({"files": [ref]})
        snapshots.keep_candidate(home, candidate)
        names.append(candidate.id)
        manifest = home / "snapshots" / "candidates" / f"{candidate.id}.json"
        os.utime(manifest, (number, number))
    assert snapshots.candidates(home) == names[::-1]
    assert maintenance.garbage(home, keep=1) == ([f"candidates/{names[0]}"], [])  # its file is not a day old
    _age(*(home / "lake").rglob("*.parquet"))
    doomed, loose = maintenance.garbage(home, keep=1)
    assert (doomed, [path.name for path in loose]) == ([f"candidates/{names[0]}"], ["0.parquet"])
    maintenance.collect_garbage(home, doomed, loose)
    assert snapshots.candidates(home) == names[:0:-1]
