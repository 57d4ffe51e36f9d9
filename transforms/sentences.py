"""Cut lessons into sentences; captions become sentences that know when they are spoken."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, pairwise
from operator import itemgetter
from typing import Any, NamedTuple

import sentencex

from transforms.openers import OPENER
from transforms.result import Ledger, Params, Result, Tables

_BLANK_LINES = re.compile(r"\n\s*\n")
_SPACE = re.compile(r"\s+")
_WORDS_PER_SECOND = 2.0  # slow speech
_LONGEST_SPOKEN = 400  # characters, some 70 words: half a minute


def words(listed: str) -> frozenset[str]:
    """The set of the words in a text, for lists that read better as text."""
    return frozenset(listed.split())


# Abbreviations that the splitter does not know, and units that the sentence goes on behind: "1 kg. of water".
_TITLES = words("Ms")
_ABBREVIATIONS = words(
    "abs alg ans approx assoc avg calc ch chap chem coeff const cor def deg denom dept eq eqn eqns eqs esp est ex excl "
    "exs figs freq geom govt ht incl inst intl lem max misc natl num orig para phys press prob probs prop qn ques resp "
    "soln std temp thm trig vel vol vols wt"
)
_UNITS = words(
    "g kg mg m cm mm km nm µm l ml cl J kJ N W kW K C F lb lbs oz ft in yd yds mi h hr hrs min mins s sec secs mol "
    "yr yrs"
)
_OPENER = re.compile(rf"\s+{OPENER}")
_GOES_ON = re.compile(
    r"\s+(?:of|per|in|at|and|or|to|from|with|for|on|by|than|each|long|wide|tall|high|deep|thick|heavy|apart|away|later|"
    r"more|less|times)\b"
)

# A name with a full stop inside: ASP.NET, Socket.IO; but not "It is red.WHY is it red?"
_INSIDE_NAME = re.compile(rf"\.(?=[A-Z][A-Z\d]{{1,3}}\b)(?!(?i:{OPENER}))")


def _shield(text: str) -> str:
    """The text with those full stops replaced by a letter that the splitter passes over."""
    if _INSIDE_NAME.search(text):
        text = _INSIDE_NAME.sub("x", text)
    dot = text.find(". ")
    while dot >= 0:
        word = text[max(0, dot - 12) : dot].rpartition(" ")[2].lstrip("([\"'")
        if _is_abbreviation(text, word, dot) or _is_unit(text, word, dot):
            text = f"{text[:dot]}x{text[dot + 1 :]}"
        dot = text.find(". ", dot + 1)
    return text


def _is_abbreviation(text: str, word: str, dot: int) -> bool:
    return word in _TITLES or (word.lower() in _ABBREVIATIONS and not _OPENER.match(text, dot + 1))


def _is_unit(text: str, word: str, dot: int) -> bool:
    unit = word.lstrip("0123456789.,/-")
    if unit not in _UNITS:
        return False
    counted = len(unit) < len(word) or text[max(0, dot - len(word) - 2) : dot - len(word) - 1].isdigit()
    return counted and _GOES_ON.match(text, dot + 1) is not None


# The splitter takes quadratic time on hostile lines, so it sees at most this many characters at once.
_WINDOW = 8000
_SAFE_CUT = re.compile(r"[^\W\d_]{3}[.?!][\"'”’)]*\s+")


def pieces(text: str, language: str = "en") -> list[str]:
    """The sentences of one line or paragraph; joined, they give exactly the text."""
    if len(text) > _WINDOW:
        return [piece for window in _windows(text) for piece in pieces(window, language)]
    shielded = _shield(text)
    found: list[str] = sentencex.segment(language, shielded)
    if shielded is text:
        return found
    cut, position = [], 0
    for sentence in found:
        cut.append(text[position : position + len(sentence)])
        position += len(sentence)
    return cut


def _windows(text: str) -> Iterator[str]:
    """Stretches of bounded length that end with a sentence where there is one, else at a blank."""
    start = 0
    while len(text) - start > _WINDOW:
        stop = start + _WINDOW
        cuts = [match.end() for match in _SAFE_CUT.finditer(text, stop - 2000, stop)]
        end = cuts[-1] if cuts else max(text.rfind(" ", start, stop) + 1, start + _WINDOW // 2)
        yield text[start:end]
        start = end
    yield text[start:]


def split(text: str, language: str = "en") -> list[str]:
    """The sentences of a text: paragraphs first, then the splitter inside each; white space folded."""
    found: list[str] = []
    for paragraph in _BLANK_LINES.split(text):
        folded = _SPACE.sub(" ", paragraph).strip()
        if folded:
            found.extend(s.strip() for s in pieces(folded, language) if s.strip())
    return found


class Spoken(NamedTuple):
    """A sentence of captions, and when it is spoken."""

    text: str
    start: float
    end: float


def timed(captions: Iterable[dict[str, Any]], language: str = "en") -> list[Spoken]:
    """Sentences of captions with the seconds in which they are spoken.

    Captions break sentences anywhere, so they are joined first; a sentence that begins or ends inside a caption does
    so after the same share of the caption's time as of its letters.
    """
    cues = _cues(captions)
    if not cues:
        return []
    text = " ".join(words for words, _ in cues)
    places = [0, *accumulate(len(words) + 1 for words, _ in cues)]
    seconds = [start for _, start in cues]
    gaps = [later - earlier for earlier, later in pairwise(seconds)]
    # Nothing follows the last caption: it lasts as long as its words need, or as the longest before it.
    seconds.append(seconds[-1] + max([len(cues[-1][0].split()) / _WORDS_PER_SECOND, *gaps]))

    def clock(place: int) -> float:
        cue = bisect_right(places, place) - 1
        if cue == len(cues):
            return seconds[-1]
        share = (place - places[cue]) / (places[cue + 1] - places[cue])
        return round(seconds[cue] + share * (seconds[cue + 1] - seconds[cue]), 3)

    found, position = [], 0
    for sentence in split(text, language):
        position = max(text.find(sentence, position), position)
        for begin, end in _breaths(places, position, position + len(sentence)):
            found.append(Spoken(text[begin:end].strip(), clock(begin), clock(min(end + 1, places[-1]))))
        position += len(sentence)
    return found


def _cues(captions: Iterable[dict[str, Any]]) -> list[tuple[str, float]]:
    """Words and start of each caption, in order; those that share a start are one."""
    cues: list[tuple[str, float]] = []
    for caption in sorted(captions, key=itemgetter("start")):
        words, start = _SPACE.sub(" ", caption["text"]).strip(), float(caption["start"])
        if words and cues and cues[-1][1] == start:
            cues[-1] = (f"{cues[-1][0]} {words}", start)
        elif words:
            cues.append((words, start))
    return cues


def _breaths(places: list[int], begin: int, end: int) -> Iterator[tuple[int, int]]:
    """The stretch from `begin` to `end`, cut between captions where it is longer than anybody speaks in one sentence.

    Automatic captions have no full stops: their whole text would be one sentence.
    """
    while end - begin > _LONGEST_SPOKEN:
        cut = places[bisect_right(places, begin + _LONGEST_SPOKEN) - 1]
        if cut <= begin:  # one long caption
            cut = places[bisect_right(places, begin)]
        if cut >= end:
            break
        yield begin, cut - 1
        begin = cut
    yield begin, end


def split_lessons(inputs: Tables, params: Params, model: object = None) -> Result:
    """Input: lessons. Output: sentences. Rejects: `no_text` (the lesson itself stays)."""
    ledger = Ledger("sentences")
    for lesson in inputs["lessons"].sort_by("lesson_id").to_pylist():
        lesson_id, language = lesson["lesson_id"], lesson["language"]
        found: Sequence[tuple[str, float | None, float | None]]
        if lesson["captions"]:
            found = timed(lesson["captions"], language)
        else:
            found = [(sentence, None, None) for sentence in split(lesson["text"], language)]
        for number, (text, start, end) in enumerate(found):
            row = {"lesson_id": lesson_id, "sentence_no": number, "text": text}
            ledger.add("sentences", {**row, "start_seconds": start, "end_seconds": end})
        if found:
            ledger.keep(lesson_id)
        else:
            ledger.reject(lesson_id, lesson_id, "no_text", text=lesson["title"])
    return ledger.result("sentences")
