from itertools import pairwise

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
        ("Keep const. pressure. Stir.", ["Keep const. pressure.", "Stir."]),
        ("It is at its max. It falls.", ["It is at its max.", "It falls."]),
        ("See Ms. Lee. Ask her.", ["See Ms. Lee.", "Ask her."]),
        ("Prof. Lee met Dr. Wu. They spoke.", ["Prof. Lee met Dr. Wu.", "They spoke."]),
        ("We use ASP.NET here. It runs.", ["We use ASP.NET here.", "It runs."]),
        ("Open data.CSV first. Then .TXT files.", ["Open data.CSV first.", "Then .TXT files."]),
        ("It is red.WHY is it red?", ["It is red.", "WHY is it red?"]),
        ("It is red.BUT it fades.", ["It is red.", "BUT it fades."]),
        ("A title\n\nFirst line\ngoes on. Second.", ["A title", "First line goes on.", "Second."]),
    ],
)
def test_sentences(text, expected):
    assert split(text) == expected


def test_a_sentence_starts_after_the_same_share_of_a_caption_s_time_as_of_its_letters():
    captions = [
        {"start": 4.0, "text": "and it cools. Then"},
        {"start": 0.0, "text": "The rock melts"},
        {"start": 9.0, "text": " it sets."},
    ]
    melts, sets = timed(captions)
    assert melts == ("The rock melts and it cools.", 0.0, sets.start)
    assert sets.start == pytest.approx(4 + 5 * 14 / 19, abs=1e-3)
    assert sets.end == 14.0  # as long as the longest caption before it


def test_a_long_last_caption_lasts_as_long_as_its_words_need():
    (_, last) = timed([{"start": 0.0, "text": "Hello."}, {"start": 1.0, "text": "word " * 99 + "end."}])
    assert (last.start, last.end) == (1.0, 51.0)


def test_captions_that_share_a_start_stay_in_their_order_and_share_its_time():
    captions = [{"start": 0, "text": text} for text in ("Today the moon", "pulls on", "all of the water.")]
    captions += [{"start": 4, "text": "Zinc reacts slowly."}, {"start": 4, "text": "But sodium reacts fast."}]
    assert [(s.text, s.start) for s in timed(captions)] == [
        ("Today the moon pulls on all of the water.", 0.0),
        ("Zinc reacts slowly.", 4.0),
        ("But sodium reacts fast.", pytest.approx(4 + 4 * 20 / 44, abs=1e-3)),
    ]


def test_automatic_captions_without_full_stops_are_cut_between_captions():
    captions = [{"start": 4.0 * n, "text": f"and so we come to part {n} of the story"} for n in range(100)]
    found = timed(captions)
    assert " ".join(s.text for s in found) == " ".join(c["text"] for c in captions)
    assert max(len(s.text) for s in found) <= 400
    assert all(s.start % 4 == 0 for s in found)
    assert all(earlier.end == later.start for earlier, later in pairwise(found))


def test_a_caption_longer_than_any_sentence_stays_whole():
    (only,) = timed([{"start": 1.0, "text": "word " * 200}])
    assert (only.start, len(only.text)) == (1.0, 999)
    assert timed([]) == []


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
        {"lesson_id": "s:a", "sentence_no": 0, "text": "Hello there.", "start_seconds": 2.5, "end_seconds": 3.5}
    ]
