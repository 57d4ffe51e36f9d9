"""The lease: one writer at a time, whatever happens to the one before."""

import json
import multiprocessing
import os
import socket
import time
from pathlib import Path

import psutil
import pytest

from flows.errors import LeaseHeldError
from flows.settings import Settings
from flows.store import lease, snapshots
from flows.store.home import Home, open_home
from flows.store.lease import Lease


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


def test_who_lost_the_lease_publishes_nothing(home: Home) -> None:
    manifest = snapshots.make({"files": []})
    with Lease(home, "build") as held:
        (home / "lease.json").write_text(json.dumps({"token": "another"}))
        with pytest.raises(LeaseHeldError, match="lost its lease"):
            snapshots.publish(home, manifest, None, held)
    assert snapshots.current_id(home) is None
