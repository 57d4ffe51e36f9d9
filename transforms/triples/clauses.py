"""Cut one sentence into the clause that limits the question and the question itself (KhanQ A.2)."""

import re

from transforms.sentences import words
from transforms.triples.content import WORD
from transforms.triples.phrases import split_phrase
from transforms.triples.prompt_types import AUXILIARY, CONDITION, PREPOSITION, REASON, TAG

# Bounds for hostile sentences: how many cuts are tried, and how long a tag at the end is.
_CUTS, _LONGEST_TAG = 60, 20

_WH = r"what(?:['’]?s)?|why|how(?:['’]s)?|who|whose|whom"
_FRONT = r"(?:(?:in|to|at|for|by|of|from|on|under|through|with|according to) (?:what|which|whom|where|how)\b)"
# The beginning of a question: `why`, `isn't`, `by which`; a relative pronoun only before an auxiliary.
_STARTER = re.compile(
    rf"(?:(?:then|so|and|but|or|does that mean)[\s,]+)?(?:(?:{_WH}|{AUXILIARY})\b|{_FRONT}"
    rf"|(?:which|where|when)\s+(?:{AUXILIARY})\b)",
    re.IGNORECASE,
)
_ASKS_WITH = re.compile(_FRONT, re.IGNORECASE)
# `In what sense, then, does it have one?` is one question.
_INVERTED = re.compile(rf"{_FRONT}[^,.;:?]{{0,40}},[^,.;:?]{{1,40}},\s(?:{AUXILIARY})\b", re.IGNORECASE)
# `But why, if ice is light, does it sink?`: the clause stands inside the question.
_INTERRUPTED = re.compile(
    r"(?P<head>[^,;:.?!]{0,60}\b(?:why|how|what|where|when)),\s"
    r"(?P<clause>(?:if|when|given that|since|in|on|at|for|during|under|with|without|after|before|despite"
    r"|unlike)\s[^,;:.?!]{3,120}),"
    r"\s(?P<rest>\S+\s\S.*)",
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
# `i.e. what would` goes on with its sentence.
_CUT = re.compile(
    r"[,;:–—]\s*(?=\w)|(?<!\.)(?<!\bi\.e)(?<!\be\.g)\.{1,5}\s+(?=\w)|\s-+\s+|\s(?=then\s)|(?<=\w)\s(?=(?:so|but)\s(?:why|how|what)\b)",
    re.IGNORECASE,
)
_BARE = re.compile(
    rf"\s(?=(?:why|how|what|where|when)\s+(?:{AUXILIARY})\b"
    r"|(?:would|does|do|did|is|are|can|could|will|should)(?:n['’]?t)? (?:it|they|there|we|you|he|she)\b"
    r"|(?:would|does|do|did|can|could|will|should)(?:n['’]?t)?"
    r" (?:the|an?|this|these|those|my|your|their|its|his|her|our|all|both|each|every|people)\b)",
    re.IGNORECASE,
)
# A condition that begins inside a sentence: `ice is light, so if it sank would the lake freeze?`
_INNER = re.compile(r"[,;:]\s*(?:(?:so|but|and|then|that)\s+)?(?:if|when)\s", re.IGNORECASE)
# `Is there a tide and if so how high is it?`: what follows rests on the answer to what stands before.
_IF_SO = re.compile(
    rf"\bif (?:so|not|yes|no)\b[,\s]+(?=(?:then\s+)?(?:{_WH}|which|where|when|{AUXILIARY})\b)", re.IGNORECASE
)
# `Why is it that when ice melts, it cools?`: the clause stands between the beginning of the question and its end.
_EMBEDDED = re.compile(
    r"(?P<head>(?:why|how) is it that|how come(?: that)?)[\s,]+(?P<clause>(?:if|when)\s(?:[^\s,]+\s){1,12}?[^\s,]+)"
    r"(?:,\s*|\s(?=(?:it|they|there|we|you|he|she)\s))(?P<rest>\S.*)",
    re.IGNORECASE,
)
_TRAILING_CLAUSE = re.compile(
    r"[\s,]+(?=(?:(?:even )?if|unless|(?:even )?when|whenever|given that|assuming that|provided that|even though"
    r"|although"
    r"|as long as|in case)\s)",
    re.IGNORECASE,
)
# A clause that only asks nicely, or says nothing of its own: `if possible`, `if there are any`, `if you don't mind`.
_PHRASE_OF_COURTESY = re.compile(
    r"(?:even )?(?:if|when|whenever) (?:(?:it(?:['’]s| is) )?(?:at all )?(?:possible|needed|necessary|applicable)"
    r"|(?:there (?:is|are) )?any(?:thing)?(?: exists?)?|you (?:can|could|want|like|do not mind|don['’]?t mind|know)"
    r"|(?:any|some)(?:one|body) (?:knows|can)|(?:that|this|it) (?:helps?|matters|makes (?:any )?sense)"
    r"|i(?:['’]?m| am) (?:not )?(?:right|wrong|correct|mistaken))$",
    re.IGNORECASE,
)
# Behind these the clause is their object, or goes on with them: `Do we know if`, `so that when`.
_OWNERS = words(
    "what know even tell only see wonder determine determines check decide decides matter that and or as but so asking"
    " wondering like out about of for than just"
)
_TRAILING_PHRASE = re.compile(
    r"\s(?=(?:during|(?:in|for|on|at|under|within|among) (?:all|every|each|any|most|both|(?:the )?case of"
    r"|the (?:absence|presence) of))\s(?:\S+\s){0,5}\S+\?$"
    r"|(?:in (?:winter|summer|spring|autumn|(?:the )(?:winter|summer|fall|autumn|dark|cold))|at night)\?$)",
    re.IGNORECASE,
)
# A phrase behind two options may belong to the second alone.
_OPTION = re.compile(rf"\bor\s+(?:{AUXILIARY})\s", re.IGNORECASE)
# Without a comma, it may be the end of the clause: `when the curve shifts to the right`.
_LAST_TAG = re.compile(r",\s(?:right|correct|no)$", re.IGNORECASE)


def count_words(text: str) -> int:
    """How many words a text has."""
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
    phrase = PREPOSITION.match(sentence) and not _ASKS_WITH.match(sentence)
    limited = bool(CONDITION.match(sentence) or REASON.match(sentence) or phrase)
    if _INVERTED.match(sentence):
        return "", sentence
    between = _INTERRUPTED.match(sentence)
    if between:
        return between["clause"], f"{between['head']} {between['rest']}"
    found: list[tuple[int, int]] = []
    for cut in list(_CUT.finditer(sentence))[-_CUTS:]:
        behind = count_words(sentence[cut.end() :])
        if behind > 1 and count_words(sentence[: cut.start()]) > 1 and _begins_question(sentence, cut, limited):
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
        found = [cut for cut in found if count_words(sentence[: cut[0]]) >= 4 and count_words(sentence[cut[1] :]) >= 4]
    if found and sentence[found[0][1] :].lower().startswith("or "):
        # `When ice melts does it sink, or does it float?`: the first option began without a comma.
        clause, question = _split_unmarked(sentence)
        if clause:
            return clause, question
    if found:
        return sentence[: found[0][0]], sentence[found[0][1] :]
    return _split_unmarked(sentence)


def _split_unmarked(sentence: str) -> tuple[str, str]:
    """No comma stands before the question: behind `if so`, behind a clause, or behind a prepositional phrase."""
    so = _IF_SO.search(sentence)
    if so and count_words(sentence[so.end() :]) > 1 and (so.start() == 0 or count_words(sentence[: so.start()]) >= 3):
        return sentence[: so.end()].rstrip(" ,"), sentence[so.end() :]
    start = 0
    if not (CONDITION.match(sentence) or REASON.match(sentence)):
        inner = None if _STARTER.match(sentence) else _INNER.search(sentence)
        if not inner:
            return ("", sentence) if _STARTER.match(sentence) else split_phrase(sentence)
        start = inner.end()
    bare = _BARE.search(sentence, start)
    if bare and count_words(sentence[start : bare.start()]) >= (2 if start else 3):
        return sentence[: bare.start()], sentence[bare.end() :]
    return "", sentence


def split_embedded(sentence: str) -> tuple[str, str]:
    """`Why is it that when ice melts it cools?` as (`When ice melts`, `Why is it that it cools?`)."""
    found = _EMBEDDED.match(sentence)
    if not found or count_words(found["rest"]) < 2:
        return "", sentence
    clause = found["clause"]
    return clause[0].upper() + clause[1:], f"{found['head']} {found['rest']}"


def _owns_clause(head: str) -> bool:
    return re.split(r"[ -]", head)[-1].lower() in _OWNERS


def split_trailing(sentence: str) -> tuple[str, str]:
    """KhanQ A.2, question + clause or limiting phrase: `What happens if X?` as (`If X`, `What happens?`)."""
    clauses = list(_TRAILING_CLAUSE.finditer(sentence))
    cuts = [cut for cut in clauses if not _owns_clause(sentence[: cut.start()])]
    shortest = 3
    # A phrase behind a clause belongs to it.
    if not clauses and not _OPTION.search(sentence):
        cuts, shortest = list(_TRAILING_PHRASE.finditer(sentence))[:1], 2
    if len(cuts) != 1 or not _STARTER.match(sentence):
        return "", sentence
    head, tail = sentence[: cuts[0].start()], _LAST_TAG.sub("", sentence[cuts[0].end() :].rstrip("?!. "))
    if count_words(head) < 2 or count_words(tail) < shortest or head.endswith(",") or _PHRASE_OF_COURTESY.match(tail):
        return "", sentence
    return tail[0].upper() + tail[1:], head + "?"
