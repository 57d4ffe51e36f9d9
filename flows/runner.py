"""Run one stage over one bucket: reuse the finished file, or copy unchanged lessons and compute the others."""

import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from flows.errors import StoreError
from flows.gate.rows import cleared
from flows.models import load_model
from flows.plan import EVERYTHING
from flows.stages import STAGES, Stage
from flows.store import exchange, files
from flows.store.faults import point
from flows.store.files import FileRef
from transforms.digest import digest
from transforms.result import Params, Result, Tables

BY_NAME = {stage.name: stage for stage in STAGES}


@dataclass(frozen=True)
class Work:
    """All that a worker on any machine needs to run one stage over one bucket."""

    home: Path
    stage: str
    bucket: str
    reads: tuple[str, ...]
    # Fingerprint of each lesson: everything that determines what the stage yields for it.
    lessons: dict[str, str]
    params: Params
    model_id: str
    inputs: dict[str, tuple[FileRef, ...]]
    # What no stage writes: the rows of the bucket, or the file in the home where another machine finds them.
    given: dict[str, pa.Table | Path] = field(default_factory=dict)
    previous: tuple[FileRef, ...] = ()
    # Lessons that are computed again although nothing changed: a backfill by force, and when it began.
    forced: frozenset[str] = frozenset()
    forced_since: int = 0


@dataclass(frozen=True)
class Done:
    """What one stage made of one bucket."""

    stage: str
    bucket: str
    files: tuple[FileRef, ...]
    lessons: dict[str, str]
    rows_in: int
    kept: int
    rejected: dict[str, int]
    merged: int
    computed: int
    seconds: float = field(compare=False, default=0.0)


def is_finished(work: Work) -> bool:
    """Whether an earlier run left every file of this work, whole."""
    return _finished(work, _paths(work))


def run_bucket(work: Work) -> Done:
    """Make the files of one stage and bucket, or find them finished."""
    started = time.perf_counter()
    stage, paths = BY_NAME[work.stage], _paths(work)
    computed = 0
    if not _finished(work, paths):
        computed = _make(work, stage, paths)
    footer = files.footer(paths["rejects"])
    units = footer["lessons"].values()
    return Done(
        stage=work.stage,
        bucket=work.bucket,
        files=tuple(files.reference(work.home, path, table, footer) for table, path in paths.items()),
        lessons=work.lessons,
        rows_in=sum(rows_in for _, rows_in, _ in units),
        kept=sum(kept for _, _, kept in units),
        rejected=footer["rejected"],
        merged=footer["merged"],
        computed=computed,
        seconds=time.perf_counter() - started,
    )


def _paths(work: Work) -> dict[str, Path]:
    """Where the files of a work stand: named by what determines them."""
    name = digest(work.stage, work.bucket, work.lessons)
    lake = work.home / "lake"
    paths = {table: lake / table / f"{work.bucket}-{name}.parquet" for table in BY_NAME[work.stage].writes}
    # The file of rejects comes last: when it is there, the others are.
    return {**paths, "rejects": lake / "rejects" / f"{work.stage}-{work.bucket}-{name}.parquet"}


def _finished(work: Work, paths: dict[str, Path]) -> bool:
    """Whether every file is there and whole, and made since force was asked for, if it was."""
    forced = bool(work.forced & set(work.lessons))
    known = {ref.path: ref for ref in work.previous}
    for path in paths.values():
        if not path.is_file() or (forced and path.stat().st_mtime_ns < work.forced_since):
            return False
        ref = known.get(path.relative_to(work.home).as_posix())
        if ref is not None and not files.intact(work.home, ref):
            return False
        try:
            files.footer(path)
        except StoreError:
            return False
    return True


def _make(work: Work, stage: Stage, paths: dict[str, Path]) -> int:
    kept, before = _unchanged(work)
    changed = sorted(set(work.lessons) - set(kept))
    tables, lessons = dict(before), {lesson: kept[lesson] for lesson in kept}
    if changed or not before:
        result = _compute(work, stage, changed)
        fresh = {**result.tables, "rejects": result.rejects}
        tables = {name: pa.concat_tables([before[name], rows]) if before else rows for name, rows in fresh.items()}
        units = {lesson: result.units.get(lesson) for lesson in changed}
        if stage.scope == "all":
            rows_in = sum(u.rows_in for u in result.units.values())
            lessons[EVERYTHING] = [work.lessons[EVERYTHING], rows_in, sum(u.kept for u in result.units.values())]
        else:
            for lesson, unit in units.items():
                counts = (unit.rows_in, unit.kept) if unit else (0, 0)
                lessons[lesson] = [work.lessons[lesson], *counts]
    rejects = tables["rejects"]
    footer: dict[str, Any] = {
        "stage": work.stage,
        "bucket": work.bucket,
        "lessons": lessons,
        "rejected": dict(
            sorted(Counter(rejects.filter(pc.is_null(rejects["merged_into"]))["reason"].to_pylist()).items())
        ),
        "merged": rejects.num_rows - rejects["merged_into"].null_count,
    }
    for table, path in paths.items():
        files.write(path, tables[table], table, footer)
        point(f"{work.stage} {table} written")
    return len(changed)


def _unchanged(work: Work) -> tuple[dict[str, list[Any]], Tables]:
    """Counts and rows of the lessons that the previous snapshot has with the same fingerprint."""
    if not work.previous or not all(files.intact(work.home, ref) for ref in work.previous):
        return {}, {}
    footer = files.footer(work.home / work.previous[-1].path)
    kept = {k: v for k, v in footer["lessons"].items() if work.lessons.get(k) == v[0] and k not in work.forced}
    if not kept:
        return {}, {}  # an older version may have written these files with other columns
    return kept, {ref.table: _only(files.read(work.home / ref.path), kept) for ref in work.previous}


def _compute(work: Work, stage: Stage, changed: list[str]) -> Result:
    inputs: Tables = {}
    for table in work.reads:
        if table in work.given:
            inputs[table] = _only(_given(work.given[table]), changed)
            continue
        rows = pa.concat_tables([files.read(work.home / ref.path) for ref in work.inputs[table]])
        inputs[table] = rows if stage.scope == "all" else _only(rows, changed)
    model = load_model(work.home, stage.model, work.model_id) if stage.model else None
    result = cleared(stage, stage.load()(inputs, work.params, model))
    rows_in, kept = (sum(getattr(u, name) for u in result.units.values()) for name in ("rows_in", "kept"))
    if rows_in != kept + result.rejects.num_rows:
        raise StoreError(
            f"stage {stage.name} lost rows: {rows_in} in, {kept} kept, {result.rejects.num_rows} rejected; "
            "nothing was published: report this with the output of `quarry doctor`"
        )
    return result


def _given(rows: pa.Table | Path) -> pa.Table:
    return exchange.read(rows) if isinstance(rows, Path) else rows


def _only(rows: pa.Table, lessons: Any) -> pa.Table:
    return rows.filter(pc.is_in(rows["lesson_id"], value_set=pa.array(sorted(lessons), pa.string())))
