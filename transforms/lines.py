"""Join the lines of a post that break inside a sentence."""

import re
from collections.abc import Iterator

from transforms.sentences import words

_FIRST_WORD = re.compile(r"[ \t]*+([a-z][\w'’]*+)(?![.)])")
_ONLY_MARKS = re.compile(r"[ \t]*+[!.…]*+\?[?!.…]*+[ \t]*+\Z")
_STOPS_SHORT = words(
    "a an the of in on at to for from by with between and or but if when that which than as is are was were do does "
    "did can could would will should this these those its my your our not no very more how what why"
)
_STARTS_LINE = words(
    "why what how when where who which is are was were do does did can could would will should has have am hi hello "
    "hey thanks thank please so also i im i'm my any anyone"
)


def unwrapped(lines: list[str]) -> Iterator[str]:
    """The lines, those that break inside a sentence joined by a blank."""
    whole = lines[0]
    for line in lines[1:]:
        if goes_on(whole[-40:], line):
            whole += " " + line
        else:
            yield whole
            whole = line
    yield whole


def goes_on(line: str, following: str) -> bool:
    """Whether a line stops in mid-phrase, or the next goes on in lower case or is nothing but the mark."""
    if _ONLY_MARKS.match(following):
        return line[-1:].isalnum()
    word = _FIRST_WORD.match(following)
    last = (line.split() or [""])[-1] if word else ""
    if not word or not last or not (last[-1].isalnum() or last[-1] in ",'’)-_"):
        return False
    return last[-1] == "," or last.lower() in _STOPS_SHORT or word[1] not in _STARTS_LINE
