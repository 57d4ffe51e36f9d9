"""Answers that say opposite things: they make no paragraph together (KhanQ A.3, several answers)."""

import re
from collections.abc import Sequence
from itertools import combinations

from transforms.sentences import split, words
from transforms.triples.content import content_words

# `True north` and `wrong answers` are no replies.
_REPLY = r"(?=\s*(?:[,.!:;–—-]|$)|\s(?:it|they|he|she|that|this|there|because|since)\b)"
_YES = (
    r"(?:(?:yes|yep|yup|yeah|yea)\b|of course(?! not)"
    rf"|(?:sure|correct|exactly|absolutely|definitely|certainly|indeed|true|right){_REPLY}"
    r"|(?:that|this|it)(?:['’]s| is) (?:right|correct|true)\b|you(?:['’]re| are) (?:right|correct)\b)"
)
_NO = (
    rf"(?:(?:nope|nah)\b|no(?! (?:one|other)\b)\b|of course not|(?:wrong|incorrect|false){_REPLY}"
    r"|not (?:really|exactly|quite|necessarily|at all)\b|on the contrary\b"
    r"|(?:that|this|it)(?:['’]s| is) (?:wrong|incorrect|false|not (?:right|correct|true)|a (?:myth|misconception))\b"
    r"|you(?:['’]re| are) (?:wrong|mistaken|incorrect)\b)"
)
_OPENING = re.compile(rf"\W*(?:(?:well|oh|so|hi|hmm+|actually)\b\W*)?(?:(?P<no>{_NO})|(?P<yes>{_YES}))", re.IGNORECASE)

# What a thing does or is, and its opposite; `same` is the opposite of every change and of every comparison.
_CHANGES = (
    ("increase increases increased increasing rise rises rising rose raise raises raised grow grows growing",
     "decrease decreases decreased decreasing fall falls falling fell drop drops shrink shrinks sink sinks decline"
     " declines lower lowers lowered reduce reduces"),
    ("up upward upwards", "down downward downwards"), ("expand expands", "contract contracts shrink shrinks"),
    ("more most", "less fewer least"), ("higher highest", "lower lowest"), ("faster quicker fastest", "slower slowest"),
    ("bigger larger greater", "smaller"), ("heavier", "lighter"), ("hotter warmer", "colder cooler"),
    ("stronger", "weaker"), ("longer taller", "shorter"), ("easier", "harder"), ("better", "worse"),
    ("denser", "thinner"), ("nearer closer", "farther further"), ("older", "younger"),
)  # fmt: skip
_STATES = (
    ("hot warm", "cold cool"), ("big large", "small tiny"), ("fast", "slow"), ("heavy", "light"), ("strong", "weak"),
    ("easy", "hard"), ("always", "never"), ("possible", "impossible"), ("true", "false"), ("positive", "negative"),
    ("alive", "dead"), ("attract attracts", "repel repels"), ("toward towards", "away"), ("inside", "outside"),
    ("absorb absorbs absorbed", "release releases released emit emits"), ("gain gains", "lose loses"),
    ("endothermic", "exothermic"), ("acidic", "basic alkaline"), ("everyone everything all", "nobody nothing none"),
    ("soluble", "insoluble"), ("stable", "unstable"),
)  # fmt: skip
_SAME = words("same equal equally identical constant unchanged")
_DIFFERENT = words("different differ differs change changes changed changing")
_SIDES = [(words(left), words(right)) for left, right in (*_CHANGES, *_STATES)]
_PAIRS = [*_SIDES, (_SAME, _DIFFERENT.union(*(left | right for left, right in _SIDES[: len(_CHANGES)])))]
_WORD = re.compile(r"[a-z]+(?:['’]t)?")
_NOT = re.compile(
    r"\b(?:not|never|cannot|(?:is|are|was|were|do|does|did|has|have|had|ca|wo|could|would|should|must)n['’]?t)\b"
    # These deny a part, or that it must be so.
    r"(?! (?:\w+ )?(?:have to|need to|necessarily|only|just|always|all|every|everyone|exactly|quite"
    r"|entirely|completely)\b)",
    re.IGNORECASE,
)
_CLAUSE_END = re.compile(r"[,;:()]|\b(?:but|and|or|so|because|since|until|when|if)\b")
# What is supposed is not said: `if there were no clouds`.
_SUPPOSED = re.compile(r"\b(?:if|unless|when|whether|without)\b[^,.!?;]*", re.IGNORECASE)
# What is denied stands right behind `not`: the first words that tell something.
_DENIED_WITHIN = 5


def contradict(answers: Sequence[str], contexts: Sequence[str]) -> bool:
    """Whether two answers say opposite things of what both speak about, or one opens with yes and the other with no."""
    opened = {found.lastgroup for found in map(_OPENING.match, answers) if found}
    if len(opened) > 1:
        return True
    spoken_of = [content_words(context) for context in contexts]
    return any(
        not spoken_of[one].isdisjoint(spoken_of[other]) and _opposed(contexts[one], contexts[other])
        for one, other in combinations(range(len(contexts)), 2)
    )


def _opposed(one: str, other: str) -> bool:
    return _opposite_words(one, other) or _denies(one, other) or _denies(other, one)


def _opposite_words(one: str, other: str) -> bool:
    """One has a word and the other its opposite; an answer with both of them weighs and does not contradict."""
    own, others = _telling(one, other), _telling(other, one)
    return any(
        own & said and others & denied and not (own & denied or others & said)
        for sides in _PAIRS
        for said, denied in (sides, sides[::-1])
    )


def _telling(text: str, other: str) -> set[str]:
    """The words that the other answer has in no form."""
    theirs = content_words(other)
    return {word for word in _WORD.findall(_SUPPOSED.sub("", text).lower()) if content_words(word).isdisjoint(theirs)}


def _denies(one: str, other: str) -> bool:
    """The first says of a thing that it is not so, and the second that it is."""
    said = [content_words(_SUPPOSED.sub("", s)) for s in split(other) if not _NOT.search(s)]
    for sentence in split(_SUPPOSED.sub("", one)):
        for found in _NOT.finditer(sentence):
            denied = content_words(" ".join(_CLAUSE_END.split(sentence[found.end() :], 1)[0].split()[:_DENIED_WITHIN]))
            about = content_words(sentence[: found.start()])
            if any(denied & told and len((denied | about) & told) > 1 for told in said):
                return True
    return False
