"""Questions that make no triple, each with its reason (KhanQ A.1)."""

import re
from collections.abc import Callable, Sequence

from transforms.timestamps import cited_times
from transforms.triples.prompt_types import AUXILIARY, REASON
from transforms.triples.rewrites import mentions

# A time this long after the last sentence starts is taken to lie beyond the end of the video.
_TAIL_SECONDS = 30.0
# Under a condition, in a given case or for a given reason, `what is` asks for more than a definition.
_LIMITING = ("condition", "preposition")

_WORD = re.compile(r"\w+")
_CHATTER = re.compile(
    r"^(?:(?:so|and|but|or|ok|okay|right|correct|yes|no|not|really|anyone|anybody|thanks|thank|please|hello|hi|huh|why"
    r"|how|what|who|when|where|any (?:ideas?|thoughts|help|suggestions?|hints?|advice)|agreed?|get it|seriously|now"
    r"|something else|am i (?:right|wrong|correct)|is (?:this|that|it) (?:right|correct|true|wrong|so|something else)"
    r"|(?:does|do) (?:this|that|it|i) (?:all )?make (?:any )?sense|what do you (?:all )?think|makes? sense|you know"
    r"|isn['’]?t (?:it|that so|that right))\b[\s,?!.]*)+$",
    re.IGNORECASE,
)
_TAG_ALONE = re.compile(rf"^(?:{AUXILIARY}) (?:it|they|he|she|we|you|i|there|this|that)\s?[?!.]*$", re.IGNORECASE)
# Asks a person for help or about the site, not about the subject.
_REQUEST = re.compile(
    r"^(?:(?:so|and|but|also|please|ok|okay|hi|hello)\b[\s,]*)*"
    r"(?:(?:can|could|would|will) (?:you|someone|anyone|somebody|anybody|u|y['’]?all|they)\b.{0,40}?\b(?:help|explain"
    r"|clarify|elaborate|tell me|answer|show me|check|give me|correct me|vote|upvote|make (?:a|another) video)\b"
    r"(?! (?:to me |me )?(?:why|how|what|when|where|which)\b)"
    r"|(?:does|do|has|did|is|are) (?:anyone|anybody|someone|somebody|you guys)\b|(?:did|are|have) you\b"
    r"|do you (?:know|think|mean|want|like|agree|guys|ever|have any)\b"
    r"|(?:what|where) am i\b|am i\b|did i\b|have i\b|why (?:is|are|does|do|did|isn['’]t|don['’]t|won['’]t|can['’]t)"
    r" (?:my|i)\b(?![-+^])|what (?:did|do|have) i\b|what (?:i|we)\b|(?:please )?answer (?:me|this|my)\b)|^\[user\]",
    re.IGNORECASE,
)
_QUANTITY = re.compile(
    r"(?<![\w.])\d[\d.,]{0,12}\s?(?:%|°\s?[cf]?\b|(?:k?m/s|kmph|km/?h|mph|k?g|mg|k?m|cm|mm|nm|m?l|k?j|k?n|k?w|v|a|mol"
    r"|moles?|atm|k?pa|hz|ohms?|volts?|amps?|s|sec(?:onds)?|min(?:utes)?|h|hours?|days|years|meters|metres|grams|litres"
    r"|liters|joules|newtons|watts|degrees|dollars|percent|molar|feet|miles)\b)",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"(?<![\w.^])\d[\d.,]{0,12}(?![\w^])")
