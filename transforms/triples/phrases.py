"""A prepositional phrase before a question that no comma parts from it (KhanQ A.2)."""

import re

from transforms.sentences import words
from transforms.triples.content import WORD
from transforms.triples.prompt_types import AUXILIARY, PREPOSITION, PREPOSITIONS

_LONGEST = 14  # words that are looked at: `In the middle of the coldest night of the year`
_DETERMINERS = words("the a an this that these those my our your his her its their all any some each every no")
_SUBJECTS = words("i we they he she it you there")
_CLAUSE = words("that which who whose whom where when while if because how what why and or")
_ASKING = words("why how what where when who")
_DO = re.compile(r"(?:do|does|did)(?:n['’]?t)?", re.IGNORECASE)
_AUXILIARY = re.compile(AUXILIARY, re.IGNORECASE)


def _asks(word: str, following: str) -> bool:
    """Whether two words are the beginning of a question: `why do`, `would the`, `do bees`."""
    if word in _ASKING:
        return bool(_AUXILIARY.fullmatch(following))
    if _DO.fullmatch(word):
        return True
    return bool(_AUXILIARY.fullmatch(word)) and (following in _DETERMINERS or following in _SUBJECTS)


def split_phrase(sentence: str) -> tuple[str, str]:
    """`During winter why do fish not freeze?` as (`During winter`, `why do fish not freeze?`).

    A second noun before the verb is its subject, and no question begins there: `In winter the lake is frozen?`
    """
    if not PREPOSITION.match(sentence):
        return "", sentence
    found = list(WORD.finditer(sentence[:200]))[:_LONGEST]
    lower = [match[0].lower() for match in found]
    for number in range(1, len(lower) - 1):
        if number > 1 and _asks(lower[number], lower[number + 1]):
            start = found[number].start()
            return sentence[:start].rstrip(), sentence[start:]
        after_preposition = lower[number - 1] in PREPOSITIONS
        if lower[number] in _SUBJECTS or lower[number] in _CLAUSE or _AUXILIARY.fullmatch(lower[number]):
            break
        if lower[number] in _DETERMINERS and not after_preposition:
            break
    return "", sentence
