"""Small rewrites of prompts, questions and contexts (KhanQ A.5); each changes as little as it can and has a name."""

import re
from collections.abc import Callable, Sequence

Rule = tuple[str, Callable[[str], str]]

_SENTENCE = r"(?:(?<=[.!?] )|^)"
_SPELLING = {
    "teh": "the", "dont": "don't", "doesnt": "doesn't", "isnt": "isn't", "cant": "can't", "arent": "aren't",
    "wouldnt": "wouldn't", "shouldnt": "shouldn't", "couldnt": "couldn't", "didnt": "didn't", "wont": "won't",
    "recieve": "receive", "seperate": "separate", "occured": "occurred", "becuase": "because", "becasue": "because",
    "beacuse": "because", "wich": "which", "definately": "definitely", "thier": "their", "bcoz": "because",
    "bcz": "because", "cuz": "because", "plz": "please", "alot": "a lot",
}  # fmt: skip
_MISSPELT = re.compile(rf"\b(?:{'|'.join(_SPELLING)})\b", re.IGNORECASE)
_DAILY = re.compile(
    rf"{_SENTENCE}(?:ok|okay|well|alright|oh|hmm+|um+|yeah|anyway|basically|btw|by the way|wow|lol)\b(?:,\s*|\.\.+\s*|\s+(?=\w))",
    re.IGNORECASE,
)
_GREETING = re.compile(
    rf"{_SENTENCE}(?:hi|hello|hey|dear|good (?:morning|evening|afternoon|day))(?: (?:all|there|everyone|everybody|guys|sir|sal"
    r"|folks|\w{2,12}(?=[,!])))?\s*[,!.]+\s*",
    re.IGNORECASE,
)
_CONVERSATION = re.compile(
    r"\s*(?:[,(]\s*)?\b(?:i )?hope (?:that|this|it|i) (?:\w+ )?(?:help(?:s|ed)?|clear(?:s|ed)?|answer(?:s|ed)?|make(?:s)?)\b[^.!?\n]{0,60}[.!?:)]*"
    r"|(?:(?<=[.!?] )|^)(?:(?:that(?:'s|’s| is) (?:a |an )?|what a )?(?:very |really )?(?:good|great|excellent|interesting|nice) question\b[^.!?\n]{0,20}[.!?,]+"
    r"|thank(?:s| you)\b[^.!?\n]{0,60}[.!?]*|good luck\b[^.!?\n]{0,40}[.!]*|(?:sincerely|cheers|regards|best)[,.!][^.!?\n]{0,30}[.!]*"
    r"|let me know\b[^.!?\n]{0,80}[.!]*|feel free\b[^.!?\n]{0,80}[.!]*)\s*",
    re.IGNORECASE,
)
_REMEMBER = re.compile(rf"{_SENTENCE}(?:remember|note|recall|keep in mind)(?:,\s*|(?: that)\s+)", re.IGNORECASE)
_CONJUNCTION = re.compile(r"^(?:(?:so|but|and|also|then|or|plus)\b(?!\s+(?:that|far|called|much|many)\b)[\s,]+)+", re.IGNORECASE)
_SUBJECTIVE = re.compile(
    rf"{_SENTENCE}(?:(?:so|but|and)\s+)?(?:i (?:also )?(?:thought|think|believe|understand|understood|know|knew|guess|assume|assumed|suppose"
    r"|have learned|learned|learnt|heard|figured|get|see|read|was taught)|i(?:'ve|’ve| have) (?:learned|read|heard|learnt|been told|been taught)"
    r"|in my opinion|imho|imo|as far as i know|afaik|from what i (?:know|understand))(?: that\s+|,\s+|\s+(?=(?:the|a|an|it|there|in|all|if|when|we"
    r"|this|these|they|only|\w+ (?:is|are|was|were|can|has|have|does|do))\b))",
    re.IGNORECASE,
)
_CUE = re.compile(
    rf"{_SENTENCE}(?:(?:in|from|according to) (?:the|this) (?:\w+ ){{0,2}}(?:video|article|lesson|text|section|paragraph|lecture|passage|transcript)"
    r"(?: (?:under|on|about|called|above) [\w\"'“” ]{1,40})?,?\s+)?"
    r"(?:(?:the (?:article|video|lesson|text|speaker|author|instructor|lecturer|narrator|teacher|lecture|page)|sal|he|she|it|you)"
    r" (?:also )?(?:says?|said|states?|stated|mentions?|mentioned|explains?|explained|claims?|tells us|told us|wrote|writes)(?: that\s+|,\s*|:\s*|\s+(?=[\"“])))",
    re.IGNORECASE,
)
_TIME = re.compile(
    r"(?:,\s*)?(?:\(\s*)?\b(?:(?:at|around|about|from|near|after|by)\s+)?(?:(?:the )?(?:time|minute|min|timestamp)\s+)?"
    r"(?:(?<![\d:.])(?:\d{1,2}:)?\d{1,3}:[0-5]\d(?![\d:]|\s?[ap]\.?m\b)|(?<=minute )\d{1,3}\b|(?<=min )\d{1,3}\b)"
    r"(?:\s*(?:min(?:utes?)?|mark|in the video|of the video|into the video))?(?:\s*\))?(?:,\s*)?",
    re.IGNORECASE,
)
_FILLER = re.compile(r"\b(?:please|pls),?\s+(?=(?:explain|tell|why|how|what))", re.IGNORECASE)
_HOW = re.compile(r"^how (?:can|do|would|could|should) i (?=(?:know|find|tell|determine|calculate|figure|identify|decide|see|draw|prove"
                  r"|distinguish|predict|measure|recognize|recognise|compute|work out|remember)\b)", re.IGNORECASE)
