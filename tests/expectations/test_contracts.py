"""Contracts: every public table of the design, their projections, and the dictionary that is written from them."""

from pathlib import Path

import pytest

from expectations import TABLES
from expectations.contract import Table
from expectations.dictionary import document
from expectations.projection import expectations
from expectations.prose import EXEMPT

PUBLIC = {
    "lessons": "source kind title url subject course language license text fetched_at lesson_version",
    "sentences": "lesson_id sentence_no text start_seconds",
    "posts": "source lesson_id thread_id parent_id kind author author_role created_at votes accepted text url language "
    "license fetched_at",
    "quizzes": "lesson_id kind text options answer hint_seconds",
    "questions": "post_id lesson_id question_no text start_char end_char timestamp_seconds",
    "scores": "question_id useful_score useful model_id",
    "types": "question_id question_type reasoning_type deep bloom_levels",
    "spans": "question_id lesson_id first_sentence last_sentence text words over_limit cosine anchor",
    "quiz_spans": "quiz_id lesson_id first_sentence last_sentence text words over_limit cosine anchor",
    "triples": "triple_id question_id lesson_id answer_post_ids context prompt question prompt_type reasoning_type "
    "question_type edits title subject useful_score split cluster_id review license",
    "rejects": "stage record_id lesson_id reason detail text",
    "labels": "task record_id text annotator label guideline round labelled_at",
    "judgements": "task system item_id question_no rater criterion rank guideline round",
    "runs": "run_id flow started_at finished_at state snapshot_id",
    "checks": "run_id table rule result severity observed",
}


@pytest.mark.parametrize("name", PUBLIC)
def test_public_tables_have_their_columns(name: str) -> None:
    assert set(PUBLIC[name].split()) <= {column.name for column in TABLES[name].columns}


@pytest.mark.parametrize("table", TABLES.values(), ids=lambda t: t.name)
def test_contracts_are_sound(table: Table) -> None:
    names = [column.name for column in table.columns]
    assert len(set(names)) == len(names)
    assert set(table.key) <= set(table.schema.names)
    assert table.empty().num_rows == 0
    assert all(column.meaning.endswith(".") for column in table.columns)
    for rule in table.table_rules:
        assert set(rule.columns) <= set(names)
        if rule.references:
            other, column = rule.references
            assert column in TABLES[other].schema.names
    rules = [entry["rule"] for entry in expectations(table)] + [rule.name for rule in table.rules]
    assert all(rules)


def test_what_the_scrubber_passes_over_is_a_column() -> None:
    assert set(EXEMPT) <= {column.name for table in TABLES.values() for column in table.columns}


def test_the_dictionary_is_current() -> None:
    written = Path(__file__).resolve().parents[2] / "docs" / "tables.md"
    assert written.read_text(encoding="utf-8") == document(), "run `make docs`"
