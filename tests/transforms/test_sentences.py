import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from expectations import table
from transforms.sentences import pieces, split, split_lessons, timed


@given(st.text())
def test_pieces_join_to_the_text(text):
    assert "".join(pieces(text)) == text


def test_pieces_of_a_text_longer_than_the_window():
    text = "The river carries sand to the sea. " * 2000
    assert "".join(pieces(text)) == text
    assert {piece.strip() for piece in pieces(text)} == {"The river carries sand to the sea."}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It holds 3.5 kg. of sand. It sinks.", ["It holds 3.5 kg. of sand.", "It sinks."]),
        ("The rod is 20 cm. It bends.", ["The rod is 20 cm.", "It bends."]),
        ("Take approx. 5 grams. Stir.", ["Take approx. 5 grams.", "Stir."]),
        ("Prof. Lee met Dr. Wu. They spoke.", ["Prof. Lee met Dr. Wu.", "They spoke."]),
        ("A title\n\nFirst line\ngoes on. Second.", ["A title", "First line goes on.", "Second."]),
    ],
)
def test_sentences(text, expected):
    assert split(text) == expected


def test_a_sentence_of_captions_starts_with_the_caption_of_its_first_word():
    captions = [
        {"start": 4.0, "text": "and it cools. Then"},
        {"start": 0.0, "text": "The rock melts"},
        {"start": 9.0, "text": " it sets."},
    ]
    assert timed(captions) == [("The rock melts and it cools.", 0.0), ("Then it sets.", 4.0)]


def lessons(*rows):
    common = {"source": "s", "kind": "article", "title": "T", "language": "en", "text": "", "lesson_version": "v"}
    return {"lessons": pa.Table.from_pylist([{**common, **row} for row in rows], schema=table("lessons").schema)}


def test_a_lesson_without_text_is_rejected_and_counted():
    result = split_lessons(lessons({"lesson_id": "s:a", "text": "One. Two."}, {"lesson_id": "s:b"}), {})
    assert result.tables["sentences"]["text"].to_pylist() == ["One.", "Two."]
    assert result.rejects.select(["record_id", "reason"]).to_pylist() == [{"record_id": "s:b", "reason": "no_text"}]
    assert {name: (unit.rows_in, unit.kept) for name, unit in result.units.items()} == {"s:a": (1, 1), "s:b": (1, 0)}


def test_captions_win_and_give_times():
    row = {"lesson_id": "s:a", "text": "ignored.", "captions": [{"start": 2.5, "text": "Hello there."}]}
    assert split_lessons(lessons(row), {}).tables["sentences"].to_pylist() == [
        {"lesson_id": "s:a", "sentence_no": 0, "text": "Hello there.", "start_seconds": 2.5}
    ]
