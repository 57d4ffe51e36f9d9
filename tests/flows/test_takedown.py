"""Records that are taken down, and homes that hold no byte of them any more."""

import gzip
import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import duckdb
import pyarrow.parquet as pq
import pytest
from commands import Quarry
from conftest import LESSONS, POSTS, write_corpus

from flows import takedown
from flows.build import Job, build_here
from flows.collect import takedowns
from flows.errors import ConfigError
from flows.pipeline import Outcome
from flows.run import Run
from flows.settings import Settings, Source
from flows.store import maintenance, remains, snapshots
from flows.store.home import Home, open_home

Build = Callable[..., tuple[Run, Outcome]]
PROJECT = Path(__file__).resolve().parents[2]
# Words of the answer t2, of which a triple is made, and of the question t1.
ANSWER = ("gets weaker with distance", "drawn away from that water", "stays behind as a second bulge")
QUESTION = ("the far side is left behind. If", "why is there a bulge on the far side")
POINTS = ("annotations purged", "rebuilt without", "pages purged", "snapshot purged", "rejects file purged",
          "triples file purged", "questions file purged", "posts file purged")  # fmt: skip


def contents(folder: Path) -> Iterator[tuple[Path, str]]:
    """Every file of a home with all that it holds, unpacked."""
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        data = path.read_bytes()
        yield path, data.decode("utf-8", "replace")
        if path.suffix == ".parquet":
            yield path, json.dumps(pq.read_table(path).to_pylist(), default=str, ensure_ascii=False)
        elif path.suffix == ".gz":
            yield path, gzip.decompress(data).decode("utf-8", "replace")
        elif path.suffix == ".sqlite3":
            with sqlite3.connect(path) as database:
                yield path, "\n".join(database.iterdump())


def holding(folder: Path, phrases: tuple[str, ...]) -> list[str]:
    skipped = folder / "models"
    return [
        f"{path.relative_to(folder)}: {phrase}"
        for path, text in contents(folder)
        for phrase in phrases
        if phrase in text and skipped not in path.parents
    ]


def query(settings: Settings, sql: str) -> list[Any]:
    with duckdb.connect(str(settings.home / "catalog.duckdb"), read_only=True) as connection:
        return connection.execute(sql).fetchall()


def two_snapshots(build: Build, settings: Settings) -> Home:
    run, _ = build()
    changed = settings.model_copy(deep=True)
    changed.alignment.max_words = 3
    build(changed)
    return run.home


def test_entries_are_written_once_and_honoured_by_the_next_build(build: Build, settings: Settings) -> None:
    home = two_snapshots(build, settings)
    (home / "takedowns.txt").write_text("# on request\nsmall:t4")
    assert takedown.add(home, settings, ["small:t2", "small:t4", "small:t2"]) == (
        ["small:t2", "small:t4"],
        ["small:t2"],
    )
    assert (home / "takedowns.txt").read_text() == "# on request\nsmall:t4\nsmall:t2\n"
    assert takedowns(home) == {"small:t2", "small:t4"}
    build()
    assert query(settings, "select post_id from posts where post_id in ('small:t2', 'small:t4')") == []


def test_an_address_stands_for_the_records_that_have_it(build: Build, settings: Settings, corpus: Path) -> None:
    lessons = [{**lesson, "url": f"https://example.org/{lesson['lesson_id']}"} for lesson in LESSONS]
    posts = [{**post, "url": f"https://example.org/p/{post['post_id']}"} for post in POSTS]
    write_corpus(corpus, lessons, posts)
    run, _ = build()
    entries, _ = takedown.add(run.home, settings, ["https://example.org/rust", "https://example.org/p/t2"])
    assert set(entries[2:]) == {"small:rust", "small:t2"}
    build()
    gone = "lesson_id = 'small:rust' or post_id = 'small:t2'"
    assert query(settings, f"select count(*) from posts where {gone}") == [(0,)]
    assert query(settings, "select distinct reason, text from rejects where lesson_id = 'small:rust'"
                 " and stage = 'ingest' and reason != 'duplicate_id'") == [("taken_down", None)]  # fmt: skip


@pytest.mark.parametrize("name", ["t2", "small:", "smal:t2", "a\nb:c"])
def test_a_name_that_is_none_is_refused(settings: Settings, name: str) -> None:
    home = open_home(settings)
    with pytest.raises(ConfigError):
        takedown.add(home, settings, [name])
    assert not (home / "takedowns.txt").exists()


def test_a_name_that_nothing_has_is_written_down_and_told(quarry: Quarry, corpus: Path, build: Build) -> None:
    write_corpus(corpus, LESSONS, [*POSTS, {"post_id": 18, "lesson_id": 7, "text": "?", "url": "https://e.org/18"}])
    told = quarry("takedown", "small:t1", "small:18", "https://e.org/18", "small:7", "small:q1")
    assert (told.exit_code, told.stderr) == (0, "")
    told = quarry("takedown", "small:nope", "small:t1", "--json")
    assert (told.exit_code, told.stderr.count("\n")) == (0, 1)
    assert "small:nope" in told.stderr
    assert (json.loads(told.stdout)["added"], json.loads(told.stdout)["unknown"]) == (["small:nope"], ["small:nope"])
    build()
    (corpus / "posts.jsonl").write_text("")
    assert quarry("takedown", "small:t2").stderr == ""  # the lake still has it


