"""The gate: every table is poisoned in turn, and the right rule, and only it, stops the publication."""

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from conftest import LESSONS, POSTS, write_corpus
from typer.testing import CliRunner

from expectations import TABLES
from expectations import table as contract
from expectations.contract import Table, TableRule
from flows.build import build_here
from flows.cli.main import app
from flows.errors import GateError
from flows.gate import gate, great, history
from flows.gate.check import Check
from flows.gate.rows import first_broken
from flows.pipeline import Outcome
from flows.run import Run
from flows.settings import Settings, Source
from flows.store import files, journal, snapshots
from flows.store.snapshots import Manifest

Built = tuple[Run, Outcome]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory, trained: Path) -> Built:
    folder = tmp_path_factory.mktemp("gate")
    shutil.copytree(trained, folder / "home" / "models")
    source = Source(name="small", kind="jsonl", path=write_corpus(folder / "corpus", LESSONS, POSTS))
    settings = Settings(home=folder / "home", buckets=3, pseudonym_key="secret", sources=[source])
    return build_here(settings, plain=True)


def poisoned(built: Built, name: str, change: Callable[[list[dict[str, Any]]], list[dict[str, Any]]]) -> Manifest:
    """A candidate in which one file of a table was replaced by changed rows."""
    run, outcome = built
    victim = max(outcome.manifest.of_table(name), key=lambda ref: ref.rows)
    rows = files.read(run.home / victim.path).to_pylist()
    path = run.home / "lake" / name / "poisoned.parquet"
    changed = pa.Table.from_pylist(change(rows), schema=contract(name).schema)
    pa.parquet.write_table(changed, path)
    ref = replace(victim, path=path.relative_to(run.home.path).as_posix(), rows=changed.num_rows)
    content = dict(outcome.manifest.content)
    content["files"] = [ref.as_dict() if f["path"] == victim.path else f for f in content["files"]]
    return snapshots.make(content)


def stopping(built: Built, candidate: Manifest, before: Manifest | None = None) -> list[str]:
    return [f"{c.table}.{c.rule}" for c in gate.evaluate(built[0].home, candidate, before) if c.stops]


KEYED = [t for t in TABLES.values() if t.stored == "snapshot" and t.key]


@pytest.mark.parametrize("table", KEYED, ids=lambda t: t.name)
def test_a_doubled_row(built: Built, table: Table) -> None:
    candidate = poisoned(built, table.name, lambda rows: [*rows, rows[0]])
    assert stopping(built, candidate) == [f"{table.name}.unique_key"]


OPTIONAL_TO_OTHERS = {
    "lessons": "title", "sentences": "text", "posts": "language", "quizzes": "kind", "questions": "question_no",
    "scores": "model_id", "types": "deep", "spans": "words", "quiz_spans": "words", "triples": "title",
    "signatures": "bands", "clusters": "cluster_id", "splits": "split", "rejects": "reason",
}  # fmt: skip


