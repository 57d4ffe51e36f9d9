"""Row rules: each has a row that trips it and only it."""

from dataclasses import replace
from typing import Any

import pyarrow as pa
import pytest

from expectations import TABLES
from expectations.contract import RowRule, Table
from flows.gate.contents import check_contents, merge
from flows.gate.rows import apply_row_rules, first_broken
from flows.stages import STAGES
from transforms.masking import MARKS
from transforms.result import Result

ROWS_THAT_BREAK = {
    "lesson_without_id": {"lesson_id": "small:", "source": "small"},
    "empty_post": {"text": "  "},
    "empty_sentence": {"text": " ", "start_seconds": 1.0},
    "id_of_another_source": {"lesson_id": "a:1", "post_id": "a:1", "source": "b"},
    "language_is_no_code": {"language": "English"},
    "start_is_no_time": {"text": "It rains.", "start_seconds": -1.0},
    "end_is_no_time": {"text": "It rains.", "end_seconds": float("inf")},
    "timestamp_is_no_time": {"timestamp_seconds": -3.0},
    "hint_is_no_time": {"hint_seconds": -1.0},
    "missing_option": {"options": [None]},
    "negative_words": {"words": -1},
    "unknown_bloom_level": {"bloom_levels": ["nope"]},
    "no_answer": {"answer_post_ids": []},
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
    "empty_context": {"context": " ", "prompt": "p", "question": "q", "title": "t"},
    "empty_prompt": {"context": "c", "prompt": "", "question": "q", "title": "t"},
    "empty_question": {"context": "c", "prompt": "p", "question": "", "title": "t"},
    "empty_title": {"context": "c", "prompt": "p", "question": "q", "title": " "},
}  # fmt: skip
ROW_RULES = [(t, rule) for t in TABLES.values() for rule in t.row_rules]


MORE_ROWS_THAT_BREAK = [
    ("posts", "empty_post", {"text": "\n\t"}),
    ("posts", "empty_post", {"text": "\u200b\u00a0\ufeff"}),
    ("quizzes", "empty_quiz", {"text": "\u2060"}),
    ("sentences", "empty_sentence", {"text": "\u3000"}),
    ("sentences", "start_is_no_time", {"start_seconds": float("nan")}),
    ("questions", "timestamp_is_no_time", {"timestamp_seconds": float("nan")}),
    ("quizzes", "hint_is_no_time", {"hint_seconds": float("nan")}),
    ("types", "unknown_bloom_level", {"bloom_levels": ["applying", None]}),
    ("triples", "no_answer", {"answer_post_ids": ["small:t2", None]}),
]


def breaking(table: Table, row: dict[str, Any]) -> list[str]:
    rows = pa.Table.from_pylist([row], schema=table.schema)
    return [rule.name for rule in table.row_rules if first_broken(rows, (rule,))[0].to_pylist() != [None]]


@pytest.mark.parametrize(("name", "rule", "row"), MORE_ROWS_THAT_BREAK)
def test_blanks_are_no_text_and_what_is_no_number_no_time(name: str, rule: str, row: dict[str, Any]) -> None:
    assert breaking(TABLES[name], row) == [rule]


@pytest.mark.parametrize("text", ["a", "?", "🙂", "為什麼", "\u200bx"])
def test_what_can_be_seen_is_text(text: str) -> None:
    assert breaking(TABLES["posts"], {"text": text}) == []


@pytest.mark.parametrize(("table", "rule"), ROW_RULES, ids=lambda x: x.name)
def test_every_row_rule_has_a_row_that_trips_it_and_only_it(table: Table, rule: Any) -> None:
    if rule.name not in ROWS_THAT_BREAK:
        pytest.fail(f"write a row that breaks {rule.name}")
    columns = table.schema.names
    row = {name: value for name, value in ROWS_THAT_BREAK[rule.name].items() if name in columns}
    assert breaking(table, row) == [rule.name]


def test_a_rule_that_raises_rejects_nothing_and_is_a_broken_check(monkeypatch: pytest.MonkeyPatch) -> None:
    raising = RowRule("post_raises", "cast(text as int) < 150", "Never.")
    table = replace(TABLES["posts"], row_rules=(raising, *TABLES["posts"].row_rules))
    monkeypatch.setitem(TABLES, "posts", table)
    posts = [{"post_id": f"a:{text}", "source": "a", "lesson_id": "a:1", "text": text} for text in ("my secret", " ")]
    result = Result({"posts": pa.Table.from_pylist(posts, schema=table.schema)}, TABLES["rejects"].empty(), {})
    found = apply_row_rules(STAGES[0], result)
    assert found.tables["posts"]["text"].to_pylist() == ["my secret"]
    assert found.rejects["reason"].to_pylist() == ["empty_post"]
    checks = {check.rule: check for check in merge(table, [check_contents(table, found.tables["posts"])])}
    assert (checks["post_raises"].result, checks["post_raises"].observed) == ("broken", "ConversionException")
    assert {check.result for check in checks.values()} == {"broken", "passed"}


def test_every_mark_that_extraction_knows_is_one_for_the_contract() -> None:
    table = TABLES["questions"]
    rows = pa.Table.from_pylist(
        [{"text": f"why{mark}", "start_char": 0, "end_char": 4} for mark in MARKS], schema=table.schema
    )
    assert first_broken(rows, table.row_rules)[0].null_count == len(MARKS)


def test_examples_of_all_files_are_shown_and_long_ones_are_cut() -> None:
    table = TABLES["scores"]

    def file(*ids: str) -> pa.Table:
        return pa.Table.from_pylist([{"question_id": i, "useful_score": 2.0} for i in ids], schema=table.schema)

    files = [file("a"), file(), file("b" * 100), file("c", "d")]
    (found,) = [
        c for c in merge(table, map(lambda f: check_contents(table, f), files)) if c.rule == "score_outside_range"
    ]
    assert found.rows_failing == 4
    assert found.observed == f"a, {'b' * 59}…, c"
