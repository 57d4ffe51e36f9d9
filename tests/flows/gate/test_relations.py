"""Rules between tables: references that lead nowhere, rows that are missing, splits that leak."""

from typing import Any

import pytest
from poison import Change, Poison, Rows, first

from expectations import TABLES
from expectations.contract import Table, TableRule
from flows.settings import Splits
from flows.store import snapshots
from flows.store.snapshots import Manifest

# A value that refers to nothing, for every foreign key.
ORPHANS: dict[tuple[str, str], dict[str, Any]] = {
    ("sentences", "lesson_exists"): {"lesson_id": "small:nobody"},
    ("posts", "lesson_exists"): {"lesson_id": "small:nobody"},
    ("quizzes", "lesson_exists"): {"lesson_id": "small:nobody"},
    ("questions", "post_exists"): {"post_id": "small:nobody"},
    ("scores", "question_exists"): {"question_id": "small:nobody"},
    ("types", "question_exists"): {"question_id": "small:nobody"},
    ("spans", "lesson_exists"): {"lesson_id": "small:nobody"},
    ("spans", "question_exists"): {"question_id": "small:nobody"},
    ("spans", "first_sentence_exists"): {"first_sentence": -1},
    ("spans", "last_sentence_exists"): {"last_sentence": 900},
    ("quiz_spans", "quiz_exists"): {"quiz_id": "small:nobody"},
    ("quiz_spans", "first_sentence_exists"): {"first_sentence": -1},
    ("quiz_spans", "last_sentence_exists"): {"last_sentence": 900},
    ("triples", "question_exists"): {"question_id": "small:nobody"},
    ("triples", "answer_exists"): {"answer_post_ids": ["small:t2", "small:nobody"]},
    ("wordings", "triple_exists"): {"triple_id": "nobody"},
    ("signatures", "triple_exists"): {"triple_id": "nobody"},
    ("clusters", "triple_exists"): {"triple_id": "nobody"},
    ("splits", "triple_exists"): {"triple_id": "nobody"},
}
FOREIGN_KEYS = [(t, rule) for t in TABLES.values() for rule in t.rules if rule.check == "foreign_key"]


@pytest.mark.parametrize(("table", "rule"), FOREIGN_KEYS, ids=lambda x: x.name)
def test_an_orphan(poison: Poison, table: Table, rule: TableRule) -> None:
    if (table.name, rule.name) not in ORPHANS:
        pytest.fail(f"write a row of {table.name} that breaks {rule.name}")
    values = ORPHANS[table.name, rule.name]
    found = {c.name: c for c in poison.stops(poison.candidate(table.name, first(**values)))}
    assert f"{table.name}.{rule.name}" in found
    # The table itself may miss a row now, and others may refer to the row that was there.
    assert all(name.startswith(f"{table.name}.") or name.endswith("_exists") for name in found)
    # The example says what leads nowhere, unless that is part of the row's own name.
    assert rule.columns[-1] in table.key or f"({rule.columns[-1]} " in found[f"{table.name}.{rule.name}"].observed


@pytest.mark.parametrize(("table", "rule"), [(t, r) for t, r in FOREIGN_KEYS if r.alike], ids=lambda x: x.name)
def test_a_row_of_another_lesson(poison: Poison, table: Table, rule: TableRule) -> None:
    found = poison.stopping(poison.candidate(table.name, first(lesson_id="small:nobody")))
    assert f"{table.name}.{rule.name}" in found
    assert all(name.startswith(f"{table.name}.") or name.endswith("_exists") for name in found)


def test_a_split_by_another_cluster(poison: Poison) -> None:
    def other_cluster(rows: Rows) -> Rows:
        (alone,) = [row for row in rows if row["lesson_id"] == "small:tides"]
        return [{**row, "cluster_id": "another"} if row is alone else row for row in rows]

    (found,) = poison.stops(poison.candidate("splits", other_cluster))
    assert found.name == "splits.triple_exists"
    assert "(cluster_id another)" in str(found.observed)


@pytest.mark.parametrize("name", ["posts", "lessons", "questions"])
def test_a_null_among_the_keys_switches_no_rule_off(poison: Poison, name: str) -> None:
    (key,) = TABLES[name].key
    found = poison.stopping(poison.candidate(name, first(**{key: None})))
    assert f"{name}.{key}_not_null" in found
    assert any(rule.endswith("_exists") for rule in found)  # of what belonged to the row that has no name now


