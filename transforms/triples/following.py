"""Which sentences before a question it follows from (KhanQ A.2)."""

import re

from transforms.sentences import split
from transforms.triples.claims import tells
from transforms.triples.content import WORD, content_words
from transforms.triples.cues import delete_quote_cues, delete_subjective_words
from transforms.triples.off_subject import is_request
from transforms.triples.prompt_types import CONDITION, PREPOSITION, asks, opens_as_question
from transforms.triples.talk import cut_lead_in

# A prompt is short (14 words on average, KhanQ 4.1): the nearest sentences, and no more words than a long one has.
_MAX_SENTENCES, _MAX_WORDS, _LOOKED_AT = 4, 100, 12

# Code and quoted lines: another voice than the writer's. Where they were left out, a mark stands.
HIDDEN = re.compile(r"(?m)^[ \t]*>.*$|```[^`]*(?:```|\Z)")
HOLE = " \ufffc "
_AFTER_QUESTION = re.compile(r"(?<=\?)\s+")
_BACKWARD = re.compile(
    r"^(?:if (?:so|not|yes|no)\b|why not\b|or\b|and\b|then\b|so\b|but\b)|\b(?:it|its|they|them|their|this|these|those"
    r"|he|she|both|same|such|either)\b|\bthat (?:is|was|be|would|will|can|mean|happen|also|same|case)\b"
    r"|\b(?:that|then)\s*\?|\bdifference\s*\?",
    re.IGNORECASE,
)
_SUPPOSES = re.compile(r"(?:(?:so|but|and)\s+)?what if\b", re.IGNORECASE)
# Whoever says that he has another question asks about another thing, unless he points back at the first one.
_POINTS_BACK = re.compile(r"\b(?:it|its|they|them|their|this|these|those|he|she)\b", re.IGNORECASE)
_ALSO = re.compile(
    r"\W*(?:and )?(?:also|secondly|next|(?:my )?(?:another|other|second|last|final|next) (?:thing|question))\b",
    re.IGNORECASE,
)
# `2) Why ...` and `Second, why ...` begin anew.
_NUMBER = re.compile(r"\(?(?:\d|[a-c])[.)]")
_ORDINAL = re.compile(r"\W*(?:first|second|third)(?:ly)?,", re.IGNORECASE)
# Behind a question, these speak about it or about whoever asks, or go on with it.
_REMARK = re.compile(
    r"\b(?:i\b(?![-+.])|(?:i['’]?m|i['’]?ve|me|my|mine)\b)|^you (?:did|just|never|forgot|said|say|should|need|have)\b"
    r"|^\W{0,3}(?:such as|e\.?g\b|i\.?e\b|like|with|or|and|\()",
    re.IGNORECASE,
)
# It speaks about the lesson, its explanation or the machine.
_OF_THE_LESSON = re.compile(
    r"\b(?:the|this|that|your|my|our|his|her) (?:\w+ )?(?:video|lesson|article|lecture|tutorial|transcript"
    r"|answer|explanation|question|quiz|text|book)s?\b|\b(?:this|that|your|my|his|her) (?:thread|post|comment)s?\b"
    r"|\bexplain\w*\b(?! that\b)"
    r"|\bkeeps? (?:saying|telling|showing|giving)\b"
    r"|^(?:it|this|that) (?:\w+ )?(?:does|did|is|was)(?:n['’]?t| not) work"
    r"|\b(?:(?:did|do|does)(?:n['’]?t| not)|never) (?:\w+ )?(?:says?|said|tell|told|mention\w*|shows?|showed"
    r"|answer\w*)\b"
    r"|^(?:it|that|this) (?:would be|is) (?:\w+ )?(?:cool|nice|great|good|interesting|fun|confusing|strange|weird)\b",
    re.IGNORECASE,
)
_SHORTEST_STATEMENT = 4
# Sentences of a post that carry nothing a question could follow from.
_CHAT = re.compile(
    r"^\W*(?:(?:so|but|and|ok|okay|well|also)\W{1,9}){0,3}(?:"
    r"(?:please|ps|p\.s|edit:|just (?:wondering|curious|asking|confirming|checking"
    r"|a (?:quick |short )?question)|love (?:this|the|your|it)|awesome|wow|lol|haha)\b[^,]{0,80}$"
    r"|(?:ok(?:ay)?|great|nice|good|help|edit|well|love)\b(?: [^\s,]+){0,2}\W*$"
    r"|(?:great|nice|good) (?:\w+ )?(?:video|lesson|explanation|job|work|article|tutorial|question|series)s?\b"
    r"[^,]{0,80}$"
    r"|(?:hi|hello|hey|thanks?(?! to\b)|thank you|sorry|dear|greetings|cheers)\b"
    r"|(?:not (?:so |that |very )?(?:important|relevant)|not trying to|no offen[cs]e|in other words|on another note"
    r"|speaking of|back to|(?:like )?the title says|(?:i )?(?:kinda|kind of|sort of) (?:understand|get)"
    r"|(?:what|how) about)\b"
    r"|(?:this|it|that) (?:\w+ ){0,2}(?:confus\w+|weird|odd|strange|bothers?|annoying)\b.{0,40}$)"
    r"|\b(?:(?:i(?:['’]m| am| was| got| get)|am) (?:\w+ ){0,3}(?:confused|stuck|lost|wondering|curious|struggling"
    r"|not sure|unsure|annoyed|having trouble|foggy|puzzled)"
    r"|i (?:have|had|'ve|’ve|got|have got) (?:a|one|two|some|another|few) (?:\w+ )?(?:questions?|doubts?|query)\b"
    r"|have a (?:great|good|nice|lovely|wonderful|blessed|awesome) (?:day|week|weekend|evening|night|one)\b"
    r"|if (?:any|some)(?:one|body) (?:here )?(?:knows(?: (?:this|it|the answer|why|how))?\W*$|(?:sees?|reads?) this\b"
    r"|(?:can|could) (?:help|answer|explain)\b)|up ?votes?\b"
    r"|if (?:you|u)(?:['’]?re| are| r)? (?:see|seeing|read|reading|watching) (?:this|my)\b"
    r"|(?:would|will) be (?:\w+ )?(?:appreciated|helpful|awesome)\b|any help\b"
    r"|(?:my|another|one|quick|second|first|next|other) (?:\w+ )?questions?\b"
    r"|i (?:do not|don['’]?t|do['’]nt|can['’]?t|cannot|didn['’]?t) (?:\w+ )?(?:understand|figure|follow)"
    r"|thank(?:s(?! to\b)| you)|in advance|please (?:help|explain|answer|correct)|appreciate"
    r"|(?:great|nice|good) video"
    r"|correct me|let me know|i(?:'m| am|’m) (?:new|sorry|asking)"
    r"|i(?:['’]ve|['’]m| have| had| was| am)? (?:just |already |also |recently |always )?(?:been (?:thinking|trying"
    r"|reading|watching|learning|studying|working|looking)|browsed|done|finished|completed|studying|learning"
    r"|practi[cs]ing|watching|reading|coding|googled)\b"
    r"|i (?:wonder|wondered|am asking|asked)\b)",
    re.IGNORECASE,
)
# Behind `if` and `when` these suppose something: `If I want to make tea`, `If I don't know the speed`.
_STATE = re.compile(
    r"\bi (?:(?:do not|don['’]?t|do['’]nt|can['’]?t|cannot|didn['’]?t) (?:\w+ )?(?:get|see|know|find)"
    r"|(?:watched|tried|looked|searched|hope|wish|love|like|want)\b)",
    re.IGNORECASE,
)
# `I get the first part` says what needs no answer; `I get the sun is hot` tells something.
_FOLLOWED = re.compile(
    r"\W*(?:(?:so|but|and|ok|okay|well|also|while|although)\W{1,3}){0,3}i (?:\w+ )?"
    r"(?:get|got|understand|understood|follow|followed)\s+"
    r"(?P<what>(?:the|this|it|most|all|some|everything|your|his|that(?= \w+\W*$))\b.*)",
    re.IGNORECASE,
)


