"""Paraphrasing (KhanQ A.5): words without information go, and the tone becomes that of a text."""

import re
from collections.abc import Callable, Sequence

from transforms.triples.rewrites import Rule, mentions, sentence_case
from transforms.triples.spelling import fix_spelling

_SENTENCE = r"(?:(?<=[.!?] )|^)"
_DAILY = re.compile(
    rf"{_SENTENCE}(?:(?:ok|okay|well|alright|oh|hmm+|um+|yeah|anyways?|basically|btw|by the way|wow|lol|haha)\b"
    r"(?:,\s*|\.\.+\s*|\s+(?=\w)))+",
    re.IGNORECASE,
)
_GREETING = re.compile(
    rf"{_SENTENCE}(?:hi|hello|hey|dear|good (?:morning|evening|afternoon|day))"
    r"(?: (?:all|there|everyone|everybody|guys|sir|folks|\w{2,12}(?=[,!])))?\s*[,!.]+\s*",
    re.IGNORECASE,
)
_COURTESY = re.compile(
    r"\s?(?:[,(]\s?)?\b(?:i )?hope (?:that|this|it|i) (?:\w+ )?(?:help(?:s|ed)?|clear(?:s|ed)?|answer(?:s|ed)?"
    r"|makes?)\b[^.!?\n]{0,60}[.!?:)]{0,5}"
    rf"|{_SENTENCE}(?:(?:that(?:'s|’s| is) (?:a |an )?|what a )?(?:very |really )?(?:good|great|excellent|interesting"
    r"|nice) question\b[^.!?\n]{0,20}[.!?,]{1,5}|thank(?:s| you)\b[^.!?\n]{0,60}[.!?]{0,5}"
    r"|good luck\b[^.!?\n]{0,40}[.!]{0,5}|(?:sincerely|cheers|regards|best)[,.!][^.!?\n]{0,30}[.!]{0,5}"
    r"|let me know\b[^.!?\n]{0,80}[.!]{0,5}|feel free\b[^.!?\n]{0,80}[.!]{0,5})\s?",
    re.IGNORECASE,
)
_COURTESIES = ("hope", "question", "thank", "luck", "sincerely", "cheers", "regards", "best", "let me", "feel free")
_SMILEY = re.compile(r"(?<!\S)(?:[:;=]['’]?-?[)(DPp]|\^_+\^|<3|T_T|XD)(?!\S)")
_REMINDER = re.compile(rf"{_SENTENCE}(?:remember|note|recall|keep in mind)(?:,\s*|(?: that)\s+)", re.IGNORECASE)
_CONJUNCTION = re.compile(
    r"^(?:(?:so|but|and|also|or|plus)\b(?!\s+(?:that|far|called|much|many|to)\b)[\s,]+)+", re.IGNORECASE
)
_SUBJECTIVE = re.compile(
    rf"{_SENTENCE}(?:(?:so|but|and)\s+)?(?:(?:i|we) (?:also )?(?:thought|think|believe|understand|understood|know|knew"
    r"|guess|assume|assumed|suppose|have learned|learned|learnt|heard|figured|get|see|read|was taught)"
    r"|(?:i|we)(?:'ve|’ve| have) (?:learned|read|heard|learnt|been told|been taught)"
    r"|in my opinion|imho|imo|as far as i know|afaik|from what i (?:know|understand)|it seems to me)"
    r"(?: that\s+|,\s+|\s+(?=(?:the|a|an|it|there|in|all|if|when|we|this|these|they|only"
    r"|(?:\w+ ){1,3}(?:is|are|was|were|can|has|have|does|do))\b))",
    re.IGNORECASE,
)
# `I thought` before anything that can begin a clause; `I thought about` and `I thought so` stay.
_THOUGHT = re.compile(
    rf"{_SENTENCE}i (?:thought|believed?) (?!(?:about|of|so|to|it|i|how|why|what|that|in|not)\b)(?=\w)", re.IGNORECASE
)
_LESSON = r"(?:video|article|lesson|text|section|paragraph|lecture|passage|transcript)"
_CUE = re.compile(
    rf"{_SENTENCE}(?:(?:in|from|according to) (?:the|this) (?:\w+ ){{0,2}}{_LESSON}"
    r"(?: (?:under|on|about|called|above) [\w\"'“” ]{1,40})?,?\s+)?"
    rf"(?:(?:the (?:{_LESSON}|speaker|author|instructor|lecturer|narrator|teacher|page)|sal|he|she|it|you)"
    r" (?:also )?(?:says?|said|states?|stated|mentions?|mentioned|explains?|explained|claims?|tells us|told us|wrote"
    r"|writes)(?: that\s+|,\s*|:\s*|\s+(?=[\"“])))",
    re.IGNORECASE,
)
_QUOTES = re.compile(r"[\"“”]")
_TIME = re.compile(
    r"(?:,\s?)?(?:\(\s?)?\b(?:(?:at|around|about|from|near|after|by)\s)?(?:(?:the )?(?:time|minute|min|timestamp)\s)?"
    r"(?:(?<![\d:.])(?:\d{1,2}:)?\d{1,3}:[0-5]\d(?![\d:]|\s?[ap]\.?m\b)|(?<=minute )\d{1,3}\b|(?<=min )\d{1,3}\b)"
    r"(?:\s(?:min(?:utes?)?|mark|in the video|of the video|into the video))?(?:\s?\))?(?:,\s?)?",
    re.IGNORECASE,
)
_DIGIT_TIME = re.compile(r":[0-5]\d|min(?:ute)? \d", re.IGNORECASE)
_ASKED = re.compile(
    r"^i mean,?\s+|^(?:(?:can|could|would|will) (?:you|someone|anyone|somebody|anybody)(?: please| kindly)?"
    r" (?:explain|tell me|clarify|tell us|explain to me)"
    r"|(?:i (?:was|am)|i'm|just) wondering|i wonder|my question is|i want to know|i don['’]t (?:understand|get)"
    r"|please(?: explain| tell me)?)(?: to me)?[\s,:]+(?=(?:why|how|what|when|where|which)\b)",
    re.IGNORECASE,
)
_EMPTY_OPTION = re.compile(
    r",?\s+or (?:not|no|what|something(?: else| different)?|anything else|else|otherwise|nothing|am i wrong"
    r"|(?:is|are|do|does|did|was|were|can|will) (?:it|they|this|that|there)(?: not|n['’]t)?)\s*(?=\?)",
    re.IGNORECASE,
)
_HOW_I = re.compile(r"^how (?:can|do|would|could|should|will) (?:i|u) (?=(?!be\b|have\b|get\b)[a-z])", re.IGNORECASE)
_ASKER = re.compile(r"\b(if|when|suppose|unless) (?:i|you|u) (?!(?:am|was|['’]|are)\b)(?=[a-z])", re.IGNORECASE)
_STILL_THERE = re.compile(r"\b(?:i|me|my|mine|your|yours)\b(?![-+.])", re.IGNORECASE)
_DEGREES = ((re.compile(r"\s?°\s?C\b"), " degrees Celsius"), (re.compile(r"\s?°\s?F\b"), " degrees Fahrenheit"))
_MARKUP = re.compile(
    r"\*\*([^*\n]{1,200})\*\*|(?<![^\s(\['])\*([^*\s](?:[^*\n]{0,200}[^*\s])?)\*(?![\w*])|`{1,3}([^`\n]{1,200})`{1,3}"
    r"|(?<!\w)__?([^_\n]{1,200})_?_(?!\w)"
)
_INVISIBLE = re.compile(r"[\u200b-\u200f\u2028-\u202e\ufeff\ufffd\x00-\x08\x0b-\x1f\x7f]")
_MARKS = re.compile(r"[?!]{2,}")


