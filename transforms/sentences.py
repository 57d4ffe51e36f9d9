"""Cut lessons into sentences; captions become sentences that know when they are spoken."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, pairwise
from operator import itemgetter
from statistics import median
from typing import Any, NamedTuple

import sentencex

from transforms.captions import count_words
from transforms.openers import OPENER
from transforms.paragraphs import blocks
from transforms.result import Ledger, Params, Result, Tables
from transforms.stretches import stretches

_SPACE = re.compile(r"\s+")
_WORDS_PER_SECOND = 2.0  # slow speech


def words(listed: str) -> frozenset[str]:
    """The set of the words in a text, for lists that read better as text."""
    return frozenset(listed.split())


# Abbreviations that the splitter does not know, and units that the sentence goes on behind: "1 kg. of water".
_TITLES = words("Ms")
_ABBREVIATIONS = words(
    "abs alg ans approx assoc avg calc ch chap chem coeff const cor cu def deg denom dept eq eqn eqns eqs esp "
    "est ex excl exs figs freq geom govt ht incl inst intl lem max misc natl num orig para phys pol press prob "
    "probs prop qn ques resp soln sq std temp thm trig vel vol vols wt"
)
_UNITS = words(
    "g kg mg m cm mm km nm µm l L ml cl J kJ N W kW K C F lb lbs oz ft in yd yds mi h hr hrs min mins s sec secs mol "
    "yr yrs"
)
_POWERS = ("sq. ", "cu. ", "sqx ", "cux ")  # `x` where a full stop was shielded
_OPENER = re.compile(rf"\s+{OPENER}")
_GOES_ON = re.compile(
    r"\s+(?:of|per|in|at|and|or|to|from|with|for|on|by|than|each|long|wide|tall|high|deep|thick|heavy|apart|away|later|"
    r"more|less|times)\b"
)

# A name with a full stop inside: ASP.NET, Socket.IO; but not "It is red.WHY is it red?" And a pattern: .* or .+
_INSIDE_NAME = re.compile(rf"\.(?:(?=[A-Z][A-Z\d]{{1,3}}\b)(?!(?i:{OPENER}))|(?<!\w\.)(?=[*+](?![*]|[^\W_])))")


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
    before = text[max(0, dot - len(word) - 13) : dot - len(word)].lower()
    power = before.endswith(_POWERS)  # 5 cu. ft. of water
    if "how many " in before and text[dot + 2 : dot + 3].islower():
        return True
    if power and _OPENER.match(text, dot + 1) is None:
        return True
    counted = power or len(unit) < len(word) or before[-2:-1].isdigit()
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


# What ends in a letter that names something, before the next sentence: "solve it for y. Now", "vitamin C. It". The
# splitter takes the letter for an initial, as in "Franklin D. Roosevelt".
_NAMED = (
    r"[Vv]itamin|[Hh]epatitis|[Oo]ption|[Aa]nswer|[Tt]ype|[Pp]lan|[Pp]oint|[Cc]lass|[Gg]roup|[Cc]hoice|[Ff]igure|[Pp]art"
    r"|[Ss]ide|[Aa]ngle|[Vv]ector|[Vv]ariable|[Cc]ase|[Tt]eam|[Gg]rade|[Ss]ection|[Aa]ppendix|[Bb]ox|[Ll]etter"
)
_LETTER_END = re.compile(
    rf"(?<=[^\s.!?:;][\s(=+*/^-])[A-Za-z]\.(?:(?=\s+{OPENER})(?!\s+[AI]\.)"
    r"|(?<=[^A-Z\W][\s=+*/^-][a-z]\.)(?<!\bv\.)(?=\s+[A-Z][a-z])"
    r"|(?<=\d\s[NJWKCFVA]\.)(?<!\b(?:1[5-9]|20)\d\d\s[NJWKCFVA]\.)(?=\s+[A-Z][a-z]))"
    rf"|\b(?:{_NAMED})\s[A-Z]\.(?=\s+[A-Z][a-z])"
)
_ONLY_A_LABEL = re.compile(r"\(?(?:\d{1,3}|[A-Za-z])[.)]")


def split(text: str, language: str = "en") -> list[str]:
    """The sentences of a text: its blocks first, then the splitter inside each; white space folded."""
    return [sentence for block in blocks(text) for sentence in _in_line(" ".join(block), language)]


def _in_line(line: str, language: str) -> Iterator[str]:
    """The sentences of a folded line; the number of an entry stays with it."""
    label = ""
    for piece in pieces(line, language):
        start = 0
        # Nearly every piece has its one full stop at its end, and nothing to look for.
        inside = _LETTER_END.finditer(piece) if ". " in piece.rstrip() else ()
        for end in [*(match.end() for match in inside), len(piece)]:
            sentence = piece[start:end].strip()
            start = end
            if _ONLY_A_LABEL.fullmatch(sentence) and not label:
                label = f"{sentence} "
            elif sentence:
                yield label + sentence
                label = ""
    if label:
        yield label.strip()


def _places(text: str, language: str, borders: Sequence[int], rests: Sequence[float] = ()) -> Iterator[tuple[int, int]]:
    """Where each sentence of a folded line begins and ends; what runs on without a full stop is cut at the borders."""
    position = 0
    for sentence in _in_line(text, language):
        begin = max(text.find(sentence, position), position)
        position = begin + len(sentence)
        yield from stretches(text, begin, position, borders, rests)


def written(text: str, language: str = "en") -> list[str]:
    """The sentences of an article."""
    found: list[str] = []
    for block in blocks(text):
        line = " ".join(block)
        borders = list(accumulate((len(part) + 1 for part in block[:-1]), initial=0))
        found.extend(line[begin:end] for begin, end in _places(line, language, borders))
    return found


class Spoken(NamedTuple):
    """A sentence of captions, and when it is spoken."""

    text: str
    start: float
    end: float


class _Cue(NamedTuple):
    """What is said from a second on, and how long it takes, not counting the silence behind it."""

    text: str
    start: float
    seconds: float


def timed(captions: Iterable[dict[str, Any]], language: str = "en") -> list[Spoken]:
    """Sentences of captions with the seconds in which they are spoken.

    Captions break sentences anywhere, so they are joined first; a sentence that begins or ends inside a caption does
    so after the same share of the caption's time as of its letters.
    """
    cues = _cues(captions)
    text = " ".join(cue.text for cue in cues)
    borders = list(accumulate((len(cue.text) + 1 for cue in cues[:-1]), initial=0))
    rests = [0.0, *(later.start - cue.start - cue.seconds for cue, later in pairwise(cues))]

    def clock(place: int, number: int) -> float:
        cue = cues[number]
        return round(cue.start + cue.seconds * (place - borders[number]) / (len(cue.text) + 1), 3)

    return [
        Spoken(
            text[begin:end],
            clock(begin, bisect_right(borders, begin) - 1),
            clock(end + 1, bisect_right(borders, end - 1) - 1),
        )
        for begin, end in _places(text, language, borders, rests)
    ]


def _cues(captions: Iterable[dict[str, Any]]) -> list[_Cue]:
    """The captions in order, those that share a start as one."""
    said: list[tuple[str, float, float | None]] = []
    for caption in sorted(captions, key=itemgetter("start")):
        words, start, end = _SPACE.sub(" ", caption["text"]).strip(), float(caption["start"]), caption.get("end")
        if words and said and said[-1][1] == start:
            before, _, other = said.pop()
            words, end = f"{before} {words}", max(end, other) if end and other else end or other
        if words:
            said.append((words, start, end))
    gaps = [later[1] - earlier[1] for earlier, later in pairwise(said)]
    cues = []
    for number, (words, start, end) in enumerate(said):
        # Captions stay on the screen while nobody speaks: without an end of its own, one lasts as long as slow speech.
        needed = end - start if end else count_words(words) / _WORDS_PER_SECOND
        if number < len(gaps):
            needed = min(needed, gaps[number])
        elif not end and gaps:  # nothing follows the last one
            needed = max(needed, median(gaps))
        cues.append(_Cue(words, start, needed))
    return cues


def split_lessons(inputs: Tables, params: Params, model: object = None) -> Result:
    """Input: lessons. Output: sentences. Rejects: `no_text` (the lesson itself stays)."""
    ledger = Ledger("sentences")
    for lesson in inputs["lessons"].sort_by("lesson_id").to_pylist():
        lesson_id, language = lesson["lesson_id"], lesson["language"]
        found: Sequence[tuple[str, float | None, float | None]]
        if lesson["captions"]:
            found = timed(lesson["captions"], language)
        else:
            found = [(sentence, None, None) for sentence in written(lesson["text"], language)]
        for number, (text, start, end) in enumerate(found):
            row = {"lesson_id": lesson_id, "sentence_no": number, "text": text}
            ledger.add("sentences", {**row, "start_seconds": start, "end_seconds": end})
        if found:
            ledger.keep(lesson_id)
        else:
            ledger.reject(lesson_id, lesson_id, "no_text", text=lesson["title"])
    return ledger.result("sentences")
