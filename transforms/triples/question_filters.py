"""Questions that make no triple, each with its reason (KhanQ A.1)."""

import re
from collections.abc import Callable, Sequence

from transforms.timestamps import cited_times
from transforms.triples.calculation import needs_calculation
from transforms.triples.off_subject import asks_what_to_do, not_a_question, off_subject, seeks_consent, states
from transforms.triples.prompt_types import REASON
from transforms.triples.rewrites import mentions

# Under a condition, in a given case or for a given reason, `what is` asks for more than a definition.
_LIMITING = ("condition", "preposition")

_FIGURE = r"(?:figure|diagram|image|picture|illustration|screenshot|drawing|animation|photo|slide|pic)"
_MEDIA = re.compile(
    rf"\b(?:fig(?:ure|\.)|{_FIGURE}|graph|table|chart|equation|example|problem|exercise|question|hint|step)\s?#?\d+\b"
    rf"|\b(?:{_FIGURE}|graph|table|chart|map|code)s?\s+(?:above|below|shown|here|attached|on the (?:left|right)"
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
    r" (?:mean|stand for)|(?:what(?:'s|’s| is) )?the (?:definition|meaning) of .{1,60}"
    r"|what do (?:you|we|they) mean by [\w'’-]+(?: [\w'’-]+){0,2})\s*[?.!]*$",
    re.IGNORECASE,
)
# What is spoken of stands in the prompt, and nothing more is asked: `The talk is of dunes. What are those?`
_WHAT_IS_THAT = re.compile(
    r"(?:and )?what(?:['’]?s| is| are) (?:this|that|these|those)(?: exactly)?\W*$", re.IGNORECASE
)
_NOT_UNDERSTOOD = re.compile(
    r"\b(?:(?:do|did) you mean|are you (?:talking|asking) about|what do you mean"
    r"|what (?:exactly )?(?:are|were) you (?:asking|referring)"
    r"|(?:not|n['’]t) (?:quite |really |entirely )?(?:sure|certain|know|understand|get|follow) (?:exactly )?"
    r"(?:what (?:you|your)|your question)"
    r"|(?:could|can|would) you (?:please )?(?:clarify|rephrase|be more specific|specify|elaborate)"
    r"|your question (?:is|isn['’]t|does|doesn['’]t) (?:not |very |a bit )?"
    r"(?:clear|unclear|make sense|vague|confusing))\b",
    re.IGNORECASE,
)


def cites_missing_media(text: str, speech_end: float | None) -> bool:
    """KhanQ A.1: a figure, or a time of which neither the asker nor the captions give what is said there."""
    if any(speech_end is None or not 0 <= time.seconds <= speech_end for time in cited_times(text)):
        return not _GIVEN.search(text) or bool(_MEDIA.search(text))
    return bool(_MEDIA.search(text))


def is_definition(question: str) -> bool:
    """KhanQ A.1: asks for a mere definition."""
    return bool(_WHAT_IS_THAT.match(question)) or (bool(_SIMPLE.match(question)) and "'s " not in question[7:])


def not_understood(answer: str) -> bool:
    """KhanQ A.1: the answerer asks back what is meant."""
    return mentions(answer, ("you",)) and bool(_NOT_UNDERSTOOD.search(answer))


def _asks_nothing(prompt: str, question: str) -> bool:
    if not_a_question(question) or seeks_consent(question) or states(question) or off_subject(question):
        return True
    return asks_what_to_do(prompt, question)


def question_reason(prompt: str, question: str, kind: str, speech_end: float | None) -> str | None:
    """The first criterion of A.1 that a split question fails; `speech_end` is when the lesson's captions end."""
    both = f"{prompt} {question}"
    checks: Sequence[tuple[str, Callable[[], bool]]] = (
        ("not_a_question", lambda: _asks_nothing(prompt, question)),
        ("cites_missing_media", lambda: cites_missing_media(both, speech_end)),
        ("needs_calculation", lambda: needs_calculation(both)),
        ("definition", lambda: kind not in _LIMITING and not REASON.match(prompt) and is_definition(question)),
    )
    return next((reason for reason, fails in checks if fails()), None)
