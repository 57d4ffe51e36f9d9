"""Jobs: a build or a backfill in this process, under the lease, conducted plainly or by Prefect."""

import uuid
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass

from flows.backfill import Window, covered, forced_stages
from flows.conduct import Plain
from flows.pipeline import Outcome, carry_out, prepare, rebuild
from flows.run import Run
from flows.settings import Settings
from flows.store import forced
from flows.store.home import open_home, read_home
from flows.store.lease import Lease

EVERYTHING = Window()
Conduct = Callable[[Run], Outcome]
Patience = Callable[[Callable[[], Lease]], Lease]


@dataclass(frozen=True)
class Job:
    """What a run is asked to do."""

    flow: str = "build"
    from_raw: bool = False
    accept: tuple[str, ...] = ()
    window: Window = EVERYTHING
    force: bool = False

    def check(self, settings: Settings) -> None:
        """Refuse what cannot be meant, with force or without."""
        self.window.check(settings)
        if self.flow == "backfill":
            covered(read_home(settings.home), self.window)


def run_job(
    settings: Settings,
    job: Job,
    conduct: Conduct,
    notice: Callable[[str], None] = lambda _: None,
    run_id: str | None = None,
    patience: Patience = lambda take: take(),
) -> tuple[Run, Outcome]:
    """Do a job under the lease and write its end into the journal."""
    job.check(settings)
    home = open_home(settings)
    with ExitStack() as stack:
        lease = patience(lambda: stack.enter_context(Lease(home, job.flow)))
        run = Run(home, settings, lease, run_id or uuid.uuid4().hex[:12], flow=job.flow, notice=notice,
                  from_raw=job.from_raw, accept=job.accept)  # fmt: skip
        if job.force:
            run.force_stages, run.force_lessons = forced_stages(job.window), covered(home, job.window)
            run.forced_since, begun = stack.enter_context(forced.continued(home, repr(job.window)))
            if begun:
                notice("continuing the same backfill, which did not end: what it made is not made again")
        else:
            forced.forget(home)
        if job.flow == "backfill" and not job.from_raw:
            run.only = job.window.sources
            for source in settings.sources:
                if run.asks(source.name):
                    source.options = {**source.options, "revisit": 1}  # every thread, not one in thirty
        return run, carry_out(run, lambda: conduct(run))


def build_here(
    settings: Settings,
    *,
    plain: bool = False,
    job: Job = Job(),
    notice: Callable[[str], None] = lambda _: None,
) -> tuple[Run, Outcome]:
    """Do a job in this process, conducted by Prefect unless plain; its server starts while the crawl runs."""
    if plain:
        workers = Plain(settings.runner.workers)
        return run_job(settings, job, lambda run: rebuild(run, prepare(run, Plain()), workers), notice)
    job.check(settings)  # before a server is started
    from flows.deployments import bury_killed
    from flows.prefect_server import prefect_server

    with prefect_server(open_home(settings)) as server:

        def conduct(run: Run) -> Outcome:
            prepared = prepare(run, Plain())
            run.notice("waiting for Prefect's server")
            from flows import prefect_flows  # takes seconds, in which the server starts

            server.wait()
            bury_killed(run.home)
            return prefect_flows.conduct(run, prepared)

        return run_job(settings, job, conduct, notice)
