"""Cut what runs on without full stops, as automatic captions do, into stretches of the length of a sentence."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

_LONGEST = 400  # characters, some 70 words: half a minute of one sentence
_LONGEST_OPEN = 180  # without an end mark
# Some 23 words. On lessons whose marks were taken out, stretches of 100 to 180 characters gave spans with a word F1
# of 0.38, those of 250 only 0.33 and those of 400 only 0.22.
_USUAL = 130
_SHORTEST = 60
_PER_SECOND = 25  # characters by which a border may be farther off for each second of silence before it
_PER_COMMA = 25
_END = re.compile(r"[.!?…。！？][\"'”’»)\]]*\Z")
_BLANK = re.compile(r"\s+")


def stretches(
    text: str, begin: int, end: int, borders: Sequence[int], rests: Sequence[float] = ()
) -> Iterator[tuple[int, int]]:
    """The stretch from `begin` to `end`, in pieces where nobody speaks that long in one sentence.

    Cuts are at borders (of captions, of lines), rather where a rest comes before; without one in reach, at blanks.
    """
    if end - begin <= _LONGEST and _END.search(text, max(begin, end - 9), end):
        yield begin, end
        return
    while end - begin > _LONGEST_OPEN:
        cut = _border(begin, end, borders, rests) or _blank(text, begin, end)
        if cut >= end:
            break
        yield begin, len(text[:cut].rstrip()) if text[cut - 1].isspace() else cut
        begin = cut
    yield begin, end


def _border(begin: int, end: int, borders: Sequence[int], rests: Sequence[float]) -> int | None:
    def off(place: int) -> float:
        rest = min(rests[place], 2.0) if rests else 0.0
        return abs(borders[place] - begin - _USUAL) - _PER_SECOND * rest

    first = bisect_left(borders, begin + _SHORTEST)
    last = bisect_right(borders, min(begin + _LONGEST_OPEN, end - _SHORTEST))
    return borders[min(range(first, last), key=off)] if first < last else None


def _blank(text: str, begin: int, end: int) -> int:
    """Behind a blank near the usual length, best behind a comma; else behind the next blank, or the end."""

    def off(place: int) -> int:
        return abs(place - begin - _USUAL) - _PER_COMMA * (text[place - 2] in ",;:")

    near = [blank.end() for blank in _BLANK.finditer(text, begin + _SHORTEST, min(begin + _LONGEST_OPEN, end))]
    if near:
        return min(near, key=off)
    far = _BLANK.search(text, min(begin + _LONGEST_OPEN, end), end)
    return far.end() if far else end
