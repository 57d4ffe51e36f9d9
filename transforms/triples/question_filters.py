"""Questions that make no triple, each with its reason (KhanQ A.1)."""

import re
from collections.abc import Callable, Sequence
from itertools import chain

from transforms.timestamps import cited_times
from transforms.triples.calculation import gives_formula, needs_calculation
from transforms.triples.off_subject import asks_what_to_do, not_a_question, off_subject, seeks_consent, states
from transforms.triples.prompt_types import REASON
from transforms.triples.rewrites import mentions

# Under a condition, in a given case or for a given reason, `what is` asks for more than a definition.
_LIMITING = ("condition", "preposition")

_FIGURE = r"(?:figure|diagram|image|picture|illustration|screenshot|drawing|animation|photo|slide|pic)"
# `Above` in front of a thing is a preposition (`a row above another one`), and what is shown by something is not here.
_MEDIA = re.compile(
    rf"\b(?:fig(?:ure|\.)|{_FIGURE}|graph|table|chart|equation|example|problem|exercise|question|hint|step)\s?#?\d+\b"
    rf"|\b(?:{_FIGURE}|graph|table|chart|map|code)s?\s+(?:(?:above|below)(?! (?:an?|another|each|every|all)\b)"
    r"|shown(?! by\b)|here|attached|on the (?:left|right)|to the (?:left|right)|at the (?:top|bottom))\b"
    r"|(?:^|[.?!]\s)\s*(?:in|on|from) (?:the|this|that) (?:graph|chart|table)"
    r"(?=,| (?:why|how|what|which|where|who|when|is|are|was|were|do|does|did|can)\b)"
    r"|\b(?:my screenshot|practice (?:problem|question)s?"
    rf"|(?:above|below|attached) (?:file|graph|table|chart|{_FIGURE}))\b",
    re.IGNORECASE,
)
# A figure in which one sees something; what happens `to the image`, or the size `of the image`, is about images.
_IN_FIGURE = re.compile(
    rf"(?P<opens>(?:^|[.?!,;:]\s+)(?:(?:so|but|and|also|as (?:you|we) can see)\s+)?)?\b(?P<where>in|on|from|at|see"
    r"|according to|(?:top|bottom|left|right|side|corner|cent(?:er|re)|middle|part|edge|background) of) "
    rf"(?:(?P<here>this|that|my|these|your)|the(?: \w+)?) (?P<figure>{_FIGURE})s?\b(?<!bigger picture)",
    re.IGNORECASE,
)
# What makes images: where a post speaks of it, an image may be the subject, and so may the slide one puts something on.
_MAKES_IMAGES = re.compile(
    r"\b(?:lens(?:es)?|mirrors?|pinholes?|microscopes?|telescopes?|cameras?|shutter|pixels?|jpe?g|photograph(?:y|ers?)"
    r"|projectors?|paint(?:ings?|ers?|ed|s)?|artists?|retina|optic\w*|screens?|resolution|zoom|films?"
    r"|televisions?|tv)\b",
    re.IGNORECASE,
)
_SLIDE = re.compile(r"slide|slides", re.IGNORECASE)
# What is said at a cited time or in a figure, when the asker gives it: the time is then no more than a pointer.
_GIVEN = re.compile(
    r"\b(?:says|said|they say|states|stated|mentions|mentioned|explains|explained|claims|claimed|told|tells"
    r"|shows that)\b(?: us| me)?(?: that|[,:])?\s+(?:\S+\s+){3}",
    re.IGNORECASE,
)
_NEAR = 200  # characters
_END_OF_SENTENCE = re.compile(r"[.?!](?:\s|$)")
_NAME = r"[\w'’\"“”‘-]+(?: [\w'’\"“”-]+){0,2}"
_SIMPLE = re.compile(
    r"^(?:and |but |so )?(?:(?:what|who)(?:'s|’s| is| are| was| were)"
    r" (?:(?:a|an|the|meant by|exactly)\s)*"
    r"(?!(?:\w+ ){0,2}(?:difference|effect|role|reason|relation|relationship|function|purpose|point|cause|impact"
    r"|connection|advantage|use|happening|going|result|consequence|benefit|problem|mechanism|probability|significance"
    r"|importance|product|charge|it|they|this|that|these|those|there)s?\b)"
    r"[\w'’-]+(?: [\w'’-]+){0,2}"
    rf"|what do(?:es)? (?:the (?:word|term|name|phrase|symbol|abbreviation) )?{_NAME}"
    r" (?P<means>mean|stand for|refer to|signify|denote)"
    r"|(?:what(?:'s|’s| is) )?the (?:definition|meaning) of .{1,60}"
    rf"|what do (?:you|we|they) mean by {_NAME}"
    rf"|(?:(?:can|could|would|will) (?:you|someone|anyone|somebody|anybody) )?(?:please )?define {_NAME})\s*[?.!]*$",
    re.IGNORECASE,
)
# `What are dunes made of?` asks for more than what they are.
_STRANDED = re.compile(r"\s(?:of|for|to|from|by|with|in|on|at|like|about|into)\W*$", re.IGNORECASE)
# Behind a statement, whoever asks `what exactly` wants more than the word: the annotators kept that.
_EXACTLY = re.compile(r"(?<=what) (?:exactly|really|actually)(?= (?:is|are|was|were)\b)", re.IGNORECASE)
# What is spoken of stands in the prompt, and nothing more is asked: `The talk is of dunes. What are those?`
_WHAT_IS_THAT = re.compile(
    r"(?:and |but |so )?what(?:['’]?s| is| are| exactly (?:is|are)) (?:this|that|these|those)(?: exactly)?\W*$",
    re.IGNORECASE,
)
# The same with `it`, where the prompt only names the thing: `There is something called a dune. What is it?`
_WHAT_IS_IT = re.compile(
    r"(?:and |but |so )?what(?:['’]?s| is| are| exactly (?:is|are)) (?:it|they)(?: exactly)?\W*$", re.IGNORECASE
)
_ONLY_NAMES = re.compile(
    r"\b(?:(?:things?|something|stuff|concepts?|terms?|words?|substances?|phenomen(?:on|a))"
    r" (?:that is |is |are )?(?:called|named|known as)|mention\w*|heard"
    r"|(?:talk|speak|mention|hear|read|learn|use)\w*(?: (?:about|of|on|the (?:word|term|name)))+)"
    r"\s?[\w'’\"“”-]+(?: [\w'’\"“”-]+){0,2}\W*$",
    re.IGNORECASE,
)
_NOT = r"(?:not|(?:do|did|ca|is|does|wo|could)n['’]?t|cannot)"
_GRASPS = r"(?:know|understand|get|got|follow|see)"
_NOT_UNDERSTOOD = re.compile(
    r"\b(?:(?:do|did) you mean|are you (?:talking|asking) about|what do you mean"
    r"|what (?:exactly )?(?:are|were) you (?:asking|referring)"
    # `Which reaction are you referring to?`
    r"|(?:which|what) [^.!?\n]{1,40} (?:are|were|do|did) you (?:\w+ )?(?:(?:mean|referr?|ask|talk)(?:ing)?|thinking)\b"
    r"(?=[^.!?\n]{0,20}\?)"
    rf"|{_NOT} (?:\w+ ){{0,2}}?(?:sure|certain|{_GRASPS}) (?:exactly )?(?:(?:that )?i {_GRASPS} )?"
    r"(?:what you|your question)"
    r"|(?:lost|confused|unsure|unclear|puzzled)\b[^.!?\n]{0,20} (?:what you(?:['’]re| are)? (?:ask|want|mean|refer)\w*"
    r"|your question)"
    rf"|i {_NOT} (?:\w+ ){{0,2}}?{_GRASPS} (?:the|this) question"
    r"|(?:could|can|would) you (?:please )?(?:clarify|rephrase|be more specific|specify|elaborate"
    r"|(?:give|add) (?:\w+ ){0,2}details)"
    rf"|your question (?:is|does|do)(?:n['’]?t| not) (?:\w+ ){{0,2}}?(?:clear|make (?:\w+ ){{0,2}}?sense)"
    r"|your question is (?:\w+ ){0,2}?(?:unclear|vague|confusing))\b",
    re.IGNORECASE,
)


