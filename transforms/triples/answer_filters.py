"""Answers that make no context, each with its reason (KhanQ A.3)."""

import re

from transforms.triples.content import content_words
from transforms.triples.rewrites import mentions

# Lengths in words; below them a weakness decides, above them the rest of the answer makes up for it.
# An answer that opens with `it` or `this is` and goes on at length names what it speaks about.
_NAMES_ITS_SUBJECT_FROM = 30
# A long answer without a word of the question uses other words for it; a short one is beside the point.
_OTHER_WORDS_FROM = 40
# Whoever guesses says little; a long answer that opens with `maybe` goes on to explain.
_GUESS_UP_TO = 40
# In a long answer, `I'm not sure` is about a detail.
_UNSURE_UP_TO = 60
# A long answer that mentions another post has enough of its own.
_CARRIES_ITSELF_FROM = 80
# One sentence of a definition is no paragraph.
_DEFINES_UP_TO = 25

# A few words that open with a pronoun speak of the question's thing, whatever they say of it.
_SAYS_LITTLE_UP_TO = 6

_WORD = re.compile(r"[\w'’]+")
_POINTS = re.compile(r"(?:it|its|they|he|she|this|that|these|those|because|due|by|from|through)\b", re.IGNORECASE)
_VERB = (
    r"(?:is|are|was|were|would|will|can|could|should|has|have|had|does|do|did|may|might|must|means?|happens?|makes?|just"
    r"|also|all|work(?:s|ed)?|look(?:s|ed)?)(?:n['’]?t)?\b"
)
_LEANING = re.compile(
    r"^(?:(?:so|well|and|but|then)[\s,]+)?(?:they|he|she|these|those|same|exactly|agreed|me too|as (?:above|said)"
    r"|like \w+ said|also|neither|ditto|because of (?:that|this)|either (?:way|one)|both (?:are|of (?:them|these))"
    r"|depends)\b"
    r"|^only (?:if|when|because)\b(?![^.!?]*\s(?:do|does|did|will|would|can|could)\s)",
    re.IGNORECASE,
)
_IT = re.compile(rf"^(?:it\s(?!depends\b)|its\s|it['’]s\s|(?:this|that)(?:['’]s| {_VERB}))", re.IGNORECASE)
_ELSEWHERE = re.compile(
    r"\b(?:(?:the|your|my|his|her) (?:previous|other|above|earlier|last) (?:answer|post|comment|reply)"
    r"|(?:answer|post|comment|reply) (?:above|below)|\w{2,20}['’]s (?:answer|post|comment|reply)"
    r"|the (?:upper|above) question"
    r"|what (?:he|she|they) (?:is|are|was|were|means?|meant|said)(?: (?:saying|asking|trying))?\b"
    r"|as \w{2,20} (?:said|mentioned|wrote|pointed out)"
    r"|(?:see|look for|read) (?:above|below|my|the (?:answer|comment|reply|post|thread))|you (?:said|wrote|mentioned"
    r"|asked|described|quoted)"
    r"|your (?:post|calculation|code|program|project|(?:first|second|other|last) question))\b",
    re.IGNORECASE,
)
_UNHELPFUL = re.compile(
    r"\b(?:i (?:do not|don['’]?t) know|i(?:'m|’m| am) not (?:really |quite |100% |entirely )?sure|no idea"
    r"|same (?:question|problem|doubt) here|i have the same|i was wondering the same"
    r"|i(?:'d|’d| would) (?:also )?like to know|anyone know|can someone|i need help|please help|not an answer"
    r"|just guessing|(?:might|may|could) be wrong)\b",
    re.IGNORECASE,
)
_UNHELPFUL_WORDS = (
    *("know", "sure", "idea", "same", "wondering", "can someone", "help", "answer", "guessing", "wrong"),
)
_GUESS = re.compile(r"\W*(?:maybe|perhaps|probably|my guess|i guess)\b", re.IGNORECASE)
_PLACE = r"(?:video|link|article|page|site|website|wikipedia|lesson|playlist|post|chapter|tutorial|documentation)s?"
_FIGURE = r"(?:figure|diagram|picture|image|screenshot|photo|drawing)"
_BACKGROUND = re.compile(
    rf"\b(?:(?:check|look) (?:out|up|at) (?:this|that|these)\b|(?:see|watch|read|visit|google|follow|check out|look at)"
    rf" (?:this|the|that|these|khan|his|her|next|previous|my) (?:\w+ ){{0,3}}{_PLACE}"
    rf"|(?:in|on|from) (?:the|this|that|your) (?:\w+ )?(?:{_FIGURE}|link|(?:next|previous|other) video)"
    r"|(?:previous|next|first|second|third|last|other) (?:video|lesson)s? (?:of|in|from|on) (?:this|the)"
    r" (?:playlist|series|course)"
    rf"|watch (?:it )?(?:from|on)\b|look at (?:the|this|that) (?:\w+ )?{_FIGURE}"
    rf"|(?:{_FIGURE}|graph|table) (?:above|below|\d+)|(?:here|this)(?: is|['’]s) (?:a|the) (?:link|video)|google it"
    r"|the (?:following )?links?|google search|click (?:on )?(?:the|this|that|here))\b",
    re.IGNORECASE,
)
_BACKGROUND_WORDS = (
    *(
        "look",
        "check",
        "see ",
        "watch",
        "read ",
        "visit",
        "google",
        "follow",
        "link",
        "video",
        "above",
        "below",
        "click",
    ),
    *("figure", "diagram", "picture", "image", "screenshot", "photo", "drawing", "graph", "table"),
)
_MERE_DEFINITION = re.compile(
    r"^(?:(?:the|an?) )?[\w'’-]+(?: [\w'’-]+){0,2} (?:is|are|means?|refers? to|stands? for)"
    r" (?:just |simply )?(?:the|an?)\b[^.!?;]*[.!]?$",
    re.IGNORECASE,
)
# `Gravity. It pulls ...` rests on the question; `Part 1: ...` announces what follows.
_FRAGMENT = re.compile(r"^[^\W\d][\w'’-]*(?: [\w'’-]+)?\s?[.!]\s")
_YES_OR_NO = re.compile(r"\W*(?:yes|yep|yup|yeah|yea|no|nope|nah)\b", re.IGNORECASE)
# Talk about oneself, one's pets and things, or the site: it answers nothing, whatever words it shares with a question.
_SMALL_TALK = re.compile(
    r"(?:^|[.!?,;]\s)\W*(?:(?:please )?(?:subscribe|follow me|like and share)|first(?: one)?(?: to)? comment"
    r"|(?:i )?(?:just )?(?:really )?(?:love|like|hate|enjoy(?:ed)?) (?:this|the|your|these) "
    r"(?:video|lesson|channel|explanation|article|question)"
    r"|(?:very |really |so )?(?:nice|great|cool|good|awesome|amazing|best) (?:video|lesson|channel|explanation|article)"
    r"|my (?:\w+ )?(?:cats?|dogs?|pets?|hamsters?|phone|channel|brother|sister|mom|mum|dad|grandma|grandpa|teacher"
    r"|friends?) (?:\w+ )?(?:likes?|loves?|hates?|died|is so|always|once|says?|said|told)"
    r"|my (?:\w+ ){1,2}(?:likes?|loves?|hates?) "
    r"|i (?:really |just |also )?(?:love|like|hate|enjoy) (?!to (?:think|call|use|say)|when\b)"
    r"|(?:they|it|this|that|[\w'’-]+s?)(?: are|['’]s| is|['’]re) (?:so|really|pretty|super) (?:cool|awesome|cute|boring"
    r"|nice|funny|interesting)\b(?=\W*(?:$|[.!,]))"
    r")|\b(?:my|this|our) channel\b|\bsubscribe to\b|\bwho(?:['’]s| is| else is) watching\b",
    re.IGNORECASE,
)
_SMALL_TALK_WORDS = (
    *("subscribe", "follow me", "like", "comment", "love", "hate", "enjoy", "video", "lesson", "channel", "article"),
    *("explanation", "my ", "cool", "awesome", "cute", "boring", "nice", "funny", "interesting", "watching"),
)


