"""Starts builds that a test may kill: one process imports everything once and forks a child for each build.

Reads one JSON line for each build ({"home", "corpus", "kill_at", "kill_after"}), answers with the child's exit status.
"""

import json
import os
import signal
import sys
import threading
import time
from pathlib import Path

import great_expectations  # noqa: F401  # imported before the forks: it takes seconds
import torch  # noqa: F401

from flows.build import build_here
from flows.settings import Settings, Source


def build(order: dict[str, str]) -> None:
    os.environ["QUARRY_KILL_AT"] = order.get("kill_at", "")
    if "kill_after" in order:
        threading.Thread(target=_die_after, args=(float(order["kill_after"]),), daemon=True).start()
    source = Source(name="small", kind="jsonl", path=Path(order["corpus"]))
    build_here(Settings(home=Path(order["home"]), buckets=3, pseudonym_key="secret", sources=[source]), plain=True)


def _die_after(seconds: float) -> None:
    time.sleep(seconds)
    os.kill(os.getpid(), signal.SIGKILL)


def main() -> None:
    for line in sys.stdin:
        started = time.monotonic()
        child = os.fork()
        if child == 0:
            try:
                build(json.loads(line))
            except BaseException as problem:
                print(problem, file=sys.stderr)
                os._exit(1)
            os._exit(0)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        print(json.dumps({"status": status, "seconds": time.monotonic() - started}), flush=True)


if __name__ == "__main__":
    main()