_ASKED = re.compile(
    r"^(?:(?:can|could|would|will) (?:you|someone|anyone|somebody|anybody)(?: please| kindly)? (?:explain|tell me|clarify|tell us|explain to me)"
    r"|(?:i (?:was|am)|i'm|just) wondering|i wonder|my question is|i want to know|i don['’]t (?:understand|get))(?: to me)?[\s,:]+"
    r"(?=(?:why|how|what|when|where|which)\b)",
    re.IGNORECASE,
)
_MARKUP = re.compile(r"\*\*([^*\n]{1,200})\*\*|(?<![\w*])\*([^*\s][^*\n]{0,200})\*(?![\w*])|`([^`\n]{1,200})`|(?<!\w)__([^_\n]{1,200})__(?!\w)")
_INVISIBLE = re.compile(r"[\u200b-\u200f\u2028-\u202e\ufeff\ufffd\x00-\x08\x0b-\x1f\x7f]")
_MARKS = re.compile(r"([?!])[?!]+")


def _sub(pattern: re.Pattern[str], new: str = "") -> Callable[[str], str]:
    return lambda text: pattern.sub(new, text)


def fix_spelling(text: str) -> str:
    """KhanQ A.5, grammar and spelling: words that are wrong in any sentence."""
    return _MISSPELT.sub(lambda m: _SPELLING[m[0].lower()].capitalize() if m[0][0].isupper() else _SPELLING[m[0].lower()], text)


def rewrite_symbols(text: str) -> str:
    """KhanQ A.5, garbled symbols: degree signs, markup and invisible characters."""
    text = re.sub(r"\s?°\s?C\b", " degrees Celsius", text)
    text = re.sub(r"\s?°\s?F\b", " degrees Fahrenheit", text)
    text = _MARKUP.sub(lambda m: next(g for g in m.groups() if g is not None), text)
    return _MARKS.sub(lambda m: "?" if "?" in m[0] else "!", _INVISIBLE.sub("", text))


def delete_quote_cues(text: str) -> str:
    """KhanQ A.5, quote cues: `the article says that`, and the quotation marks around what was quoted."""
    found = _CUE.sub("", text)
    if found != text and found[:1] in "\"“":
        found = re.sub(r"[\"“”]", "", found)
    return found


def sentence_case(text: str) -> str:
    """A capital at the beginning; `pH` and `mRNA` stay."""
    first = re.match(r"[a-z][a-z'’]*(?=[\s,?.])", text)
    return text[0].upper() + text[1:] if first else text


CLEANING: Sequence[Rule] = (
    ("symbols", rewrite_symbols),  # KhanQ A.5: symbols that will be garbled
    ("greeting", _sub(_GREETING)),  # KhanQ A.5: conversation
    ("daily_terms", _sub(_DAILY)),  # KhanQ A.5: daily terms
    ("conversation", _sub(_CONVERSATION, " ")),  # KhanQ A.5: conversation between questioner and answerer
    ("reminder", _sub(_REMEMBER)),  # KhanQ A.5: conversation, `remember`
    ("timestamp", _sub(_TIME, " ")),  # KhanQ A.5: timestamps
    ("spelling", fix_spelling),  # KhanQ A.5: grammar and spelling
    ("leading_conjunction", _sub(_CONJUNCTION)),  # KhanQ A.5: conjunctions at the beginning
)
PROMPT_RULES: Sequence[Rule] = (
    *CLEANING,
    ("quote_cue", delete_quote_cues),  # KhanQ A.5: quote cues and quotation marks
    ("subjective", _sub(_SUBJECTIVE)),  # KhanQ A.5: subjective prompt words
    ("sentence_case", sentence_case),
)
QUESTION_RULES: Sequence[Rule] = (
    *CLEANING,
    ("please", _sub(_FILLER)),  # KhanQ A.5: conversation
    ("asked_of_someone", _sub(_ASKED)),  # KhanQ A.5: conversation
    ("personal_pronoun", _sub(_HOW, "how to ")),  # KhanQ A.5: personal pronouns
    ("sentence_case", sentence_case),
)


def tidy(text: str) -> str:
    """White space folded, and no blank left before a mark."""
    text = re.sub(r"\s+", " ", text)
    return re.sub(r" (?=[,.;?!](?:\s|$))", "", text).strip(" ,;")


def rewrite(text: str, rules: Sequence[Rule]) -> tuple[str, list[str]]:
    """The text after every rule, and the names of the rules that changed it."""
    text, names = tidy(text), []
    for name, rule in rules:
        changed = tidy(rule(text))
        if changed != text:
            names.append(name)
            text = changed
    return text, names
