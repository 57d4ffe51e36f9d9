"""Whether what follows `I know` tells something, or only names a thing that one knows."""

import re

from transforms.sentences import words
from transforms.triples.content import WORD
from transforms.triples.prompt_types import AUXILIARY, PREPOSITIONS

_LOOKED_AT = 14  # words: a subject longer than that is rare
_FINITE = re.compile(
    rf"(?:{AUXILIARY}|am|being|fell|rose|grew|became|began|came|went|made|took|got|gave|left|lost|won|held|kept|led"
    r"|knew|saw|found|built|wrote|died|broke|spoke|spread|sank|froze|ran|drew|meant|said|told|thought|brought)",
    re.IGNORECASE,
)
_DETERMINERS = words(
    "the a an this that these those my our your his her its their some any each every no all most many few several both"
    " more various different other such"
)
_OPENS_CLAUSE = words("that which who whose whom where when while if because how what why")
_ADVERBS = words("always usually often never also only just really mostly sometimes still generally normally")
_BEHIND_A_NOUN = PREPOSITIONS | words("and or but nor than as well too better best very")
_MANY = words("people children men women bacteria mitochondria they we you")


def tells(text: str) -> bool:
    """`Water expands when it freezes` tells something; `the formula of ice`, `algebra and geometry` do not."""
    said = [word for word in WORD.findall(text.partition(". ")[0])[:_LOOKED_AT] if word.lower() not in _ADVERBS]
    for before, word, follows in zip(said, said[1:], [*said[2:], ""], strict=False):
        if word.lower() in _OPENS_CLAUSE:
            return False
        if before.lower() not in _BEHIND_A_NOUN | _DETERMINERS and _is_verb(before, word, follows):
            return True
    return False


def _is_verb(subject: str, word: str, follows: str) -> bool:
    """By its form, as far as that goes: `ice melts at`, `ions move in`, `Caesar crossed the`."""
    if _FINITE.fullmatch(word):
        return True
    if not follows or word.lower() in _BEHIND_A_NOUN:
        return False
    if word.endswith("ed") and not word.endswith("eed"):
        return follows in _DETERMINERS | PREPOSITIONS or follows[0].isupper()
    return _ends_in_s(word) != (_ends_in_s(subject) or subject.lower() in _MANY) and follows not in ("well", "too")


def _ends_in_s(word: str) -> bool:
    return word.endswith("s") and not word.endswith(("ss", "us", "is"))
