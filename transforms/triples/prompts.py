"""Split a question, with the post around it, into prompt + question (KhanQ A.2)."""

import re
from dataclasses import dataclass

from transforms.sentences import split

# What one looks at around a question: enough for any prompt that a person would keep, and a bound for hostile text.
_BEFORE, _AFTER, _LONGEST = 3_000, 600, 1_500
_MAX_SENTENCES, _MAX_WORDS = 3, 90

_SPACE = re.compile(r"\s+")
_WORD = re.compile(r"\w+(?:['’]\w+)*")
_HIDDEN = re.compile(r"(?m)^[ \t]*>.*$|```[^`]*(?:```|\Z)")
_AUXILIARY = (
    r"(?:is|are|was|were|do|does|did|can|could|would|will|should|has|have|had|may|might|must)(?:n['’]?t)?|cannot|won['’]?t"
)
_WH = r"what(?:['’]s)?|why|how(?:['’]s)?|who|whose|whom"
_RELATIVE = r"which|where|when"
_FRONT = r"(?:(?:in|to|at|for|by|of|from|on|under|through|with) (?:what|which|whom|how)\b)"
# The beginning of a question: `why`, `isn't`, `by which`; a relative pronoun only before an auxiliary.
_STARTER = re.compile(
    rf"(?:(?:then|so|and|but|or|does that mean)[\s,]+)?(?:(?:{_WH}|{_AUXILIARY})\b|{_FRONT}|(?:{_RELATIVE})\s+(?:{_AUXILIARY})\b)",
    re.IGNORECASE,
)
_CUT = re.compile(r"[,;:–—]\s*(?=\w)|\s-+\s+|\s(?=then\s)|(?<=\w)\s(?=(?:so|but)\s(?:why|how|what)\b)", re.IGNORECASE)
_BARE = re.compile(rf"\s(?=(?:why|how|what|where)\s+(?:{_AUXILIARY})\b)", re.IGNORECASE)
_LEAD = r"(?:(?:so|but|and|also|ok|okay|well|now|then|hi|hello|or|however|even|what|only|for example|just|especially)[\s,]+)*"
_CONDITION = re.compile(
    rf"^{_LEAD}(?:if|when|whenever|unless|suppose|supposing|assuming|provided|once|say)\b", re.IGNORECASE
)
_REASON = re.compile(rf"^{_LEAD}(?:since|because|as|given that|although|though|while|whereas)\b", re.IGNORECASE)
_PREPOSITION = re.compile(
    rf"^{_LEAD}(?:in|on|for|during|at|with|without|after|before|by|from|of|about|under|between|among|within|through"
    r"|regarding|concerning|besides|apart from|unlike|like|as for|instead of|to|via|into|across|along|despite|throughout"
    r"|as|while|upon|inside|outside|compared)\b",
    re.IGNORECASE,
)
_TRAILING = re.compile(
    r"(?<!what)(?<!know)(?<!even)(?<!tell)(?<!only)(?<!see)(?<!wonder)(?<!determine)(?<!check)(?<!decide)(?<!matter)"
    r"(?<!and)(?<!or)(?<!as)(?<!but)(?<!asking)(?<!wondering)(?<!like)(?<!out)(?<!of)(?<!for)(?<!than)(?<!just)[\s,]+"
    r"(?=(?:if|unless)\s)",
    re.IGNORECASE,
)
_BACKWARD = re.compile(
    r"^(?:if (?:so|not|yes|no)\b|why not\b|or\b|and\b|then\b|so\b|but\b)|\b(?:it|its|they|them|their|this|that|these|those"
    r"|he|she|there|one|both|same|such|other|each|either|so)\b",
    re.IGNORECASE,
)
# Sentences of a post that carry nothing a question could follow from.
_EMPTY = re.compile(
    r"^(?:hi|hello|hey|thanks?|thank you|please|sorry|ok(?:ay)?|great|nice|good|help|dear|greetings|cheers|edit|ps|p\.s)\b"
    r"|\b(?:(?:i(?:['’]m| am| was| got| get)|am) (?:\w+ ){0,3}(?:confused|stuck|lost|wondering|curious|struggling|not sure|unsure)"
    r"|i (?:have|had|'ve|’ve) (?:a|one|two|some|another|few) (?:\w+ )?questions?|(?:my|another|one|quick|second|first|next) "
    r"(?:\w+ )?questions?\b|i (?:do not|don['’]?t|can['’]?t|cannot|didn['’]?t) (?:\w+ )?(?:understand|get|see|know|figure|follow)"
    r"|thank(?:s| you)|in advance|please (?:help|explain|answer|correct)|appreciate|great video|correct me|let me know"
    r"|i(?:'m| am|’m) (?:new|sorry|asking)|i (?:wonder|wondered|am asking|asked|watched|read|tried|looked|searched|hope)\b)",
    re.IGNORECASE,
)
_STOP = frozenset(
    "what why how which when where does will would could should have with from that this these those they them their there"
    " then than into about because just like some more only also other such your been being were".split()
)


