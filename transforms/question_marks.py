"""Decide which question marks of a post end a question, and where that question begins."""

import re
from collections.abc import Iterator

from transforms.beginnings import SMILEY, begin, opens_question
from transforms.idle_marks import BEGINS, STARTS_ANEW, hide_idle_marks
from transforms.lines import unwrapped
from transforms.masking import decode_entities, mask
from transforms.sentences import pieces

Stretch = tuple[int, int]

# A sentence ends at its mark whatever follows: forum writers often put no capital and no space behind it.
_END = re.compile(r"\?(?:[?!.…]|[ \t]+(?=[?!]))*([\"'”’“‘»«)\]}]*)")
_AT_SMILEY = re.compile(SMILEY)
_BLANK_REST = re.compile(r"\s*+\Z")
_FAR = 400  # characters: no quotation or bracket is sought farther back, so that hostile text costs linear time
_LETTERED = re.compile(r"(?:\A|(?<=[\n.?!])|(?<=[\n.?!]\s))\(?([A-Z])\.\s+(?=\w)")
_LETTER = re.compile(r"[^\W\d_]")
_SAID = re.compile(r"[^\W\d]")  # a letter, or the `_` of what is masked
_WORD = re.compile(r"[^\W\d_]{3}")

# A question may go on behind a full stop after a short word or a number, or behind `n!`: with a number, a sign, or a
# word in lower case with which forum writers begin no sentence.
_CUT_SHORT = re.compile(r"(?:\b[^\W\d_]{1,5}|\d[a-z]?)\.\Z")
FACTORIAL = re.compile(r"(?<![^\W\d_])(?:[^\W\d_]|[\d)])!\Z")
_NAME = re.compile(r"\s[A-Z]\w+!\Z")  # Does Jeopardy! count
_EQUATION = re.compile(r"[=×÷+]\s?[\d(]|[=×÷]\s\w")  # but not the smiley of "I passed! =D"
_GOES_ON = re.compile(r"[(\"'“‘]?(?:([a-z]+)|\d+(?![.)\d])|[=<>+×÷^-])")
# Who asked what is quoted, and before a quotation the writer's own question.
_QUOTED_MARK = re.compile(r"\?[”“»«]")
_QUOTED_END = re.compile(r"\?[\"'”’“»«]\s*\Z")
_SAYS = re.compile(
    r"(?:(?:[Tt]he|[Mm]y|[Hh]is|[Hh]er|[Oo]ur|[AaI]n?)\s)?(?:[A-Z][\w.'’-]*\s|[\w'’-]+\s){1,2}"
    r"(?:asked|asks|said|says|wondered|wonders|replied|cried|fragte|sagte)\b"
)
_OWN = re.compile(r"(?i)(?::|\bquestion\b.{0,30}|\b(?:wonder\w*|asking)(?:\s\w+){0,2})\s*\Z")
_OPEN_QUOTE = re.compile(r"(?<!\w)[\"'“„‘‚«»](?=\S)")


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
        return _behind_letters(masked, found)
    position = 0
    for line in unwrapped(masked.split("\n")):
        if "?" in line:
            _in_line(line, position, language, found)
        position += len(line) + 1
    return _behind_letters(masked, found)


def _behind_letters(masked: str, found: list[Stretch]) -> list[Stretch]:
    """The questions without the letters of a list: `A. Tides? B. Waves?` is one, `E. coli?` is none."""
    marked = [number for number, (start, _) in enumerate(found) if masked[start + 1] == "."]
    if marked:
        letters = {mark[1] for mark in _LETTERED.finditer(masked)}
        for number in marked:
            start, end = found[number]
            mark = _LETTERED.match(masked, start)
            if mark and {chr(ord(mark[1]) - 1), chr(ord(mark[1]) + 1)} & letters:
                found[number] = (mark.end(), end)
    return found


def _in_line(line: str, offset: int, language: str, found: list[Stretch]) -> None:
    line = hide_idle_marks(line)
    if "?" not in line:
        return
    for sentence in _sentences(line, language):
        if "?" in sentence:
            _in_sentence(sentence, offset, found)
        offset += len(sentence)