def test_a_purge_leaves_no_byte(build: Build, settings: Settings, corpus: Path) -> None:
    home = two_snapshots(build, settings)
    before = snapshots.current(home)
    old = set(snapshots.stored(home)) - {before.id}
    mine = {path.name: path.read_bytes() for path in corpus.iterdir()}
    (home / "reports" / "old.html").write_text(f"<p>{ANSWER[0]} in <b>a</b> report")
    (home / "lake" / "posts" / ".left.tmp").write_text(POSTS[1]["text"])
    assert holding(home.path, ANSWER)
    settings.alignment.max_words = 3
    entries, _ = takedown.add(home, settings, ["small:t2"])
    done = takedown.purge(home, settings, entries)
    assert holding(home.path, ANSWER) == ["reports/old.html: " + ANSWER[0]]  # three words in a row are anybody's
    assert holding(home.path, QUESTION[1:])  # the other posts of the lesson stay
    assert set(done.snapshots) == {*old, before.id}
    now = snapshots.current(home)
    assert snapshots.stored(home) == [now.id]
    assert list(maintenance.damage(home, now)) == []
    assert {path.name: path.read_bytes() for path in corpus.iterdir()} == mine
    assert query(settings, "select post_id from posts where lesson_id = 'small:tides' order by 1") == [
        ("small:t1",), ("small:t3",), ("small:t4",)]  # fmt: skip
    again = takedown.purge(home, settings, entries)
    assert (again.snapshots, again.files, again.snapshot_id) == ([], 0, now.id)


