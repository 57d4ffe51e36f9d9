"""Cut lessons into sentences; captions become sentences that know when they are spoken."""

import re
from collections.abc import Iterable, Iterator
from typing import Any

import sentencex

from transforms.result import Ledger, Params, Result, Tables

_BLANK_LINES = re.compile(r"\n\s*\n")
_SPACE = re.compile(r"\s+")


def words(listed: str) -> frozenset[str]:
    """The set of the words in a text, for lists that read better as text."""
    return frozenset(listed.split())


# Abbreviations that the splitter does not know, and units that the sentence goes on behind: "1 kg. of water".
_ABBREVIATIONS = words("approx avg chap def deg eq eqs est ex incl max resp temp thm vol")
_UNITS = words(
    "g kg mg m cm mm km nm µm l ml cl J kJ N W kW K C F lb lbs oz ft in yd yds mi h hr hrs min mins s sec secs mol "
    "yr yrs"
)
_GOES_ON = re.compile(
    r"\s+(?:of|per|in|at|and|or|to|from|with|for|on|by|than|each|long|wide|tall|high|deep|thick|heavy|apart|away|later|"
    r"more|less|times)\b"
)


def _shield(text: str) -> str:
    """The text with those full stops replaced by a letter that the splitter passes over."""
    dot = text.find(". ")
    while dot >= 0:
        word = text[max(0, dot - 12) : dot].rpartition(" ")[2]
        if word.lstrip("([\"'").lower() in _ABBREVIATIONS or _is_unit(text, word, dot):
            text = f"{text[:dot]}x{text[dot + 1 :]}"
        dot = text.find(". ", dot + 1)
    return text


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


def timed(captions: Iterable[dict[str, Any]], language: str = "en") -> list[tuple[str, float]]:
    """Sentences of captions with the start of the caption in which each begins.

    Captions break sentences anywhere, so they are joined first; a sentence's first character tells its caption.
    """
    cues = [(_SPACE.sub(" ", c["text"]).strip(), float(c["start"])) for c in captions]
    cues = [cue for cue in sorted(cues, key=lambda cue: cue[1]) if cue[0]]
    text, starts = "", []
    for words, start in cues:
        text += " " if text else ""
        starts.append((len(text), start))
        text += words
    found, position, cue = [], 0, 0
    for sentence in split(text, language):
        position = max(text.find(sentence, position), position)
        while cue + 1 < len(starts) and starts[cue + 1][0] <= position:
            cue += 1
        found.append((sentence, starts[cue][1]))
        position += len(sentence)
    return found


def split_lessons(inputs: Tables, params: Params, model: object = None) -> Result:
    """Input: lessons. Output: sentences. Rejects: `no_text` (the lesson itself stays)."""
    ledger = Ledger("sentences")
    for lesson in inputs["lessons"].sort_by("lesson_id").to_pylist():
        lesson_id, language = lesson["lesson_id"], lesson["language"]
        pairs: list[tuple[str, float | None]]
        if lesson["captions"]:
            pairs = list(timed(lesson["captions"], language))
        else:
            pairs = [(sentence, None) for sentence in split(lesson["text"], language)]
        for number, (sentence, start) in enumerate(pairs):
            row = {"lesson_id": lesson_id, "sentence_no": number, "text": sentence, "start_seconds": start}
            ledger.add("sentences", row)
        if pairs:
            ledger.keep(lesson_id)
        else:
            ledger.reject(lesson_id, lesson_id, "no_text", text=lesson["title"])
    return ledger.result("sentences")
