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
    ("at 10m32 he says", [632]),
    ("At 5min20, why", [320]),
    ("minute 1 and 30 seconds", [90]),
    ("at sec 45 he stops", [45]),
    ("2-3 minutes into the video", [120, 180]),
    ("at 19s he says", [19]),
    ("At 2m he says", [120]),
    ("(3min 20s) why", [200]),
    ("@2.15 why", [135]),
    ("at 12'30'' he says", [750]),
    ("at 2m in", [120]),
    ("At second 45 he", [45]),
    ("minute 5 and 6", [300]),
    ("at 1.37 he says", [97]),
    ("(12'30'') why", [750]),
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
    "ran 800 m in 2:05", "The clip is 12:30 long", "Boil it for 10:00 minutes", "every 5:30", "ratio 3:45 or 4:45",
    "Mix it 1:20 with water? or 1:10?", "Is 2:1 or 1:20 the right ratio", "Office hours are 14:00-15:30",
    "Quiz closes at 23:59", "exam is on 3/4 at 10:30", "at 11:30 last night", "lecture starts at 14:00",
    "marathon record is 2:00:35", "at 10:32 this morning", "class starts at 9:15 every day",
    "left at 8:45 and arrived at 9:30", "I left at 8:45 and arrived at 9:30", "score was 3:21",
    "If school starts at 8:00, why do students who sleep until 7:30 feel so tired?",
    "When the train leaves at 9:15 it meets the other one at 9:45", "The video is 12:30 minutes long",
    "I wake up at 6:30", "the store opens at 8:30 and closes at 20:00",
    "A car leaves town at 9:15 and a bus leaves at 10:05. When do they meet?", "The 19th, 23:59. Ignore the mail.",
    "Sunday, 23:59.", "edited Feb 14 at 1:31", "Is it 8:15 or 9:15 every day?", "The match ended 3:15 last night",
    "he ran it in 2:05 and I in 2:10", "Maria left home at 8:45", "the meeting was at 10:30",
    "until March 10th at 20:00:00Z UTC, or 3:00 pm", "low water 06:10, high water 12:20", "2015:08:11 11:34:59",
    "the lab starts at 9:30", "at 2m the ball has what energy?", "what is the speed at 19s", "apples @2.15 each",
    "he is 5'11'' tall", "at 1.37 it seems", "takes (5min)", "the second 5 N force", "At 3.5 s he stops", "@ 2.5 m",
]  # fmt: skip
# What the words around might make one take for another clock.
OF_THE_VIDEO = [
    "At 3:45 he says", "around 5:20", "3:05 - why is it", "(2:10)", "when he starts at 2:30 to explain",
    "starting from 4:20", "until 6:10 I understood everything", "the example starts at 4:20",
    "The lecture starts at 2:10 for real", "Where did the h+ come from at 12:30 ?",
    "at 8:50 when grandmother deposited the cash", "at 5:50 , can we say that the ratio of c to o",
    "why is in 6:08 the ac=g=9.8", "in 2:05 he says i will", "at 0:30 seconds how did the barriers vanish ?",
    "from 0:47 to 0:48 , sal says", "Thanks for 3:45 , great", "At 3:45 the ratio is wrong, why?",
    "at 7:59 , what is the difference between", "how did he arrive at 3:45 at that?",
    "The electron leaves at 3:45, why?", "class, at 3:45 why is it so",
    "the switch closes at 3:45 in the circuit, why?", "for 2:30 in the video, why?",
    "Is it 3:45 or 4:10 where he errs?", "Sal runs the program at 3:45", "does he mean the same at 1:15 and at 2:40?",
    "what is it at 4:46 - 5:08 ?", "the curve ends at 3:45 what then", "At 3:45 the bus leaves, why?",
    "what is the long word at 5:05 and is it right", "I got lost at 3:45", "It was at 3:45 that I got lost",
    "there are 4 at 3:45 and 5 at 4:45", "when Sal gets to 3:45", "at 2:15 sal mentions plan 17",
    "I was wondering why 1:40 is like that", "At 9:40 does class matter?",
]  # fmt: skip


@pytest.mark.parametrize(("text", "seconds"), CITED)
def test_times_that_a_text_cites(text, seconds):
    assert [time.seconds for time in cited_times(text)] == seconds


@pytest.mark.parametrize("text", OF_THE_VIDEO)
def test_clocks_that_are_times_of_the_video(text):
    assert len(cited_times(text)) == text.count(":")


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