COMPLETE = [(t, rule) for t in TABLES.values() for rule in t.rules if rule.check == "complete"]


@pytest.mark.parametrize(("table", "rule"), COMPLETE, ids=lambda x: x.name)
def test_a_lost_row(poison: Poison, table: Table, rule: TableRule) -> None:
    found = poison.stops(poison.candidate(table.name, lambda rows: rows[1:]))
    # A triple without its cluster has no part that agrees with it.
    also = {"splits.triple_exists"} if table.name == "clusters" else set()
    assert {c.name for c in found} == {f"{table.name}.{rule.name}"} | also
    assert found[0].rows_failing == 1
    assert found[0].observed == str(poison.rows(table.name)[table.key[0]][0])


def test_a_row_that_was_rejected_is_not_missing(poison: Poison) -> None:
    lost = poison.rows("scores").to_pylist()[0]
    without = poison.candidate("scores", lambda rows: rows[1:])
    named = {"stage": "scores", "record_id": lost["question_id"], "lesson_id": lost["lesson_id"],
             "reason": "score_outside_range"}  # fmt: skip
    files = [
        f for f in poison.candidate("rejects", lambda rows: [*rows, named]).content["files"] if f["table"] == "rejects"
    ]
    stages = {**without.content["stages"]}
    stages["scores"] = {
        **stages["scores"],
        "kept": stages["scores"]["kept"] - 1,
        "rejected": {"score_outside_range": 1},
    }
    others = [f for f in without.content["files"] if f["table"] != "rejects"]
    assert poison.stopping(snapshots.make({**without.content, "files": [*others, *files], "stages": stages})) == []


def moved(rows: Rows, triple: dict[str, Any]) -> Rows:
    """The same rows with one triple in another part."""
    other = {"train": "dev", "dev": "test", "test": "train"}[triple["split"]]
    return [{**row, "split": other} if row is triple else row for row in rows]


def leak_a_lesson(rows: Rows) -> Rows:
    return moved(rows, next(row for row in rows if row["lesson_id"] == "small:rust"))


def leak_a_cluster(rows: Rows) -> Rows:
    return moved(rows, next(row for row in rows if row["lesson_id"] == "small:ocean"))


@pytest.mark.parametrize(
    ("leak", "rule", "group"),
    [
        (leak_a_lesson, "no_lesson_in_two_splits", "small:rust (dev, train)"),
        (leak_a_cluster, "no_cluster_in_two_splits", ""),
    ],
)
def test_a_leak_between_splits(poison: Poison, leak: Any, rule: str, group: str) -> None:
    candidate = poison.candidate("splits", leak)
    # Copies of a text that stand in two parts are another rule's word, too.
    (found,) = [check for check in poison.stops(candidate) if check.name != "wordings.no_text_in_two_splits"]
    assert found.name == f"splits.{rule}"
    assert group in str(found.observed)
    asked_for = {**candidate.content["settings"], "splits": Splits(method="random").model_dump(mode="json")}
    assert poison.stops(snapshots.make({**candidate.content, "settings": asked_for})) == []


def test_an_edited_text_in_two_parts(poison: Poison) -> None:
    """Whatever the clusters were made of: what counts is the text that is published."""
    lesson_apart = poison.candidate("splits", leak_a_lesson)
    assert poison.stopping(lesson_apart) == ["splits.no_lesson_in_two_splits"]

    def one_question(rows: Rows) -> Rows:
        return [{**row, "question": ("Why does ", "why does")[n % 2] + " it RUST?"} for n, row in enumerate(rows)]

    def other_questions(rows: Rows) -> Rows:
        return [{**row, "question": f"Почему {chr(ord('а') + n)}?"} for n, row in enumerate(rows)]

    def worded(change: Change) -> Manifest:
        edited = poison.candidate("wordings", change)
        assert poison.stopping(edited) == []
        files = [f for f in lesson_apart.content["files"] if f["table"] != "wordings"]
        files += [f for f in edited.content["files"] if f["table"] == "wordings"]
        return snapshots.make({**lesson_apart.content, "files": files})

    assert poison.stopping(worded(other_questions)) == ["splits.no_lesson_in_two_splits"]  # letters of any script
    found = {c.name: c for c in poison.stops(worded(one_question))}
    assert set(found) == {"splits.no_lesson_in_two_splits", "wordings.no_text_in_two_splits"}
    assert str(found["wordings.no_text_in_two_splits"].observed).startswith("question of ")
