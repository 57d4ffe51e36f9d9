"""Lists, headings and paragraphs become running text (KhanQ A.4)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from transforms.triples.contexts import make_context
from transforms.triples.lists import mark_lines


@pytest.mark.parametrize(
    ("answer", "context"),
    [
        ("Kites need\n- wind\n- cord\n* hands\nand time.", "Kites need: wind; cord; hands. and time."),
        ("Kites need:\n1. wind\n2. cord", "Kites need: 1. wind; 2. cord."),
        ("1) Take a cord.\n2) Run.", "1) Take a cord. 2) Run."),
        ("# Wind\nKites need it\n## Cord\nKites hang on it", "Wind: Kites need it. Cord: Kites hang on it."),
        ("Kites fly\n\nWind lifts them", "Kites fly. Wind lifts them."),
        ("Kites fly\nin wind", "Kites fly in wind."),
    ],
)
def test_marks(answer: str, context: str) -> None:
    assert make_context(answer)[0] == context


def test_the_rule_is_recorded_where_it_adds_a_mark() -> None:
    assert make_context("Kites need\n- wind")[1] == ["list_items"]
    assert make_context("Kites fly.\n\nWind lifts them.")[1] == []


@given(st.text(alphabet="ab .-*#1)\n", max_size=80))
def test_no_word_is_lost(text: str) -> None:
    letters = [c for c in text if c in "ab1"]
    assert [c for c in mark_lines(text) if c in "ab1"] == letters
