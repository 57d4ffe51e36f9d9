"""Questions that ask nothing about the subject (KhanQ A.1: such a question is none, or not deep enough)."""

import re

from transforms.triples.content import content_words
from transforms.triples.prompt_types import AUXILIARY, TAG, opens_as_question

_WORD = re.compile(r"\w+")
_CHATTER = re.compile(
    r"^(?:(?:so|and|but|or|ok|okay|right|correct|yes|no|not|really|anyone|anybody|thanks|thank|please|hello|hi|huh|why"
    r"|how|what|who|when|where|any (?:ideas?|thoughts|help|suggestions?|hints?|advice)|agreed?|get it|seriously|now"
    r"|something else|else|right or wrong|true or false|am i (?:right|wrong|correct)|is (?:this|that|it) (?:right"
    r"|correct|true|wrong|so|something else)"
    r"|(?:does|do) (?:this|that|it|i) (?:all )?make (?:any )?sense|what do you (?:all )?think|makes? sense|you know"
    r"|isn['’]?t (?:it|that so|that right))\b[\s,?!.]*)+$",
    re.IGNORECASE,
)
_TAG_ALONE = re.compile(rf"^(?:{AUXILIARY}) (?:it|they|he|she|we|you|i|there|this|that)\s?[?!.]*$", re.IGNORECASE)
# Asks a person for help, for an opinion, or about the site: not about the subject.
_REQUEST = re.compile(
    r"^(?:(?:so|and|but|also|please|ok|okay|hi|hello)\b[\s,]*)*"
    r"(?:(?:can|could|would|will) (?:you|someone|anyone|somebody|anybody|u|y['’]?all"
    r"|they(?= (?:please|make|explain|show)\b))\b.{0,40}?\b(?:help|explain"
    r"|clarify|elaborate|tell me|answer|show me|check|give me|correct me|vote|upvote"
    r"|make (?:(?:a|an|another|more) (?:\w+ )?(?:videos?|lessons?)|one))\b"
    r"(?! (?:to me |me )?(?:why|how|what|when|where|which)\b)"
    r"|(?:can|could|would|will) (?:someone|anyone|somebody|anybody|you please) (?:please |pls )?(?:fix|repair|look into"
    r"|correct|change|remove|update) (?:it|this|that|the (?:site|page|bug|problem|error|issue|hint|link|app)s?)\b"
    r"|who else (?:is |are |was |also |\w+s )?(?:here|this|watching|reading|studying|struggling|confused|stuck|lost"
    r"|bored|excited|thinks|thought|loves?|hates?|came|has (?:trouble|problems|no (?:idea|clue)))\b"
    r"|is it (?:just|only) me\b|any(?:one|body) else\b"
    r"|(?:does|do|has|did|is|are) (?:anyone|anybody|someone|somebody|you guys)\b"
    r"(?! know (?:why|how|what|when|where|which)\b)|(?:did|are|have) you\b"
    r"|do you (?:know\b(?! (?:why|how|what|when|where|which)\b)|think|mean|want|like|agree|guys|ever|have any)\b"
    r"|how (?:do|did|can) you (?:all|guys|people|folks|lot)\b|is there (?:anyone|anybody|someone|somebody) (?:i|we"
    r"|here|else)\b"
    r"|(?:(?:where|how|when) )?(?:do|should|can|must|may|could) (?:i|we) (?:hand|submit|upload|download|log|enrol"
    r"|register)\b"
    r"|(?:what|where) am i (?:doing|missing|going|getting|mis\w+|not|supposed)\b|(?:what|where) am i\W*$"
    r"|am i (?:\w+ )?(?:right|wrong|correct|mistaken|missing|the only|(?:mis)?understanding|thinking|doing|reading"
    r"|getting|on the right|on track|crazy|dumb|stupid|confus\w+|allowed|supposed|overthinking|just)\b|am i\W*$"
    r"|(?:did|have) i (?:\w+ )?(?:do|done|get|got|miss\w*|mis\w+|make|made|understand|understood|hear|heard|answer\w*"
    r"|explain\w*|interpret\w*|calculate\w*|solved?|say|said|forget|forgotten)\b"
    r"|why (?:is|are|does|do|did|isn['’]t|doesn['’]t|don['’]t|won['’]t|can['’]t) my (?:\w+ )?"
    r"(?:answer|program|code|solution|version|video|screen|browser|computer|account|profile|progress|points?|badges?"
    r"|question|post|result)s?\b|why (?:am|do|did) i (?:\w+ )?get(?:ting)? (?:an? |the |this )?(?:\w+ )?(?:error|wrong"
    r"|message)\b|what (?:would|do) you (?:say|suggest|recommend|think)\b|what (?:did|do|have) i\b"
    r"|why do (?:we|i) (?:have|need) to (?:learn|study|know) (?:this|it|that)\b|when (?:will|do) (?:we|i) (?:ever )?"
    r"(?:use|need) (?:this|it|that)\b|(?:please )?answer (?:me|this|my)\b)|^\[user\]",
    re.IGNORECASE,
)
_WHAT_TO_DO = re.compile(
    r"what (?:do|can|could|should|would|will|must) (?:you|we|i|u|one|people|they) do(?: then)?\W*$", re.IGNORECASE
)
_ENOUGH_TO_DO_WITH = 3
_OPINION = re.compile(r"\bin your (?:own )?(?:opinion|view|experience)\b", re.IGNORECASE)
# Asks about the site or the making of a lesson. What a lesson says is about the subject.
_SITE = re.compile(
    r"\b(?:khan ?academy|this (?:site|website|app)|energy points?|badges?|(?:this|the|that|your|these|next|last) "
    r"(?:video|lesson|tutorial|playlist|course|transcript|quiz|exercise)s?(?=\s*[?.!,]|\s(?:or|is|are|was|were|does|did|has|so"
    r"|on|and|before|after|at|because|when|if|to|in|you|i)\b))",
    re.IGNORECASE,
)
# When something is to be handed in.
_COURSE = re.compile(
    r"\b(?:worksheet|deadline|due (?:date|tomorrow|today|this|next|by|(?:on )?(?:the \d+\w*"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day))"
    r"|(?:we|i|you|one|to) (?:have to |need to )?hand (?:it |them )?in)\b",
    re.IGNORECASE,
)
# An option that is no clause: `Or after it?`
_OR = re.compile(r"or\b", re.IGNORECASE)
_VERB = re.compile(rf"\b(?:{AUXILIARY}|be|been|am|[a-z]{{2,}}(?:s|ed|ing))\b", re.IGNORECASE)
_LONGEST_FRAGMENT = 6
_PERSONAL = re.compile(r"\b(?:i|my|me)\b", re.IGNORECASE)
_ASKING = re.compile(
    rf"\b(?:what|whats|why|how|which|who|whose|whom|when|where)\b|(?:^|[,;:.–—-]\s*|\b(?:then|so|and|but|or)\s+)(?:{AUXILIARY})\b",
    re.IGNORECASE,
)
# `Or does it depend?` gives no second answer.
_DEPENDS = re.compile(
    r"or (?:(?:does|would|will) (?:it|that|this) (?:just )?(?:all )?depend|it depends?)\W*$", re.IGNORECASE
)
_RESTATED = re.compile(r"(?:i\.\s?e|e\.\s?g)\.", re.IGNORECASE)


