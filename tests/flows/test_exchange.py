"""Records on their way to other machines: there for the length of a run, and nothing of them afterwards."""

from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pytest

from flows.errors import StoreError
from flows.runner import run_bucket
from flows.settings import Runner, Settings
from flows.store import exchange
from flows.store.home import Home

Build = Callable[..., tuple[Any, Any]]


def test_a_table_comes_back_as_it_was(tmp_path: Any) -> None:
    rows = pa.table({"text": ["Why?", None, "中文"], "number": [1, 2, None]})
    path = exchange.write(Home(tmp_path, 3), "001", rows)
    assert exchange.read(path).equals(rows)
    assert exchange.read(exchange.write(Home(tmp_path, 3), "002", rows.slice(0, 0))).schema == rows.schema


def test_nothing_stays_behind_whatever_happens(tmp_path: Any) -> None:
    home = Home(tmp_path, 3)
    left = exchange.write(home, "001", pa.table({"text": ["of a run that was killed"]}))

    def fail() -> None:
        with exchange.exchange(home):
            assert not left.exists()
            exchange.write(home, "002", pa.table({"text": ["of this one"]}))
            raise StoreError("a worker is gone")

    with pytest.raises(StoreError):
        fail()
    assert not (home / "exchange").exists()


def test_other_machines_get_paths_and_only_of_what_is_to_be_computed(
    build: Build, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tables would travel through the scheduler, which keeps them all; the result is the same."""
    _, here = build()
    sent: list[Any] = []
    monkeypatch.setattr("flows.pool.run_bucket", lambda work: sent.append(work) or run_bucket(work))
    elsewhere = settings.model_copy(deep=True, update={"runner": Runner(kind="dask", address="tcp://127.0.0.1:1")})
    _, quiet = build(elsewhere.model_copy(deep=True))
    assert quiet.unchanged
    assert [work.given for work in sent if work.stage in ("ingest", "wordings")] == [{}] * 6
    for path in (settings.home / "lake").rglob("*.parquet"):
        path.unlink()
    sent.clear()
    _, again = build(elsewhere)
    assert again.manifest == here.manifest
    paths = [path.name for work in sent for path in work.given.values()]
    assert sorted(paths) == [
        f"{name}-{bucket}.arrow" for name in ("edits", "records") for bucket in ("000", "001", "002")
    ]
    assert not (settings.home / "exchange").exists()
