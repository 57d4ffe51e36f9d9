"""What one table shows by itself: every table is poisoned in turn, and the right rule, and only it, stops it."""

from typing import Any

import pyarrow as pa
import pytest
from poison import Poison, first

from expectations import TABLES
from expectations.contract import Table
from flows.errors import GateError
from flows.gate import gate, great
from flows.store import snapshots

KEYED = [t for t in TABLES.values() if t.stored == "snapshot" and t.key]


@pytest.mark.parametrize("table", KEYED, ids=lambda t: t.name)
def test_a_doubled_row(poison: Poison, table: Table) -> None:
    (found,) = poison.stops(poison.candidate(table.name, lambda rows: [*rows, rows[0]]))
    assert found.name == f"{table.name}.unique_key"
    row = poison.rows(table.name).to_pylist()[0]
    assert found.observed == "/".join(str(row[column]) for column in table.key)


OPTIONAL_TO_OTHERS = {
    "lessons": "title", "sentences": "text", "posts": "language", "quizzes": "kind", "questions": "question_no",
    "scores": "model_id", "types": "deep", "spans": "words", "quiz_spans": "words", "triples": "title",
    "wordings": "prompt_type", "signatures": "context", "clusters": "cluster_id", "splits": "split",
    "rejects": "reason",
}  # fmt: skip


@pytest.mark.parametrize("name", OPTIONAL_TO_OTHERS)
def test_a_null_in_a_required_column(poison: Poison, name: str) -> None:
    column = OPTIONAL_TO_OTHERS[name]
    (found,) = poison.stops(poison.candidate(name, first(**{column: None})))
    assert found.name == f"{name}.{column}_not_null"
    row = poison.rows(name).to_pylist()[0]
    names = TABLES[name].key or ("stage", "record_id")
    assert str(found.observed).startswith("/".join(str(row[key]) for key in names))


def test_an_unknown_value(poison: Poison) -> None:
    (found,) = poison.stops(poison.candidate("posts", first(kind="rumour")))
    assert found.name == "posts.kind_in_set"
    assert found.observed == f"{poison.rows('posts')['post_id'][0]} (rumour)"


@pytest.mark.parametrize(
    ("name", "values", "rule"),
    [
        ("triples", {"question": "\u200b"}, "empty_question"),
        ("posts", {"lesson_id": ""}, "lesson_exists"),
        ("questions", {"end_char": 100_000}, "offsets_inside_post"),
        ("scores", {"model_id": "another"}, "scored_by_its_model"),
        ("spans", {"words": 100_000, "over_limit": False}, "limit_as_set"),
        ("quiz_spans", {"over_limit": True}, "limit_as_set"),
        ("triples", {"answer_post_ids": [None]}, "no_answer"),
        ("rejects", {"reason": ""}, "reason_in_form"),
        ("splits", {"split": "validation"}, "split_in_set"),
    ],
)
def test_a_wrong_value(poison: Poison, name: str, values: dict[str, Any], rule: str) -> None:
    assert poison.stopping(poison.candidate(name, first(**values))) == [f"{name}.{rule}"]


@pytest.mark.parametrize("name", ["lessons", "posts", "triples"])
@pytest.mark.parametrize("license", [None, "", " \t", "\u200b"])
def test_a_blank_licence_is_unknown(name: str, license: str | None) -> None:
    rows = pa.Table.from_pylist([{"license": "CC BY"}, {"license": license}], schema=TABLES[name].schema)
    checks = {check.rule: check for check in great.check_table(TABLES[name], great.narrowed(TABLES[name], rows))}
    assert (checks["license_known"].result, checks["license_known"].rows_failing) == ("failed", 1)


@pytest.mark.parametrize("author", ["Mina", "u0123456789abcdef\n"])
def test_a_raw_author_name(poison: Poison, author: str) -> None:
    (found,) = poison.stops(poison.candidate("posts", first(author=author)))
    assert found.name == "posts.author_in_form"
    assert found.observed == str(poison.rows("posts")["post_id"][0])  # and not the name


def test_a_wrong_type_hides_no_fault_of_another_table(poison: Poison) -> None:
    rows = poison.rows("scores")
    index = rows.schema.get_field_index("useful_score")
    wrong = poison.replaced("scores", rows.set_column(index, "useful_score", rows["useful_score"].cast(pa.string())))
    (found,) = poison.stops(wrong)
    assert found.name == "scores.schema_as_declared"
    assert "useful_score: string" in str(found.observed)

    bad_posts = [f for f in poison.candidate("posts", first(kind="rumour")).content["files"] if f["table"] == "posts"]
    others = [f for f in wrong.content["files"] if f["table"] != "posts"]
    both = gate.evaluate(poison.home, snapshots.make({**wrong.content, "files": [*others, *bad_posts]}))
    assert [c.name for c in both if c.stops] == ["scores.schema_as_declared", "posts.kind_in_set"]
    assert {c.rule for c in both if c.table == "scores"} == {"schema_as_declared"}
    with pytest.raises(GateError, match="schema_as_declared"):  # nothing else is known of that table
        gate.stop_if_bad(gate.accept(both, ("scores.schema_as_declared", "posts.kind_in_set")))
