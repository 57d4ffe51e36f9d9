"""Captions of every format, and what goes wrong in them."""

import json

import pytest

from crawlers.captions import parse_captions
from crawlers.page import PageError
from transforms.captions import captions

LINES = [{"start": 1.2, "text": "Let's begin."}, {"start": 61.5, "text": "A ball falls."}]
FILES = {
    "webvtt": """\ufeffWEBVTT - a title
Kind: captions

NOTE this is not shown

STYLE
::cue { color: red }

first
00:01.200 --> 00:04.374 align:start
Let&#39;s <c.yellow>begin</c>.

00:01:01.500 --> 00:01:04.000
<v Ann>A ball
falls.
""",
    "srt": "1\r\n00:00:01,200 --> 00:00:04,374\r\nLet's <i>begin</i>.\r\n\r\n"
    "2\r\n00:01:01,500 --> 00:01:04,000\r\n{\\an8}<font color=red>A ball</font>\r\nfalls.\r\n",
    "srt without numbers": "0:00:01,200 --> 0:00:04,374\nLet's begin.\n\n00:01:01,500 --> 00:01:04,000\nA ball falls.",
    "srt without gaps": "1\n0:00:01.200 --> 0:00:04.374\nLet's begin.\n2\n0:01:01.500 --> 0:01:04.0\nA ball falls.\n",
    "sjson": json.dumps({"start": [1200, 61500], "end": [4374, 64000], "text": ["Let&#39;s begin.", "A ball\nfalls."]}),
    "subtitles": json.dumps(
        [{"startTime": 61500, "endTime": 64000, "text": "A ball falls.", "kaIsValid": True},
         {"startTime": 1200, "endTime": 4374, "text": "Let's begin.", "kaIsValid": True},
         {"startTime": 9000, "endTime": 9374, "text": "Spam", "kaIsValid": False}]
    ),
    "list": json.dumps([{"start": 1.2, "text": "Let's begin."}, {"start": 61.5, "text": "A ball falls."}]),
    "json3": json.dumps(
        {"events": [{"tStartMs": 0}, {"tStartMs": 1200, "segs": [{"utf8": "Let's "}, {"utf8": "begin."}]},
                    {"tStartMs": 61500, "segs": [{"utf8": "A ball falls."}]}]}
    ),
    "timedtext v1": '<?xml version="1.0" encoding="utf-8"?><transcript><text start="1.2">Let&amp;#39;s begin.</text>'
    '<text start="61.5">A ball\nfalls.</text></transcript>',
    "timedtext srv3": '<timedtext format="3"><body><p t="1200" d="3174"><s>Let\'s</s><s t="9"> begin.</s></p>'
    '<p t="61500">A ball falls.</p></body></timedtext>',
    "ttml": '<tt xmlns="http://www.w3.org/ns/ttml"><body><div><p begin="00:00:01.200">Let\'s begin.</p>'
    '<p begin="61.5s">A ball falls.</p></div></body></tt>',
}  # fmt: skip


@pytest.mark.parametrize("name", FILES)
def test_every_format_gives_the_same_cues(name: str) -> None:
    found = captions(parse_captions(FILES[name]))
    assert [{"start": cue["start"], "text": cue["text"]} for cue in found] == LINES


@pytest.mark.parametrize(
    ("text", "end"),
    [(FILES["webvtt"], 4.374), (FILES["srt"], 4.374), (FILES["sjson"], 4.374), (FILES["subtitles"], 4.374),
     (FILES["timedtext srv3"], 4.374),
     ('{"events": [{"tStartMs": 1, "dDurationMs": 9, "segs": [{"utf8": "a"}]}]}', 0.01),
     ('<transcript><text start="1.5" dur="2">a</text></transcript>', 3.5),
     ('<tt><body><p begin="1s" end="00:00:02.5">a</p></body></tt>', 2.5),
     ('[{"start": 1, "end": "later", "text": "a"}]', None), ('{"start": [1], "end": [null], "text": ["a"]}', None)],
)  # fmt: skip
def test_the_end_of_a_cue_is_read_and_missed_by_nobody(text: str, end: float | None) -> None:
    assert parse_captions(text)[0].get("end") == end


def test_blank_lines_within_cues_of_srt_lose_no_words() -> None:
    text = "1\n00:00:01,000 --> 00:00:02,000\n\nWe push.\n\nIt moves.\n\n2\n\n00:00:03,000 --> 00:00:04,000\n42\n\n"
    said = "1984\n\n3\n00:00:09,000 --> 00:00:10,000\nA year."
    cues = captions(parse_captions(f"{text}00:00:05,000 --> 00:00:06,000\n{said}"))
    assert [(cue["start"], cue["text"]) for cue in cues] == [
        (1.0, "We push. It moves."), (3.0, "42"), (5.0, "1984"), (9.0, "A year."),
    ]  # fmt: skip
    note = "WEBVTT\n\n00:01.000 --> 00:02.000\nWe push.\n\nNOTE no cue\n\n00:03.000 --> 00:04.000\nIt moves."
    assert [cue["text"] for cue in parse_captions(note)] == ["We push.", "It moves."]


def test_frames_of_ttml_are_no_seconds() -> None:
    text = '<tt xmlns="http://www.w3.org/ns/ttml"><body><div><p begin="00:01:02:12">It moves.</p></div></body></tt>'
    assert parse_captions(text) == [{"start": 62.0, "text": "It moves."}]


def test_line_break_in_xml_parts_words() -> None:
    ttml = '<tt xmlns="http://www.w3.org/ns/ttml"><body><p begin="1s">A ball<br/>falls.</p></body></tt>'
    assert parse_captions(ttml) == [{"start": 1.0, "text": "A ball falls."}]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no_captions"),
        ("WEBVTT\n\nNOTE nothing", "no_captions"),
        ("WEBVTT\n\n00:01.000 --> 00:02.000\n\n", "no_captions"),
        ("<html><body>Sign in</body></html>", "no_captions"),
        ('{"start": [1', "bad_json"),
        ('{"captions": []}', "no_captions"),
        ('[{"text": "x"}]', "no_captions"),
        ('{"start": ["x"], "text": ["y"]}', "no_captions"),
        ("<transcript><text start='x'>y</text></transcript>", "no_captions"),
        ("<transcript>", "bad_xml"),
        ('<!DOCTYPE a [<!ENTITY b "c">]><transcript><text start="1">&b;</text></transcript>', "xml_doctype"),
        ("[" * 100_000, "bad_json"),
    ],
)
def test_file_without_captions_is_an_error_with_a_reason(text: str, reason: str) -> None:
    with pytest.raises(PageError) as caught:
        parse_captions(text, "a.vtt")
    assert caught.value.reason == reason
    assert "a.vtt" in str(caught.value)


def test_hostile_text_is_read_in_little_time() -> None:
    for body in (
        "<" * 100_000,
        "{\\" * 100_000,
        "0" * 100_000,
        "00:" * 50_000,
        "<a b=" * 20_000,
        "<v " * 33_000,
        " " * 100_000,
        "--" * 50_000,
    ):
        cues = captions(parse_captions(f"WEBVTT\n\n00:01.000 --> 00:02.000\nx {body}\n\n00:03.000 --> 00:04.000\ny"))
        assert cues[0]["start"] == 1.0