def _is_given(text: str, end: int) -> bool:
    """Whether the sentence goes on with what is said there."""
    near = end + _NEAR
    stop = _END_OF_SENTENCE.search(text, end, near)
    return bool(_GIVEN.search(text, end, stop.end() if stop else near))


def _is_shown(found: re.Match[str], about_images: bool) -> bool:
    """Whether it is a figure of the lesson, and not the subject: `the image in a mirror`, `cells on the slide`."""
    if found["opens"] is not None or found["here"]:
        return True
    if _SLIDE.fullmatch(found["figure"]):
        return found["where"].lower() != "on"
    return not about_images


def cites_missing_media(text: str, speech_end: float | None) -> bool:
    """KhanQ A.1: a figure or a time of which neither the asker nor the captions give what is said there."""
    times = cited_times(text)
    if any(speech_end is None or not 0 <= time.seconds <= speech_end for time in times) and not _GIVEN.search(text):
        return True
    about_images = bool(_MAKES_IMAGES.search(text))
    shown = (found for found in _IN_FIGURE.finditer(text) if _is_shown(found, about_images))
    return not all(_is_given(text, found.end()) for found in chain(_MEDIA.finditer(text), shown))


def is_definition(question: str, prompt: str = "") -> bool:
    """KhanQ A.1: asks for a mere definition."""
    if _WHAT_IS_IT.match(question):
        return bool(_ONLY_NAMES.search(prompt))
    asked = question if prompt else _EXACTLY.sub("", question)
    found = _SIMPLE.match(asked)
    if found and ("'s " in asked[7:] or gives_formula(prompt) or (not found["means"] and _STRANDED.search(asked))):
        return False
    return bool(found or _WHAT_IS_THAT.match(asked))


def not_understood(answer: str) -> bool:
    """KhanQ A.1: the answerer asks back what is meant."""
    return mentions(answer, ("you", "question")) and bool(_NOT_UNDERSTOOD.search(answer))


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
        ("definition", lambda: kind not in _LIMITING and not REASON.match(prompt) and is_definition(question, prompt)),
    )
    return next((reason for reason, fails in checks if fails()), None)
