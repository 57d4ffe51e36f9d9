"""The build flow: the command line and the Prefect UI run the same one with the same parameters."""

import uuid
from collections.abc import Callable

from flows.conduct import Plain
from flows.pipeline import Outcome, carry_out, prepare, rebuild
from flows.run import Prepared, Run
from flows.settings import Settings
from flows.store.home import open_home
from flows.store.lease import Lease


def build_here(
    settings: Settings,
    *,
    plain: bool = False,
    from_raw: bool = False,
    accept: tuple[str, ...] = (),
    notice: Callable[[str], None] = lambda _: None,
) -> tuple[Run, Outcome]:
    """Build in this process, conducted by Prefect unless plain; its server starts while the crawl runs."""
    home = open_home(settings)
    with Lease(home, "build") as lease:
        run = Run(
            home, settings, lease, uuid.uuid4().hex[:12], notice=notice, from_raw=from_raw, accept=accept
        )  # fmt: skip
        if plain:
            outcome = carry_out(run, lambda: rebuild(run, prepare(run, Plain()), Plain()))
        else:
            outcome = carry_out(run, lambda: _with_prefect(run))
    return run, outcome


def _with_prefect(run: Run) -> Outcome:
    from flows.prefect_server import prefect_server

    with prefect_server(run.home) as server:
        prepared: Prepared = prepare(run, Plain())
        run.notice("waiting for Prefect's server")
        server.wait()
        from flows.prefect_flows import conduct_build

        outcome = conduct_build(run, prepared)
    return outcome
