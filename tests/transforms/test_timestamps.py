import pyarrow as pa
import pyarrow.compute as pc
import pytest

from transforms.timestamps import MAY_CITE, Time, cited_times, nearest_time

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
    ("at about 3 min 20 sec, is it a typo", [200]),
    ("at 3 minutes and 20 seconds, he errs", [200]),
    ("at 8min, why is it red", [480]),
    ("At 4 mins does he stop", [240]),
    ("at 50 seconds what is drawn", [50]),
    ("at 2 minutes in the video", [120]),
    ("around the 9th minute he stops", [540]),
    ("in the 2nd minute", [120]),
    ("at 1 hour 10 minutes in, he ends", [4200]),
    ("1 hr and 2 min into it", [3720]),
    ("https://example.org/watch?v=a&t=75 shows it", [75]),
    ("https://example.org/a?t=632s", [632]),
    ("5 minutes in you lose me", [300]),
    ("the 0:10 - 0:20 part", [10, 20]),
    ("5:15: where does the minus come from", [315]),
    ("@ about 4 min., why mass", [240]),
    ("at 5min30s he errs", [330]),
]
NOT_CITED = [
    "class is at 10:30 pm", "10:30 a.m. is early", "a ratio of 3:45", "a map of scale 1:50 000", "1:25,000",
    "the cross gives 9:3:3:1", "posted 2020-01-01 10:32:15", "60 minutes in an hour", "10:75", "minus 5", "section 4",
    "it takes 5 minutes to boil", "", "we meet at 9:30 on Monday", "10:30 am or 11:00", "from 9:00 to 10:15 pm",
    "mix it 1:10", "diluted 1:20", "John 3:16", "odds are 3:10", "3:10 odds", "12:00 noon", "at 14:05 hours",
    "every 10 minutes in sunlight", "bake 5 minutes in the oven", "per minute 5 liters", "T -0:05", "-0:05",
    "what is the speed at 5 seconds", "at 5 minutes per page", "20 minutes in the future", "every 10th minute", "t=5",
    "at 5 minus he", "7:15 tomorrow", "at 5 minutes the reaction ends",
    "at 14:30 UTC", "the deadline is 23:59", "due by 12:00", "takes 5min 30s",
]  # fmt: skip


@pytest.mark.parametrize(("text", "seconds"), CITED)
def test_times_that_a_text_cites(text, seconds):
    assert [time.seconds for time in cited_times(text)] == seconds


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
    times = [Time(10, 10, 1.0), Time(20, 20, 2.0), Time(50, 50, 3.0)]
    assert nearest_time(times, " " * 90, start, end) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(0:45) why? (1:30) Because.", 45),  # how long the time itself is does not count
        ("(0:45) why?\n(1:30) Because.", 45),
        ("0:45 He adds a constant here. why?\n1:30 He takes it away.", 45),
        ("0:45 He adds.\nIt is odd.\nBut why? It is as at 1:30 again.", 90),
        ("0:45\nHe adds a constant here. why?\n1:30", 90),
    ],
)
def test_a_time_in_the_line_of_the_question_is_nearer_than_one_in_another(text, expected):
    start = text.index("why")
    assert nearest_time(cited_times(text), text, start, start + len("why?")) == expected


def test_no_time_at_all():
    assert nearest_time([], "Why is it?", 0, 10) is None
