"""Builds of the small corpus: what they publish, what they reuse, and what changes reach."""

import json
from collections.abc import Callable
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from conftest import LESSONS, POSTS, write_corpus

from flows.build import Job, build_here
from flows.diff import compare
from flows.settings import Settings, Source
from flows.store import catalog, files, journal, snapshots
from flows.store.home import read_home
from flows.store.lease import Lease

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


def test_what_a_source_could_not_take_is_a_reject_with_its_reason(settings: Settings) -> None:
    """The rows of a dump, on the way from its reader to the table."""
    dump = settings.home / "cooking.stackexchange.com"
    dump.mkdir(parents=True)
    rows = (
        '<row Id="1" PostTypeId="1" CreationDate="2020-01-01T00:00:00" Title="Why rise?" Body="Why?" Tags="|bread|" />',
        '<row Id="2" PostTypeId="2" ParentId="99" Body="orphan" />',
        '<row Id="3" PostTypeId="6" Body="vote" />',
        '<row Id="call 020 7946 0958" PostTypeId="1" />',
        '<row PostTypeId="1" />',
        '<row PostTypeId="1" />',
    )
    (dump / "Posts.xml").write_text(f"<posts>{''.join(rows)}</posts>")
    settings.sources.append(Source(name="cooking", kind="stackexchange", path=dump))
    build_here(settings, plain=True)
    found = query(settings, "select reason, detail, text, lesson_id from rejects where record_id like 'cooking:%'"
                            " and stage = 'ingest' order by all")  # fmt: skip
    assert found == [
        ("bad_row", "row 'call [phone]': Id is no id: 'call [phone]'", None, "cooking:?"),
        ("bad_row", "row None: Id is no id: ''", None, "cooking:?"),
        ("bad_row", "row None: Id is no id: ''", None, "cooking:?"),
        ("neither_question_nor_answer", "row '3': a post of type '6'", None, "cooking:?"),
        ("no_question", "row 2: its question 99 is not in the dump", None, "cooking:?"),
    ]
    assert query(settings, "select post_id from posts where source = 'cooking'") == [("cooking:1",)]


def test_personal_data_never_reaches_a_table(build: Build, settings: Settings) -> None:
    build()
    for path in (settings.home / "lake").rglob("*.parquet"):
        body = json.dumps(files.read(path).to_pylist(), default=str)
        assert "mina@example.org" not in body
        assert "555-0199" not in body
        assert "Mina" not in body


def test_personal_data_that_only_joined_pieces_show_is_scrubbed_too(settings: Settings, tmp_path: Path) -> None:
    """One such text must neither reach a table nor stop the batch."""
    lessons = [
        {"lesson_id": "a", "title": "Call 555-0123, @tutor or a@b.org", "subject": "c@d.org", "text": "Rust is slow."},
        {"lesson_id": "v", "title": "Wells", "captions": [
            {"start": 0, "text": "It costs 555"}, {"start": 2, "text": "123 4567 to dig."},
            {"start": 4, "text": "A well is filled by rain that sank into the ground long ago."}]},
    ]  # fmt: skip
    posts = [
        {"post_id": 1, "lesson_id": "v", "kind": "question", "author_role": "x@y.org",
         "license": "(c) x@y.org", "url": "mailto:x@y.org",
         "text": "If a well costs 555\n123 4567 coins to dig, why is the rain so deep in the ground?"},
        {"post_id": 2, "lesson_id": "v", "parent_id": 1, "kind": "answer",
         "text": "The rain sank for 555-**0123** years until it met a rock that lets no water pass, and above that "
                 "rock the ground is filled with it, so that a well reaching down there never runs dry in summer."},
        {"post_id": 3, "lesson_id": "v", "votes": "z@y.org", "text": "x" * 491 + " 555-01234"},
    ]  # fmt: skip
    settings.sources[0].path = write_corpus(tmp_path / "hostile", lessons, posts, bad=[])
    build_here(settings, plain=True)
    assert query(settings, "select title, subject from lessons where lesson_id = 'small:a'") == [
        ("Call [phone], [user] or [email]", "[email]")
    ]
    assert query(settings, "select license, url from posts where post_id = 'small:1'") == [("(c) [email]", None)]
    texts = query(settings, "select text from sentences union all select context from triples")
    assert sum("[phone]" in text for (text,) in texts) == 2
    assert query(settings, "select text, detail from rejects where reason = 'bad_field'") == [
        ("x" * 491 + " [phone]", "votes is not a finite number: '[email]'")
    ]


