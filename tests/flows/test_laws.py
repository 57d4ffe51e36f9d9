"""Four of the five laws, for every stage of the stage table (the fifth, retry, is in test_kill.py)."""

import json
import random
from collections import Counter
from pathlib import Path

import pyarrow as pa
import pytest
from conftest import LESSONS, POSTS, write_corpus

from expectations import table as contract
from flows.collect import lines
from flows.edits import EDITS
from flows.gate.rows import apply_row_rules
from flows.models import load_model
from flows.records import Line, divide
from flows.settings import Settings, Source
from flows.stages import STAGES, Stage
from flows.store import files
from transforms.ingest import RECORDS
from transforms.result import Result, Tables

LESSON_STAGES = [stage for stage in STAGES if stage.scope == "lesson"]


# What a crawl could not take: counted at ingest like any row.
REFUSED = [
    {"reject_id": "1", "reason": "no_author", "detail": "answer https://example.org/q/1#a2", "url": None},
    {"reject_id": "2", "reason": "bad_row", "detail": "a row of 030 555-0199", "url": "https://example.org/q/2"},
    {"reject_id": "3", "detail": 5},
]


class Bench:
    """Runs stages on the small corpus, and keeps what every stage saw."""

    def __init__(self, settings: Settings, trained: Path) -> None:
        self.settings, self.trained = settings, trained
        home = type("Home", (), {"path": settings.home})
        crawled = ("site", "en", iter([Line(json.dumps(body).encode(), "reject") for body in REFUSED]))
        found = [*lines(home, settings), crawled]  # type: ignore[arg-type]
        self.tables: Tables = {"records": divide(found, 1)["000"].rows, "edits": EDITS.empty_table()}
        for stage in STAGES:
            if stage.name == "wordings":
                self.tables["edits"] = edited(self.tables["triples"])
            self.tables.update(self.run(stage, self.inputs(stage)).tables)

    def inputs(self, stage: Stage) -> Tables:
        return {name: self.tables[name] for name in stage.reads}

    def run(self, stage: Stage, inputs: Tables) -> Result:
        model_id = next(self.trained.glob(f"{stage.model}-*")).name if stage.model else ""
        model = load_model(self.trained.parent, stage.model, model_id) if stage.model else None
        return apply_row_rules(stage, stage.load()(inputs, stage.params(self.settings), model))


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory, trained: Path) -> Bench:
    folder = write_corpus(tmp_path_factory.mktemp("laws"), LESSONS, POSTS)
    source = Source(name="small", kind="jsonl", path=folder)
    return Bench(Settings(home=folder, pseudonym_key="secret", sources=[source]), trained)


def edited(triples: pa.Table) -> pa.Table:
    """An edit of every triple's prompt."""
    rows = triples.to_pylist()
    return pa.Table.from_pylist([{**row, "prompt": "In another case", "draft": ""} for row in rows], schema=EDITS)


def schema_of(name: str) -> pa.Schema:
    return {"records": RECORDS, "edits": EDITS}.get(name) or contract(name).schema


def shuffled(rows: pa.Table) -> pa.Table:
    order = list(range(rows.num_rows))
    random.Random(3).shuffle(order)
    return rows.take(order)


def file_bytes(folder: Path, result: Result) -> dict[str, bytes]:
    found = {}
    for name, rows in {**result.tables, "rejects": result.rejects}.items():
        files.write(folder / f"{name}.parquet", rows, name, {"lessons": {}})
        found[name] = (folder / f"{name}.parquet").read_bytes()
    return found


@pytest.mark.parametrize("stage", STAGES, ids=lambda s: s.name)
def test_accounting(bench: Bench, stage: Stage) -> None:
    result = bench.run(stage, bench.inputs(stage))
    rejected = Counter(result.rejects["lesson_id"].to_pylist())
    assert result.units, "the small corpus must reach every stage"
    for lesson, units in result.units.items():
        assert units.rows_in == units.kept + rejected[lesson], lesson
    assert set(rejected) <= set(result.units)
    assert all(result.rejects["reason"].to_pylist())


@pytest.mark.parametrize("stage", STAGES, ids=lambda s: s.name)
def test_determinism(bench: Bench, stage: Stage, tmp_path: Path) -> None:
    once = file_bytes(tmp_path, bench.run(stage, bench.inputs(stage)))
    again = file_bytes(tmp_path, bench.run(stage, {n: shuffled(t) for n, t in bench.inputs(stage).items()}))
    assert once == again


@pytest.mark.parametrize("stage", LESSON_STAGES, ids=lambda s: s.name)
def test_locality(bench: Bench, stage: Stage, tmp_path: Path) -> None:
    inputs = bench.inputs(stage)
    lessons = sorted({i for rows in inputs.values() for i in rows["lesson_id"].to_pylist()})
    assert len(lessons) > 1
    alone = [
        bench.run(stage, {n: t.filter(pa.compute.equal(t["lesson_id"], i)) for n, t in inputs.items()}) for i in lessons
    ]
    joined = Result(
        {name: pa.concat_tables([r.tables[name] for r in alone]) for name in stage.writes},
        pa.concat_tables([r.rejects for r in alone]),
        {lesson: units for r in alone for lesson, units in r.units.items()},
    )
    whole = bench.run(stage, inputs)
    assert file_bytes(tmp_path, joined) == file_bytes(tmp_path, whole)
    assert joined.units == whole.units


@pytest.mark.parametrize("stage", STAGES, ids=lambda s: s.name)
def test_emptiness(bench: Bench, stage: Stage) -> None:
    result = bench.run(stage, {name: schema_of(name).empty_table() for name in stage.reads})
    assert result.rejects.num_rows == 0
    assert set(result.tables) == set(stage.writes)
    for name, rows in result.tables.items():
        assert rows.num_rows == 0
        assert rows.schema.equals(contract(name).schema)