def _deletes(pattern: re.Pattern[str], new: str = "") -> Callable[[str], str]:
    return lambda text: pattern.sub(new, text)


def delete_conversation(text: str) -> str:
    """KhanQ A.5, conversation: greetings, praise, thanks, wishes, smileys, `remember`."""
    if mentions(text, _COURTESIES):
        text = _COURTESY.sub(" ", text)
    for pattern in (_GREETING, _SMILEY):
        text = pattern.sub(" ", text)
    return _REMINDER.sub("", text)


def rewrite_symbols(text: str) -> str:
    """KhanQ A.5, garbled symbols: degree signs, markup and invisible characters, marks written many times."""
    if "°" in text:
        for pattern, words in _DEGREES:
            text = pattern.sub(words, text)
    if "*" in text or "`" in text or "_" in text:
        text = _MARKUP.sub(lambda m: next(g for g in m.groups() if g is not None), text)
    return _MARKS.sub(lambda m: "?" if "?" in m[0] else "!", _INVISIBLE.sub("", text))


def delete_quote_cues(text: str) -> str:
    """KhanQ A.5, quote cues: `the article says that`, and the quotation marks around what was quoted."""
    found = _CUE.sub("", text)
    return _QUOTES.sub("", found) if found != text and found[:1] in ('"', "“") else found


def delete_times(text: str) -> str:
    """KhanQ A.5, timestamps: `at 3:40`."""
    return _TIME.sub(" ", text) if _DIGIT_TIME.search(text) else text


def name_nobody(text: str) -> str:
    """KhanQ A.5, personal pronouns: `if I` becomes `if people`, unless the asker stays in the rest of the text."""
    found = _ASKER.sub(r"\1 people ", text)
    return text if _STILL_THERE.search(found) else found


CLEANING: Sequence[Rule] = (
    ("symbols", rewrite_symbols),  # KhanQ A.5: symbols that will be garbled
    ("daily_terms", _deletes(_DAILY)),  # KhanQ A.5: daily terms
    ("conversation", delete_conversation),  # KhanQ A.5: conversation between questioner and answerer
    ("timestamp", delete_times),  # KhanQ A.5: timestamps
    ("spelling", fix_spelling),  # KhanQ A.5: grammar and spelling
    ("leading_conjunction", _deletes(_CONJUNCTION)),  # KhanQ A.5: conjunctions at the beginning
)
PROMPT_RULES: Sequence[Rule] = (
    *CLEANING,
    ("quote_cue", delete_quote_cues),  # KhanQ A.5: quote cues
    ("subjective", lambda text: _THOUGHT.sub("", _SUBJECTIVE.sub("", text))),  # KhanQ A.5: subjective prompt words
    ("personal_pronoun", name_nobody),  # KhanQ A.5: personal pronouns
    ("sentence_case", sentence_case),
)
QUESTION_RULES: Sequence[Rule] = (
    *CLEANING,
    ("asked_of_someone", _deletes(_ASKED)),  # KhanQ A.5: conversation
    ("empty_option", _deletes(_EMPTY_OPTION)),  # KhanQ A.2: a choice without information
    ("personal_pronoun", _deletes(_HOW_I, "how to ")),  # KhanQ A.5: personal pronouns
    ("sentence_case", sentence_case),
)
