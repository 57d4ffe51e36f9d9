"""Names of a lesson's authors in what is written there: `Thanks, Janet Quux!` tells what the pseudonym hides.

A name of several words, or one that no ordinary word looks like (janet_q, JanetQ, ann99), goes wherever it stands. A
first name or a single word may be any word, and goes only where people are addressed or sign. A name that the lesson's
own text holds belongs to the subject: an author who calls herself Marie Curie does not blank the history of physics.
"""

import re
from collections.abc import Iterable

MARK = "[user]"
_SHORTEST = 3
_WORD = re.compile(r"\w+")
_UNLIKE_A_WORD = re.compile(r"\w*[\d_]|\w*[a-z]\w*[A-Z]|\w+[.-]\w")
_BEFORE = (
    r"(?i:\b(?:thanks|thank\syou|thx|cheers|hi|hello|hey|dear|sorry|danke|merci|gracias)"
    r"(?:,|\s(?:so\smuch|a\slot|again),?)?\s)"
)
_BEHIND = r"\s(?:wrote|said|says|asked|asks|schrieb|escribi[óo])\s?:"


class Names:
    """The names of the authors of one lesson."""

    def __init__(self, authors: Iterable[str], lesson: str) -> None:
        subject = set(_WORD.findall(lesson.casefold()))
        self._telling: dict[str, set[str]] = {}
        self._plain: set[str] = set()
        for author in authors:
            words = _WORD.findall(author)
            if not any(map(str.isalpha, author)) or subject.issuperset(_WORD.findall(author.casefold())):
                continue
            full = len(words) > 1 and all(word[0].isupper() or word[0].isdigit() for word in words)
            if full or (_UNLIKE_A_WORD.match(author) and " " not in author and len(author) > _SHORTEST):
                self._telling.setdefault(words[0], set()).add(author)
            if (full or len(words) == 1) and words[0].casefold() not in subject and len(words[0]) >= _SHORTEST:
                self._plain.add(words[0])
        self._begin = self._telling.keys() | self._plain

    def without(self, text: str) -> str:
        """The text with a mark in place of each name."""
        if not self._begin:
            return text
        found = self._begin.intersection(_WORD.findall(text))
        if not found:
            return text
        names = sorted(name for word in found for name in self._telling.get(word, ()) if name in text)
        if names:
            text = re.sub(rf"(?<!\w)@?{_any(names)}(?!\w)", MARK, text)
        if not (words := sorted(found & self._plain)):
            return text
        plain = _any(words)
        return re.sub(
            rf"({_BEFORE}){plain}(?!\w)|(?<!\w){plain}(?={_BEHIND})|((?:\n|[–—~]|--)[^\S\n]*){plain}(?=[.!]?\s*\Z)",
            lambda match: f"{match[1] or match[2] or ''}{MARK}",
            text,
        )


def _any(names: list[str]) -> str:
    """A pattern of any of these, the longest first."""
    return f"(?:{'|'.join(map(re.escape, sorted(names, key=len, reverse=True)))})"