def is_chat(sentence: str) -> bool:
    """Whether a sentence is talk around the question (a greeting, thanks, the asker's state of mind) or has a hole."""
    if HOLE.strip() in sentence or _CHAT.search(sentence):
        return True
    followed = _FOLLOWED.match(sentence)
    if followed and not tells(followed["what"]):
        return True
    return bool(_STATE.search(sentence)) and not CONDITION.match(sentence)


def follows_from(question: str, earlier: str, answered: frozenset[str], adjacent: bool) -> bool:
    """KhanQ A.2, consecutive questions: whether the later question builds on the earlier one.

    It points back, it shares a word with it, or the answers speak about both.
    """
    asked, before = content_words(question), content_words(earlier)
    if _ALSO.match(question):
        return bool(_POINTS_BACK.search(question))
    if asked & before:
        return True
    if _BACKWARD.search(question) or CONDITION.match(earlier) or _SUPPOSES.match(earlier):
        return True
    return adjacent and bool(answered & asked) and bool(answered & before)


def sentences_before(text: str) -> list[str]:
    """The sentences of a text, cut behind every question mark whatever follows it."""
    return [piece for sentence in split(text) for piece in _AFTER_QUESTION.split(sentence) if piece]


def preceding(text: str, question: str, answered: frozenset[str]) -> list[str]:
    """The sentences before the question that it follows from, in order."""
    chosen: list[str] = []
    count = 0
    before = sentences_before(text)[-_LOOKED_AT:]
    begins_anew = bool(_ORDINAL.match(question) or (before and _NUMBER.fullmatch(before[-1])))
    for sentence in reversed(before):
        said = cut_lead_in(sentence)
        length = len(WORD.findall(said))
        limits = bool(PREPOSITION.match(said) or CONDITION.match(said))
        if is_chat(said) or is_request(said) or (length < 3 and not limits):
            continue
        count += length
        if len(chosen) >= _MAX_SENTENCES or (chosen and count > _MAX_WORDS):
            break
        # A remark may stand between two questions: `Did women gain? All examples are men. Were they paid?`
        later = [question] if not chosen else [chosen[-1]] if asks(chosen[-1]) else [chosen[-1], question]
        builds_on_it = any(follows_from(text, sentence, answered, adjacent=not chosen) for text in later)
        if asks(sentence) and (begins_anew or not builds_on_it):
            break
        chosen.append(sentence)
    return chosen[::-1]


def statement_behind(question: str, after: list[str]) -> str:
    """The statement behind a question that says why it is asked: `Why is it dark? There are billions of stars.`

    It tells something, not about the asker. In front of a further question it may lead up to that one: then it has to
    say whose it is, by a pronoun, a shared word or as what the asker knows.
    """
    said = after[0] if after and opens_as_question(question) else ""
    if is_chat(said) or is_request(said) or asks(said) or opens_as_question(said) or said.endswith((":", ",")):
        return ""
    known = delete_subjective_words(delete_quote_cues(said))
    if _REMARK.search(known) or _OF_THE_LESSON.search(known):
        return ""
    if len(WORD.findall(known)) < _SHORTEST_STATEMENT or not tells(known):
        return ""
    if CONDITION.match(known) and any(map(asks, after)):
        return ""
    linked = known != said or _POINTS_BACK.search(said) or content_words(said) & content_words(question)
    return said if linked or not any(map(asks, after)) else ""
