"""Conversation between questioner and answerer, and daily terms (KhanQ A.5)."""

import re

from transforms.triples.rewrites import cut, mentions

# To the end of the sentence, or nothing at all: half a sentence is worse than a courtesy.
_REST = r"[^.!?\n]{0,200}(?:[.!?:)]{1,5}|$)"

_GREETING = re.compile(
    r"(?:hi|hello|hey|dear|good (?:morning|evening|afternoon|day))"
    r"(?: (?:all|there|everyone|everybody|guys|sir|folks|\w{2,12}(?=[,!])))?\s*[,!.]+\s*",
    re.IGNORECASE,
)
_HOPE = re.compile(
    r"\s?(?:[,(]\s?)?\b(?:i |we )?hope (?:that|this|it|i|you) (?:\w+ )?(?:help|clear|answer|make|made|get|got|underst"
    rf"|explain)\w*{_REST}",
    re.IGNORECASE,
)
_COURTESY = re.compile(
    r"(?:(?:(?:that|this)(?:['’]s| is| was) (?:a |an )?|what a )?(?:very |really )?(?:good|great|excellent"
    r"|interesting|nice|cool|awesome|fantastic) (?:question|point|observation|catch)\b[^.!?,\n]{0,20}"
    rf"(?:[.!?]{{1,5}}|,(?:\s?and (?:i['’]m|i am|thanks?|thank you)\b{_REST})?)"
    rf"|i(?:['’]m| am) (?:so |very |really )?glad (?:that )?you asked{_REST}"
    rf"|thank(?:s| you)\b(?! to\b){_REST}|good luck(?=[.!,]| (?:with|on|and|to you)\b|$){_REST}"
    r"|(?:sincerely|cheers|(?:best |kind )?regards|best)[,.!][^.!?\n]{0,30}(?:[.!]{1,5}|$)"
    rf"|i(?:['’]ll| will| can)? (?:try(?: and| to)|do my best to) (?:help|explain|answer)\b{_REST}"
    rf"|please don['’]?t mind\b{_REST}"
    rf"|i (?:have to |must |cannot |can['’]?t |do not |don['’]?t |fully |totally |strongly )?(?:dis)?agree with{_REST}"
    rf"|(?:if not,? )?let me know\b{_REST}|no (?:problem|worries)[.,!]{{1,3}}"
    rf"|feel free(?=[.!]|$| to (?:ask|comment|contact|reply|message|correct|post|leave|reach|let|write)\b){_REST}"
    rf"|(?:please )?(?:up ?vote|vote (?:this |it |me )?up|vote (?:for|if))\b{_REST}"
    rf"|(?:p\.?\s?s\.?[:,]?\s)?sorry (?:for|about|if) (?:my|the|any|this|bad|i)\b{_REST}"
    r"|(?:peace out|take care|have a (?:nice|good|great) (?:day|one)|happy learning|you(?:['’]re| are) welcome)"
    r"[^.!?\n]{0,20}(?:[.!]{1,5}|$))\s?",
    re.IGNORECASE,
)
# Words of which every courtesy has one: most texts need no closer look.
_COURTESIES = (
    *("hope", "question", "point", "observation", "catch", "glad", "thank", "luck", "sincerely", "cheers", "regards"),
    *(
        "best",
        "let me",
        "problem",
        "worries",
        "feel free",
        "vote",
        "sorry",
        "peace",
        "care",
        "have a",
        "happy",
        "welcome",
    ),
    *("l try", "can try", "do my best", "t mind", "agree with"),
)
_SMILEY = re.compile(r"(?<!\S)(?:[:;=]['’]?-?[)(DPp]|\^_+\^|<3|T_T|XD)(?!\S)")
_REMINDER = re.compile(r"(?:remember|note|recall|keep in mind)(?:,\s*|(?: that)\s+)", re.IGNORECASE)
_AND_SO_ON = (
    r"(?:i|it|this|that|these|the|an?|we|they|you|he|she|there|here|if|when|what|why|how|where|in|as|so|but|and"
    r"|because|since|my|is|are|do|does|can)\b"
)
# `Well water` and `OK Corral` are names: without a comma, only a word that begins a clause shows that it is talk.
_DAILY = re.compile(
    rf"(?:(?:ok|okay|well|oh)(?:,\s*|\.\.+\s*|\s+(?={_AND_SO_ON}))|right,\s*(?=so\b|{_AND_SO_ON})"
    r"|(?:alright|hmm+|um+|anyways?|basically|btw|by the way|wow|lol|haha)\b(?:,\s*|\.\.+\s*|\s+(?=\w)))+",
    re.IGNORECASE,
)
_LAUGHS = ("lol", "haha", "lmao", "rofl")
_LAUGH = re.compile(rf",?\s(?:{'|'.join(_LAUGHS)})(?=\s*(?:[.?!]|$))", re.IGNORECASE)