def _sentences(line: str, language: str) -> list[str]:
    """The sentences of a line, those put together that the splitter tore apart."""
    cut = pieces(line, language)
    for piece in cut[1:]:
        if not piece[0].isupper():
            return list(_joined(cut))
    if len(cut) > 1 and ('?"' in line or (not line.isascii() and _QUOTED_MARK.search(line))):
        return list(_joined(cut))
    return cut


def _joined(cut: list[str]) -> Iterator[str]:
    """A piece without a word belongs to the sentence before, and a question is not over at an abbreviation or `n!`."""
    whole, asked = cut[:1], "?" in cut[0]
    for piece in cut[1:]:
        mark = piece.find("?")
        if not _SAID.search(piece, 0, mark if mark >= 0 else len(piece)) or (
            (_SAYS.match(piece) and _QUOTED_END.search(whole[-1][-8:]))
            if asked
            else _goes_on(whole[-1].rstrip(), piece) and (_EQUATION.match(piece) or opens_question(whole[0]))
        ):
            whole.append(piece)
            asked = asked or mark >= 0
        else:
            yield "".join(whole)
            whole, asked = [piece], mark >= 0
    yield "".join(whole)


def _goes_on(before: str, piece: str) -> bool:
    if before.endswith("!"):
        cut = FACTORIAL.search(before[-3:]) or _NAME.search(before[-20:])
    else:
        cut = _CUT_SHORT.search(before[-7:])
    if not cut:
        return False
    following = _GOES_ON.match(piece)
    if following is None or opens_question(piece):
        return False
    return following[1] not in BEGINS or (following[1] in ("and", "or") and FACTORIAL.search(before[-3:]) is not None)


def _in_sentence(sentence: str, offset: int, found: list[Stretch]) -> None:
    start = 0
    aside: Stretch | None = None
    for mark in _END.finditer(sentence):
        sign, end = mark.span()
        if mark[1] and not _BLANK_REST.match(sentence, end):
            if sentence[end] == "?":  # the mark of what is quoted; that of the sentence follows
                continue
            if _goes_on_behind_quotation(sentence, start, mark):
                aside = _bracketed(sentence, start, mark) or aside
                continue
        first = begin(sentence, start, sign)
        # An equation asks only when it has a word.
        least = _WORD if sentence[sign - 1] == "=" or sentence[sign - 2 : sign] == "= " else _LETTER
        if least.search(sentence, first, sign):
            found.append((offset + first, offset + end))
        start, aside = end, None
    if aside:
        found.append((offset + aside[0], offset + aside[1]))


def _goes_on_behind_quotation(sentence: str, start: int, mark: re.Match[str]) -> bool:
    """Whether a mark inside quotes or brackets leaves its sentence open: `"why?" and left`, `(why?).`."""
    rest = sentence[mark.end() : mark.end() + 40].lstrip()
    before = sentence[max(start, mark.start() - _FAR) : mark.start()]
    if not rest or not any(sign in before for sign in "\"'“„‘‚«»([") or _AT_SMILEY.match(rest):
        return False
    if rest[0] == ".":
        asked = ")" in mark[1] or "]" in mark[1] or _is_quoted_by_another(before)
        return asked and not opens_question(sentence[start : mark.start()])
    if _SAYS.match(rest) and mark[1][0] not in ")]":
        return True
    return (rest[0].islower() or rest[0] in ",;:-–—") and not STARTS_ANEW.match(rest)


def _is_quoted_by_another(before: str) -> bool:
    """Whether words lead to the quotation that say somebody asked it: `She asked "why`, but not `My question: "why`."""
    leading = before
    for opened in _OPEN_QUOTE.finditer(before):
        leading = before[: opened.start()]
    return leading != before and _LETTER.search(leading) is not None and not _OWN.search(leading)


def _bracketed(sentence: str, start: int, mark: re.Match[str]) -> Stretch | None:
    """The question in brackets, which counts alone when the sentence around it asks nothing."""
    if not mark[1].startswith((")", "]")):
        return None
    opening = sentence.rfind("(" if mark[1][0] == ")" else "[", max(start, mark.start() - _FAR), mark.start()) + 1
    return (opening, mark.start(1)) if opening and " " in sentence[opening : mark.start()].strip() else None
