"""Jobs: a build or a backfill in this process, under the lease, conducted plainly or by Prefect."""

import uuid
from collections.abc import Callable
from dataclasses import dataclass

from flows.backfill import Window, covered, forced_stages
from flows.conduct import Plain
from flows.pipeline import Outcome, carry_out, prepare, rebuild
from flows.run import Prepared, Run
from flows.settings import Settings
from flows.store.home import open_home
from flows.store.lease import Lease

EVERYTHING = Window()
Conduct = Callable[[Run, Prepared], Outcome]


@dataclass(frozen=True)
class Job:
    """What a run is asked to do."""

    flow: str = "build"
    from_raw: bool = False
    accept: tuple[str, ...] = ()
    window: Window = EVERYTHING
    force: bool = False


def run_job(
    settings: Settings, job: Job, conduct: Conduct, notice: Callable[[str], None] = lambda _: None
) -> tuple[Run, Outcome]:
    """Do a job under the lease and write its end into the journal."""
    job.window.check(settings)
    home = open_home(settings)
    with Lease(home, job.flow) as lease:
        run = Run(home, settings, lease, uuid.uuid4().hex[:12], flow=job.flow, notice=notice, from_raw=job.from_raw,
                  accept=job.accept)  # fmt: skip
        if job.force:
            run.force_stages, run.force_lessons = forced_stages(job.window), covered(home, job.window)
        if job.flow == "backfill" and not job.from_raw:
            for source in settings.sources:
                if not job.window.sources or source.name in job.window.sources:
                    source.options = {**source.options, "revisit": 1}  # every thread, not one in thirty
        return run, carry_out(run, lambda: conduct(run, prepare(run, Plain())))


def build_here(
    settings: Settings,
    *,
    plain: bool = False,
    job: Job = Job(),
    notice: Callable[[str], None] = lambda _: None,
) -> tuple[Run, Outcome]:
    """Do a job in this process, conducted by Prefect unless plain; its server starts while the crawl runs."""
    if plain:
        return run_job(
            settings, job, lambda run, prepared: rebuild(run, prepared, Plain(settings.runner.workers)), notice
        )
    from flows.prefect_server import prefect_server

    with prefect_server(open_home(settings)) as server:

        def conduct(run: Run, prepared: Prepared) -> Outcome:
            run.notice("waiting for Prefect's server")
            server.wait()
            from flows import prefect_flows

            return prefect_flows.conduct(run, prepared)

        return run_job(settings, job, conduct, notice)
