"""Find where a question begins: behind the sentence before it, list marks, smileys and emoji."""

import re

from transforms.openers import ASKS, OPENER

SMILEY = r"(?:[:;=xX8][-'^o]?[)(DPpO3/|*\]\[]+(?=\s|$)|<3(?=\s|$)|\^[_.-]{0,2}\^|\([:;=](?=\s|$))"
# Before the first word: list marks, a time or an answer in brackets, a link or formula, smileys, emoji, signs of no
# width, emphasis that does not end inside the question (`**Why?**`, but not `*Why* is it?`) and what is left of the
# sentence before. `E.` is an initial (E. coli) unless a question opens behind it.
_LEAD = re.compile(
    r"(?:\s|[-*+•·–—>#|]+\s|\(?(?:(?:\d{1,2}|[a-z]|[ivxIVX]{2,4})[.)]|[A-Z]\))(?:\s|(?=[A-Z][a-z]))|\d\ufe0f?\u20e3"
    rf"|\(?[A-Z]\.\s*(?={OPENER})|\d{{1,2}}-\s+(?=[^\W\d_]{{2}})|\[[ xX]\]\s"
    rf"|[(\[]\w{{1,12}}[)\]]\s+(?=[A-Z])(?={OPENER})"
    rf"|[(\[][\d:]{{1,8}}[)\]]\s|{SMILEY}|\(?_{{3,}}\)?\s+(?=[A-Z])"
    r"|\*+(?=\w)(?![^*]{1,80}\*)|_{1,2}(?=[^\W_])(?![^_]{1,80}_)|__(?=\s)|~~(?=\s|\w(?![^~]{1,80}~))"
    r"|[.!?…,;:)\]}”’»]"
    r"|[\u200b-\u200f\u2060\ufeff\u2190-\u21ff\u2300-\u2bff\u3000-\u303f\ufe0f\u200d\U0001f000-\U0001faff])*+"
)
# Sentences that the splitter leaves together: no blank behind the end; an abbreviation, a unit or a name of one letter
# that ended one after all. The patterns start at the end mark, so that texts without one cost nothing.
_INNER_END = re.compile(
    r"[.!](?:(?<=[^\W\d_]{2}.)(?=[A-Z][a-z'’ ])|(?<=[^\W\d_]!)!*(?=[^\W\d_])|(?<=[^\W_]\.)(?=(?i:why|what|how)\b)"
    r"|(?:(?<=\b(?:no|al|hr|ft|in)\.)|(?<=\b(?:etc|inc|min|sec|hrs|[ap]\.m)\.)|(?<=\d[mgslhNJWKCFV]\.)"
    rf"|(?<=[^\W\d_]\.)(?<![.\w’'].\.))(?<!many [fi][tn]\.)(?<!(?:sq|cu)\. [fi][tn]\.(?=\s[a-z]))"
    rf"\s+(?={OPENER})(?!if\b)"  # "if" goes on: metals, salts etc. if it is hot
    r"|(?<=[A-Z]\.)\s+(?=(?:why|what|how)\b))"
)
_SMILEY_END = re.compile(
    rf"(?<=\w)[:;]['’]?-?[)(]+\s*(?={OPENER})"
    rf"|(?<=[\s.!?])(?:[:;]['’]?[-^o]?[)(DPp]+|=[-^]?[)(D]+|xD+|XD+|<3+|\^[_.-]{{0,2}}\^|\([:;=])\s+(?={OPENER})"
)
_SMILEY_HINT = re.compile(r"[:;=^<xX(][-^o'’_.D)(pP3:;=]")
# An emoji may stand inside a phrase: "what 😭 is 😭 that".
_EMOJI_END = re.compile(rf"[\u2600-\u27bf\U0001f000-\U0001faff]\ufe0f?\s*(?!is\b|are\b)(?={OPENER})")
_REACH = 100  # characters of list marks and smileys
_OPENS = re.compile(rf"(?i:(?:and|but|so|or|also)\s+)?(?!(?i:when|where|who\w*|which)\b(?!\s{ASKS}))(?i:{ASKS})\b")


def begin(sentence: str, start: int, end: int) -> int:
    """Where the question begins that lies in this stretch."""
    if sentence.find(".", start, end) >= 0 or sentence.find("!", start, end) >= 0:
        start = _behind_last(_INNER_END, sentence, start, end)
    if _SMILEY_HINT.search(sentence, start, end):
        start = _behind_last(_SMILEY_END, sentence, start, end)
    if not sentence.isascii():
        start = _behind_last(_EMOJI_END, sentence, start, end)
    lead = _LEAD.match(sentence, start, end)
    return lead.end() if lead else start


def _behind_last(ending: re.Pattern[str], sentence: str, start: int, end: int) -> int:
    for found in ending.finditer(sentence, start, end):
        start = found.end()
    return start


def opens_question(sentence: str) -> bool:
    """Whether a sentence opens like a question."""
    lead = _LEAD.match(sentence, 0, _REACH)
    return _OPENS.match(sentence, lead.end() if lead else 0) is not None
