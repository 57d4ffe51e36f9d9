"""The stages of one bucket in a row: each reads what those before it wrote, and a failure is named."""

import pickle
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import httpx
import pytest
from prefect.states import Failed

from flows import prefect_artifacts, prefect_conductor
from flows.chain import Chain, StageFailed, run_chain
from flows.errors import StoreError
from flows.runner import BY_NAME, Done, Work
from flows.store.files import FileRef


def ref(table: str, stage: str, bucket: str = "001") -> FileRef:
    return FileRef(f"lake/{table}/{bucket}.parquet", table, stage, bucket, 1, 1, "")


def work(stage: str, **inputs: tuple[FileRef, ...]) -> Work:
    return Work(Path(), stage, "001", BY_NAME[stage].reads, {"a": "1"}, {}, "", inputs)


def test_each_work_is_given_the_files_that_it_reads() -> None:
    writes = {"ingest": ("lessons", "posts", "quizzes"), "sentences": ("sentences",), "questions": ("questions",)}
    given: dict[str, Any] = {}

    def run_one(work: Work) -> Done:
        given[work.stage] = {table: [ref.stage for ref in refs] for table, refs in work.inputs.items()}
        files = tuple(ref(table, work.stage) for table in (*writes.get(work.stage, ()), "rejects"))
        return Done(work.stage, work.bucket, files, work.lessons, 0, 0, {}, 0, 0)

    found = run_chain(run_one, Chain("001", tuple(work(s) for s in ("ingest", "sentences", "questions", "spans"))))
    assert [done.stage for done in found] == ["ingest", "sentences", "questions", "spans"]
    assert given == {
        "ingest": {},
        "sentences": {"lessons": ["ingest"]},
        "questions": {"posts": ["ingest"]},
        "spans": {"questions": ["questions"], "quizzes": ["ingest"], "sentences": ["sentences"]},
    }


def test_what_other_chains_made_is_given_from_outside() -> None:
    signatures = (ref("signatures", "signatures", "001"), ref("signatures", "signatures", "002"))
    given: dict[str, Any] = {}

    def run_one(work: Work) -> Done:
        given[work.stage] = work.inputs
        return Done(work.stage, "all", (ref("clusters", "clusters", "all"),), work.lessons, 0, 0, {}, 0, 0)

    run_chain(run_one, Chain("all", (work("clusters", signatures=signatures), work("splits"))))
    assert given == {
        "clusters": {"signatures": signatures},
        "splits": {"clusters": (ref("clusters", "clusters", "all"),)},
    }


def test_a_stage_that_fails_ends_its_chain_only() -> None:
    begun = []

    def run_one(work: Work) -> Done:
        begun.append(work.stage)
        raise StoreError("a file is broken")

    with pytest.raises(StoreError):
        run_chain(run_one, Chain("001", (work("ingest"), work("sentences"))))
    assert begun == ["ingest"]


def test_a_failure_travels_between_machines() -> None:
    found = pickle.loads(pickle.dumps(StageFailed("spans", StoreError("a file is broken"))))
    assert (found.stage, str(found.problem), type(found.problem)) == ("spans", "a file is broken", StoreError)


def test_a_server_that_went_away_is_no_fault_of_the_lessons(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prefect_artifacts, "create_table_artifact", Mock(side_effect=httpx.ConnectError("refused")))
    chain, gone = Chain("001", (work("spans"),)), httpx.ConnectError("refused")
    assert prefect_artifacts.affected([(chain, StageFailed("spans", gone))], 8) is gone
    message = str(prefect_artifacts.affected([(chain, StageFailed("spans", StoreError("a file is broken")))], 8))
    assert message.startswith("stage spans failed for 1 of 8 buckets (a file is broken)")


@pytest.mark.parametrize(
    ("problem", "again"), [(OSError("the machine"), True), (StoreError("a file is broken"), False)]
)
def test_only_what_may_have_been_the_machine_is_tried_again_after_a_while(problem: Exception, again: bool) -> None:
    step = prefect_conductor.carry_out_step
    assert (step.retries, step.retry_delay_seconds) == (2, [2, 10])  # as docs/operations.md says
    assert step.retry_condition_fn is not None
    assert step.retry_condition_fn(step, None, Failed(data=problem)) is again
