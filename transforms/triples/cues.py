"""Subjective words and cues of a quotation in a prompt (KhanQ A.5)."""

import re

from transforms.triples.rewrites import cut

_THAT = (
    r"(?: that\s+|,\s+|\s+(?=(?:the|a|an|it|there|in|all|if|when|we|this|these|they|only"
    r"|(?:\w+ ){1,3}(?:is|are|was|were|can|has|have|does|do|being))\b))"
)
# What one sees may be a thing as well: `I see a lot of ice`.
_CLAUSE_SEEN = r"(?: that\s+|,\s+|\s+(?=(?:[\w'’-]+ ){1,5}(?:is|are|was|were|can|has|have|does|do|being)\b))"
# `I read in the comments that`, `I heard from my teacher that`.
_WHERE_TOLD = r"(?: (?:in|at|on|from|by) (?:\w+ ){0,3}?\w+(?= that\b))?"
_SUBJECTIVE = re.compile(
    rf"(?:(?:so|but|and)\s+)?(?:(?:i|we) (?:also |just )?(?:get|see|read|noticed?){_WHERE_TOLD}{_CLAUSE_SEEN}"
    r"|(?:(?:(?:i|we) (?:also |just )?(?:thought|think|believe|understand|understood|know|knew|guess|assume|assumed"
    r"|suppose|have learned|learned|learnt|heard|figured|reali[sz]ed?|did notice|found out)"
    rf"|(?:i|we)(?:'ve|’ve| have) (?:learned|read|heard|learnt|noticed|reali[sz]ed|seen)){_WHERE_TOLD}"
    r"|in my (?:opinion|view|understanding|experience)(?: and (?:opinion|view|understanding|experience))?|imho|imo"
    rf"|as far as i (?:know|can tell)|afaik|from what i (?:know|understand)|it seems to me){_THAT}"
    r"|it took me (?:a while|a long time|some time|ages|forever) to (?:figure out|understand|reali[sz]e|learn|see)"
    r"(?: that)?\s+"
    r"|(?:i|we)(?: was| were|['’]ve been| have been) (?:always )?(?:taught|told)(?: (?:in|at|by) (?:\w+ ){0,2}\w+)?"
    r" that\s+"
    r"|i (?:get|know|understand|see) (?:why|how)\s+(?!(?:to|much|many|far|long|do|does|did|is|are|was|were|can|it|this)"
    r"\b)"
    r")",
    re.IGNORECASE,
)
# `I thought` before anything that can begin a clause; `I thought about` and `I thought so` stay.
_THOUGHT = re.compile(
    r"i (?:thought|believed?) (?!(?:about|of|so|to|it|i|how|why|what|that|in|not)\b)(?=\w)",
    re.IGNORECASE,
)
_LESSON = r"(?:video|article|lesson|text|section|paragraph|lecture|passage|transcript|book|textbook)"
# Whoever says, states or claims does so in a sentence; one may mention a mere thing.
_SAYS = (
    r"(?:(?:says?|said|states?|stated|explains?|explained|claims?|claimed|tells us|told us|told me|wrote|writes)"
    r"|(?:mentions?|mentioned)(?= that\b|:|,| [\"“]))"
)
_PLACE = (
    rf"(?:in|from|according to) (?:the|this|my) (?:\w+ ){{0,2}}{_LESSON}"
    r"(?: (?:under|on|about|called|above) [\w\"'“” ]{1,40})?"
)
# Whatever the lesson says is quoted; anybody else may also say hello.
_LESSON_SAYS = (
    rf"(?:(?:the|this|my) {_LESSON}|the (?:speaker|author|instructor|lecturer|narrator|page)|sal) (?:also )?{_SAYS}"
)
_SOMEBODY_SAYS = rf"(?:(?:the|my|our) (?:\w+ )?(?:teacher|professor|tutor)|he|she|it|you) (?:also )?{_SAYS}"
_CLAUSE = r"(?!(?:to|so|hello|hi|yes|no|what|how|why|when|where|if|about|something|nothing)\b)(?=\S+ \S+ \S)"
_CUE = re.compile(
    rf"(?:(?:but|and|because|since)\s+)?(?:(?:{_PLACE},?\s+)?"
    rf"(?:{_LESSON_SAYS}(?:,\s*|:\s*| that\s+|\s+{_CLAUSE})"
    rf"|{_SOMEBODY_SAYS}(?::\s*|\s+(?=[\"“])|{_THAT}))|according to (?:the|this|my) {_LESSON},\s+)",
    re.IGNORECASE,
)
_QUOTES = re.compile(r"[\"“”]")
_SINGLE_QUOTED = re.compile(r"^['‘](.*?\w)['’](?=[.,;:!?]*(?:\s|$))")


def delete_subjective_words(text: str) -> str:
    """KhanQ A.5, subjective prompt words: `I believe that`."""
    return cut(_THOUGHT, cut(_SUBJECTIVE, text))


def delete_quote_cues(text: str) -> str:
    """KhanQ A.5, quote cues: `the article says that`, and the quotation marks around what was quoted."""
    found = cut(_CUE, text)
    if found == text:
        return text
    return _QUOTES.sub("", found) if found[:1] in ('"', "“") else _SINGLE_QUOTED.sub(r"\1", found)