def test_a_purged_question_takes_what_was_made_of_it(build: Build, settings: Settings) -> None:
    home = two_snapshots(build, settings)
    (question,) = query(settings, "select question_id, text from questions where post_id = 'small:t1' limit 1")
    (triple,) = query(settings, "select triple_id, question from triples where lesson_id = 'small:tides' limit 1")
    rows = [{"task": "usefulness", "record_id": question[0], "text": question[1], "label": "1"},
            {"task": "usefulness", "record_id": "other", "text": question[1].upper(), "label": "1"},
            {"task": "usefulness", "record_id": "third", "text": "Is paint any good here?", "label": "1"}]  # fmt: skip
    review = {"triple_id": triple[0], "verdict": "edited", "question": "Why the far side?", "draft": "x"}
    (home / "annotations" / "reviews.jsonl").write_text(json.dumps(review) + "\n")
    (home / "releases" / "one").mkdir()
    with gzip.open(home / "releases" / "one" / "train.jsonl.gz", "wt") as file:
        file.write(json.dumps({"id": triple[0], "question": triple[1]}))
    (home / "releases" / "two").mkdir()
    (home / "releases" / "two" / "train.jsonl").write_text('{"id": "another"}')
    found = remains.find(home, frozenset(["small:t1"]))
    (home / "annotations" / "labels.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert remains.remove_annotations(home, found) == 3
    assert (home / "annotations" / "labels.jsonl").read_text() == json.dumps(rows[2]) + "\n"
    (home / "annotations" / "labels.jsonl").unlink()  # or a model is trained on one label
    done = takedown.purge(home, settings, takedown.add(home, settings, ["small:t1"])[0])
    assert done.pages == ["releases/one"]
    assert not (home / "releases" / "one").exists()
    assert holding(home.path, QUESTION) == []


def test_other_lessons_and_older_snapshots_without_it_stay(build: Build, settings: Settings, corpus: Path) -> None:
    write_corpus(corpus, LESSONS, [post for post in POSTS if post["post_id"] != "t2"])
    run, first = build()
    write_corpus(corpus, LESSONS, POSTS)
    _, second = build()
    home = run.home
    before = {ref.path: (home / ref.path).read_bytes() for ref in second.manifest.files}
    done = takedown.purge(home, settings, takedown.add(home, settings, ["small:t2"])[0])
    assert done.snapshots == [second.manifest.id]
    assert first.manifest.id in snapshots.stored(home)
    assert list(maintenance.damage(home, first.manifest)) == []
    kept = {path: data for path, data in before.items() if (home / path).exists()}
    assert kept
    assert all((home / path).read_bytes() == data for path, data in kept.items())
    assert (
        len(
            {ref.path for ref in second.manifest.of_table("posts")}
            & {ref.path for ref in snapshots.current(home).of_table("posts")}
        )
        == 2
    )  # of three buckets


def test_a_whole_lesson_is_purged(build: Build, settings: Settings) -> None:
    home = two_snapshots(build, settings)
    takedown.purge(home, settings, takedown.add(home, settings, ["small:tides"])[0])
    assert holding(home.path, (*ANSWER, *QUESTION, "The moon pulls on", "Why tides come twice")) == []
    assert query(settings, "select count(*) > 0 from triples where lesson_id = 'small:rust'") == [(True,)]


def run_command(settings: Settings, *arguments: str, kill_at: str = "") -> "subprocess.CompletedProcess[str]":
    folder = settings.home.parent
    source = settings.sources[0]
    place = f'path = "{source.path}"' if source.path else ""
    (folder / "quarry.toml").write_text(
        f'home = "{settings.home}"\nbuckets = 3\n[[sources]]\nname = "{source.name}"\nkind = "{source.kind}"\n{place}\n'
    )
    environment = {**os.environ, "PYTHONPATH": str(PROJECT), "QUARRY_PSEUDONYM_KEY": "secret",
                   "QUARRY_KILL_AT": kill_at, "QUARRY_CONFIG": str(folder / "quarry.toml")}  # fmt: skip
    return subprocess.run([sys.executable, "-m", "flows.cli.main", *arguments], env=environment, cwd=folder, text=True,
                          capture_output=True, timeout=300)  # fmt: skip


def test_the_command_says_what_it_did(build: Build, settings: Settings, corpus: Path) -> None:
    build()
    done = run_command(settings, "takedown", "small:t2")
    assert (done.returncode, done.stderr) == (0, "")
    assert "the next build takes them out" in done.stdout
    done = run_command(settings, "takedown", "small:t2", "--purge", "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["added"] == []
    assert found["untouched"] == [f"small ({corpus})"]
    assert len(found["purged"]["snapshots"]) == 1
    assert run_command(settings, "takedown").returncode == 2
    assert run_command(settings, "takedown", "nowhere").returncode == 2


def test_a_purge_of_nothing_is_refused_and_touches_no_release(build: Build, settings: Settings) -> None:
    build()
    release = settings.home / "releases" / "first" / "triples.jsonl"
    release.parent.mkdir(parents=True)
    release.write_text("{}\n")
    with pytest.raises(ConfigError, match="nothing is named"):
        takedown.purge(open_home(settings), settings, [])
    assert release.exists()


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory, trained: Path) -> Settings:
    """A home with two snapshots, to be copied."""
    folder = tmp_path_factory.mktemp("before")
    corpus = write_corpus(folder / "corpus", LESSONS, POSTS)
    shutil.copytree(trained, folder / "home" / "models")
    source = Source(name="small", kind="jsonl", path=corpus)
    settings = Settings(home=folder / "home", buckets=3, pseudonym_key="secret", sources=[source])
    for words in (3, 100):
        settings.alignment.max_words = words
        build_here(settings.model_copy(deep=True), plain=True)
    return settings


@pytest.mark.slow
@pytest.mark.parametrize("point", POINTS)
def test_killed_in_the_middle_and_run_again(before: Settings, tmp_path: Path, point: str) -> None:
    settings = before.model_copy(update={"home": tmp_path / "home"})
    shutil.copytree(before.home, settings.home)
    home = open_home(settings)
    assert run_command(settings, "takedown", "small:t2", "small:t1", "--purge", kill_at=point).returncode == -9
    assert list(maintenance.damage(home, snapshots.current(home))) == []
    done = run_command(settings, "takedown", "--purge")
    assert done.returncode == 0, done.stderr
    assert holding(home.path, (*ANSWER, QUESTION[0])) == []
    assert list(maintenance.damage(home, snapshots.current(home))) == []
    assert all((home / ref.path).exists() for i in snapshots.stored(home) for ref in snapshots.read(home, i).files)


@pytest.mark.slow
def test_the_campus_is_purged_from_the_archive_too(tmp_path: Path, trained: Path) -> None:
    shutil.copytree(trained, tmp_path / "home" / "models")
    settings = Settings(home=tmp_path / "home", buckets=3, pseudonym_key="secret",
                        sources=[Source(name="campus", kind="campus")])  # fmt: skip
    run, _ = build_here(settings.model_copy(deep=True), plain=True)
    home = run.home
    records = home / "raw" / "campus" / "records.jsonl"
    bodies = [json.loads(line)["body"] for line in records.read_text().splitlines()]
    post = next(body for body in bodies if body.get("kind") == "answer" and len(body["text"]) > 200)
    words = post["text"].replace("\n", " ").split()
    phrases = tuple(" ".join(words[i : i + 4]) for i in range(0, len(words) - 4, 4))
    assert len(holding(home.path, phrases)) > 2 * len(phrases)
    before = records.read_text().splitlines()
    done = takedown.purge(home, settings, takedown.add(home, settings, [f"campus:{post['post_id']}"])[0])
    assert done.raw == {"campus": {"records": 1, "responses": 1}}
    assert holding(home.path, phrases) == []
    after = records.read_text().splitlines()
    assert after == [line for line in before if json.loads(line)["body"].get("post_id") != post["post_id"]]
    shutil.rmtree(home / "raw" / "campus" / "state")
    from flows.collect import crawl

    crawl(home, settings.sources[0], from_raw=True)
    assert records.read_text().splitlines() == after
    crawl(home, settings.sources[0])  # the site still shows it: builds leave it out all the same
    build_here(settings.model_copy(deep=True), plain=True, job=Job(from_raw=True))
    assert query(settings, f"select * from posts where post_id = 'campus:{post['post_id']}'") == []