@dataclass(frozen=True)
class Draft:
    """A prompt, the question that follows from it, and the form of the prompt."""

    prompt: str
    question: str
    prompt_type: str


def fold(text: str) -> str:
    """White space folded."""
    return _SPACE.sub(" ", text).strip()


def content_words(text: str) -> set[str]:
    """Stems, roughly: the first six letters of the longer words."""
    return {w[:6] for w in _WORD.findall(text.lower()) if len(w) > 3 and w not in _STOP}


def prompt_type(prompt: str) -> str:
    """The form of a prompt (KhanQ 4.4).

    Precedence when several apply: `condition` (the prompt opens with if, when ...), whatever follows it; `question`
    (a sentence of it asks); `condition` (its last sentence opens with if); `preposition` (one stretch that opens with
    a preposition, without a sentence of its own); else `citation`.
    """
    sentences = [s for s in re.split(r"(?<=[.?!])\s+", prompt) if s]
    if _CONDITION.match(prompt):
        return "condition"
    if "?" in prompt:
        return "question"
    if len(sentences) > 1 and _CONDITION.match(sentences[-1]) and not sentences[-1].endswith("."):
        return "condition"
    if len(sentences) == 1 and _PREPOSITION.match(prompt) and "," not in prompt.rstrip(","):
        return "preposition"
    return "citation"


def split_sentence(sentence: str) -> tuple[str, str]:
    """A question sentence as (leading clause or empty, question)."""
    found: list[tuple[int, int]] = []
    for cut in list(_CUT.finditer(sentence))[:60]:
        if _STARTER.match(sentence, cut.end()) and len(_WORD.findall(sentence[: cut.start()])) >= 2:
            found.append((cut.start(), cut.end()))
    conditional = bool(_CONDITION.match(sentence) or _REASON.match(sentence))
    opens = bool(_STARTER.match(sentence)) and not _CONDITION.match(sentence)
    # `Why do X, why do Y?` is a list of questions: its first clause introduces nothing.
    capital = [cut for cut in found if sentence[cut[1]].isupper()]
    if capital:
        return sentence[: capital[-1][0]], sentence[capital[-1][1] :]
    if found and not opens:
        return sentence[: found[0][0]], sentence[found[0][1] :]
    bare = _BARE.search(sentence) if conditional else None
    if bare and len(_WORD.findall(sentence[: bare.start()])) >= 4:
        return sentence[: bare.start()], sentence[bare.end() :]
    return "", sentence


def split_trailing(sentence: str) -> tuple[str, str]:
    """`What happens if X?` as (`if X`, `What happens?`); an empty prompt when there is no such clause."""
    cuts = list(_TRAILING.finditer(sentence))
    if len(cuts) != 1 or not _STARTER.match(sentence):
        return "", sentence
    head, tail = sentence[: cuts[0].start()], sentence[cuts[0].end() :].rstrip("?!. ")
    if len(_WORD.findall(head)) < 2 or len(_WORD.findall(tail)) < 4 or head.endswith(","):
        return "", sentence
    return tail[0].upper() + tail[1:], head + "?"


def _preceding(text: str, question: str) -> list[str]:
    """The sentences before the question that it follows from, in order."""
    chosen: list[str] = []
    words = 0
    for sentence in reversed(split(text)[-12:]):
        asks = sentence.rstrip("\"')”’ ").endswith("?")
        words += len(_WORD.findall(sentence))
        limits = bool(_PREPOSITION.match(sentence) or _CONDITION.match(sentence))
        if _EMPTY.search(sentence) or (len(_WORD.findall(sentence)) < 3 and not limits):
            continue
        if len(chosen) >= _MAX_SENTENCES or (chosen and words > _MAX_WORDS):
            break
        if asks:
            shared = content_words(sentence) & content_words(question)
            if limits or _BACKWARD.search(chosen[-1] if chosen else question) or (shared and not chosen):
                chosen.append(sentence)
            break
        chosen.append(sentence)
    return chosen[::-1]


def draft(text: str, start: int, end: int) -> Draft | None:
    """The prompt and question of the sentence at these offsets of a post, or nothing when there is no prompt."""
    before = _HIDDEN.sub(lambda m: " " * len(m[0]), text[max(0, start - _BEFORE) : start])
    if start > _BEFORE:
        before = before.partition(" ")[2]
    sentence = fold(text[start : min(end, start + _LONGEST)])
    clause, question = split_sentence(sentence)
    parts = _preceding(before, sentence)
    if clause:
        parts.append(clause)
    after = split(text[end : end + _AFTER].partition("\n\n")[0])[:1]
    if after and re.match(r"because\b", after[0], re.IGNORECASE) and not after[0].endswith("?"):
        # KhanQ A.2: several prompts become one; a reason given behind the question comes first.
        parts.insert(0, after[0])
    if not parts:
        tail, question = split_trailing(sentence)
        parts = [tail] if tail else []
    prompt = " ".join(parts).strip(" ,;:-–—")
    if len(_WORD.findall(prompt)) < 2 or not question.strip():
        return None
    return Draft(prompt, question.strip(), prompt_type(prompt))
