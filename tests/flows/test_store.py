"""The store: lease, pointer, journal, garbage."""

import errno
import json
import multiprocessing
import os
import socket
import time
from collections.abc import Callable
from pathlib import Path

import duckdb
import psutil
import pytest

from expectations import TABLES
from flows.errors import ConfigError, LeaseHeldError, StoreError
from flows.settings import Settings
from flows.store import catalog, journal, lease, maintenance, snapshots
from flows.store.home import Home, open_home, pseudonym_key, staged
from flows.store.lease import Lease


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return open_home(Settings(home=tmp_path / "store", buckets=2))


def test_a_lease_keeps_others_out_and_is_given_back(home: Home) -> None:
    with Lease(home, "build"):
        with pytest.raises(LeaseHeldError, match="quarry build"), Lease(home, "gc"):
            pass
        assert lease.holder_of(home) is not None
    assert lease.holder_of(home) is None
    with Lease(home, "gc"):
        pass


def _hold_and_die(path: Path) -> None:
    Lease(open_home(Settings(home=path)), "build").__enter__()
    os._exit(9)


def test_a_dead_local_holder_loses_its_lease_at_once(home: Home) -> None:
    child = multiprocessing.get_context("spawn").Process(target=_hold_and_die, args=(home.path,))
    child.start()
    child.join()
    assert lease.holder_of(home) is not None
    assert lease.writer(home) is None
    with Lease(home, "build"):
        assert lease.writer(home) is not None


def test_a_remote_holder_is_believed_until_its_lease_expires(home: Home) -> None:
    holder = {"token": "x", "command": "build", "pid": 1, "host": "elsewhere", "process_started": 0.0}
    (home / "lease.json").write_text(json.dumps({**holder, "expires": time.time() + 60}))
    with pytest.raises(LeaseHeldError, match="elsewhere"), Lease(home, "build"):
        pass
    (home / "lease.json").write_text(json.dumps({**holder, "expires": time.time() - 1}))
    with Lease(home, "build"):
        pass


HOLDER = {"token": "x", "command": "build", "pid": os.getpid(), "host": socket.gethostname(), "process_started": 0.0,
          "expires": time.time() + 3600}  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        '{"token": 1}',
        "[" * 100_000,
        *(json.dumps({**HOLDER, name: None}) for name in HOLDER),
        json.dumps({name: value for name, value in HOLDER.items() if name != "host"}),
        json.dumps({**HOLDER, "pid": -1}),
        json.dumps({**HOLDER, "pid": 10**30}),
    ],
    ids=lambda text: text[:40],
)
def test_a_broken_lease_counts_as_none(home: Home, text: str) -> None:
    (home / "lease.json").write_text(text)
    assert lease.writer(home) is None
    with Lease(home, "build") as held:
        held.check()


