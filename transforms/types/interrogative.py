"""Question type by interrogative: who, where, when, which, what, why, how many/long, yes/no (QG-STEC 2010), and how."""

import re

from transforms.types.wording import AUXILIARY, WH, clause, normal

# "how many" stands for every "how" that asks for a quantity or a degree; plain "how" is our addition.
_DEGREE = re.compile(
    r"how (?:many|much|long|often|far|old|big|fast|tall|large|small|high|low|deep|hot|cold|close|late|"
    r"early|soon|quickly|"
    r"frequently|likely|heavy|strong|wide|thick|short|slow|few|little|accurate|expensive|common|hard|difficult)\b"
)
_COME = re.compile(r"how come\b")
# A preposition may stand before the question word: "in which", "to whom", "at what".
_WORD = re.compile(rf"(?:(?:in|on|at|to|for|from|by|with|of|about|under|into|through) )?({WH})\b")
_AUXILIARY = re.compile(rf"(?:{AUXILIARY})\b")
_ANYWHERE = re.compile(rf"(?:how come|{WH})\b")


def question_type(text: str) -> str:
    """The type: the word that opens the asking clause, else the first question word in it."""
    asking = clause(normal(text)).lstrip("\"'([¿")
    if _AUXILIARY.match(asking):
        return "yes/no"
    if found := _WORD.match(asking):
        return _by_word(asking, found.start(1))
    for found in _ANYWHERE.finditer(asking):
        # "is that the cell which divides?", "… when it cools, right?": the word joins clauses and asks nothing.
        joins = found[0] in ("which", "who", "when", "where", "whose", "whom") and re.search(
            r"\w$", asking[: found.start()].rstrip()
        )
        if not joins:
            return _by_word(asking, found.start())
    if re.search(
        rf", ?(?:right|correct|yes|no|(?:{AUXILIARY})(?: not)? (?:it|he|she|they|we|you|that|i|there))\b", asking
    ):
        return "yes/no"
    return "yes/no" if re.search(rf"\b(?:{AUXILIARY})\b", asking) else "other"


def _by_word(asking: str, start: int) -> str:
    word = asking[start:]
    if _COME.match(word):
        return "why"
    if _DEGREE.match(word):
        return "how many"
    if word.startswith("who"):
        return "who"
    return next(name for name in ("where", "when", "which", "what", "why", "how") if word.startswith(name))
