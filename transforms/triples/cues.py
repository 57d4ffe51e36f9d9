"""Subjective words and cues of a quotation in a prompt (KhanQ A.5)."""

import re

from transforms.triples.claims import tells
from transforms.triples.rewrites import cut

_CLAUSE_OPENER = (
    r"(?:the|a|an|it|there|in|all|if|when|we|this|these|they|only"
    r"|(?:\w+ ){1,3}(?:is|are|was|were|can|has|have|does|do|being))\b"
)
# `I read in the comments that`, `I heard from my teacher that`.
_WHERE_TOLD = r"(?: (?:somewhere|online|once|(?:in|at|on|from|by) (?:\w+ ){0,3}?\w+)(?= that\b))?"
_WHO = (
    r"(?:(?:so|but|and|yet)\s+)?(?:i|we(?: all)?)(?:['’](?:ve|d)| have| had| can)?(?: (?:also|just|always|already"
    r"|once|now|do|would"
    r"|therefore|have))*"
)
# What one thinks is a clause, with `that` or without; `I thought about` and `I thought so` stay.
_THINKS = (
    r" (?:think|thought|believed?|guess|guessed|assumed?|suppose|figured|imagined?|sworn)"
    r"(?: that\s+|,\s+|\s+(?!(?:about|of|so|to|how|why|what|that|in|not|it)\b(?! (?:is|was|would|has|can)\b))(?=\w))"
)
# What one knows or sees may be a thing as well: `I know the formula`, `I see a lot of ice`.
_KNOWS = (
    r" (?P<knows>get|see|saw|hear|read|notice|noticed|know|knew|understand|understood|learn|learned|learnt|heard"
    r"|reali[sz]ed?"
    rf"|did notice|seen|found out|remember|are told|were told|expect|expected){_WHERE_TOLD}(?:(?P<that> that\s+"
    rf"|,\s+)|\s+(?=\w))"
)
_THAT = rf"(?: that\s+|,\s+|\s+(?={_CLAUSE_OPENER}))"
_SUBJECTIVE = re.compile(
    r"i (?:get|know|understand|see) (?:why|how)\s+(?!(?:to|much|many|far|long|do|does|did|is|are|was|were|can|it"
    r"|this)\b)"
    r"|every(?:one|body) knows(?: that\s+|\s+)"
    rf"|{_WHO}(?:{_THINKS}|{_KNOWS})"
    r"|(?:in my (?:opinion|view|understanding|experience)(?: and (?:opinion|view|understanding|experience))?|imho|imo"
    rf"|as far as i (?:know|can tell)|afaik|from what (?:i|we)(?:['’]ve| have)? "
    rf"(?:know|understand|read|heard|seen|learn(?:ed|t)|gathered?|can tell)|it seems to me){_THAT}"
    r"|if i(?: (?:understand|understood|remember|recall)(?: (?:it|this|that))?(?: (?:correctly|right|rightly|well))?"
    r"|(?:['’]m| am) not (?:mistaken|wrong)),\s*"
    r"|i (?:was|am|had been|have been|['’]ve been) (?:always )?under the (?:\w+ )?impression(?: that)?\s+"
    r"|it took me (?:a while|a long time|some time|ages|forever) to (?:figure out|understand|reali[sz]e|learn|see)"
    r"(?: that)?\s+"
    r"|(?:i|we)(?: was| were|['’]ve been| have been) (?:always )?(?:taught|told)(?: (?:in|at|by) (?:\w+ ){0,2}\w+)?"
    r" that\s+",
    re.IGNORECASE,
)
_LESSON = r"(?:video|article|lesson|text|section|paragraph|lecture|passage|transcript|book|textbook)"
_FIGURE = r"(?:figure|diagram|image|picture|illustration|drawing|slide|caption)"
# Whoever says, states or claims does so in a sentence; one may mention a mere thing.
_SAYS = (
    r"(?:(?:says?|said|states?|stated|claims?|claimed|tells us|told us|told me|wrote|writes)"
    r"|(?:mentions?|mentioned|explains?|explained)(?= that\b|:|,| [\"“]"
    r"| (?:it|there|they) (?:is|are|was|were|can|has|have)\b))"
)
_PLACE = (
    rf"(?:(?:in|from|under|on|at|according to) (?:the|this|my) (?:\w+ ){{0,2}}{_LESSON}"
    r"(?: (?:under|on|about|called|above) [\w\"'“” ]{1,40})?"
    rf"|(?:in|under|on|from) (?:(?:the|this) (?:\w+ ){{0,2}}{_FIGURE}|fig(?:ure|\.)? ?\d+)"
    rf"(?: (?:of|in) (?:the|this) {_LESSON}| (?:above|below))?|(?:in|under|on) [\"'“‘][\w ,-]{{1,60}}[\"'”’])"
)
# Whatever the lesson says is quoted; anybody else may also say hello.
_LESSON_SAYS = (
    rf"(?:(?:the|this|my|our) (?:[\w-]+ ){{0,2}}?{_LESSON}(?: but (?:one|two))?"
    rf"|the (?:speaker|author|instructor|lecturer|narrator|page)|sal) (?:also )?{_SAYS}"
)
_SOMEBODY_SAYS = rf"(?:(?:the|my|our) (?:\w+ )?(?:teacher|professor|tutor)|he|she|it|they|you) (?:also )?{_SAYS}"
_CLAUSE = r"(?!(?:to|so|hello|hi|yes|no|what|how|why|when|where|if|about|something|nothing)\b)(?=\S+ \S+ \S)"
_CUE = re.compile(
    rf"(?:(?:but|and|because|since)\s+)?(?:(?:{_PLACE},?\s+)?"
    rf"(?:{_LESSON_SAYS}(?:,\s*|:\s*| that\s+|\s+{_CLAUSE})"
    rf"|{_SOMEBODY_SAYS}(?::\s*|\s+(?=[\"“]|['‘][\w ,-]{{3,120}}['’][.!]?$)|{_THAT}))|according to (?:the|this"
    rf"|my) {_LESSON},\s+)",
    re.IGNORECASE,
)
# `I know that ice floats`, but not `I know that formula`.
_SENTENCE = re.compile(r"\S+[^\s.!?] \S")
_QUOTES = re.compile(r"[\"“”]")
_SINGLE_QUOTED = re.compile(r"^['‘](.*?\w)['’](?=[.,;:!?]*(?:\s|$))")


def _is_claim(cue: re.Match[str]) -> bool:
    if cue["that"] is not None:
        return bool(_SENTENCE.match(cue.string, cue.end()))
    return cue["knows"] is None or tells(cue.string[cue.end() :])


def delete_subjective_words(text: str) -> str:
    """KhanQ A.5, subjective prompt words: `I believe that`."""
    return cut(_SUBJECTIVE, text, _is_claim)


def delete_quote_cues(text: str) -> str:
    """KhanQ A.5, quote cues: `the article says that`, and the quotation marks around what was quoted."""
    found = cut(_CUE, text)
    if found == text:
        return text
    return _QUOTES.sub("", found) if found[:1] in ('"', "“") else _SINGLE_QUOTED.sub(r"\1", found)
