import pyarrow as pa
import pyarrow.compute as pc
import pytest

from transforms.timestamps import MAY_CITE, cited_times, nearest_time

CITED = [
    ("10:32 is unclear", [632]),
    ("at 3:45 he says it", [225]),
    ("(1:02:03) the end", [3723]),
    ("around minute 5, he stops", [300]),
    ("see min. 3 please", [180]),
    ("MINUTE 7!", [420]),
    ("minute 5:30 shows it", [330]),
    ("minute five, as above", [300]),
    ("about 4 minutes in, the sign flips", [240]),
    ("at the 6th minute mark", [360]),
    ("two minutes into the talk", [120]),
    ("at the 5 minute and 30 second mark", [330]),
    ("5 min 30 s into it", [330]),
    ("90 seconds in you lose me", [90]),
    ("at 7.5 min into it", [450]),
    ("from 2m30s on", [150]),
    ("https://example.org/v?t=1h2m3s", [3723]),
    ("5:30-6:10 confuses me", [330, 370]),
    ("@0:05 and 00:06", [5, 6]),
]
NOT_CITED = [
    "class is at 10:30 pm", "10:30 a.m. is early", "a ratio of 3:45", "a map of scale 1:50 000", "1:25,000",
    "the cross gives 9:3:3:1", "posted 2020-01-01 10:32:15", "60 minutes in an hour", "10:75", "minus 5", "section 4",
    "it takes 5 minutes to boil", "",
]  # fmt: skip


@pytest.mark.parametrize(("text", "seconds"), CITED)
def test_times_that_a_text_cites(text, seconds):
    assert [time for _, time in cited_times(text)] == seconds


@pytest.mark.parametrize("text", NOT_CITED)
def test_numbers_that_are_no_times(text):
    assert cited_times(text) == []


def test_the_quick_look_misses_no_time():
    texts = pa.array([text for text, _ in CITED])
    assert pc.all(pc.match_substring_regex(texts, MAY_CITE)).as_py()


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [(0, 5, 1.0), (12, 30, 2.0), (30, 40, 2.0), (31, 40, 3.0), (45, 90, 3.0), (25, 27, 2.0), (35, 35, 2.0)],
)
def test_the_time_inside_wins_then_the_nearest_then_the_earlier(start, end, expected):
    assert nearest_time([(10, 1.0), (20, 2.0), (50, 3.0)], start, end) == expected


def test_no_time_at_all():
    assert nearest_time([], 0, 10) is None