_LEAD_IN = re.compile(
    r"(?:(?:ok|okay|so|but|and|well|also|now|hi|hello|hey|um+|oh)\b[\s,.!]{1,3}){0,4}(?:"
    r"(?:i(?:['’]m| am| was|['’]ve been| have been)? (?:\w+ ){0,2}?(?:wonder|wondering|curious|thinking|asking|confused"
    r"|unsure|puzzled)|just (?:wondering|curious|asking|checking)|(?:just )?out of curiosity)(?: about (?:this|that"
    r"|it|something|one thing))?"
    r"(?:\s?[,:;–—]\s*|\s-+\s|\s?\.{3}\s*|\s(?:since|because)\s)"
    r"|what (?:i|we) (?:\w+ )?(?:do not|don['’]?t|can['’]?t|cannot|didn['’]?t) (?:\w+ )?"
    r"(?:get|understand|see|know|grasp) is\b(?: that\b)?[\s,:]{1,3}"
    r"|what i(?: am|['’]m) (?:asking|wondering) is\b(?: that\b)?[\s,:]{1,3}"
    r"|(?:my|the|one|another) (?:\w+ )?question (?:is|was)\b(?: this\b| that\b)?[\s,:]{1,3}"
    r"|(?:please )?(?:let me know|correct me|tell me|sorry) if (?:i(?:['’]m| am| was)?|(?:this|that|it) is) (?:\w+ )?"
    r"(?:wrong|right|correct|mistaken|incorrect)[\s,.:–—-]{1,3}(?:but\s)?"
    r"|(?:even )?(?:though|although) i(?:['’]m| am| have)\b[^,.?!]{0,60},\s*"
    r"|i (?:have|got) (?:a|one|another) (?:\w+ )?question(?: (?:about|on) [^,.:?!]{1,40})?[,:]\s*"
    r")(?=\w)",
    re.IGNORECASE,
)
_LEAD_IN_WORDS = (
    *("wonder", "curio", "thinking", "asking", "checking", "confus", "unsure", "puzzl", "question"),
    *("what i", "what we", "if i", "if this", "if that", "if it", "though i"),
)


def cut_lead_in(sentence: str) -> str:
    """A sentence without the talk that leads up to what it says: `Hi, I was wondering, if ice floats`."""
    greeting = _GREETING.match(sentence)
    sentence = sentence[greeting.end() :] if greeting else sentence
    found = _LEAD_IN.match(sentence) if mentions(sentence, _LEAD_IN_WORDS) else None
    return sentence[found.end() :] if found else sentence


def delete_conversation(text: str) -> str:
    """KhanQ A.5, conversation: greetings, praise, thanks, wishes, smileys, `remember`, what leads up to a question."""
    text = cut(_GREETING, _SMILEY.sub(" ", text))
    if mentions(text, _LEAD_IN_WORDS):
        text = cut(_LEAD_IN, text)
    if mentions(text, _COURTESIES):
        text = cut(_COURTESY, _HOPE.sub(" ", text))
    return cut(_REMINDER, text)


def delete_daily_terms(text: str) -> str:
    """KhanQ A.5, daily terms: `okay`, `well`, `basically` in front of a sentence, a laugh at its end."""
    return cut(_DAILY, _LAUGH.sub("", text) if mentions(text, _LAUGHS) else text)
