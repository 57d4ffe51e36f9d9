"""Split a question, with the post around it, into prompt + question (KhanQ A.2)."""

import re
from dataclasses import dataclass

from transforms.sentences import split
from transforms.triples.following import HOLE, WORD, is_chat, preceding, sentences_before
from transforms.triples.prompt_types import AUXILIARY, CONDITION, PREPOSITION, REASON, TAG, prompt_type

# What one looks at around a question: enough for any prompt that a person would keep, and a bound for hostile text.
_BEFORE, _AFTER, _LONGEST, _CUTS, _LONGEST_TAG = 3_000, 600, 1_500, 60, 20

_HIDDEN = re.compile(r"(?m)^[ \t]*>.*$|```[^`]*(?:```|\Z)")
_WH = r"what(?:['’]?s)?|why|how(?:['’]s)?|who|whose|whom"
_FRONT = r"(?:(?:in|to|at|for|by|of|from|on|under|through|with|according to) (?:what|which|whom|where|how)\b)"
# The beginning of a question: `why`, `isn't`, `by which`; a relative pronoun only before an auxiliary.
_STARTER = re.compile(
    rf"(?:(?:then|so|and|but|or|does that mean)[\s,]+)?(?:(?:{_WH}|{AUXILIARY})\b|{_FRONT}"
    rf"|(?:which|where|when)\s+(?:{AUXILIARY})\b)",
    re.IGNORECASE,
)
_RELATIVE = re.compile(r"(?:which|where|when)\b", re.IGNORECASE)
_JOINED_ON = re.compile(r"(?:and|or|so|but)\b", re.IGNORECASE)
# A capital behind a comma begins a sentence when the word is no name.
_CAPITAL = re.compile(
    r"(?:What|Why|How|Who|Whose|Whom|Which|Where|When|Is|Are|Was|Were|Do|Does|Did|Can|Could|Would|Will|Should|Has|Have"
    r"|Had|Must|Isn|Aren|Wasn|Weren|Don|Doesn|Didn|Couldn|Wouldn|Won|Shouldn|Hasn|Haven|If|In|On|At|For|From|By|With"
    r"|After|Before|As|Besides|According|The|A(?= [a-z])|An|It|They|This|That|These|Those|There|Then|Even|Having"
    r"|Something|And|But|So|Or|Whats|Cant|People|Because|We|You|He|She|Not)\b"
)
_CUT = re.compile(
    r"[,;:–—]\s*(?=\w)|(?<!\.)\.{1,5}\s+(?=\w)|\s-+\s+|\s(?=then\s)|(?<=\w)\s(?=(?:so|but)\s(?:why|how|what)\b)",
    re.IGNORECASE,
)
_BARE = re.compile(
    rf"\s(?=(?:why|how|what|where)\s+(?:{AUXILIARY})\b"
    r"|(?:would|does|do|did|is|are|can|could|will|should)(?:n['’]?t)? (?:it|they|there|we|you|he|she)\b)",
    re.IGNORECASE,
)
_TRAILING_CLAUSE = re.compile(
    r"(?<!what)(?<!know)(?<!even)(?<!tell)(?<!only)(?<!see)(?<!wonder)(?<!determine)(?<!check)(?<!decide)(?<!matter)"
    r"(?<!and)(?<!or)(?<!as)(?<!but)(?<!asking)(?<!wondering)(?<!like)(?<!out)(?<!of)(?<!for)(?<!than)(?<!just)[\s,]+"
    r"(?=(?:if|unless|when)\s)",
    re.IGNORECASE,
)
_TRAILING_PHRASE = re.compile(
    r"\s(?=(?:during|(?:in|for|on|at|under|within|among) (?:all|every|each|any|most|both|(?:the )?case of"
    r"|the (?:absence|presence) of))\s(?:\S+\s){0,5}\S+\?$)",
    re.IGNORECASE,
)
_PAUSE = re.compile(r"(?<=[.!…])\s+")
_OR = re.compile(r"^or\b[\s,]*", re.IGNORECASE)
_LAST_CONJUNCTION = re.compile(r"(?<!\bif)[\s,;]+(?:but|and|so|or)$", re.IGNORECASE)
_LAST_TAG = re.compile(r",?\s(?:right|correct|no)$", re.IGNORECASE)
_STRIPPED = " ,;:-–—"


@dataclass(frozen=True)
class Draft:
    """A prompt, the question that follows from it, the form of the prompt, and the rules of A.2 that cut text."""

    prompt: str
    question: str
    prompt_type: str
    edits: tuple[str, ...] = ()


def fold(text: str) -> str:
    """White space folded."""
    return " ".join(text.split())


def _words(text: str) -> int:
    return len(WORD.findall(text))


def _begins_question(sentence: str, cut: re.Match[str], limited: bool) -> bool:
    """Whether a question begins behind the cut: by a word that begins one, or by a capital behind a comma."""
    if TAG.search(sentence[cut.start() :]) and len(sentence) - cut.start() < _LONGEST_TAG:
        return False
    if sentence.count("(", 0, cut.start()) > sentence.count(")", 0, cut.start()):
        return False
    if sentence[cut.start()] in ",;:" and _CAPITAL.match(sentence, cut.end()):
        return True
    return bool(_STARTER.match(sentence, cut.end()) or (limited and _RELATIVE.match(sentence, cut.end())))