@pytest.mark.parametrize("name", OPTIONAL_TO_OTHERS)
def test_a_null_in_a_required_column(built: Built, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    column = OPTIONAL_TO_OTHERS[name]
    candidate = poisoned(built, name, lambda rows: [{**rows[0], column: None}, *rows[1:]])
    assert stopping(built, candidate) == [f"{name}.{column}_not_null"]


ORPHANS = {
    "posts": ("lesson_id", "lesson_exists"), "quizzes": ("lesson_id", "lesson_exists"),
    "questions": ("post_id", "post_exists"), "scores": ("question_id", "question_exists"),
    "types": ("question_id", "question_exists"), "spans": ("question_id", "question_exists"),
    "quiz_spans": ("quiz_id", "quiz_exists"), "triples": ("question_id", "question_exists"),
    "clusters": ("triple_id", "triple_exists"),
}  # fmt: skip


@pytest.mark.parametrize("name", ORPHANS)
def test_an_orphan(built: Built, name: str) -> None:
    column, rule = ORPHANS[name]
    candidate = poisoned(built, name, lambda rows: [{**rows[0], column: "small:nobody"}, *rows[1:]])
    assert f"{name}.{rule}" in stopping(built, candidate)
    assert all(r.startswith(f"{name}.") or r.endswith("_exists") for r in stopping(built, candidate))


def test_a_wrong_type(built: Built) -> None:
    run, outcome = built
    victim = max(outcome.manifest.of_table("scores"), key=lambda ref: ref.rows)
    rows = files.read(run.home / victim.path)
    index = rows.schema.get_field_index("useful_score")
    wrong = rows.set_column(index, "useful_score", rows["useful_score"].cast(pa.string()))
    path = run.home / "lake" / "scores" / "wrong.parquet"
    pa.parquet.write_table(wrong, path)
    content = dict(outcome.manifest.content)
    ref = replace(victim, path=path.relative_to(run.home.path).as_posix())
    content["files"] = [f for f in content["files"] if f["table"] != "scores"] + [ref.as_dict()]
    assert stopping(built, snapshots.make(content)) == ["scores.schema_as_declared"]


@pytest.mark.parametrize(
    ("name", "column"),
    [("lessons", "text"), ("posts", "text"), ("questions", "text"), ("triples", "context"), ("rejects", "text")],
)
@pytest.mark.parametrize("secret", ["write to ann.lee@mail.example.com", "call +49 30 5550 1234", "ask @annlee99"])
def test_personal_data(built: Built, name: str, column: str, secret: str) -> None:
    candidate = poisoned(built, name, lambda rows: [{**rows[0], column: f"Why? {secret}"}, *rows[1:]])
    found = [c for c in gate.evaluate(built[0].home, candidate) if c.stops]
    assert [f"{c.table}.{c.rule}" for c in found] == [f"{name}.no_personal_data"]
    assert secret not in str(found[0].observed)
    assert found[0].rows_failing == 1


def test_a_raw_author_name(built: Built) -> None:
    candidate = poisoned(built, "posts", lambda rows: [{**rows[0], "author": "Mina"}, *rows[1:]])
    assert stopping(built, candidate) == ["posts.author_in_form"]


def test_a_lesson_in_two_splits(built: Built) -> None:
    def leak(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
        other = {"train": "dev", "dev": "test", "test": "train"}[rows[0]["split"]]
        return [*rows, {**rows[0], "triple_id": "another", "cluster_id": "another", "split": other}]

    assert stopping(built, poisoned(built, "splits", leak)) == ["splits.no_lesson_in_two_splits"]


def test_a_cluster_in_two_splits(built: Built) -> None:
    def leak(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
        other = {"train": "dev", "dev": "test", "test": "train"}[rows[0]["split"]]
        return [*rows, {**rows[0], "triple_id": "another", "lesson_id": "another", "split": other}]

    assert stopping(built, poisoned(built, "splits", leak)) == ["splits.no_cluster_in_two_splits"]


def test_an_unknown_value(built: Built) -> None:
    candidate = poisoned(built, "posts", lambda rows: [{**rows[0], "kind": "rumour"}, *rows[1:]])
    assert stopping(built, candidate) == ["posts.kind_in_set"]


def test_a_lost_reject(built: Built) -> None:
    assert stopping(built, poisoned(built, "rejects", lambda rows: rows[1:])) == ["rejects.every_row_accounted_for"]


def test_an_empty_table_warns(built: Built) -> None:
    run, outcome = built
    content = dict(outcome.manifest.content)
    path = run.home / "lake" / "triples" / "empty.parquet"
    files.write(path, contract("triples").empty(), "triples", {"stage": "triples", "bucket": "all"})
    ref = files.reference(run.home.path, path, "triples", {"stage": "triples", "bucket": "all"})
    kept = [f for f in content["files"] if f["table"] not in ("triples", "clusters", "splits", "signatures")]
    empty = [ref.as_dict()]
    for name in ("clusters", "splits", "signatures"):
        other = run.home / "lake" / name / "empty.parquet"
        files.write(other, contract(name).empty(), name, {"stage": name, "bucket": "all"})
        empty.append(files.reference(run.home.path, other, name, {"stage": name, "bucket": "all"}).as_dict())
    checks = gate.evaluate(run.home, snapshots.make({**content, "files": kept + empty}))
    assert [c.rule for c in checks if c.table == "triples" and c.result == "failed"] == ["triples_present"]
    assert not any(c.stops for c in checks)


ROWS_THAT_BREAK = {
    "lesson_without_id": {"lesson_id": "small:", "source": "small"},
    "empty_post": {"text": "  "},
    "empty_sentence": {"text": " ", "start_seconds": 1.0},
    "negative_start": {"text": "It rains.", "start_seconds": -1.0},
    "empty_quiz": {"text": ""},
    "answer_outside_options": {"text": "Which?", "options": ["a", "b"], "answer": 2},
    "no_question_mark": {"text": "no mark", "start_char": 0, "end_char": 7},
    "bad_offsets": {"text": "why?", "start_char": 5, "end_char": 5},
    "score_outside_range": {"useful_score": 1.5},
    "span_backwards": {"first_sentence": 3, "last_sentence": 2, "start_sentence": 3, "cosine": 0.5, "confidence": 0.5},
    "start_outside_span": {"first_sentence": 1, "last_sentence": 2, "start_sentence": 5, "cosine": 0.5,
                           "confidence": 0.5},
    "cosine_outside_range": {"first_sentence": 1, "last_sentence": 2, "start_sentence": 1, "cosine": 1.5,
                             "confidence": 0.5},
    "confidence_outside_range": {"first_sentence": 1, "last_sentence": 2, "start_sentence": 1, "cosine": 0.5,
                                 "confidence": -1.0},
    "empty_context": {"context": " ", "prompt": "p", "question": "q"},
    "empty_prompt": {"context": "c", "prompt": "", "question": "q"},
    "empty_question": {"context": "c", "prompt": "p", "question": ""},
}  # fmt: skip
ROW_RULES = [(t, rule) for t in TABLES.values() for rule in t.row_rules]


@pytest.mark.parametrize(("table", "rule"), ROW_RULES, ids=lambda x: x.name)
def test_every_row_rule_has_a_row_that_trips_it_and_only_it(table: Table, rule: Any) -> None:
    if rule.name not in ROWS_THAT_BREAK:
        pytest.fail(f"write a row that breaks {rule.name}")
    row = pa.Table.from_pylist([ROWS_THAT_BREAK[rule.name]], schema=table.schema)
    broken = [r.name for r in table.row_rules if first_broken(row, (r,)).to_pylist() != [None]]
    assert broken == [rule.name]


def many_posts(count: int, length: int = 1) -> list[dict[str, Any]]:
    words = "does the tide rise because water near the moon is pulled " * length
    return [
        {"post_id": f"m{n}", "lesson_id": "tides", "kind": "question", "text": f"Number {n}: {words}today?"}
        for n in range(count)
    ]


def test_a_shrunken_source_stops_the_build_until_it_is_accepted(
    build: Callable[..., Built], settings: Settings, corpus: Path
) -> None:
    write_corpus(corpus, LESSONS, [*POSTS, *many_posts(100)])
    run, good = build()
    write_corpus(corpus, LESSONS, POSTS)
    with pytest.raises(GateError, match="posts_not_shrunk"):
        build()
    home = run.home
    assert snapshots.current_id(home) == good.manifest.id
    assert len(list((home / "snapshots" / "candidates").glob("*.json"))) == 1
    assert "posts_not_shrunk" in (home / "reports" / "quality" / "index.html").read_text()
    assert [row["state"] for row in journal.read(home, "runs")] == ["done", "gated"]
    with pytest.raises(GateError, match="questions_not_shrunk"):
        build(accept=("posts.posts_not_shrunk",))
    _, accepted = build(accept=("posts.posts_not_shrunk", "questions_not_shrunk"))
    assert snapshots.current_id(home) == accepted.manifest.id
    marks = [c["rule"] for c in accepted.manifest.content["checks"] if c["result"] == "accepted"]
    assert marks == ["posts_not_shrunk", "questions_not_shrunk"]


def test_a_drifted_table_stops_the_build(build: Callable[..., Built], corpus: Path) -> None:
    write_corpus(corpus, LESSONS, [*POSTS, *many_posts(100)])
    build()
    write_corpus(corpus, LESSONS, [*POSTS, *many_posts(100, length=20)])
    with pytest.raises(GateError, match="lengths_as_before"):
        build(accept=("usefulness_as_before", "similarity_as_before"))


LOOKING_BACK = [(t, rule) for t in TABLES.values() for rule in t.rules if rule.check in ("not_shrunk", "no_drift")]


@pytest.mark.parametrize(("table", "rule"), LOOKING_BACK, ids=lambda x: x.name)
def test_every_rule_that_looks_back_stops_its_own_table(built: Built, table: Table, rule: TableRule) -> None:
    content = built[1].manifest.content
    candidate = snapshots.make(content)
    if rule.check == "not_shrunk":
        more = [{**ref, "rows": ref["rows"] + 500 * (ref["table"] == table.name)} for ref in content["files"]]
        before = snapshots.make({**content, "files": more})
    else:
        name = history.profile_name(table, rule)
        candidate = snapshots.make({**content, "profile": {**content["profile"], name: {"a": 90, "b": 10}}})
        before = snapshots.make({**content, "profile": {**content["profile"], name: {"a": 10, "b": 90}}})
    assert stopping(built, candidate, before) == [f"{table.name}.{rule.name}"]


def test_other_sources_are_not_compared(build: Callable[..., Built], settings: Settings, corpus: Path) -> None:
    write_corpus(corpus, LESSONS, [*POSTS, *many_posts(100)])
    build()
    write_corpus(corpus, LESSONS, POSTS)
    changed = settings.model_copy(deep=True)
    changed.sources[0].name = "renamed"
    build(changed)


def test_chance_is_no_drift() -> None:
    index, allowed = history.stability({"a": 30, "b": 30}, {"a": 24, "b": 36})
    assert index < allowed
    index, allowed = history.stability({"a": 300, "b": 300}, {"a": 60, "b": 540})
    assert index > allowed


def test_an_expectation_that_raises_is_a_broken_check(monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = [{"rule": "r", "kind": "ExpectColumnValuesToNotBeNull", "severity": "fail",
               "arguments": {"column": "absent"}}]  # fmt: skip
    monkeypatch.setattr(great, "expectations", lambda _: wanted)
    (found,) = great.check_table(contract("lessons"), pa.table({"lesson_id": ["a"]}))
    assert found.result == "broken"
    with pytest.raises(GateError, match="could not be evaluated"):
        gate.stop_if_bad([found])


def test_data_docs_show_hostile_values_as_text(tmp_path: Path) -> None:
    rows = pa.table({"post_id": ["<script>alert(1)</script>"] * 2})
    found = great.check_table(contract("posts"), rows, tmp_path)
    assert "unique_key" in {check.rule for check in found if check.result == "failed"}
    page = (tmp_path / "posts.html").read_text()
    assert "&lt;script&gt;alert" in page
    assert "<script>alert" not in page


def test_lost_authors_are_a_drift(build: Callable[..., Built], corpus: Path) -> None:
    named = [{**post, "author": "Mina"} for post in many_posts(100)]
    write_corpus(corpus, LESSONS, [*POSTS, *named])
    build()
    write_corpus(corpus, LESSONS, [*POSTS, *many_posts(100)])
    with pytest.raises(GateError, match="authors_as_before"):
        build()


def test_a_warning_does_not_stop() -> None:
    gate.stop_if_bad([Check("posts", "license_known", "failed", "warn", "2", 2)])


def test_the_command_ends_with_3_and_status_says_why(
    build: Callable[..., Built], settings: Settings, corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_corpus(corpus, LESSONS, [*POSTS, *many_posts(100)])
    build()
    write_corpus(corpus, LESSONS, POSTS)
    monkeypatch.setenv("QUARRY_HOME", str(settings.home))
    monkeypatch.setenv("QUARRY_PSEUDONYM_KEY", "secret")
    (tmp_path / "quarry.toml").write_text(f'[[sources]]\nname = "small"\nkind = "jsonl"\npath = "{corpus}"\n')
    result = CliRunner().invoke(app, ["build", "--plain"])
    assert result.exit_code == 3
    shown = CliRunner().invoke(app, ["status"]).stdout
    assert "posts.posts_not_shrunk failed" in shown
    assert "--accept posts.posts_not_shrunk" in shown
