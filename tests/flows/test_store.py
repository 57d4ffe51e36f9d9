"""The store: lease, pointer, journal, garbage."""

import errno
import json
import os
from pathlib import Path

import duckdb
import pytest

from expectations import TABLES
from flows.errors import ConfigError, LeaseHeldError, StoreError
from flows.settings import Settings
from flows.store import catalog, journal, lease, snapshots
from flows.store.home import Home, pseudonym_key, staged
from flows.store.lease import Lease


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


def test_a_catalog_that_was_not_finished_leaves_nothing(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(connection: duckdb.DuckDBPyConnection, *_: object) -> None:
        connection.execute("create table half (n int)")
        raise duckdb.TransactionException("No space left on device")

    monkeypatch.setattr(catalog, "create_views", full)
    before = sorted(home.path.rglob("*"))
    with pytest.raises(duckdb.TransactionException):
        catalog.rebuild(home, snapshots.make({"files": []}))
    assert sorted(home.path.rglob("*")) == before


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


def test_a_candidate_is_found_only_where_it_is_asked_for(home: Home) -> None:
    candidate = snapshots.make({"files": []})
    snapshots.keep_candidate(home, candidate)
    assert snapshots.resolve(home, candidate.id[:6], stopped=True) == candidate.id
    assert snapshots.read(home, candidate.id) == candidate
    with pytest.raises(ConfigError, match="no snapshot starts"):
        snapshots.resolve(home, candidate.id)
