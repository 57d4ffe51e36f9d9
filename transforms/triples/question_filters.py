"""Questions that make no triple, each with its reason (KhanQ A.1)."""

import re
from collections.abc import Callable, Sequence

from transforms.timestamps import cited_times

# A time this long after the last sentence starts is taken to lie beyond the end of the video.
_TAIL_SECONDS = 30.0
# Under a condition or in a given case, `what is` asks for more than a definition.
_LIMITING = ("condition", "preposition")

_WORD = re.compile(r"\w+")
_CHATTER = re.compile(
    r"^(?:(?:so|and|but|or|ok|okay|right|correct|yes|no|really|anyone|anybody|thanks|thank|please|hello|hi|huh|why|how"
    r"|what|any (?:ideas?|thoughts|help|suggestions?|hints?)|agreed?|get it|am i (?:right|wrong|correct)|is (?:this|that"
    r"|it) (?:right|correct|true|wrong|so)|(?:does|do) (?:this|that|it|i) (?:all )?make (?:any )?sense"
    r"|what do you (?:all )?think|makes? sense|you know|isn'?t (?:it|that so|that right))\b[\s,?!.]*)+$",
    re.IGNORECASE,
)
# Asks a person for help or about the site, not about the subject.
_REQUEST = re.compile(
    r"^(?:(?:so|and|but|also|please|ok|okay|hi|hello)\b[\s,]*)*"
    r"(?:(?:can|could|would|will) (?:you|someone|anyone|somebody|anybody|u)\b.{0,40}?\b(?:help|explain|clarify|elaborate"
    r"|tell me|answer|show me|check|give me|correct me)\b(?! (?:why|how|what|when|where|which)\b)"
    r"|(?:does|do|has|did|is|are) (?:anyone|anybody|someone|somebody|you|you guys)\b"
    r"|(?:what|where) am i\b|am i\b|did i\b|have i\b)",
    re.IGNORECASE,
)
_QUANTITY = re.compile(
    r"(?<![\w.])\d[\d.,]{0,12}\s?(?:%|°\s?[cf]?\b|(?:k?m/s|kmph|km/?h|mph|k?g|mg|k?m|cm|mm|nm|m?l|k?j|k?n|k?w|v|a|mol|moles?"
    r"|atm|k?pa|hz|ohms?|volts?|amps?|s|sec(?:onds)?|min(?:utes)?|h|hours?|days|years|meters|metres|grams|litres|liters"
    r"|joules|newtons|watts|degrees|dollars|percent|molar|feet|miles)\b)",
    re.IGNORECASE,
)
_COMPUTE = re.compile(
    r"\b(?:calculate|compute|work out|solve for|how (?:many|much|far|fast|long|tall|high|heavy|old)|what (?:is|are|was"
    r"|will be|would be) (?:the|its|their|his|her) (?:\w+ ){0,3}(?:speed|velocity|acceleration|distance|mass|volume|force"
    r"|energy|area|height|length|ph|concentration|molarity|density|current|voltage|resistance|time|value|total"
    r"|percentage|number|weight|pressure|temperature|angle|rate))\b",
    re.IGNORECASE,
)
_MEDIA = re.compile(
    r"\b(?:fig(?:ure|\.)|diagram|graph|image|picture|illustration|table|chart|slide|equation|example|problem|exercise"
    r"|question)\s?#?\d+\b"
    r"|\b(?:figure|diagram|graph|image|picture|illustration|table|chart|slide|screenshot|drawing|animation|map|photo)s?"
    r"\s+(?:above|below|shown|here|attached|on the (?:left|right)|to the (?:left|right)|at the (?:top|bottom)|you)\b"
    r"|\b(?:in|on|from|at|see|of|to) (?:this|that|the (?:\w+ )?|my|these|your) ?(?:figure|diagram|image|picture|illustration"
    r"|screenshot|drawing|animation|photo|slide|pic|video frame)s?\b(?<!bigger picture)"
    r"|\b(?:attached (?:file|image|picture|photo|screenshot|figure)|my screenshot|practice (?:problem|question)s?|hint \d+|(?:above|below) (?:figure|diagram|picture|image))\b",
    re.IGNORECASE,
)
_DEFINITION = re.compile(
    r"^(?:and |but |so )?(?:(?:what|who)(?:'s|’s| is| are| was| were) (?:(?:a|an|the|meant by|exactly)\s)*"
    r"(?!(?:\w+ ){0,2}(?:difference|effect|role|reason|relation|relationship|function|purpose|point|cause|impact|connection"
    r"|advantage|use|happening|going|result|consequence|benefit|problem|mechanism|probability|significance|importance"
    r"|product|charge|it|they|this|that|these|those|there)s?\b)"
    r"[\w'’-]+(?: [\w'’-]+){0,2}|what do(?:es)? (?:the (?:word|term) )?[\w'’\"“”-]+(?: [\w'’\"”-]+){0,2} (?:mean|stand for)"
    r"|(?:what(?:'s|’s| is) )?the (?:definition|meaning) of .{1,60})\s*[?.!]*$",
    re.IGNORECASE,
)
_NOT_UNDERSTOOD = re.compile(
    r"\b(?:(?:do|did) you mean|what do you mean|what (?:exactly )?(?:are|were) you (?:asking|referring)"
    r"|(?:not|n['’]t) (?:quite |really |entirely )?(?:sure|certain|know|understand|get|follow) (?:exactly )?(?:what (?:you|your)|your question)"
    r"|(?:could|can|would) you (?:please )?(?:clarify|rephrase|be more specific|specify|elaborate)"
    r"|your question (?:is|isn['’]t|does|doesn['’]t) (?:not |very |a bit )?(?:clear|unclear|make sense|vague|confusing))\b",
    re.IGNORECASE,
)


def not_a_question(question: str) -> bool:
    """A tag, a greeting or a request for help: the question mark asks nothing about the subject."""
    return len(_WORD.findall(question)) < 2 or bool(_CHATTER.match(question) or _REQUEST.match(question))


def needs_calculation(text: str) -> bool:
    """KhanQ A.1: numbers with units and a quantity asked for, without the formula."""
    return "=" not in text and bool(_COMPUTE.search(text)) and len(_QUANTITY.findall(text)) >= 2


def cites_missing_media(text: str, last_start: float | None) -> bool:
    """KhanQ A.1: a figure, or a time that the captions of the lesson do not cover."""
    reach = None if last_start is None else last_start + _TAIL_SECONDS
    if any(reach is None or seconds > reach for _, seconds in cited_times(text)):
        return True
    return bool(_MEDIA.search(text))


def is_definition(question: str) -> bool:
    """KhanQ A.1: asks for a mere definition."""
    return bool(_DEFINITION.match(question)) and "'s " not in question[7:]


def not_understood(answer: str) -> bool:
    """KhanQ A.1: the answerer asks back what is meant."""
    return bool(_NOT_UNDERSTOOD.search(answer))


def question_reason(prompt: str, question: str, kind: str, last_start: float | None) -> str | None:
    """The first criterion of A.1 that a split question fails."""
    both = f"{prompt} {question}"
    checks: Sequence[tuple[str, Callable[[], bool]]] = (
        ("not_a_question", lambda: not_a_question(question)),
        ("cites_missing_media", lambda: cites_missing_media(both, last_start)),
        ("needs_calculation", lambda: needs_calculation(both)),
        ("definition", lambda: kind not in _LIMITING and is_definition(question)),
    )
    return next((reason for reason, fails in checks if fails()), None)
