"""The form of a prompt (KhanQ 4.4), and the openings that tell it."""

import re

from transforms.sentences import words

PREPOSITIONS = words(
    "in on for during at with without after before by from of about under between among within through to into across"
    " along despite throughout upon inside outside like via"
)
AUXILIARY = (
    r"(?:is|are|was|were|do|does|did|can|could|would|will|should|has|have|had|may|might|must)(?:n['’]?t)?"
    r"|cannot|won['’]?t|shall|am(?=\s+i\b)"
)
_LEAD = (
    r"(?:(?:so|but|and|also|ok|okay|well|now|then|hi|hello|or|however|even|only|(?:first|second|third)(?:ly)?"
    r"|for (?:an )?example|for instance"
    r"|(?:for )?e\.g\.|just|especially)[\s,]+)*"
)
CONDITION = re.compile(
    rf"^\W{{0,3}}{_LEAD}(?:if|when|whenever|unless|supposing|assuming|provided|as long as|in case(?! of))\b(?! (?:do"
    rf"|does|did|is|are|was|were"
    r"|will|would|can|could|should|has|have)\b)",
    re.IGNORECASE,
)
REASON = re.compile(
    rf"^{_LEAD}(?:since|because|as|given that|although|though|while|whereas|suppose|once|say|what if)\b", re.IGNORECASE
)
PREPOSITION = re.compile(
    rf"^\W{{0,3}}{_LEAD}(?:in|on|for(?! (?:(?:an )?example|instance|e\.g))|during|at|with|without|after|before|by|from"
    r"|of|about|under|between|among|within|through|regarding|concerning|besides|apart from|unlike|like|instead of|to"
    r"|via|into|across|along|despite|throughout|upon|inside|outside|compared|since|as)\b",
    re.IGNORECASE,
)
_ASKS = re.compile(
    rf"^\W{{0,3}}{_LEAD}(?:(?:what(?:['’]s)?|who|whose|whom|which)\b|(?:how|why|where)\s(?:come|to|{AUXILIARY})\b"
    rf"|(?:{AUXILIARY})\s)",
    re.IGNORECASE,
)
# `right?` behind a statement and `(?)` behind a word ask nothing: the sentence stays a statement.
TAG = re.compile(
    rf"(?:,\s*(?:right|correct|yes|no|ok|okay|huh|true|(?:{AUXILIARY}) (?:it|they|he|she|we|you|i|there|that|this))"
    r"|\()\s*\?(?:\s?\([^()]{0,40}\))?\W*$",
    re.IGNORECASE,
)
# A letter and a dot is an abbreviation, not the end of a sentence.
_SENTENCE_END = re.compile(r"(?<=[!?])\s+|(?<=[\w)\"'”’%][\w)\"'”’%]\.)\s+")
_FINITE = re.compile(
    r"\b(?:is|are|was|were|am|be|been|do|does|did|can|could|would|will|should|has|have|had|may|might|must|says?|said"
    r"|shows?|goes|gets?|makes?|becomes?|means?|gives?|takes?|uses?|i|we|they|he|she|it|you)\b|n['’]t\b",
    re.IGNORECASE,
)
# These begin a clause as well as a phrase, and the verb behind them is that of the clause.
_CONJUNCTION = re.compile(rf"^\W{{0,3}}{_LEAD}(?:since|as|after|before|like)\b(?! (?:an?|my|your|our) )", re.IGNORECASE)
_RELATIVE = re.compile(r"\b(?:that|which|who|whose|whom|where|when|what|how|if)\b", re.IGNORECASE)
_MAIN_VERB = re.compile(
    r"\b(?:(?:i|we|they|he|she|it|you|there)(?:['’]\w+)? [a-z]|(?:is|are|was|were|am|has|had|says?|said|means?)\b)",
    re.IGNORECASE,
)
_ARTICLES = words("the a an")
# An article, a noun and a verb.
_SHORTEST_CLAUSE = 3
_REPORTS = re.compile(
    r"\b(?:you|he|she|it|they|sal|author|teacher|speaker) (?:also )?(?:says?|said|mention|state|explain|claim|tell|told"
    r"|writes?|wrote)",
    re.IGNORECASE,
)
_IN_BRACKETS = re.compile(r"\([^()]{0,300}\)")


def asks(sentence: str) -> bool:
    """Whether a sentence asks by its mark; a tag behind a statement does not."""
    return sentence.rstrip("\"')”’ ").endswith("?") and not TAG.search(sentence)


def opens_as_question(sentence: str) -> bool:
    """Whether a sentence has the word order of a question, for writers who forget the mark."""
    return bool(_ASKS.match(sentence))


def _is_sentence(prompt: str) -> bool:
    """Whether a subject and its verb stand behind the phrase without a comma; those of a relative clause do not count.

    `As a gardener I dig`, `In May the snow melted at last`; but `For trees that are old`, `As the tide turns`.
    """
    before, _, _ = prompt.partition(",")
    if _CONJUNCTION.match(before):
        return False
    verb = _MAIN_VERB.search(before)
    if verb:
        return not _RELATIVE.search(before, 0, verb.start())
    own = before.lower().split()
    for number in range(2, len(own) - _SHORTEST_CLAUSE):
        last = own[number - 1]
        if own[number] in _ARTICLES and last not in PREPOSITIONS and not last.endswith("ing"):
            return True
    return False


def opens_with_phrase(prompt: str) -> bool:
    """Whether the prompt is one prepositional phrase, and no clause of its own follows the phrase."""
    if not PREPOSITION.match(prompt) or _REPORTS.search(prompt) or _is_sentence(prompt):
        return False
    _, _, rest = _IN_BRACKETS.sub("", prompt).partition(",")
    return not _FINITE.search(rest) or bool(PREPOSITION.match(rest.strip()))


def prompt_type(prompt: str) -> str:
    """The form of a prompt; when several apply, how the prompt opens decides.

    1. `condition`: it opens with if, when, unless ..., whatever follows, a question included;
    2. `preposition`: it is a prepositional phrase, alone or in front of a question of the same sentence;
    3. `question`: one of its sentences asks (a tag such as `right?` does not), or the first one has the word order
       of a question and no mark;
    4. `citation`: everything else, also statements that a conditional clause follows.
    """
    sentences = [s for s in _SENTENCE_END.split(prompt) if s]
    if not sentences or CONDITION.match(prompt):
        return "condition" if sentences else "citation"
    if PREPOSITION.match(sentences[0]) and asks(sentences[0]) and not opens_as_question(sentences[0]):
        return "preposition"
    if any(asks(s) for s in sentences) or opens_as_question(sentences[0]):
        return "question"
    if len(sentences) == 1 and opens_with_phrase(prompt):
        return "preposition"
    return "citation"