def split_leading(sentence: str) -> tuple[str, str]:
    """KhanQ A.2, conditional clause or prepositional phrase + question: (the part before the question, question)."""
    limited = bool(CONDITION.match(sentence) or REASON.match(sentence) or PREPOSITION.match(sentence))
    found: list[tuple[int, int]] = []
    for cut in list(_CUT.finditer(sentence))[-_CUTS:]:
        if _words(sentence[: cut.start()]) >= 2 and _begins_question(sentence, cut, limited):
            found.append((cut.start(), cut.end()))
    # The last capital wins: a writer who begins a sentence behind a comma means it.
    capital = [cut for cut in found if sentence[cut[1]].isupper()]
    if capital:
        return sentence[: capital[-1][0]], sentence[capital[-1][1] :]
    # `which` and `where` may continue the clause: any other beginning comes first.
    found = [cut for cut in found if not _RELATIVE.match(sentence, cut[1])] or found
    if _STARTER.match(sentence) and not limited:
        # `What is X, and why Y?` is one question; in `What is X, does Y?` the first leads to the second.
        found = [cut for cut in found if not _JOINED_ON.match(sentence, cut[1])][-1:]
        found = [cut for cut in found if _words(sentence[: cut[0]]) >= 4 and _words(sentence[cut[1] :]) >= 4]
    if found:
        return sentence[: found[0][0]], sentence[found[0][1] :]
    bare = _BARE.search(sentence) if CONDITION.match(sentence) or REASON.match(sentence) else None
    if bare and _words(sentence[: bare.start()]) >= 4:
        return sentence[: bare.start()], sentence[bare.end() :]
    return "", sentence


def split_trailing(sentence: str) -> tuple[str, str]:
    """KhanQ A.2, question + clause or limiting phrase: `What happens if X?` as (`If X`, `What happens?`)."""
    cuts = list(_TRAILING_CLAUSE.finditer(sentence))
    shortest = 4
    if not cuts:
        cuts, shortest = list(_TRAILING_PHRASE.finditer(sentence))[:1], 2
    if len(cuts) != 1 or not _STARTER.match(sentence):
        return "", sentence
    head, tail = sentence[: cuts[0].start()], _LAST_TAG.sub("", sentence[cuts[0].end() :].rstrip("?!. "))
    if _words(head) < 2 or _words(tail) < shortest or head.endswith(","):
        return "", sentence
    return tail[0].upper() + tail[1:], head + "?"


def _other_option(text: str, start: int, question: str, before: str, answered: frozenset[str]) -> Draft | None:
    """KhanQ A.2, choice question: `X? Or Y?` is two questions, and both have the prompt of the first."""
    pieces = sentences_before(before)
    if not pieces or not pieces[-1].endswith("?"):
        return None
    end = len(text[:start].rstrip())
    begin = text.rfind(pieces[-1][:20], 0, end)
    first = _split(text, begin, end, answered) if begin >= 0 and fold(text[begin:end]) == pieces[-1] else None
    if first is None:
        return None
    return Draft(first.prompt, _OR.sub("", question), first.prompt_type, ("choice",))


def _before(text: str, start: int) -> str:
    """What stands before the question; where code and quoted lines were, a mark tells that the sentence has a hole."""
    before = text[max(0, start - _BEFORE) : start]
    if ">" in before or "`" in before:
        before = _HIDDEN.sub(HOLE, before)
    return before.partition(" ")[2] if start > _BEFORE else before


def draft(text: str, start: int, end: int, answered: frozenset[str] = frozenset()) -> Draft | None:
    """The prompt and question of the sentence at these offsets of a post, or nothing when there is no prompt.

    `answered` are the content words of the answers: they tell whether two questions were understood as one.
    """
    if end - start > _LONGEST:
        return None
    sentence = fold(text[start:end]).lstrip(_STRIPPED)
    other = _other_option(text, start, sentence, _before(text, start), answered) if _OR.match(sentence) else None
    return other or _split(text, start, end, answered)


def _split(text: str, start: int, end: int, answered: frozenset[str]) -> Draft | None:
    sentence, before = fold(text[start:end]).lstrip(_STRIPPED), _before(text, start)
    clause, question = split_leading(sentence)
    parts = preceding(before, sentence, answered)
    edits: tuple[str, ...] = ()
    kept = [piece for piece in _PAUSE.split(clause) if piece and not is_chat(piece)] if is_chat(clause) else [clause]
    if clause and kept != [clause]:
        edits = ("conversation",)
    parts += [piece for piece in kept if piece]
    after = split(text[end : end + _AFTER].partition("\n\n")[0])[:1]
    if after and re.match(r"because\b", after[0], re.IGNORECASE) and not after[0].endswith("?"):
        # KhanQ A.2: several prompts become one; a reason given behind the question comes first.
        parts.insert(0, after[0])
    if not parts:
        tail, question = split_trailing(question)
        parts = [tail] if tail else []
    prompt = _LAST_CONJUNCTION.sub("", " ".join(parts).strip(_STRIPPED)).strip(_STRIPPED)
    if _words(prompt) < 2 or not question.strip():
        return None
    return Draft(prompt, question.strip(), prompt_type(prompt), edits)
