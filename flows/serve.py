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

from flows import guard
from flows.errors import ConfigError, QuarryError
from flows.notice import tell, tell_of_crash
from flows.prefect_server import QUIET, Server, start_server
from flows.schedule import check_schedule, missed_night, next_night
from flows.settings import PROJECT, Settings, config_path
from flows.status import status
from flows.store.home import Home, open_home

POOL = "quarry"
# A run's log says what it does; that each of its tasks ended well is no news.
LOGGING = {
    "PREFECT_LOGGING_LEVEL": "INFO",
    "PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL": "INFO",
    "PREFECT_LOGGING_LOGGERS_PREFECT_TASK_RUNS_LEVEL": "WARNING",
}
LOST = "its worker was killed too; what it had finished is kept"


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
        waiting = forget_missed(datetime.now(UTC))
        deploy(settings, catch_up=not waiting and missed_night(settings, home, datetime.now(UTC)))
        with _worker(home, settings) as worker, _health(host, health_port, server, worker):
            say(f"Prefect's UI is at http://{host}:{port}, health at http://{host}:{health_port}/health")
            soon = next_night(settings, datetime.now(UTC)).isoformat(" ", "minutes")
            say(f"nightly at `{settings.schedule.cron}` ({settings.schedule.timezone}), next {soon}; end with Ctrl-C")
            while not stop.wait(1):
                if worker.poll() is not None or not server.alive:
                    died = f"Prefect's server or worker died: see {home / 'prefect'}/*.log, start it again"
                    if settings.webhook:
                        tell(settings.webhook, {"run_id": None, "flow": "serve", "state": "failed", "message": died})
                    raise QuarryError(died)


def bury_the_dead() -> None:
    """End the runs that a kill left behind: nothing runs yet, and each holds its deployment's one slot."""
    from prefect.client.orchestration import get_client
    from prefect.client.schemas import filters
    from prefect.client.schemas.objects import StateType
    from prefect.states import Crashed

    at_work = filters.FlowRunFilterStateType(any_=[StateType.RUNNING, StateType.PENDING, StateType.CANCELLING])
    chosen = filters.FlowRunFilter(state=filters.FlowRunFilterState(type=at_work))
    with get_client(sync_client=True) as client:
        for run in client.read_flow_runs(flow_run_filter=chosen):
            client.set_flow_run_state(run.id, Crashed(message=LOST), force=True)
            if run.deployment_id and run.start_time:
                tell_of_crash(client.read_deployment(run.deployment_id).name, str(run.id), run.start_time, LOST)


def forget_missed(now: datetime) -> bool:
    """Cancel the runs that the schedule wanted while nobody was there: one night is made up for, not each.

    Returns whether a night that somebody asked for is still to be run.
    """
    from prefect.client.orchestration import get_client
    from prefect.client.schemas import filters
    from prefect.client.schemas.objects import StateType
    from prefect.states import Cancelled

    chosen = filters.FlowRunFilter(
        state=filters.FlowRunFilterState(type=filters.FlowRunFilterStateType(any_=[StateType.SCHEDULED])),
        expected_start_time=filters.FlowRunFilterExpectedStartTime.model_validate({"before_": now}),
    )
    nights = filters.DeploymentFilter(name=filters.DeploymentFilterName(any_=["nightly"]))
    with get_client(sync_client=True) as client:
        due = client.read_flow_runs(flow_run_filter=chosen, deployment_filter=nights)
        for run in due:
            if run.auto_scheduled:
                client.set_flow_run_state(run.id, Cancelled(message="nobody served this night"), force=True)
    return any(not run.auto_scheduled for run in due)


def deploy(settings: Settings, catch_up: bool = False) -> None:
    """Register the deployments; a missed night is made up for once."""
    from prefect.client.orchestration import get_client
    from prefect.client.schemas.actions import DeploymentUpdate, WorkPoolCreate
    from prefect.client.schemas.objects import ConcurrencyLimitConfig, ConcurrencyLimitStrategy
    from prefect.deployments import run_deployment
    from prefect.exceptions import ObjectAlreadyExists
    from prefect.schedules import Cron

    from flows.prefect_flows import DEPLOYED

    client = get_client(sync_client=True)
    with suppress(ObjectAlreadyExists):  # from an earlier start
        client.create_work_pool(WorkPoolCreate(name=POOL, type="process"))
    # Two nights at once would only wait for each other's lease.
    one = ConcurrencyLimitConfig(limit=1, collision_strategy=ConcurrencyLimitStrategy.CANCEL_NEW)
    for flow in DEPLOYED:
        schedule = Cron(settings.schedule.cron, timezone=settings.schedule.timezone)
        source: Any = flow.from_source(source=str(PROJECT), entrypoint=f"flows.prefect_flows.{flow.fn.__name__}")
        with redirect_stdout(io.StringIO()):  # it draws a table for each
            made = source.deploy(
                name=flow.name,
                work_pool_name=POOL,
                schedules=[schedule] if flow.name == "nightly" else [],
                concurrency_limit=one,
                job_variables={"env": environment(settings), "working_dir": str(PROJECT)},
                description=flow.description,
                print_next_steps=False,
                ignore_warnings=True,
            )
        client.update_deployment(made, DeploymentUpdate(parameter_openapi_schema=_form(flow, settings)))
    if catch_up:
        run_deployment("nightly/nightly", timeout=0)


def _form(flow: Any, settings: Settings) -> Any:
    """The parameters as the UI asks for them: where sources are named, the configured ones are the choices."""
    from prefect.utilities.callables import parameter_schema

    found = parameter_schema(flow.fn).model_dump()
    if "sources" in found["properties"]:
        choices = [source.name for source in settings.sources]
        found["properties"]["sources"]["items"] = {"type": "string", "enum": choices}
    return found


def environment(settings: Settings) -> dict[str, str]:
    """What a worker and its runs must know to work in the same home with the same settings, and to log what they do."""
    found = {**QUIET, **LOGGING, "QUARRY_HOME": str(settings.home), "PYTHONPATH": str(PROJECT)}
    file = config_path()
    return {**found, "QUARRY_CONFIG": str(file.resolve())} if file else found


@contextmanager
def _worker(home: Home, settings: Settings) -> Iterator["subprocess.Popen[str]"]:
    command = [sys.executable, "-m", "prefect", "worker", "start", "--pool", POOL, "--type", "process"]
    with (home / "prefect" / "worker.log").open("a") as log:
        process, keep = guard.start(command, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT,
                                    env={**os.environ, **environment(settings), "PREFECT_WORKER_QUERY_SECONDS": "5"},
                                    cwd=PROJECT)  # fmt: skip
    try:
        yield process
    finally:
        guard.stop(process, keep)


@contextmanager
def _health(host: str, port: int, server: Server, worker: "subprocess.Popen[str]") -> Iterator[None]:
    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found: dict[str, Any] = {"server": server.answers(2), "worker": worker.poll() is None}
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
