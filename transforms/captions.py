"""Captions of every source, as they are spoken: times read, markup and what rolls on the screen taken off."""

import html
import re
from itertools import pairwise
from statistics import median
from typing import Any

from transforms import clocks
from transforms.fields import BadField, text

Cue = dict[str, Any]

# The names that players and sites give to a time.
_STARTS = ("start", "startTime", "start_time", "begin")
_ENDS = ("end", "endTime", "end_time")
_LENGTHS = ("duration", "dur")
_ARROW = re.compile(r"\s{0,9}--?>\s{0,9}")
_LONGEST_VIDEO = 86_400  # seconds; a later start is an error, or a time of day
_LONGEST_LESSON = 10_800  # seconds; titles of chapters, read as milliseconds, would be spoken at a good pace too
_PACES = (0.5, 8.0)  # words a second: from a lecture with long silences to an auctioneer's

# Styles, voices, times; `x < 3 and y > 2` is none of them, and neither is `a<b and c>d`.
_ATTRIBUTE = r"""\s{1,9}[\w:-]{1,40}=(?:"[^"<>]{0,200}"|'[^'<>]{0,200}'|[^\s"'<>]{1,200})"""
_MARKUP = re.compile(
    rf"</?[a-z][\w.-]{{0,99}}(?:{_ATTRIBUTE}){{0,9}}\s{{0,9}}/?>|<(?:v|lang)(?:\.[\w.-]{{1,99}})?\s[^<>]{{0,200}}>"
    r"|<[0-9:.]{5,12}>|\{\\[^{}]{0,200}\}",
    re.IGNORECASE,
)
_BREAK = re.compile(r"</?(?:[a-z]{1,9}:)?br\s{0,9}/?>", re.IGNORECASE)
# A new speaker: ">> TEACHER: Well", "- Why?"; but not "x >> 2" and "- 5".
_SPEAKER = re.compile(
    r"(?:^|(?<=[.?!]\s))[^\S\n]{0,9}(?:>>+[^\S\n]{0,9}(?:[A-Z][A-Z0-9 .'’-]{0,40}:\s?)?|[-–]\s(?=[\"“\[(♪]?[A-Z♪\[(]))",
    re.MULTILINE,
)
# What is heard and not said.
_HEARD = re.compile(
    r"[♪♫♬🎵🎶]+|[\[(](?:[\w'’-]{1,20} ){0,3}(?:music|applause|applauds?|laugh(?:s|ing|ter)?|chuckl(?:es|ing)"
    r"|cheer(?:s|ing)|cough(?:s|ing)|sighs?|silence|noises?|sounds?|inaudible|unintelligible|crosstalk|blank_audio)"
    r"(?: [\w'’-]{1,20}){0,3}[\])]",
    re.IGNORECASE,
)
_SPACES = re.compile(r"\s+")
_MIN_OVERLAP, _MAX_OVERLAP = 3, 60  # words
# Chinese and Japanese put no blanks between words; a sign stands for half of one or more.
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|[^\s\u3040-\u30ff\u3400-\u9fff]+")


def captions(value: Any) -> list[Cue]:
    """Captions `{start, end, text}` in order of their start; equal starts stay as they were listed.

    A caption without a start that can be read begins with the one before it: what is said is not lost for that. If no
    two differ in their starts, nothing tells when anything is said, and every start and end is None.
    """
    if not value:
        return []
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise BadField("captions is not a list of {start, text}")
    cues = [{**_times(item), "text": clean(text(item, "text"))} for item in value]
    cues = _timed([cue for cue in cues if cue["text"]], 0.001 if _in_milliseconds(value, cues) else 1.0)
    return unrolled(cues)


def count_words(said: str) -> int:
    """How many words there are to speak."""
    return len(_WORD.findall(said))


def _times(item: Cue) -> Cue:
    start = next((item[name] for name in _STARTS if item.get(name) is not None), None)
    end = next((item[name] for name in _ENDS if item.get(name) is not None), None)
    if isinstance(start, str) and len(parts := _ARROW.split(start[:80], maxsplit=1)) == 2:
        start, end = parts[0], parts[1].partition(" ")[0]
    begins, ends = clocks.seconds(start), clocks.seconds(end)
    length = next((found for name in _LENGTHS if (found := clocks.seconds(item.get(name))) is not None), None)
    if ends is None and begins is not None and length is not None:
        ends = begins + length
    return {"start": begins, "end": ends}


def _in_milliseconds(items: list[Cue], cues: list[Cue]) -> bool:
    """Whether plain numbers are milliseconds: as seconds, nobody would speak that slowly, and for so long."""
    if any(clocks.number(item[name]) is None for item in items for name in _STARTS if item.get(name) is not None):
        return False
    known = sorted((cue["start"], count_words(cue["text"])) for cue in cues if cue["start"] is not None and cue["text"])
    paces = [said / (later - earlier) for (earlier, said), (later, _) in pairwise(known) if later > earlier]
    if not paces or known[-1][0] <= _LONGEST_LESSON:
        return False
    pace: float = median(paces) * 1000
    return _PACES[0] <= pace <= _PACES[1]


def _timed(cues: list[Cue], unit: float) -> list[Cue]:
    """The captions by their starts in seconds, with the ends that can be true; all without times if they have none."""
    for cue in cues:
        start, end = (None if cue[name] is None else round(cue[name] * unit, 3) for name in ("start", "end"))
        cue["start"] = None if start is None or start > _LONGEST_VIDEO else max(start, 0.0)
        cue["end"] = end if cue["start"] is not None and end is not None and start < end <= _LONGEST_VIDEO else None
    if len({cue["start"] for cue in cues} - {None}) < 2:
        return [cue | {"start": None, "end": None} for cue in cues]
    before = 0.0
    for cue in cues:
        before = cue["start"] = before if cue["start"] is None else cue["start"]
    return sorted(cues, key=lambda cue: cue["start"])


def clean(shown: str) -> str:
    """One line of spoken words: markup gone, entities resolved (real files hold `&#39;`, even escaped twice)."""
    plain = _MARKUP.sub("", _BREAK.sub("\n", html.unescape(html.unescape(shown))))
    return _SPACES.sub(" ", _HEARD.sub(" ", _SPEAKER.sub("", plain))).strip()


def unrolled(cues: list[Cue]) -> list[Cue]:
    """Rolling captions repeat what was shown before: keep only the words that are new."""
    kept: list[Cue] = []
    shown: list[str] = []
    for cue in cues:
        words = cue["text"].split()
        new = words[_overlap(shown, words) :]
        if new and words != shown:
            kept.append(cue | {"text": " ".join(new)})
        shown = words
    return kept


def _overlap(shown: list[str], words: list[str]) -> int:
    """How many words at the end of one cue begin the next; one or two may truly be said twice."""
    longest = min(len(shown), len(words), _MAX_OVERLAP)
    return next((size for size in range(longest, _MIN_OVERLAP - 1, -1) if shown[-size:] == words[:size]), 0)
