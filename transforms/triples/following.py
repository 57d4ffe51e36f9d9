"""Which sentences before a question it follows from (KhanQ A.2)."""

import re

from transforms.sentences import split
from transforms.triples.prompt_types import CONDITION, PREPOSITION, asks

# A prompt is short (14 words on average, KhanQ 4.1): the nearest sentences, and no more words than a long one has.
_MAX_SENTENCES, _MAX_WORDS, _LOOKED_AT = 4, 100, 12

# Code and quoted lines: another voice than the writer's. Where they were left out, a mark stands.
HIDDEN = re.compile(r"(?m)^[ \t]*>.*$|```[^`]*(?:```|\Z)")
HOLE = " \ufffc "
WORD = re.compile(r"\w+(?:['’]\w+)*")
_AFTER_QUESTION = re.compile(r"(?<=\?)\s+")
_BACKWARD = re.compile(
    r"^(?:if (?:so|not|yes|no)\b|why not\b|or\b|and\b|then\b|so\b|but\b)|\b(?:it|its|they|them|their|this|these|those"
    r"|he|she|both|same|such|either)\b|\bthat (?:is|was|be|would|will|can|mean|happen|also|same|case)\b"
    r"|\bthat\s*\?|\bdifference\s*\?",
    re.IGNORECASE,
)
# Sentences of a post that carry nothing a question could follow from.
_CHAT = re.compile(
    r"^\W*(?:(?:so|but|and|ok|okay|well|also)\W{1,9}){0,3}(?:"
    r"(?:please|ok(?:ay)?|great|nice|good|help|edit|ps|p\.s|just (?:wondering|curious|asking|confirming|checking"
    r"|a (?:quick |short )?question)|love|awesome|wow|lol|haha|well)\b[^,]{0,80}$"
    r"|(?:hi|hello|hey|thanks?|thank you|sorry|dear|greetings|cheers)\b"
    r"|(?:not (?:so |that |very )?(?:important|relevant)|not trying to|no offen[cs]e|in other words|on another note"
    r"|speaking of|back to|(?:like )?the title says|(?:i )?(?:kinda|kind of|sort of) (?:understand|get)"
    r"|(?:what|how) about)\b"
    r"|(?:this|it|that) (?:\w+ ){0,2}(?:confus\w+|weird|odd|strange|bothers?|annoying)\b.{0,40}$)"
    r"|\b(?:(?:i(?:['’]m| am| was| got| get)|am) (?:\w+ ){0,3}(?:confused|stuck|lost|wondering|curious|struggling"
    r"|not sure|unsure|annoyed|having trouble|foggy|puzzled)"
    r"|i (?:have|had|'ve|’ve) (?:a|one|two|some|another|few) (?:\w+ )?questions?"
    r"|(?:my|another|one|quick|second|first|next|other) (?:\w+ )?questions?\b"
    r"|i (?:do not|don['’]?t|do['’]nt|can['’]?t|cannot|didn['’]?t) (?:\w+ )?(?:understand|get|see|know|figure|follow"
    r"|find)|thank(?:s| you)|in advance|please (?:help|explain|answer|correct)|appreciate|(?:great|nice|good) video"
    r"|correct me|let me know|i(?:'m| am|’m) (?:new|sorry|asking)"
    r"|i (?:wonder|wondered|am asking|asked|watched|tried|looked|searched|hope|wish|love|like|want)\b)",
    re.IGNORECASE,
)
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


def is_chat(sentence: str) -> bool:
    """Whether a sentence is talk around the question (a greeting, thanks, the asker's state of mind) or has a hole."""
    return HOLE.strip() in sentence or bool(_CHAT.search(sentence))


def follows_from(question: str, earlier: str, answered: frozenset[str], adjacent: bool) -> bool:
    """KhanQ A.2, consecutive questions: whether the later question builds on the earlier one.

    It points back, it shares a word with it, or the answers speak about both.
    """
    words, before = content_words(question), content_words(earlier)
    if _BACKWARD.search(question) or CONDITION.match(earlier) or words & before:
        return True
    return adjacent and bool(answered & words) and bool(answered & before)


def sentences_before(text: str) -> list[str]:
    """The sentences of a text, cut behind every question mark whatever follows it."""
    return [piece for sentence in split(text) for piece in _AFTER_QUESTION.split(sentence) if piece]


def preceding(text: str, question: str, answered: frozenset[str]) -> list[str]:
    """The sentences before the question that it follows from, in order."""
    chosen: list[str] = []
    words = 0
    for sentence in reversed(sentences_before(text)[-_LOOKED_AT:]):
        length = len(WORD.findall(sentence))
        limits = bool(PREPOSITION.match(sentence) or CONDITION.match(sentence))
        if is_chat(sentence) or (length < 3 and not limits):
            continue
        words += length
        if len(chosen) >= _MAX_SENTENCES or (chosen and words > _MAX_WORDS):
            break
        later = chosen[-1] if chosen else question
        if asks(sentence) and not follows_from(later, sentence, answered, adjacent=not chosen):
            break
        chosen.append(sentence)
    return chosen[::-1]
