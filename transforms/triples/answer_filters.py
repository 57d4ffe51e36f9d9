"""Answers that make no context, each with its reason (KhanQ A.3)."""

import re

from transforms.triples.prompts import content_words

_WORD = re.compile(r"[\w'’]+")
_LEANING = re.compile(
    r"^(?:(?:so|well|and|but|then)[\s,]+)?(?:they|he|she|these|those|same|exactly|agreed|me too|as (?:above|said)|like \w+ said|also|this|that"
    r"|neither|either|both|ditto|because of (?:that|this)|it(?:'s|’s)? (?!(?:is|was|seems|depends|takes|turns|has been|would be|may be|might be|can be"
    r"|'s) )|it (?:does|do|did|has|will|can|could|would|should)\b|it (?:is|was) (?!(?:\w+ ){0,3}(?:that|to|because|when|why|how|possible|important|true)\b))",
    re.IGNORECASE,
)
_ELSEWHERE = re.compile(
    r"\b(?:(?:the|your|my|his|her) (?:previous|other|above|earlier|first|last) (?:answer|post|comment|reply)|(?:answer|post|comment|reply) (?:above|below)"
    r"|as \w{2,20} (?:said|mentioned|wrote|pointed out|explained)|see (?:above|below|my|the (?:answer|comment))|@\w+"
    r"|you (?:said|wrote|mentioned|asked|described|quoted)|your (?:question|example|statement|reasoning|post|calculation|first|second|last|equation))\b",
    re.IGNORECASE,
)
_UNHELPFUL = re.compile(
    r"\b(?:i (?:do not|don['’]?t) know|i(?:'m|’m| am) not (?:really |quite |100% |entirely )?sure|no idea|same (?:question|problem|doubt) here|i have the same"
    r"|i was wondering the same|i(?:'d|’d| would) (?:also )?like to know|anyone know|can someone|i need help|please help|not an answer|just guessing)\b",
    re.IGNORECASE,
)
_BACKGROUND = re.compile(
    r"\b(?:(?:check|look) (?:out|up|at) (?:this|the|that|these|your)|(?:see|watch|read|visit|google|follow) (?:this|the|that|these|khan|sal|his|her|next|previous|my) "
    r"(?:\w+ ){0,3}(?:video|link|article|page|site|website|wikipedia|lesson|playlist|section|post|chapter)s?"
    r"|(?:in|on|from) (?:the|this|that|your) (?:\w+ )?(?:figure|diagram|picture|image|screenshot|photo|link|next video|previous video|other video|drawing)"
    r"|(?:figure|diagram|picture|image|graph|table) (?:above|below|\d+)|(?:here|this) is (?:a|the) (?:link|video)|google it|the link)\b",
    re.IGNORECASE,
)
_FRAGMENT = re.compile(r"^[\w'’-]+(?: [\w'’-]+)?\s*[.!:]\s")


def too_short(context: str, minimum: int) -> bool:
    """KhanQ A.3: too little information."""
    return len(_WORD.findall(context)) < minimum


def not_standalone(answer: str, context: str) -> bool:
    """KhanQ A.3: opens with a word that points at the question, or leans on another post."""
    return bool(_LEANING.match(context) or _ELSEWHERE.search(context) or _FRAGMENT.match(context))


def does_not_answer(answer: str, context: str, asked: str) -> bool:
    """KhanQ A.3: says that it does not know, only asks back, or shares no word with what was asked."""
    if not context or _UNHELPFUL.search(answer):
        return True
    return not content_words(context) & content_words(asked)


def needs_background(context: str) -> bool:
    """KhanQ A.3: sends the reader to a video, a figure or a page that is not given."""
    return bool(_BACKGROUND.search(context))


def answer_reason(answer: str, context: str, asked: str, minimum: int) -> str | None:
    """The first criterion of A.3 that an answer fails.

    Off-topic answers come first, so that they are never joined with the short ones.
    """
    if does_not_answer(answer, context, asked):
        return "answer_does_not_answer"
    if needs_background(context):
        return "answer_needs_background"
    if too_short(context, minimum):
        return "answer_too_short"
    if not_standalone(answer, context):
        return "answer_not_standalone"
    return None


def contradict(answers: list[str]) -> bool:
    """Whether one of the answers opens with yes and another with no."""
    opened = {(re.match(r"\W*(yes|no)\b", a, re.IGNORECASE) or [""])[0].lower().strip(" \"'*") for a in answers}
    return {"yes", "no"} <= opened
