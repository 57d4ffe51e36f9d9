from itertools import pairwise

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from expectations import table
from transforms.sentences import pieces, split, split_lessons, timed, written


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
        ("Solve it for y. Now we plug it in.", ["Solve it for y.", "Now we plug it in."]),
        ("It depends on x. Let me call it r. Then go.", ["It depends on x.", "Let me call it r.", "Then go."]),
        ("Eat vitamin C. Humans need it.", ["Eat vitamin C.", "Humans need it."]),
        ("It weighs 245 N. Push it.", ["It weighs 245 N.", "Push it."]),
        ("Ask Franklin D. Roosevelt or Harry S. Truman.", ["Ask Franklin D. Roosevelt or Harry S. Truman."]),
        ("In 1905 A. Einstein read Brown v. Board.", ["In 1905 A. Einstein read Brown v. Board."]),
        ("Read J. R. R. Tolkien. The end.", ["Read J. R. R. Tolkien.", "The end."]),
        ("1. Carbon is fixed. A. The rest.", ["1. Carbon is fixed.", "A. The rest."]),
        ("Light\nPlants make sugar.\nThe leaves are green", ["Light", "Plants make sugar.", "The leaves are green"]),
        (
            "A doctor named\nUnger and\nhis (loud)\nhands. (Laughter)",
            ["A doctor named Unger and his (loud) hands.", "(Laughter)"],
        ),
        (
            "They sang\nit. [MUSIC]\nand\n(Laughter)\nSo it ends.",
            ["They sang it.", "[MUSIC] and (Laughter)", "So it ends."],
        ),
        ("A leaf needs\n- water\n- red light\n2. It grows", ["A leaf needs", "- water", "- red light", "2. It grows"]),
        ("# What is it\nit is red. Then the\nWhite House.", ["# What is it", "it is red.", "Then the White House."]),
        ("A title\n\nFirst line\ngoes on. Second.", ["A title", "First line goes on.", "Second."]),
    ],
)
def test_sentences(text, expected):
    assert split(text) == expected


def test_a_sentence_starts_after_the_same_share_of_a_caption_s_time_as_of_its_letters():
    captions = [
        {"start": 4.0, "text": "and it cools. Then"},
        {"start": 0.0, "text": "The rock melts"},
        {"start": 6.0, "text": " it sets."},
    ]
    melts, sets = timed(captions)
    assert melts == ("The rock melts and it cools.", 0.0, sets.start)
    assert sets.start == pytest.approx(4 + 2 * 14 / 19, abs=1e-3)
    assert sets.end == 9.0  # as long as captions usually last


def test_nothing_is_said_in_the_silence_behind_a_caption():
    captions = [
        {"start": 0, "end": 3, "text": "Watch the colour. It turns blue."},
        {"start": 52, "text": "That was copper sulfate. Now"},
        {"start": 95, "text": "the second flask."},
    ]
    watch, blue, copper, second = timed(captions)
    assert 1 < watch.end == blue.start < blue.end == 3.0
    assert (copper.start, copper.end) == (52.0, pytest.approx(52 + 2.5 * 25 / 29, abs=1e-3))
    assert second.end == 95 + 47.5
    assert timed([*captions[:2], captions[2] | {"end": 98}])[-1].end == 98.0


def test_a_long_last_caption_lasts_as_long_as_its_words_need():
    last = timed([{"start": 0.0, "text": "Hello."}, {"start": 1.0, "text": "word " * 79 + "end."}])[-1]
    assert (last.start, last.end) == (1.0, 41.0)
    assert timed([{"start": 0.0, "text": "月球吸引海洋。"}])[0].end == 3.5


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
    assert {len(s.text) // 10 for s in found[:-1]} == {11}
    assert all(s.start % 4 == 0 for s in found)
    assert all(earlier.end == later.start for earlier, later in pairwise(found))


def test_a_cut_is_rather_made_where_the_speaker_pauses():
    captions = [{"start": 4.0 * n + 3 * (n > 3), "text": f"and so we come to part {n} of the story"} for n in range(9)]
    assert timed(captions)[0].text.endswith("part 3 of the story")


def test_long_sentences_with_a_full_stop_stay_whole():
    words = "and the river carries sand to the sea, where it sinks, "
    captions = [{"start": 3.0 * n, "text": words} for n in range(5)] + [{"start": 15.0, "text": "it ends. So"}]
    assert [len(s.text) for s in timed(captions)] == [len(words) * 5 + 8, 2]


def test_one_long_caption_without_full_stops_is_cut_at_blanks():
    found = timed([{"start": 1.0, "text": "word " * 200}, {"start": 101.0, "text": "End."}])
    assert max(len(s.text) for s in found) <= 180
    assert found[1].start == pytest.approx(1 + 100 * (len(found[0].text) + 1) / 1000, abs=0.1)
    assert timed([]) == []


def test_an_article_without_full_stops_is_cut_at_its_lines_or_at_blanks():
    text = "the river carries sand to the sea and\n" * 100
    found = written(text)
    assert " ".join(found) == " ".join(text.split())
    assert max(map(len, found)) <= 180
    assert all(sentence.startswith("the river") for sentence in found)
    assert max(map(len, written("sand, " * 2000))) <= 180


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