# Stems that an answer to anything else shares as well.
_VAGUE = frozenset(
    content_words("used uses using things something anything different example reason question answer video")
)


def _length(text: str) -> int:
    return len(_WORD.findall(text))


def too_short(context: str, minimum: int) -> bool:
    """KhanQ A.3: too little information: few words, or one sentence that only says what a thing is."""
    length = _length(context)
    return length < minimum or (length < _DEFINES_UP_TO and bool(_MERE_DEFINITION.match(context)))


def not_standalone(context: str) -> bool:
    """KhanQ A.3: opens with a word that points at the question or with a fragment, or leans on another post."""
    if _IT.match(context) and _length(context) < _NAMES_ITS_SUBJECT_FROM:
        return True
    if _ELSEWHERE.search(context) and _length(context) < _CARRIES_ITSELF_FROM:
        return True
    return bool(_LEANING.match(context) or _FRAGMENT.match(context))


def refuses(answer: str, context: str) -> bool:
    """Says that it does not know, guesses, only asks back, or only chats."""
    if not context or _chats(context):
        return True
    unsure = _UNHELPFUL.search(answer) if mentions(answer, _UNHELPFUL_WORDS) else None
    if unsure and (unsure.start() < 20 or _length(context) < _UNSURE_UP_TO):
        return True
    return bool(_GUESS.match(answer)) and _length(context) < _GUESS_UP_TO


def _chats(context: str) -> bool:
    """A few words of talk; a long answer has something to say beside it."""
    short = len(context.split()) < _OTHER_WORDS_FROM and mentions(context, _SMALL_TALK_WORDS)
    return short and bool(_SMALL_TALK.search(context))


def off_topic(context: str, asked: str) -> bool:
    """Is short and shares no word with what was asked; a few words behind `it` or `because` only say too little."""
    if _length(context) <= _SAYS_LITTLE_UP_TO and _POINTS.match(context):
        return False
    shares = not content_words(context).isdisjoint(content_words(asked) - _VAGUE)
    # A word spelt letter by letter is one.
    return not shares and len(context.split()) < _OTHER_WORDS_FROM


def does_not_answer(answer: str, context: str, asked: str) -> bool:
    """KhanQ A.3: gives no answer, or one to something else."""
    return refuses(answer, context) or off_topic(context, asked)


def needs_background(context: str) -> bool:
    """KhanQ A.3: sends the reader to a video, a figure or a page that is not given."""
    return mentions(context, _BACKGROUND_WORDS) and bool(_BACKGROUND.search(context))


def answer_reason(answer: str, context: str, asked: str, minimum: int) -> str | None:
    """The first criterion of A.3 that an answer fails.

    Off-topic answers come first, so that they are never joined with the short ones.
    """
    if not context and _YES_OR_NO.match(answer):
        return "answer_too_short"
    if does_not_answer(answer, context, asked):
        return "answer_does_not_answer"
    if needs_background(context):
        return "answer_needs_background"
    if too_short(context, minimum):
        return "answer_too_short"
    if not_standalone(context):
        return "answer_not_standalone"
    return None