_HOW_MUCH = re.compile(r"\bhow (?:many|much|far|fast|long|tall|high|heavy|old)\b", re.IGNORECASE)
_COMPUTE = re.compile(
    r"\b(?:calculate|compute|work out|solve for|how (?:many|much|far|fast|long|tall|high|heavy|old)|what (?:is|are|was"
    r"|will be|would be) (?:the|its|their|his|her) (?:\w+ ){0,3}(?:speed|velocity|acceleration|distance|mass|volume"
    r"|force|energy|area|height|length|ph|concentration|molarity|density|current|voltage|resistance|time|value|total"
    r"|percentage|number|weight|pressure|temperature|angle|rate))\b",
    re.IGNORECASE,
)
_FIGURE = r"(?:figure|diagram|image|picture|illustration|screenshot|drawing|animation|photo|slide|pic)"
_MEDIA = re.compile(
    rf"\b(?:fig(?:ure|\.)|{_FIGURE}|graph|table|chart|equation|example|problem|exercise|question|hint|step)\s?#?\d+\b"
    rf"|\b(?:{_FIGURE}|graph|table|chart|map)s?\s+(?:above|below|shown|here|attached|on the (?:left|right)"
    r"|to the (?:left|right)|at the (?:top|bottom))\b"
    rf"|\b(?:in|on|from|at|see|of|to) (?:this|that|the(?: \w+)?|my|these|your) {_FIGURE}s?\b(?<!bigger picture)"
    r"|\b(?:my screenshot|practice (?:problem|question)s?"
    rf"|(?:above|below|attached) (?:file|graph|table|chart|{_FIGURE}))\b",
    re.IGNORECASE,
)
# What is said at a cited time, when the asker gives it: the time is then no more than a pointer.
_GIVEN = re.compile(
    r"\b(?:says|said|states|stated|mentions|mentioned|explains|explained|claims|claimed|told|tells)\b(?: us| me)?"
    r"(?: that|[,:])?\s+(?:\S+\s+){3}",
    re.IGNORECASE,
)
_SIMPLE = re.compile(
    r"^(?:and |but |so )?(?:(?:what|who)(?:'s|’s| is| are| was| were) (?:(?:a|an|the|meant by|exactly)\s)*"
    r"(?!(?:\w+ ){0,2}(?:difference|effect|role|reason|relation|relationship|function|purpose|point|cause|impact"
    r"|connection|advantage|use|happening|going|result|consequence|benefit|problem|mechanism|probability|significance"
    r"|importance|product|charge|it|they|this|that|these|those|there)s?\b)"
    r"[\w'’-]+(?: [\w'’-]+){0,2}|what do(?:es)? (?:the (?:word|term) )?[\w'’\"“”-]+(?: [\w'’\"”-]+){0,2}"
    r" (?:mean|stand for)|(?:what(?:'s|’s| is) )?the (?:definition|meaning) of .{1,60})\s*[?.!]*$",
    re.IGNORECASE,
)
_NOT_UNDERSTOOD = re.compile(
    r"\b(?:(?:do|did) you mean|what do you mean|what (?:exactly )?(?:are|were) you (?:asking|referring)"
    r"|(?:not|n['’]t) (?:quite |really |entirely )?(?:sure|certain|know|understand|get|follow) (?:exactly )?"
    r"(?:what (?:you|your)|your question)"
    r"|(?:could|can|would) you (?:please )?(?:clarify|rephrase|be more specific|specify|elaborate)"
    r"|your question (?:is|isn['’]t|does|doesn['’]t) (?:not |very |a bit )?"
    r"(?:clear|unclear|make sense|vague|confusing))\b",
    re.IGNORECASE,
)


def not_a_question(question: str) -> bool:
    """A tag, a greeting or a request for help: the question mark asks nothing about the subject."""
    if len(_WORD.findall(question)) < 2 or question.endswith("(?)") or _TAG_ALONE.match(question):
        return True
    return bool(_CHATTER.match(question) or _REQUEST.match(question))


def needs_calculation(text: str) -> bool:
    """KhanQ A.1: numbers with units and a quantity asked for, or numbers and `how many`, without the formula."""
    if "=" in text:
        return False
    if _COMPUTE.search(text) and len(_QUANTITY.findall(text)) >= 2:
        return True
    return bool(_HOW_MUCH.search(text)) and len(_NUMBER.findall(text)) >= 2


def cites_missing_media(text: str, times: tuple[float, float] | None) -> bool:
    """KhanQ A.1: a figure, or a time of which neither the asker nor the captions give what is said there."""
    if any(times is None or not times[0] <= s <= times[1] + _TAIL_SECONDS for _, s in cited_times(text)):
        return not _GIVEN.search(text) or bool(_MEDIA.search(text))
    return bool(_MEDIA.search(text))


def is_definition(question: str) -> bool:
    """KhanQ A.1: asks for a mere definition."""
    return bool(_SIMPLE.match(question)) and "'s " not in question[7:]


def not_understood(answer: str) -> bool:
    """KhanQ A.1: the answerer asks back what is meant."""
    return mentions(answer, ("you",)) and bool(_NOT_UNDERSTOOD.search(answer))


def question_reason(prompt: str, question: str, kind: str, times: tuple[float, float] | None) -> str | None:
    """The first criterion of A.1 that a split question fails; `times` is when the lesson's speech begins and ends."""
    both = f"{prompt} {question}"
    checks: Sequence[tuple[str, Callable[[], bool]]] = (
        ("not_a_question", lambda: not_a_question(question)),
        ("cites_missing_media", lambda: cites_missing_media(both, times)),
        ("needs_calculation", lambda: needs_calculation(both)),
        ("definition", lambda: kind not in _LIMITING and not REASON.match(prompt) and is_definition(question)),
    )
    return next((reason for reason, fails in checks if fails()), None)
