"""Misspelt words for which one right word is near-certain (KhanQ A.5, spelling).

A corrector that takes the likeliest word turns rare words of science into common ones. Here a word is corrected only if
no dictionary, no rule of word formation, not the lesson and no second post of the thread knows it, and if one slip
(a letter too many, too few, exchanged with its neighbour, or another vowel) leads to one word alone: to one of the
lesson's or of the thread's, or else to a common one that is far more common than all others a slip away.
"""

import re
from collections import Counter
from collections.abc import Iterable
from functools import cache, cached_property, lru_cache
from importlib.resources import files
from string import ascii_lowercase

from transforms.sentences import words

# Neither names (capitals) nor parts of addresses, formulas, identifiers and abbreviations.
_WORD = re.compile(r"(?<![\w@#&/.'’\\-])[a-z]{5,20}(?![\w@/'’(=\\-]|\.\w)")
_ANY_WORD = re.compile(r"[a-z]+")
_VOWELS = frozenset("aeiouy")
# Occurrences in the corpus of the dictionary (a trillion words): a common word, and how much rarer all others must be.
_COMMON, _TIMES_RARER = 2_000_000, 50
# Two of these side by side are a compound: `lightyear`.
_PART_OF_COMPOUND = 1_000_000
# Without the lesson's word for witness, five letters are too few.
_SHORTEST = 6
# Endings tell `alkane` from `alkene`: another vowel there is another word.
_ENDING = 3
_PREFIXES = words(
    "un re non anti pre sub super inter bio micro macro multi pseudo mis over under out hydro photo electro geo poly"
    " mono hyper hypo thermo neuro cyto chemo iso meta para trans ultra intra extra post counter proto exo endo bi tri"
    " semi auto"
)
_SUFFIXES = ("s", "es", "ed", "ing", "er", "ers", "ness", "like", "ly", "able", "ity")
_AFTER_E = ("d", "r", "rs")
# How terms of science end that no dictionary has: `micelle`, `propene`, `vortices`.
_TERM = re.compile(r"(?:elle|ane|ene|yne|ole|ium|oid|osis|lysis|itis|emia|ice)s?$")
# The dictionary is a British one.
_BRITISH = re.compile(r"our|ae|oe|tre|ogue|lle[drs]|lli[ns]|llou")
_AMERICAN = words("aluminum artifact artifacts gray skeptic skeptical mold molds plow")


@cache
def _dictionary() -> dict[str, int]:
    """The words of English and their occurrences, as `symspellpy` brings them."""
    text = (files("symspellpy") / "frequency_dictionary_en_82_765.txt").read_text(encoding="utf-8-sig")
    return {word: int(count) for word, _, count in (line.partition(" ") for line in text.splitlines())}


@lru_cache(maxsize=50_000)
def _known(word: str) -> bool:
    known = _dictionary()
    if word in known or word in _AMERICAN:
        return True
    if any(word.startswith(prefix) and word[len(prefix) :] in known for prefix in _PREFIXES):
        return True
    if any(word.endswith(suffix) and word[: -len(suffix)] in known for suffix in _SUFFIXES):
        return True
    if any(word.endswith("e" + suffix) and word[: -len(suffix)] in known for suffix in _AFTER_E):
        return True
    return any(
        min(known.get(word[:place], 0), known.get(word[place:], 0)) > _PART_OF_COMPOUND
        for place in range(3, len(word) - 2)
    )


@lru_cache(maxsize=50_000)
def _slips(word: str) -> dict[str, tuple[str, int]]:
    """Every string one slip away, the kind of slip and how many letters stand behind it; the first letter is right."""
    found: dict[str, tuple[str, int]] = {}
    for place in range(1, len(word)):
        before, after = word[:place], word[place:]
        if len(after) > 1:
            found.setdefault(before + after[1:], ("too many", len(after) - 1))
            found.setdefault(before + after[1] + after[0] + after[2:], ("exchanged", len(after) - 2))
        for letter in ascii_lowercase:
            found.setdefault(before + letter + after, ("too few", len(after)))
            kind = "vowel" if letter in _VOWELS and after[0] in _VOWELS else "another"
            found.setdefault(before + letter + after[1:], (kind, len(after) - 1))
    found.pop(word, None)
    return found


class Vocabulary:
    """The words of a lesson, and those that more than one post of a thread has: none of them is misspelt."""

    def __init__(self, lesson: str, posts: Iterable[str]) -> None:
        self._lesson, self._posts = lesson, posts

    @cached_property
    def lesson(self) -> frozenset[str]:
        """The words of title and text."""
        return frozenset(_ANY_WORD.findall(self._lesson.lower()))

    @cached_property
    def _counts(self) -> Counter[str]:
        return Counter(word for post in self._posts for word in _ANY_WORD.findall(post.lower()))

    @cached_property
    def shared(self) -> frozenset[str]:
        """The words that two posts have, or one post twice."""
        return frozenset(word for word, count in self._counts.items() if count > 1)

    @cached_property
    def thread(self) -> frozenset[str]:
        """The words of the thread that a dictionary knows."""
        return frozenset(self._counts.keys() & _dictionary().keys())

    def correct(self, text: str) -> str:
        """The text with every near-certain misspelling corrected."""
        return _WORD.sub(lambda found: self._meant(found[0]) or found[0], text)

    def _meant(self, word: str) -> str | None:
        if _known(word) or word in self.lesson or word in self.shared:
            return None
        slips = _slips(word)
        for witnesses in (self.lesson, self.thread if len(word) >= _SHORTEST else frozenset[str]()):
            own = sorted(o for o in witnesses & slips.keys() if o[-1] == word[-1] and _keeps_ending(*slips[o]))
            if own:
                return own[0] if len(own) == 1 and not _british(own[0], word) else None
        return _common(word)


def _british(other: str, word: str) -> bool:
    """Whether the other word is only the British form."""
    return bool(_BRITISH.search(other)) and not _BRITISH.search(word)


def _keeps_ending(kind: str, behind: int) -> bool:
    return kind != "another" and (kind != "vowel" or behind >= _ENDING)


@lru_cache(maxsize=50_000)
def _common(word: str) -> str | None:
    known, slips = _dictionary(), _slips(word)
    found = sorted(((known[other], other) for other in slips if other in known), reverse=True)
    if len(word) < _SHORTEST or _TERM.search(word) or not found or found[0][0] < _COMMON:
        return None
    count, best = found[0]
    if len(found) > 1 and count < _TIMES_RARER * found[1][0]:
        return None
    return None if slips[best][0] == "another" or best[-1] != word[-1] or _british(best, word) else best
