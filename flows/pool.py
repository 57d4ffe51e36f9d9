"""Where buckets are computed: in this process, or in processes beside it that use every core.

No more than `runner.workers` are computed at a time, however many threads ask: a conductor asks with more of them, so
that no worker waits for what the conductor notes down between two stages.
"""

import multiprocessing
import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from multiprocessing.connection import wait

from flows.runner import Done, Work, is_finished, run_bucket
from flows.settings import Settings

# Starting a process and importing the libraries again takes seconds: small datasets are quicker without.
MANY_RECORDS = 20_000
# What numpy, torch and Arrow ask when they are loaded; Dask sets the same for its workers.
_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


@contextmanager
def bucket_runner(settings: Settings, records: int) -> Iterator[Callable[[Work], Done]]:
    """The function that runs one bucket, wherever the settings say."""
    kind = settings.runner.kind
    if kind == "dask":
        yield run_bucket
        return
    if kind == "threads" or (kind == "auto" and records < MANY_RECORDS):
        yield partial(_run_here, threading.BoundedSemaphore(settings.runner.workers))
        return
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(settings.runner.workers, mp_context=context, initializer=_end_with_parent)
    with _one_thread_each():
        try:
            yield partial(_run_in, pool)
        finally:
            pool.shutdown(cancel_futures=True)


@contextmanager
def _one_thread_each() -> Iterator[None]:
    """Processes that begin here compute with one thread, unless the operator said otherwise: each core has its own."""
    unset = [name for name in _THREADS if name not in os.environ]
    os.environ.update(dict.fromkeys(unset, "1"))
    try:
        yield
    finally:
        for name in unset:
            del os.environ[name]


def _run_here(slots: threading.BoundedSemaphore, work: Work) -> Done:
    with slots:
        return run_bucket(work)


def _run_in(pool: ProcessPoolExecutor, work: Work) -> Done:
    # What only has to be found again is not worth sending.
    return run_bucket(work) if is_finished(work) else pool.submit(run_bucket, work).result()


def _end_with_parent() -> None:
    """Leave when the parent is gone, however it went."""
    parent = multiprocessing.parent_process()
    assert parent is not None

    def watch() -> None:
        wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
