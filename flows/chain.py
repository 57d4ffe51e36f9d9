"""The stages of one bucket, one after another: no bucket waits for the others between its stages."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from flows.runner import Done, Work
from flows.store.faults import point
from flows.store.files import FileRef

RunOne = Callable[[Work], Done]


@dataclass(frozen=True)
class Chain:
    """The works of one bucket, in their order; each is given the files of those before it."""

    bucket: str
    works: tuple[Work, ...]


class StageFailed(Exception):
    """Which stage of a bucket failed, and with what; it travels between machines."""

    def __init__(self, stage: str, problem: Exception) -> None:
        super().__init__(stage, problem)
        self.stage, self.problem = stage, problem


def run_chain(run_one: RunOne, chain: Chain) -> list[Done]:
    """Carry out the works of a bucket, and say how each went."""
    made: list[FileRef] = []
    found: list[Done] = []
    for work in chain.works:
        found.append(run_one(replace(work, inputs={**_inputs(work, made), **work.inputs})))
        made += found[-1].files
        point(f"stage {work.stage} done")
    return found


def _inputs(work: Work, made: list[FileRef]) -> dict[str, tuple[FileRef, ...]]:
    """The files of the chain that a work reads, by table."""
    tables = {ref.table for ref in made} & set(work.reads)
    return {table: tuple(ref for ref in made if ref.table == table) for table in tables}
