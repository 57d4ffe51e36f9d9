"""Everything for one machine: a Prefect server with its database in the home, deployments, a worker, and /health."""

import io
import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from flows import guard
from flows.errors import ConfigError, QuarryError
from flows.prefect_server import QUIET, Server, start_server
from flows.settings import PROJECT, Settings, config_path
from flows.status import status
from flows.store import journal
from flows.store.home import Home, open_home

POOL = "quarry"
NIGHTS = ("nightly", "build")  # the flows that ask every source


def check_schedule(settings: Settings) -> None:
    """Refuse a schedule that cannot be read, before anything is started."""
    from cronsim import CronSim, CronSimError

    try:
        zone = ZoneInfo(settings.schedule.timezone)
        CronSim(settings.schedule.cron, datetime.now(zone))
    except (ZoneInfoNotFoundError, ValueError, OSError):
        name = settings.schedule.timezone
        raise ConfigError(f"schedule.timezone {name!r} is no time zone: write it like Europe/Berlin, or UTC") from None
    except CronSimError as problem:
        name = settings.schedule.cron
        raise ConfigError(
            f"schedule.cron {name!r} is no cron line ({problem}): minute hour day month weekday, as in `0 3 * * *`"
        ) from None


def missed_night(settings: Settings, home: Home, now: datetime) -> bool:
    """Whether the last scheduled night passed without a run, as when the machine was off.

    A backfill is no night: it may have asked no source. A home without any run has missed nothing.
    """
    from cronsim import CronSim

    zone = ZoneInfo(settings.schedule.timezone)
    due = next(CronSim(settings.schedule.cron, now.astimezone(zone), reverse=True))
    runs = journal.read(home, "runs")
    nights = [run for run in runs if run["flow"] in NIGHTS]
    return bool(runs) and all(datetime.fromisoformat(run["started_at"]) < due for run in nights)


def check_port(host: str, port: int) -> None:
    """Refuse a port that is taken: we would talk to somebody else's server as if it were ours."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except (OSError, OverflowError) as problem:
            raise ConfigError(
                f"cannot listen at {host}, port {port} ({problem}): is `quarry serve` running already? "
                "--port, --health-port and --host choose others"
            ) from None


def serve(settings: Settings, host: str, port: int, health_port: int, say: Callable[[str], None]) -> None:
    """Run until a signal ends it, or until a part of it dies."""
    check_schedule(settings)
    for number in (port, health_port):
        check_port(host, number)
    home = open_home(settings)
    stop = threading.Event()
    for signum in (signal.SIGTERM, signal.SIGINT):
        signal.signal(signum, lambda *_: stop.set())
    with start_server(home, host, port) as server:
        say("starting Prefect's server")
        server.wait()
        bury_the_dead()
        deploy(settings, catch_up=missed_night(settings, home, datetime.now(UTC)))
        with _worker(home) as worker, _health(host, health_port, server, worker):
            say(f"Prefect's UI is at http://{host}:{port}, health at http://{host}:{health_port}/health")
            say(f"nightly at `{settings.schedule.cron}` ({settings.schedule.timezone}); end with Ctrl-C")
            while not stop.wait(1):
                if worker.poll() is not None or not server.alive:
                    raise QuarryError(f"Prefect's server or worker died: see {home / 'prefect'}/*.log, start it again")


def bury_the_dead() -> None:
    """End the runs of a worker that was killed: no worker runs yet, and each of them holds its deployment's one slot."""
    from prefect.client.orchestration import get_client
    from prefect.client.schemas import filters
    from prefect.client.schemas.objects import StateType
    from prefect.states import Crashed

    at_work = filters.FlowRunFilterStateType(any_=[StateType.RUNNING, StateType.PENDING, StateType.CANCELLING])
    chosen = filters.FlowRunFilter(state=filters.FlowRunFilterState(type=at_work))
    ours = filters.WorkPoolFilter(name=filters.WorkPoolFilterName(any_=[POOL]))
    with get_client(sync_client=True) as client:
        for run in client.read_flow_runs(flow_run_filter=chosen, work_pool_filter=ours):
            client.set_flow_run_state(run.id, Crashed(message="its worker was killed"), force=True)


def deploy(settings: Settings, catch_up: bool = False) -> None:
    """Register the deployments; a missed night is made up for once."""
    from prefect.client.orchestration import get_client
    from prefect.client.schemas.actions import WorkPoolCreate
    from prefect.client.schemas.objects import ConcurrencyLimitConfig, ConcurrencyLimitStrategy
    from prefect.deployments import run_deployment
    from prefect.exceptions import ObjectAlreadyExists
    from prefect.schedules import Cron

    from flows.prefect_flows import DEPLOYED

    with get_client(sync_client=True) as client, suppress(ObjectAlreadyExists):  # from an earlier start
        client.create_work_pool(WorkPoolCreate(name=POOL, type="process"))
    # Two nights at once would only wait for each other's lease.
    one = ConcurrencyLimitConfig(limit=1, collision_strategy=ConcurrencyLimitStrategy.CANCEL_NEW)
    for flow in DEPLOYED:
        schedule = Cron(settings.schedule.cron, timezone=settings.schedule.timezone)
        source: Any = flow.from_source(source=str(PROJECT), entrypoint=f"flows/prefect_flows.py:{flow.fn.__name__}")
        with redirect_stdout(io.StringIO()):  # it draws a table for each
            source.deploy(
                name=flow.name,
                work_pool_name=POOL,
                schedules=[schedule] if flow.name == "nightly" else [],
                concurrency_limit=one,
                job_variables={"env": environment(settings), "working_dir": str(PROJECT)},
                description=flow.description,
                print_next_steps=False,
                ignore_warnings=True,
            )
    if catch_up:
        run_deployment("nightly/nightly", timeout=0)


def environment(settings: Settings) -> dict[str, str]:
    """What a worker's run must know to work in the same home with the same settings."""
    found = {"QUARRY_HOME": str(settings.home), "PYTHONPATH": str(PROJECT), **QUIET}
    file = config_path()
    return {**found, "QUARRY_CONFIG": str(file.resolve())} if file else found


@contextmanager
def _worker(home: Home) -> Iterator["subprocess.Popen[str]"]:
    command = [sys.executable, "-m", "prefect", "worker", "start", "--pool", POOL, "--type", "process", "--limit", "2"]
    with (home / "prefect" / "worker.log").open("a") as log:
        process, keep = guard.start(command, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT,
                                    env=dict(os.environ), cwd=PROJECT)  # fmt: skip
    try:
        yield process
    finally:
        guard.stop(process, keep)


@contextmanager
def _health(host: str, port: int, server: Server, worker: "subprocess.Popen[str]") -> Iterator[None]:
    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found: dict[str, Any] = {"server": server.alive, "worker": worker.poll() is None}
            try:
                look = status()
                found |= {"snapshot": look["snapshot"], "age": look["age"], "last_run": look["last_run"]}
            except QuarryError as problem:
                found["message"] = str(problem)
            body = json.dumps(found).encode()
            good = found["server"] and found["worker"]
            self.send_response(404 if self.path != "/health" else 200 if good else 503)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Stay quiet."""

    answering = ThreadingHTTPServer((host, port), Answer)
    threading.Thread(target=answering.serve_forever, daemon=True).start()
    try:
        yield
    finally:
        answering.shutdown()
        answering.server_close()
