"""What `quarry serve` tells Prefect's server: the deployments, and what became of runs while nobody served."""

import io
from collections.abc import Sequence
from contextlib import redirect_stdout, suppress
from datetime import datetime
from typing import TYPE_CHECKING, Any

import psutil

from flows.notice import GONE, KILLED
from flows.prefect_server import QUIET
from flows.settings import PROJECT, Settings, config_path
from flows.store import journal
from flows.store.home import Home
from flows.watch import attempt, tell_of_crash

if TYPE_CHECKING:
    from prefect.client.schemas.objects import FlowRun

POOL = "quarry"
# A run's log says what it does; that each of its tasks ended well is no news.
LOGGING = {
    "PREFECT_LOGGING_LEVEL": "INFO",
    "PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL": "INFO",
    "PREFECT_LOGGING_LOGGERS_PREFECT_TASK_RUNS_LEVEL": "WARNING",
}
LOST = "its worker was killed too; what it had finished is kept"


def deploy(settings: Settings) -> None:
    """Register the deployments."""
    from prefect.client.orchestration import get_client
    from prefect.client.schemas.actions import DeploymentUpdate, WorkPoolCreate
    from prefect.client.schemas.objects import ConcurrencyLimitConfig, ConcurrencyLimitStrategy
    from prefect.exceptions import ObjectAlreadyExists
    from prefect.schedules import Cron

    from flows.prefect_flows import DEPLOYED

    client = get_client(sync_client=True)
    with suppress(ObjectAlreadyExists):  # from an earlier start
        client.create_work_pool(WorkPoolCreate(name=POOL, type="process"))
    for flow in DEPLOYED:
        # Two at once would only wait for each other's lease. The next night does what a late one does; a backfill or a
        # training that somebody asked for is another one each time.
        strategy = ConcurrencyLimitStrategy.CANCEL_NEW if flow.name == "nightly" else ConcurrencyLimitStrategy.ENQUEUE
        schedule = Cron(settings.schedule.cron, timezone=settings.schedule.timezone)
        source: Any = flow.from_source(source=str(PROJECT), entrypoint=f"flows.prefect_flows.{flow.fn.__name__}")
        with redirect_stdout(io.StringIO()):  # it draws a table for each
            made = source.deploy(
                name=flow.name,
                work_pool_name=POOL,
                schedules=[schedule] if flow.name == "nightly" else [],
                concurrency_limit=ConcurrencyLimitConfig(limit=1, collision_strategy=strategy),
                job_variables={"env": environment(settings), "working_dir": str(PROJECT)},
                description=flow.description,
                print_next_steps=False,
                ignore_warnings=True,
            )
        client.update_deployment(made, DeploymentUpdate(parameter_openapi_schema=form(flow, settings)))


def make_up_for_a_night() -> None:
    """Run the night that was missed."""
    from prefect.deployments import run_deployment

    run_deployment("nightly/nightly", timeout=0)


def form(flow: Any, settings: Settings) -> Any:
    """The parameters as the UI asks for them, and no others; the configured sources are the choices of `sources`."""
    from prefect.utilities.callables import parameter_schema

    found = parameter_schema(flow.fn).model_dump() | {"additionalProperties": False}
    if "sources" in found["properties"]:
        choices = [source.name for source in settings.sources]
        found["properties"]["sources"]["items"] = {"type": "string", "enum": choices}
    return found


def environment(settings: Settings) -> dict[str, str]:
    """What a worker and its runs must know to work in the same home with the same settings, and to log what they do."""
    found = {**QUIET, **LOGGING, "QUARRY_HOME": str(settings.home), "PYTHONPATH": str(PROJECT)}
    file = config_path()
    return {**found, "QUARRY_CONFIG": str(file.resolve())} if file else found


def bury_the_dead(among: Sequence["FlowRun"] = ()) -> list["FlowRun"]:
    """End the runs that a kill left behind, of all or of some: each holds its deployment's one slot.

    Returns those still at work, which nobody else will miss if they die: their worker is gone.
    """
    from prefect.client.orchestration import get_client
    from prefect.states import Crashed

    survivors = []
    with get_client(sync_client=True) as client:
        for run in client.read_flow_runs(flow_run_filter=_at_work(among)):
            if is_at_work(run):
                survivors.append(run)
                continue
            client.set_flow_run_state(run.id, Crashed(message=LOST), force=True)
            if run.deployment_id and run.start_time:
                name = client.read_deployment(run.deployment_id).name
                tell_of_crash(name, attempt(str(run.id), run.run_count), run.start_time, LOST)
    return survivors


def bury_killed(home: Home) -> None:
    """End the runs of the command line that were killed, as the journal says: they are named by its ids."""
    from prefect.client.orchestration import get_client
    from prefect.states import Crashed

    rows = journal.read(home, "runs")
    if not (gone := {row["run_id"] for row in rows if (row.get("message") or "").startswith(KILLED)}):
        return
    with get_client(sync_client=True) as client:
        for run in client.read_flow_runs(flow_run_filter=_at_work()):
            if run.name in gone:
                client.set_flow_run_state(run.id, Crashed(message=GONE), force=True)


def _at_work(among: Sequence["FlowRun"] = ()) -> Any:
    """Runs, all or some, that Prefect takes to be at work."""
    from prefect.client.schemas import filters
    from prefect.client.schemas.objects import StateType

    states = filters.FlowRunFilterStateType(any_=[StateType.RUNNING, StateType.PENDING, StateType.CANCELLING])
    some = filters.FlowRunFilterId(any_=[run.id for run in among]) if among else None
    return filters.FlowRunFilter(id=some, state=filters.FlowRunFilterState(type=states))


def is_at_work(run: "FlowRun") -> bool:
    """Whether the process of a run outlived its worker: it writes under its lease, and tells its end itself."""
    try:
        found = psutil.Process(int(run.infrastructure_pid or ""))
        return bool(found.environ().get("PREFECT__FLOW_RUN_ID") == str(run.id))
    except (ValueError, psutil.Error):
        return False


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
