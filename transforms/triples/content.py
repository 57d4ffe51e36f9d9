"""The words of a text that tell what it is about."""

import re

from transforms.sentences import words

WORD = re.compile(r"\w+(?:['’]\w+)*")
# Words that two sentences may share without speaking about the same thing; short ones count only as names.
_COMMON = """
    what why how which when where does will would could should have with from that this these those they them their
    there then than into about because just like some more only also other such your been being were happen happens
    didn doesn isn aren wasn weren don won couldn wouldn shouldn hasn haven hadn
    know mean means make makes made really called much many very come comes need exactly actually
"""
_COMMON_SHORT = """
    a an am are as at be but by can did do for go had has he her him his how i if in is it its me my no not of off on
    or our out she so that the to too up us was we who why you yes ok and any all get got may let see say use way
    one two new old now
    didn doesn isn aren wasn weren don won ve re ll
"""
# What a phrase names without naming a thing.
_GENERIC = words(
    "point case example general addition fact words sense situation moment end same opinion view video lesson article"
    " section paragraph chapter first second third last next clarification specifically precisely speaking fair reality"
    " yeah"
)
_STOP, _SHORT_STOP = frozenset(_COMMON.split()), frozenset(_COMMON_SHORT.split())


def content_words(text: str) -> set[str]:
    """Stems, roughly: six letters of the longer words without a plural, and short names such as `Na` or `ATP`."""
    found = set()
    for word in WORD.findall(text):
        word = word.replace("’", "'").partition("'")[0] if not word.isalnum() else word
        lower = word.lower()
        if len(word) > 3:
            if lower not in _STOP:
                found.add((lower[:-1] if lower[-1] == "s" and lower[-2] != "s" else lower)[:6])
        elif len(word) > 1 and not word.islower() and not word.isdigit() and lower not in _SHORT_STOP:
            found.add(lower)
    return found


def says_nothing(prompt: str) -> bool:
    """Whether a prompt has none but common words: `At this point`, `In that case`, `If not` limit no question."""
    return all(word in _STOP or word in _SHORT_STOP or word in _GENERIC for word in WORD.findall(prompt.lower()))
