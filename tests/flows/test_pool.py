"""However many threads ask, only as many buckets are computed at a time as the settings allow."""

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from flows import pool
from flows.settings import Runner, Settings


@pytest.mark.parametrize("kind", ["threads", "auto"])
def test_no_more_buckets_at_a_time_than_workers(monkeypatch: pytest.MonkeyPatch, kind: Any) -> None:
    entered, leave = threading.Semaphore(0), threading.Event()

    def run_bucket(work: Any) -> Any:
        entered.release()
        assert leave.wait(30)
        return work

    monkeypatch.setattr(pool, "run_bucket", run_bucket)
    works: Any = ["a", "b", "c", "d"]
    settings = Settings(runner=Runner(kind=kind, workers=2))
    with pool.bucket_runner(settings, records=4) as run_one, ThreadPoolExecutor(4) as threads:
        done = [threads.submit(run_one, work) for work in works]
        assert all(entered.acquire(timeout=30) for _ in range(2))
        third = entered.acquire(timeout=0.3)
        leave.set()
        assert [future.result() for future in done] == works
    assert not third
