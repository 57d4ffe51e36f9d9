"""Cut lessons into sentences; captions become sentences that know when they are spoken."""

import re
from collections.abc import Iterable
from typing import Any

import sentencex

from transforms.result import Ledger, Params, Result, Tables

_BLANK_LINES = re.compile(r"\n\s*\n")
_SPACE = re.compile(r"\s+")


def split(text: str, language: str = "en") -> list[str]:
    """The sentences of a text: paragraphs first, then the splitter inside each; white space folded."""
    found: list[str] = []
    for paragraph in _BLANK_LINES.split(text):
        folded = _SPACE.sub(" ", paragraph).strip()
        if folded:
            found.extend(s.strip() for s in sentencex.segment(language, folded) if s.strip())
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
