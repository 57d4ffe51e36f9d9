"""The questioner becomes anybody (KhanQ A.5): `If I dig, does my hand get wet?` asks about people."""

import re

from transforms.triples.prompt_types import AUXILIARY, CONDITION

# `I-` and `I.` are names of things.
_FIRST = re.compile(r"\b(?:I|[Mm]e|[Mm]y|[Mm]ine|[Mm]yself|i['’](?:m|ve|ll|d))\b(?![-+.])")
_SECOND = re.compile(r"\b(?:you|your|yours|yourself|u)\b", re.IGNORECASE)
# A small `i` is a person where a verb stands around it as around one; in `if i is 2` it is a number.
_SMALL = re.compile(
    rf"((?:^|\b(?i:if|when|but|and|that|because|as|{AUXILIARY}|am)\s))i"
    r"(?=\s(?!(?:is|are|equals?|times|to|by|of|in|and|or|at|on|for|squared|goes|doubles)\b)[a-z]|['’](?:m|ve|ll|d)\b)"
)
_OURS = re.compile(r"\b(?:our|us)\b", re.IGNORECASE)
_NUMBER = re.compile(r"\bi (?:is|equals?|=|times|squared)|\b(?:is|of|by|to|times) i\b|=\s?i\b")
_SUPPOSES = re.compile(r"\b(?:if|when|whenever|suppose|supposing|assuming|unless)\s+(?:I|you|u)\b", re.IGNORECASE)
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
# A clause may have anybody as its subject; as the object of a verb, `you` cannot be told from one.
_YOU = re.compile(
    r"\b(if|when|whenever|suppose|unless|while|before|after|because|since|although|though|as|that|and|but|then) "
    r"(?:you|u)(?= (?!(?:and|or)\b)[a-z]|['’])",
    re.IGNORECASE,
)
# People are many: `If I am a carrier` would need another noun. `If I remember right` is talk.
_ONE = re.compile(
    r"\b(?:(?:I(?: am|['’]m| was| were)|(?:am|was|were) I|you(?:['’]?re| are| were)"
    r"|(?:I|you) (?:\w+ )?(?:be|become|became)) (?:an?|the|my|your|alone|one)"
    r"|if I(?:['’]m| am)? (?:\w+ ){0,2}?(?:understand|understood|remember|recall|mistaken|right|wrong|correct|heard"
    r"|read))\b",
    re.IGNORECASE,
)
_NOT_ALONE = re.compile(
    r"\b(?:(?:and|or|than|as) (?:I|me|you)(?! [a-z]|['’])|(?:I|me|you) (?:and|or)"
    r"|(?:my|your) \w+ and (?:I|you)|(?:my|your)self)\b",
    re.IGNORECASE,
)
_VERBS = (
    (re.compile(r"\b[Aa]m I\b"), "are people"),
    (re.compile(r"\b[Ww]as I\b"), "were people"),
    (re.compile(r"\bI(?: am|['’]m)\b|\bpeople['’]?re\b"), "people are"),
    (re.compile(r"\bI was\b"), "people were"),
    (re.compile(r"\b(?:I|people)['’]ve\b"), "people have"),
    (re.compile(r"\b(?:I|people)['’]ll\b"), "people will"),
    (re.compile(r"\b(?:I|people)['’]d\b"), "people would"),
    (re.compile(r"\bI\b(?![-+.])"), "people"),
)
_OBJECTS = (
    (re.compile(r"\b(?:my|your)\b"), "their"),
    (re.compile(r"\bme\b"), "them"),
)
_OBJECT = re.compile(r"\b(?:my|me|your)\b")
_AT_BEGINNING = re.compile(r"(?:^|[.!?] )[paw](?=(?:eople|re people|ere people)\b)")
_ASKS_WHAT_I_DO = re.compile(rf"\b(?:{AUXILIARY}|am) I\b", re.IGNORECASE)


def capital_i(text: str) -> str:
    """`if i dig` as `if I dig`; a text where `i` is a number stays."""
    return text if _NUMBER.search(text) else _SMALL.sub(r"\1I", text)


def speaks_of_person(text: str) -> bool:
    """Whether the asker or whoever is asked stands in the text."""
    return bool(_FIRST.search(text) or _SECOND.search(text))


def people_in_prompt(prompt: str) -> str | None:
    """`If I dig, my hand` as `If people dig, their hand`; nothing where the person has to stay.

    What one supposes holds for anybody; what one tells of oneself does not.
    """
    if not speaks_of_person(prompt):
        return prompt
    for sentence in _SENTENCE_END.split(prompt):
        if speaks_of_person(sentence) and not (_SUPPOSES.search(sentence) or CONDITION.match(sentence)):
            return None
    return _of_people(_YOU.sub(r"\1 people", prompt), prompt, named=False)


def people_in_question(question: str, named: bool) -> str | None:
    """`Why does my hand get wet?` as `Why does their hand get wet?`, when the prompt names the people."""
    if not speaks_of_person(question):
        return None if _OURS.search(question) else question
    if _SECOND.search(question) or not (named or _ASKS_WHAT_I_DO.search(question)):
        return None
    return _of_people(question, question, named)


def _of_people(text: str, before: str, named: bool) -> str | None:
    if _ONE.search(before) or _NOT_ALONE.search(before) or _OURS.search(before):
        return None
    for verb, plural in _VERBS:
        text = verb.sub(plural, text)
    first = _OBJECT.search(text)
    if first and not named and "people" not in text[: first.start()]:
        return None
    for whose, theirs in _OBJECTS:
        text = whose.sub(theirs, text)
    return None if speaks_of_person(text) else _AT_BEGINNING.sub(lambda first: first[0].upper(), text)
