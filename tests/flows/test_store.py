"""The store: lease, pointer, journal, garbage."""

import json
import multiprocessing
import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from flows.errors import LeaseHeldError, StoreError
from flows.settings import Settings
from flows.store import journal, lease, maintenance, snapshots
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


def test_the_journal_survives_half_a_line(home: Home) -> None:
    journal.append(home, "runs", [{"run_id": "a"}])
    with (home / "journal" / "runs.jsonl").open("a") as file:
        file.write('{"run_id": "half')
    journal.append(home, "runs", [{"run_id": "b"}])
    assert [row["run_id"] for row in journal.read(home, "runs")] == ["a", "b"]


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