def not_a_question(question: str) -> bool:
    """A tag, a greeting or a request for help: the question mark asks nothing about the subject."""
    if len(_WORD.findall(question)) < 2 or question.endswith("(?)") or _TAG_ALONE.match(question):
        return True
    if _CHATTER.match(question) or is_request(question) or _RESTATED.match(question) or _DEPENDS.match(question):
        return True
    return _fragment(question)


def is_request(sentence: str) -> bool:
    """Asks a person for help or whether he knows: `Can someone help me with this?`"""
    return bool(_REQUEST.match(sentence))


def _fragment(question: str) -> bool:
    """An option that is no clause: `Or after it?`"""
    return (
        bool(_OR.match(question)) and len(_WORD.findall(question)) <= _LONGEST_FRAGMENT and not _VERB.search(question)
    )


def states(question: str) -> bool:
    """A statement about oneself with a question mark: `I thought ice is light?`"""
    return bool(_PERSONAL.search(question)) and not _ASKING.search(question)


def off_subject(question: str) -> bool:
    """Asks about the site or the course, or how a lesson was made."""
    return bool(_SITE.search(question) or _COURSE.search(question))


def seeks_opinion(sentence: str) -> bool:
    """Asks for somebody's opinion, wherever in the sentence it says so."""
    return bool(_OPINION.search(sentence))


def asks_what_to_do(prompt: str, question: str) -> bool:
    """`What do you do?` behind a prompt that hardly says with what."""
    return bool(_WHAT_TO_DO.match(question)) and len(content_words(prompt)) < _ENOUGH_TO_DO_WITH


def seeks_consent(question: str) -> bool:
    """A statement with a tag, `Ice is water, right?`: the annotators kept none (KhanQ 4.3, verification)."""
    return bool(TAG.search(question)) and "(" not in question[-3:] and not opens_as_question(question)
