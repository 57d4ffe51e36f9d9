"""Builds of the small corpus: what they publish, what they reuse, and what changes reach."""

import json
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest
from conftest import LESSONS, POSTS, write_corpus

from flows.build import Job, build_here
from flows.diff import compare
from flows.settings import Settings, Source
from flows.store import catalog, files, journal, snapshots
from flows.store.home import read_home

Build = Callable[..., tuple]
CAMPUS_SOURCE = Source(name="campus", kind="campus")


def query(settings: Settings, sql: str) -> list[tuple]:
    with duckdb.connect(str(settings.home / "catalog.duckdb"), read_only=True) as connection:
        return connection.execute(sql).fetchall()


def test_a_build_publishes_every_public_table(build: Build, settings: Settings) -> None:
    build()
    counts = {
        name: query(settings, f'select count(*) from "{name}"')[0][0]
        for name in ("lessons", "sentences", "posts", "quizzes", "questions", "scores", "types", "spans", "quiz_spans",
                     "triples", "clusters", "splits", "rejects", "labels", "judgements", "runs", "checks")
    }  # fmt: skip
    assert counts["lessons"] == 3
    assert counts["posts"] == len(POSTS)
    assert counts["questions"] == counts["scores"] == counts["types"]
    assert counts["triples"] == counts["clusters"] == counts["splits"] > 0
    assert counts["runs"] == 1
    assert counts["labels"] == 0
    assert counts["checks"] > 50


def test_every_bad_row_has_its_reason(build: Build, settings: Settings) -> None:
    build()
    found = dict(query(settings, "select record_id, reason from rejects where stage = 'ingest'"))
    assert found["small:no-lesson"] == "no_lesson"
    assert found["small:orphan"] == "unknown_lesson"
    assert found["small:empty"] == "empty_post"
    assert found["small:typed"] == "bad_field"
    assert found["small:r2"] == "duplicate_id"
    lines = [reason for record, reason in found.items() if ":line-" in record]
    assert sorted(lines) == ["missing_id", "not_json", "not_json"]


def test_personal_data_never_reaches_a_table(build: Build, settings: Settings) -> None:
    build()
    for path in (settings.home / "lake").rglob("*.parquet"):
        body = json.dumps(files.read(path).to_pylist(), default=str)
        assert "mina@example.org" not in body
        assert "555-0199" not in body
        assert "Mina" not in body


def test_views_join_the_side_tables(build: Build, settings: Settings) -> None:
    build()
    rows = query(settings, "select useful_score, reasoning_type, split, cluster_id, review from triples")
    assert all(None not in row for row in rows)
    assert {row[4] for row in rows} == {"draft"}


def test_an_unchanged_build_reuses_everything(build: Build) -> None:
    _, first = build()
    run, second = build()
    assert second.unchanged
    assert second.manifest == first.manifest
    assert all(done.computed == 0 for stage in run.stages.values() for done in stage)


def test_only_the_changed_lesson_is_computed_again(
    build: Build, settings: Settings, corpus: Path, tmp_path: Path
) -> None:
    build()
    extra = {"post_id": "r9", "lesson_id": "rust", "kind": "question", "text": "Does paint stop rust under a scratch?"}
    write_corpus(corpus, LESSONS, [*POSTS, extra])
    run, outcome = build()
    assert not outcome.unchanged
    assert {name: sum(d.computed for d in done) for name, done in run.stages.items()} == {
        "ingest": 1, "sentences": 1, "questions": 1, "scores": 1, "types": 1, "spans": 1, "triples": 1,
        "signatures": 1, "clusters": 1, "splits": 1,
    }  # fmt: skip
    fresh = settings.model_copy(update={"home": tmp_path / "fresh"})
    _, scratch = build(fresh)
    assert outcome.manifest == scratch.manifest
    for ref in outcome.manifest.files:
        assert (settings.home / ref.path).read_bytes() == (fresh.home / ref.path).read_bytes()


def test_a_deleted_lesson_leaves_with_everything_derived_from_it(
    build: Build, settings: Settings, corpus: Path
) -> None:
    build()
    kept = [post for post in POSTS if post["lesson_id"] != "tides"]
    write_corpus(corpus, [lesson for lesson in LESSONS if lesson["lesson_id"] != "tides"], kept)
    build()
    for name in ("lessons", "posts", "sentences", "questions", "spans", "triples", "splits"):
        assert query(settings, f"select count(*) from {name} where lesson_id = 'small:tides'") == [(0,)]


def test_a_threshold_rewrites_no_file(build: Build, settings: Settings) -> None:
    _, first = build()
    changed = settings.model_copy(deep=True)
    changed.usefulness.threshold = 0.0
    _, second = build(changed)
    assert second.manifest.files == first.manifest.files
    assert second.manifest.id != first.manifest.id
    assert query(settings, "select count(*) from scores where not useful") == [(0,)]


def test_a_taken_down_post_is_gone_and_accounted_for(build: Build, settings: Settings) -> None:
    build()
    (settings.home / "takedowns.txt").write_text("# on request\nsmall:t1\n")
    build()
    assert query(settings, "select count(*) from posts where post_id = 'small:t1'") == [(0,)]
    assert query(settings, "select reason, text from rejects where record_id = 'small:t1'") == [("taken_down", None)]


def test_manifests_account_for_every_row(build: Build) -> None:
    _, outcome = build()
    for name, stage in outcome.manifest.content["stages"].items():
        assert stage["rows_in"] == stage["kept"] + stage["merged"] + sum(stage["rejected"].values()), name
        for rows_in, kept, rejected, merged in stage["buckets"].values():
            assert rows_in == kept + rejected + merged


def test_the_catalog_is_repaired_after_a_lost_file_and_a_move(build: Build, settings: Settings) -> None:
    _, outcome = build()
    (settings.home / "catalog.duckdb").unlink()
    moved = settings.home.rename(settings.home.with_name("moved"))
    home = read_home(moved)
    with duckdb.connect(str(catalog.ensure(home)), read_only=True) as connection:
        assert connection.execute("select count(*) from lessons").fetchone() == (3,)
    assert snapshots.current_id(home) == outcome.manifest.id


def test_a_failed_run_stands_in_the_journal(build: Build, settings: Settings, corpus: Path) -> None:
    _, good = build()
    (corpus / "posts.jsonl").unlink()
    with pytest.raises(Exception, match=r"posts\.jsonl is missing"):
        build()
    runs = journal.read(read_home(settings.home), "runs")
    assert [run["state"] for run in runs] == ["done", "failed"]
    assert snapshots.current_id(read_home(settings.home)) == good.manifest.id


def test_a_changed_threshold_shows_in_a_diff(build: Build, settings: Settings) -> None:
    run, first = build()
    changed = settings.model_copy(deep=True)
    changed.usefulness.threshold = 1.0
    _, second = build(changed)
    useful = sum(ref.rows for ref in first.manifest.of_table("scores"))
    (scores,) = (row for row in compare(run.home, first.manifest, second.manifest) if row.table == "scores")
    assert 0 < scores.changed <= useful


@pytest.mark.slow
def test_a_build_from_raw_reads_the_archive_itself(settings: Settings, tmp_path: Path) -> None:
    crawled = settings.model_copy(deep=True, update={"home": tmp_path / "crawled", "sources": [CAMPUS_SOURCE]})
    run, first = build_here(crawled, plain=True)
    records = run.home / "raw" / "campus" / "records.jsonl"
    body = records.read_bytes()
    records.unlink()
    _, again = build_here(crawled, plain=True, job=Job(from_raw=True))
    assert records.read_bytes() == body
    assert again.manifest.id == first.manifest.id