@pytest.mark.parametrize("buckets", [1, 3])
def test_an_id_in_two_lessons_is_kept_once_whatever_the_buckets(
    settings: Settings, tmp_path: Path, buckets: int
) -> None:
    """Cross-listed posts are common; none of them may stop the build."""
    lessons = [{"lesson_id": name, "title": name.upper(), "text": "Rust is slow."} for name in "abcdef"]
    posts = [{"post_id": "p", "lesson_id": name, "text": "Why is it slow?"} for name in ("gone", *"fbdeca")]
    settings.sources[0].path = write_corpus(tmp_path / "shared", lessons, posts, bad=[])
    settings.buckets = buckets
    build_here(settings.model_copy(deep=True), plain=True)
    assert query(settings, "select lesson_id from posts") == [("small:a",)]
    lost = "select lesson_id, detail from rejects where reason = 'duplicate_id' order by 1"
    where = "the id is that of a record of small:a"
    assert query(settings, lost) == [(f"small:{name}", where) for name in ("b", "c", "d", "e", "f", "gone")]
    settings.sources[0].path = write_corpus(tmp_path / "less", lessons[1:], posts[:-1], bad=[])
    build_here(settings, plain=True)
    assert query(settings, "select lesson_id from posts") == [("small:b",)]


def test_one_row_of_impossible_values_is_one_reject(settings: Settings, tmp_path: Path) -> None:
    posts = [
        {"post_id": 17.0, "lesson_id": "rust", "kind": "question", "text": "If salt is there, why is rust fast?"},
        {"post_id": "18", "parent_id": 17.0, "lesson_id": "rust", "kind": "answer", "text": "Salt carries charge."},
        {"post_id": 2, "lesson_id": "rust", "text": "Many votes", "votes": 10**400},
        {"post_id": 3, "lesson_id": "?", "text": "Which lesson?"},
        {"post_id": 4, "lesson_id": "late", "text": "Is the lesson there?"},
    ]  # fmt: skip
    lessons = [*LESSONS, {"lesson_id": "?", "title": "Nameless"}, {"lesson_id": "late", "kind": "opera"}]
    bad = [
        '{"lesson_id": "rust", "author": "Boris K", "text": "no id"}',
        '{"post_id": "\\ud800", "lesson_id": "rust", "text": "Half an id"}',
        '{"author": "Ann-Marie Lee", "text": "Why? ',
    ]
    settings.sources[0].path = write_corpus(tmp_path / "odd", lessons, posts, bad)
    build_here(settings, plain=True)
    kept = query(settings, "select post_id, parent_id from posts order by post_id")
    assert kept == [("small:17", None), ("small:18", "small:17")]
    assert dict(query(settings, "select record_id, reason from rejects where record_id in ('small:2', 'small:3')")) == {
        "small:2": "bad_field", "small:3": "no_lesson",
    }  # fmt: skip
    assert query(settings, "select detail from rejects where record_id = 'small:4'") == [
        ("its lesson was rejected: kind is 'opera', not one of article, video, page",)
    ]
    shown = query(settings, "select text from rejects where reason in ('missing_id', 'not_json') order by text")
    assert shown == [("Half an id",), ("no id",), (None,), (None,)]


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
        "wordings": 1, "signatures": 1, "clusters": 1, "splits": 1,
    }  # fmt: skip
    fresh = settings.model_copy(update={"home": tmp_path / "fresh"})
    _, scratch = build(fresh)
    assert outcome.manifest == scratch.manifest
    for ref in outcome.manifest.files:
        assert (settings.home / ref.path).read_bytes() == (fresh.home / ref.path).read_bytes()


def test_files_of_a_version_with_other_columns_are_computed_again(build: Build, settings: Settings) -> None:
    run, first = build()
    content = json.loads(json.dumps(first.manifest.content))
    for entry in (entry for entry in content["files"] if entry["stage"] == "signatures"):
        path = settings.home / entry["path"]
        footer = files.footer(path)
        footer["lessons"] = {lesson: ["other code", *counts] for lesson, (_, *counts) in footer["lessons"].items()}
        rows = files.read(path)
        if entry["table"] == "signatures":
            rows = rows.append_column("bands", pa.nulls(rows.num_rows, pa.string()))
        old = path.with_name(f"old-{path.name}")
        pq.write_table(rows.replace_schema_metadata({b"quarry": json.dumps(footer)}), old)
        path.unlink()
        entry |= files.reference(settings.home, old, entry["table"], footer).as_dict()
    with Lease(run.home, "build") as lease:
        snapshots.publish(run.home, snapshots.make(content), first.manifest.id, lease)
    _, again = build()
    assert again.manifest == first.manifest


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


def test_a_gate_keeps_questions_out_of_triples(build: Build, settings: Settings) -> None:
    build()
    ((score, question_id),) = query(
        settings, "select max(useful_score), arg_max(question_id, useful_score) from triples"
    )
    (before,) = query(settings, "select count(*) from triples")
    changed = settings.model_copy(deep=True)
    changed.triples.min_useful_score, changed.triples.needs_span = score, True
    _, outcome = build(changed)
    assert query(settings, "select distinct question_id from triples") == [(question_id,)]
    assert outcome.manifest.content["stages"]["triples"]["rejected"]["not_useful"] > 0
    build()
    assert query(settings, "select count(*) from triples") == [before]


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
