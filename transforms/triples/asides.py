"""What an answerer says of himself, to the asker or about the post: not of the subject (KhanQ A.5, conversation)."""

import re

from transforms.triples.rewrites import cut, mentions

_END = r"(?:[.!?)]{1,5}(?=\s|$)|$)\s?"
_REST = rf"[^.!?\n]{{0,120}}{_END}"
_ASIDE = re.compile(
    # `Anna, great question!`, `Haha, good one.`
    r"(?:(?:\w{2,15}|ha(?:ha)+|lol)[,!]\s)?(?:(?:that|this)(?:['’]s| is| was) (?:a |an )?)?(?:very |really )?"
    r"(?:good|great|nice|excellent|interesting) (?:one|thinking|try|thought|question|point)[.!]{1,5}(?=\s|$)\s?"
    # who he is
    rf"|my name(?:['’]s| is)\b{_REST}"
    r"|i(?:['’]m| am) (?:a|an|in|from|only|just)\b[^.!?,;\n]{0,40}\b(?:student|teacher|tutor|grader?|professor|major"
    rf"|class|school|college|university|years old)\b[^.!?,;\n]{{0,30}}{_END}"
    rf"|i (?:teach|study)\b[^.!?,;\n]{{0,40}}{_END}"
    # where he has it from
    rf"|(?:sources?|references?|credits?):\s{_REST}"
    # what he did to the post; a change that tells something stays without its label
    r"|(?:edit(?:ed)?|update)(?:\s?#?\d)?(?::|\s[–-]\s)\s*"
    r"(?:(?:just |i |also )*(?:fixed|fixing|corrected|changed|added|typos?"
    rf"|spelling|grammar|format\w*|thanks?|thank|wow|sorry|forgot|never ?mind|misread)\b{_REST})?"
    r"|p\.?\s?s\.?(?:[:,]|(?<=\.))\s*(?:(?:[^.!?\n]{0,60}\b(?:profile|picture|pic|avatar|user ?name|vote|video|luck"
    rf"|thanks?|sorry|typos?|english|love|nice|cool)\b){_REST})?"
    # how he can be reached
    r"|(?:(?:just|please|or|so|you can|feel free to)\s)*(?:call|e-?mail|message|contact|text|pm|dm|ask|write to"
    rf"|reach(?: out to)?) me\b(?! (?:a|an|the|how|why|what|this|that)\b){_REST}",
    re.IGNORECASE,
)
_ASIDES = (
    *(
        " one",
        "thinking",
        "try",
        "thought",
        "question",
        "point",
        "my name",
        "i'm ",
        "i’m ",
        "i am",
        "i teach",
        "i study",
    ),
    *("source", "reference", "credit", "edit", "update", "p.s", "ps", "p. s", " me"),
)


def delete_asides(text: str) -> str:
    """KhanQ A.5, conversation: praise by name, who the answerer is, `EDIT: typo`, postscripts, `just call me`."""
    return cut(_ASIDE, text) if mentions(text, _ASIDES) else text
