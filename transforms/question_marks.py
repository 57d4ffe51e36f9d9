"""Decide which question marks of a post end a question, and where that question begins."""

import re
from collections.abc import Iterator

from transforms.masking import decode_entities, mask
from transforms.sentences import pieces, words

Stretch = tuple[int, int]

# A sentence ends at its mark whatever follows: forum writers often put no capital and no space behind it.
_END = re.compile(r"\?(?:[?!.…]|[ \t]+(?=[?!]))*([\"'”’»)\]}]*)")
_BLANK_REST = re.compile(r"\s*+\Z")
_FAR = 400  # characters: no quotation or bracket is sought farther back, so that hostile text costs linear time
_LETTER = re.compile(r"[^\W\d_]")
# Before the first word: list marks, smileys, emoji and what is left of the sentence before.
_LEAD = re.compile(
    r"(?:\s|[-*+•·–—>#]+\s|\(?(?:\d{1,2}|[a-zA-Z])[.)]\s|[:;=xX8][-'^o]?[)(DPpO3/|*\]\[]+(?=\s|$)|<3(?=\s|$)|[*_]+(?=\w)"
    r"|[.!?…,;:)\]}”’»]|[\u2190-\u2bff\u3000-\u303f\ufe0f\u200d\U0001f000-\U0001faff])*+"
)
# Sentences that the splitter leaves together: no blank behind the end, or an abbreviation that ended one after all.
_INNER_END = re.compile(
    r"[^\W\d_]{2}[.!](?=[A-Z][a-z'’ ])|[^\W\d_]!+(?=[^\W\d_])"
    r"|\b(?:etc|no|al|inc|min|sec|hrs?|ft|in|[ap]\.m|\d\s?[mgslhNJWKCFV])\.\s+"
    r"(?=(?:(?i:why|what|how|when|where|who|which|is|are|does|do|did|can|could|would|should|if|so)|But|And|In|The|It|I)\b)"
)

# Behind a quotation or bracket, these words begin a new sentence even in lower case.
_STARTS_ANEW = re.compile(r"(?i:why|what|how|where|who|which|can|could|does|do|did|i|please|thanks?|thank|any)\b|[A-Z]")
_NOT_AN_END = re.compile(
    r"(?<=[a-z])\?(?:s|t|re|ve|ll|m|d)\b(?!:)"  # an apostrophe lost in another encoding: don?t
    r"|(?<=\S)\?[\w.-]{1,40}=\S"  # the query of a link without https://
    r"|(?<=[\w)\]])\?[\w.'\"-]{1,20}:[\w'\"-]"  # x>0?1:0
    r"|(?<=\s)\?\s[^?:]{1,40}\s:\s"  # a ? b : c
    r"|(?<=[+*/×÷=<>^−(\[])\s{0,2}\?|\?\s{0,2}[=+×÷^]"  # 2 + ? = 5, (?)
    r"|(?<=[\"'“‘])\?[\"'”’]"  # the sign itself: "?"
    r"|\?[\"'”’)\]}]*;"  # printf("why?");
)  # fmt: skip

# A line break inside a sentence: the line stops in mid-phrase, or the next goes on in lower case.
_FIRST_WORD = re.compile(r"[ \t]*+([a-z][\w'’]*+)(?![.)])")
_STOPS_SHORT = words(
    "a an the of in on at to for from by with between and or but if when that which than as is are was were do does "
    "did can could would will should this these those its my your our not no very more how what why"
)
_STARTS_LINE = words(
    "why what how when where who which is are was were do does did can could would will should has have am hi hello "
    "hey thanks thank please so also i im i'm my any anyone"
)


def find_questions(text: str, language: str = "en") -> list[Stretch]:
    """Character offsets of each question sentence of a post."""
    if "&" in text and ";" in text:
        decoded, origins = decode_entities(text)
        if len(decoded) != len(text):
            return [(origins[start], origins[end]) for start, end in find_questions(decoded, language)]
    masked = mask(text)
    if "?" not in masked:
        return []
    found: list[Stretch] = []
    if "\n" not in masked:
        _in_line(masked, 0, language, found)
        return found
    position = 0
    for line in _unwrapped(masked.split("\n")):
        if "?" in line:
            _in_line(line, position, language, found)
        position += len(line) + 1
    return found


def _unwrapped(lines: list[str]) -> Iterator[str]:
    """The lines, those that break inside a sentence joined by a blank."""
    whole = lines[0]
    for line in lines[1:]:
        word = _FIRST_WORD.match(line)
        if word and _stops_short(whole[-40:], word[1]):
            whole += " " + line
        else:
            yield whole
            whole = line
    yield whole


def _stops_short(line: str, following: str) -> bool:
    last = (line.split() or [""])[-1]
    if not last or not (last[-1].isalnum() or last[-1] in ",'’)-"):
        return False
    return last[-1] == "," or last.lower() in _STOPS_SHORT or following not in _STARTS_LINE


def _in_line(line: str, offset: int, language: str, found: list[Stretch]) -> None:
    for sentence in pieces(line, language):
        if "?" in sentence:
            _in_sentence(sentence, offset, found)
        offset += len(sentence)


def _in_sentence(sentence: str, offset: int, found: list[Stretch]) -> None:
    start, length = 0, len(sentence)
    aside: Stretch | None = None
    for mark in _END.finditer(sentence):
        sign, end = mark.span()
        if end < length and not _BLANK_REST.match(sentence, end):
            if _is_not_an_end(sentence, sign):
                continue
            if mark[1] and _goes_on_behind_quotation(sentence, start, mark):
                aside = _bracketed(sentence, start, mark) or aside
                continue
        begin = _begin(sentence, start, sign)
        if _LETTER.search(sentence, begin, sign):
            found.append((offset + begin, offset + end))
        start, aside = end, None
    if aside:
        found.append((offset + aside[0], offset + aside[1]))


def _begin(sentence: str, start: int, end: int) -> int:
    if sentence.find(".", start, end) >= 0 or sentence.find("!", start, end) >= 0:
        for inner in _INNER_END.finditer(sentence, start, end):
            start = inner.end()
    lead = _LEAD.match(sentence, start, end)
    return lead.end() if lead else start


def _is_not_an_end(sentence: str, position: int) -> bool:
    # The pattern looks at most three characters back, so searching starts there and must include the mark itself.
    found = _NOT_AN_END.search(sentence, max(0, position - 2), position + 64)
    return found is not None and found.start() <= position < found.end()


def _goes_on_behind_quotation(sentence: str, start: int, mark: re.Match[str]) -> bool:
    """Whether a mark inside quotes or brackets leaves its sentence open: `"why?" and left`."""
    rest = sentence[mark.end() : mark.end() + 40].lstrip()
    before = sentence[max(start, mark.start() - _FAR) : mark.start()]
    opened = any(sign in before for sign in "\"'“‘«([")
    return opened and (rest[0].islower() or rest[0] in ",;:-–—") and not _STARTS_ANEW.match(rest)


def _bracketed(sentence: str, start: int, mark: re.Match[str]) -> Stretch | None:
    """The question in brackets, which counts alone when the sentence around it asks nothing."""
    if ")" not in mark[1]:
        return None
    begin = sentence.rfind("(", max(start, mark.start() - _FAR), mark.start()) + 1
    end = mark.start(1) + mark[1].index(")")
    return (begin, end) if begin and " " in sentence[begin : mark.start()].strip() else None
