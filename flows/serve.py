"""Everything for one machine: a Prefect server with its database in the home, deployments, a worker, and /health."""

import itertools
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime

import httpx

from flows import guard
from flows.deployments import (
    POOL,
    bury_killed,
    bury_the_dead,
    deploy,
    environment,
    forget_missed,
    is_at_work,
    make_up_for_a_night,
)
from flows.errors import ConfigError, QuarryError
from flows.health import answering
from flows.notice import killed, report_killed, tell
from flows.prefect_server import LOGS, begin_log, bound_log, start_server
from flows.schedule import missed_night, next_night
from flows.settings import PROJECT, Settings
from flows.store.home import Home, open_home
from flows.watch import SERVED_WEBHOOK

_LOOK_SECONDS = 30


def check_ports(host: str, *ports: int) -> None:
    """Refuse a port that is taken: we would talk to somebody else's server as if it were ours."""
    if len(set(ports)) < len(ports):
        raise ConfigError(f"port {ports[0]} is wanted twice: give --port and --health-port different numbers")
    for port in ports:
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((host, port))
            except (OSError, OverflowError) as problem:
                raise ConfigError(
                    f"cannot listen at {host}, port {port} ({problem}): is `quarry serve` running already? "
                    "--port, --health-port and --host choose others"
                ) from None


def serve(
    settings: Settings,
    host: str,
    port: int,
    health_port: int,
    say: Callable[[str], None],
    reports_url: str | None = None,
) -> None:
    """Run until a signal ends it, or until a part of it dies."""
    check_ports(host, port, health_port)
    home = open_home(settings)
    stop = threading.Event()
    for signum in (signal.SIGTERM, signal.SIGINT):
        signal.signal(signum, lambda *_: stop.set())

    def make_up_if_missed(in_hand: bool) -> None:
        # A run still at work may be that night; a second one would be cancelled.
        if not in_hand and missed_night(settings, home, datetime.now(UTC)):
            make_up_for_a_night()

    with start_server(home, host, port) as server:
        say("starting Prefect's server")
        server.wait()
        survivors = bury_the_dead()
        report_killed(home, settings.webhook)
        waiting = forget_missed(datetime.now(UTC))
        deploy(settings)
        make_up_if_missed(waiting or bool(survivors))
        with _worker(home, settings) as worker:

            def parts() -> dict[str, bool]:
                return {"server": server.answers(2), "worker": worker.poll() is None}

            with answering(home, host, health_port, parts, reports_url):
                say(f"Prefect's UI is at http://{host}:{port}, health at http://{host}:{health_port}/health")
                soon = next_night(settings, datetime.now(UTC)).isoformat(" ", "minutes")
                say(f"nightly at `{settings.schedule.cron}` ({settings.schedule.timezone}), next {soon}; "
                    "end with Ctrl-C")  # fmt: skip
                gone: set[str] = set()
                for second in itertools.count(1):
                    if stop.wait(1):
                        break
                    if second % _LOOK_SECONDS == 0:
                        gone = _look_around(home, settings, gone)
                    if worker.poll() is not None or not server.alive:
                        _end_badly(home, settings)
                    if not all(map(is_at_work, survivors)):
                        with suppress(httpx.HTTPError):  # of a server that has just died
                            survivors = bury_the_dead(survivors)
                            make_up_if_missed(bool(survivors))


def _look_around(home: Home, settings: Settings, gone: set[str]) -> set[str]:
    """Tell of runs that were killed, and keep the logs short; the ids of runs that are to be told of next time.

    A run is told of when it is seen for the second time: of a deployed one its worker tells, and knows more.
    """
    for log in LOGS:
        bound_log(home / "prefect" / log)
    with suppress(OSError, httpx.HTTPError):  # of a disk or a server that others tell of
        if gone:
            report_killed(home, settings.webhook, gone)
            bury_killed(home)
        return {run["run_id"] for run in killed(home)}
    return gone


def _end_badly(home: Home, settings: Settings) -> None:
    died = f"Prefect's server or worker died: see {home / 'prefect'}/*.log, start it again"
    if settings.webhook:
        tell(settings.webhook, {"run_id": None, "flow": "serve", "state": "failed", "message": died})
    raise QuarryError(died)


@contextmanager
def _worker(home: Home, settings: Settings) -> Iterator["subprocess.Popen[str]"]:
    command = [sys.executable, "-m", "prefect", "worker", "start", "--pool", POOL, "--type", "process"]
    more = {"PREFECT_WORKER_QUERY_SECONDS": "5"}
    if settings.webhook:
        more[SERVED_WEBHOOK] = settings.webhook
    begin_log(home / "prefect" / "worker.log")
    with (home / "prefect" / "worker.log").open("a") as log:
        process, keep = guard.start(command, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT,
                                    env={**os.environ, **environment(settings), **more}, cwd=PROJECT)  # fmt: skip
    try:
        yield process
    finally:
        guard.stop(process, keep)
