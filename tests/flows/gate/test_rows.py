"""Row rules: each has a row that trips it and only it."""

from typing import Any

import pyarrow as pa
import pytest

from expectations import TABLES
from expectations.contract import Table
from flows.gate.contents import check_contents, merge
from flows.gate.rows import first_broken
from transforms.masking import MARKS

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
    "empty_context": {"context": " ", "prompt": "p", "question": "q", "title": "t"},
    "empty_prompt": {"context": "c", "prompt": "", "question": "q", "title": "t"},
    "empty_question": {"context": "c", "prompt": "p", "question": "", "title": "t"},
    "empty_title": {"context": "c", "prompt": "p", "question": "q", "title": " "},
}  # fmt: skip
ROW_RULES = [(t, rule) for t in TABLES.values() for rule in t.row_rules]


@pytest.mark.parametrize(("table", "rule"), ROW_RULES, ids=lambda x: x.name)
def test_every_row_rule_has_a_row_that_trips_it_and_only_it(table: Table, rule: Any) -> None:
    if rule.name not in ROWS_THAT_BREAK:
        pytest.fail(f"write a row that breaks {rule.name}")
    row = pa.Table.from_pylist([ROWS_THAT_BREAK[rule.name]], schema=table.schema)
    broken = [r.name for r in table.row_rules if first_broken(row, (r,)).to_pylist() != [None]]
    assert broken == [rule.name]


def test_every_mark_that_extraction_knows_is_one_for_the_contract() -> None:
    table = TABLES["questions"]
    rows = pa.Table.from_pylist(
        [{"text": f"why{mark}", "start_char": 0, "end_char": 4} for mark in MARKS], schema=table.schema
    )
    assert first_broken(rows, table.row_rules).null_count == len(MARKS)


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
