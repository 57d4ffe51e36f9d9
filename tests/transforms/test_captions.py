"""Captions of any source: their times, and what is shown but not said."""

from typing import Any

import pytest

from transforms.captions import captions
from transforms.fields import BadField

SAID = ("The moon pulls on the ocean.", "The near side is pulled harder.", "So the water there bulges towards it.")


def starts(*values: Any, name: str = "start") -> list[Any]:
    return [cue["start"] for cue in captions([{name: v, "text": t} for v, t in zip(values, SAID, strict=False)])]


@pytest.mark.parametrize("first", [4, 4.0, "4", "0:04", "00:00:04,000", "00:00:04:12", "4.0s", "4000ms", "PT4S",
                                   "00:00:04.000 --> 00:00:07.000 align:start"])  # fmt: skip
def test_starts_as_exports_write_them(first: Any) -> None:
    assert starts(first, "1:10") == [4.0, 70.0]


def test_starts_as_sites_name_them() -> None:
    for name in ("startTime", "start_time", "begin"):
        assert starts(1, 4, name=name) == [1.0, 4.0]


def test_ends_as_exports_write_them() -> None:
    ends = ({"end": 3}, {"endTime": "0:03"}, {"duration": 2}, {"start": "0:01 --> 0:03"})
    for end in ends:
        assert captions([{"start": 1, "text": "One."} | end, {"start": 9, "text": "Two."}])[0]["end"] == 3.0
    before = [{"start": 1, "end": 0.5, "text": "One."}, {"start": 9, "end": "?", "text": "Two."}]
    assert [cue["end"] for cue in captions(before)] == [None, None]


def test_plain_numbers_are_milliseconds_when_nobody_would_speak_that_slowly() -> None:
    assert starts(0, 5500, 11000) == starts("0", "5500", "11000") == [0.0, 5.5, 11.0]
    cues = [{"start": 6000 * n, "duration": 3900, "text": text} for n, text in enumerate(SAID)]
    assert captions(cues)[1] == {"start": 6.0, "end": 9.9, "text": SAID[1]}


@pytest.mark.parametrize("slow", [(0, 60, 150), (0, 3500, 8000), ("0:00", "1:58:20", "3:13:20")])
def test_a_slow_video_stays_one(slow: tuple[Any, ...]) -> None:
    assert starts(*slow)[1] >= 60


def test_a_start_that_no_video_has_is_none() -> None:
    assert starts(0, 4, 1e12) == [0.0, 4.0, 4.0]
    assert starts(1, float("nan"), "soon") == [None, None, None]


def test_captions_without_different_starts_have_no_times() -> None:
    for values in ((0, 0, 0), (None, None, None), ("a", "b", "c"), (None, 7, None)):
        assert starts(*values) == [None, None, None]
    assert captions([{"text": "One."}, {"start": 3, "text": " "}]) == [{"start": None, "end": None, "text": "One."}]


def test_order_and_equal_starts() -> None:
    assert starts(9, 0, 9) == [0.0, 9.0, 9.0]
    assert starts(3, "?", -2) == [0.0, 3.0, 3.0]


@pytest.mark.parametrize(
    ("shown", "said"),
    [
        ("If x < 3 and y > 2, stop.", "If x < 3 and y > 2, stop."),
        ("If x &lt; 3 and y &gt; 2, stop.", "If x < 3 and y > 2, stop."),
        ("where a<b and c>d holds", "where a<b and c>d holds"),
        ('<v.loud Ann><font color="#fff" size=2>We <00:00:01.500>go</font>', "We go"),
        ("<v Roger Bingham>We are here", "We are here"),
        ("<lang en><B>now</B></lang> <c>here</c>", "now here"),
        ("one<br>two<br />three", "one two three"),
        ("{\\an8}It&#39;s a &lt;b&gt;rock&lt;/b&gt;.", "It's a rock."),
        (">> TEACHER: Well, it rises. >> Why?", "Well, it rises. Why?"),
        ("- Why?\n- Because.", "Why? Because."),
        ("- 5 plus x >> 2 is", "- 5 plus x >> 2 is"),
        ("[upbeat music] Hello (laughs)", "Hello"),
        ("the interval [0, 1] (see x)", "the interval [0, 1] (see x)"),
    ],
)
def test_what_is_shown_and_not_said_is_taken_off(shown: str, said: str) -> None:
    assert captions([{"text": shown}])[0]["text"] == said


def test_what_is_only_heard_is_no_caption() -> None:
    assert captions([{"start": 1, "text": "♪ (music) ♪"}]) == []


def test_rolling_captions_say_everything_once() -> None:
    shown = ["so the ball falls", "so the ball falls\nand then it stops", "and then it stops",
             "and then it stops\nat once", "no", "no wait"]  # fmt: skip
    found = captions([{"start": n, "text": text} for n, text in enumerate(shown)])
    assert [(cue["start"], cue["text"]) for cue in found] == [
        (0.0, "so the ball falls"), (1.0, "and then it stops"), (3.0, "at once"), (4.0, "no"), (5.0, "no wait"),
    ]  # fmt: skip


def test_what_is_no_list_of_captions() -> None:
    for wrong in ("0:01 Hello", ["Hello"], {"start": 1}):
        with pytest.raises(BadField, match="captions"):
            captions(wrong)
