"""The wording of a question in one form: contractions written out, the asking clause found, words as tokens."""

import re

WH = "who|whom|whose|which|what|when|where|why|how"
AUXILIARY = "is|are|was|were|am|do|does|did|can|could|will|would|shall|should|may|might|must|has|have|had"

_SPELLINGS = [
    (re.compile(pattern), text)
    for pattern, text in (
        ("[\u2018\u2019`]", "'"),
        ("[\u201c\u201d]", '"'),
        (r"\s+", " "),
        (r" (?=n't\b|'(?:s|m|re|ve|ll|d)\b)", ""),  # tokenised text: "is n't", "what 's"
        (r"\b(what|who|how|where|when|why|that|it|there|here)'?s\b", r"\1 is"),
        (r"\b(you|they|we|who|what)'re\b", r"\1 are"),
        (r"\b(i|you|we|they|who)'ve\b", r"\1 have"),
        (r"\b(i|you|we|they|he|she|it|who|what|how)'d\b", r"\1 would"),
        (r"\b(i|you|we|they|he|she|it|who|what)'ll\b", r"\1 will"),
        (r"\bi'?m\b", "i am"),
        (r"\bcan(?:'t|not|t)\b", "can not"),
        (r"\bwon'?t\b", "will not"),
        (r"(?<=\w)n't\b", " not"),
        (r"\b(do|does|did|is|are|was|were|could|would|should|has|have|had)nt\b", r"\1 not"),
        (r"\bu\b", "you"),
        (r"\bur\b", "your"),
    )
]
_LEAD = re.compile(
    r"(?:(?:so|and|but|or|then|also|well|ok|okay|now|hi|hello|hey|please|just|question|guys|everyone|folks)\b[ ,:]*+)++"
)
# "If …, what" and "In …, how": the clause before the comma only sets the scene.
_SETTING = re.compile(
    r"(?:if|when|since|because|as|given|suppose|assuming|in|on|for|at|during|after|before|with|although|though|while|"
    r"besides|to|from|by|of)\b"
)
_ASKING = re.compile(rf", ?(?:then )?(?=(?:{WH}|{AUXILIARY})\b)")
# "Does anyone know why …": the question is what follows.
_POLITE = re.compile(
    r"(?:(?:does|do|can|could|would|will|has|have) (?:any ?(?:one|body)|some ?(?:one|body)|you)(?: please|"
    r" here| else){0,2} "
    r"(?:know|tell me|explain|tell|explain to me|describe|help me(?: understand| with)?|have any idea)(?: to me| me)?"
    r"|i (?:want|need|would like) to know|i do not (?:know|understand|get)|any ?(?:one|body) knows?|any idea"
    rf"|please (?:tell me|explain)|tell me|explain(?: to me)?)(?: about| exactly)? (?=(?:{WH}|if|whether)\b)"
)
_TOKEN = re.compile(r"[a-z]+(?:'[a-z]+)?|\d[\d.,]*|[?,:;\"()/&]")
_LONGEST = 1000  # characters that are read: a type shows early


def normal(text: str) -> str:
    """Lower case, contractions and common short forms written out."""
    text = text[:_LONGEST].lower()
    for pattern, replacement in _SPELLINGS:
        text = pattern.sub(replacement, text)
    return text.strip()


def clause(normalised: str) -> str:
    """The asking clause: without greeting, setting and polite frame."""
    lead = _LEAD.match(normalised)
    found = normalised[lead.end() :] if lead else normalised
    if _SETTING.match(found) and (asking := _ASKING.search(found)):
        found = found[asking.end() :]
    polite = _POLITE.match(found)
    return found[polite.end() :] if polite else found


def tokens(normalised: str) -> list[str]:
    """Words, numbers and the marks that carry structure."""
    return _TOKEN.findall(normalised)