def test_a_clock_that_was_set_takes_no_lease_away(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    started = psutil.Process().create_time()
    with Lease(home, "build"):
        monkeypatch.setattr(psutil.Process, "create_time", lambda _: started + 3600)
        assert lease.writer(home) is not None
        with pytest.raises(LeaseHeldError), Lease(home, "gc"):
            pass


def test_a_process_that_got_the_number_of_a_dead_one_holds_no_lease(home: Home) -> None:
    with Lease(home, "build"):
        holder = lease.holder_of(home)
        assert holder is not None
        (home / "lease.json").write_text(json.dumps({**holder, "process_mark": "another boot 1"}))
        assert lease.writer(home) is None


def test_a_killed_holder_that_nobody_waited_for_is_dead(home: Home) -> None:
    child = multiprocessing.get_context("spawn").Process(target=_hold_and_die, args=(home.path,))
    child.start()
    while psutil.Process(child.pid).status() != psutil.STATUS_ZOMBIE:
        time.sleep(0.05)
    assert lease.holder_of(home) is not None
    assert lease.writer(home) is None
    child.join()


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
def test_what_frees_space_needs_none(home: Home, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    def full(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    with lease.alone(home, "gc"):
        assert lease.writer(home) is not None
    with Lease(home, "build"):
        monkeypatch.setattr(lease, "write_text", full)
        with pytest.raises(LeaseHeldError, match="quarry build"), lease.alone(home, "gc"):
            pass
    with lease.alone(home, "gc"):
        assert lease.holder_of(home) is None


def test_who_lost_the_lease_publishes_nothing(home: Home) -> None:
    manifest = snapshots.make({"files": []})
    with Lease(home, "build") as held:
        (home / "lease.json").write_text(json.dumps({"token": "another"}))
        with pytest.raises(LeaseHeldError, match="lost its lease"):
            snapshots.publish(home, manifest, None, held)
    assert snapshots.current_id(home) is None


def test_the_pointer_moves_only_from_where_it_was_expected(home: Home) -> None:
    one, two = snapshots.make({"files": [], "n": 1}), snapshots.make({"files": [], "n": 2})
    with Lease(home, "build") as held:
        snapshots.publish(home, one, None, held)
        with pytest.raises(StoreError, match="another writer"):
            snapshots.publish(home, two, None, held)
        assert snapshots.current(home) == one
        snapshots.publish(home, two, one.id, held)
    assert snapshots.current(home) == two


def run_row(run_id: str) -> dict[str, str | None]:
    when = "2026-03-10T03:00:05+00:00"
    return {"run_id": run_id, "flow": "build", "started_at": when, "finished_at": when, "state": "done",
            "snapshot_id": None, "message": None, "stages": "{}"}  # fmt: skip


NO_ROWS = [
    b'{"run_id": "half',
    b"[]",
    b"null",
    b"5",
    b'"text"',
    b'{"run_id": "x"}',
    b"[" * 100_000,
    b"\xff\xfe\x00",
    json.dumps({**run_row("x"), "state": "dancing"}).encode(),
    json.dumps({**run_row("x"), "finished_at": "yesterday"}).encode(),
    json.dumps({**run_row("x"), "stages": None}).encode(),
]


@pytest.mark.parametrize("line", NO_ROWS, ids=lambda line: line[:24].decode("latin-1"))
def test_the_journal_survives_a_line_that_is_no_row(home: Home, line: bytes) -> None:
    journal.append(home, "runs", [run_row("a")])
    with (home / "journal" / "runs.jsonl").open("ab") as file:
        file.write(line)
    journal.append(home, "runs", [run_row("b")])
    assert [row["run_id"] for row in journal.read(home, "runs")] == ["a", "b"]
    view = catalog.lines(home / "journal" / "runs.jsonl", TABLES["runs"])
    assert duckdb.sql(f"select run_id from ({view}) order by 1").fetchall() == [("a",), ("b",)]


@pytest.mark.parametrize("line", [json.dumps({**run_row("x"), "message": 5}), json.dumps({**run_row("x"), "flow": 5})])
def test_a_value_of_another_type_makes_no_row(home: Home, line: str) -> None:
    (home / "journal" / "runs.jsonl").write_text(line + "\n")
    assert journal.read(home, "runs") == []


def test_a_staged_file_appears_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "file"

    def fail_in_the_middle() -> None:
        with staged(path) as temporary:
            temporary.write_text("half")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail_in_the_middle()
    assert list(tmp_path.iterdir()) == []


def test_the_pseudonym_key_is_made_once_and_only_for_its_owner(home: Home) -> None:
    settings = Settings(home=home.path)
    key = pseudonym_key(home, settings)
    assert pseudonym_key(home, settings) == key
    assert (home / "pseudonym.key").stat().st_mode & 0o777 == 0o600


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


def test_a_catalog_that_was_not_finished_leaves_nothing(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(connection: duckdb.DuckDBPyConnection, *_: object) -> None:
        connection.execute("create table half (n int)")
        raise duckdb.TransactionException("No space left on device")

    monkeypatch.setattr(catalog, "create_views", full)
    before = sorted(home.path.rglob("*"))
    with pytest.raises(duckdb.TransactionException):
        catalog.rebuild(home, snapshots.make({"files": []}))
    assert sorted(home.path.rglob("*")) == before


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


def test_the_order_of_publication_outlives_the_times_of_files(home: Home) -> None:
    made = [snapshots.make({"files": [], "n": n}) for n in range(4)]
    before = None
    with Lease(home, "build") as held:
        for manifest in [*made, made[1]]:
            snapshots.publish(home, manifest, before, held)
            before = manifest.id
    newest_first = [made[n].id for n in (1, 3, 2, 0)]
    assert snapshots.stored(home) == newest_first
    for number, snapshot_id in enumerate(newest_first):
        os.utime(home / "snapshots" / f"{snapshot_id}.json", (number, number))
    assert snapshots.stored(home) == newest_first
    assert all(not snapshots.written_at(home, i).startswith("1970") for i in newest_first)
    (home / "snapshots" / "order").write_text("\x00 broken")
    assert snapshots.stored(home) == newest_first[::-1]  # the times are what is left


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


def test_a_candidate_is_found_only_where_it_is_asked_for(home: Home) -> None:
    candidate = snapshots.make({"files": []})
    snapshots.keep_candidate(home, candidate)
    assert snapshots.resolve(home, candidate.id[:6], stopped=True) == candidate.id
    assert snapshots.read(home, candidate.id) == candidate
    with pytest.raises(ConfigError, match="no snapshot starts"):
        snapshots.resolve(home, candidate.id)
