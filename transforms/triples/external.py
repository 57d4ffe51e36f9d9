"""External information in answers (KhanQ A.4): links, addresses, numbers."""

import re

from transforms.triples.rewrites import cut, mentions

# Brackets inside an address belong to it, one that closes the sentence's own does not; neither does a last full stop.
_LINK = r"<?(?:https?://|www\.)(?:[^\s<>\"()]|\([^\s()]{0,100}\))*(?<![.,;:!?])>?"
_WORDS_OF_LINK = r"\[([^\]\[\n]{1,200})\]\((?:https?://|/|www\.)[^\s)]{1,500}\)"
_NUMBER = r"\+?\b\d{1,3}[ -]\(?\d{3}\)?[ -]\d{3}[ -]\d{2,4}\b"
_ADDRESS = r"(?<!\S)[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,5}|\[(?:email|phone|user)\]"
# Up to the end of a sentence; a dot inside an address does not end it.
_REST = r"(?:[^.!?\n]|\.(?=\S)){0,120}"
_END = r"(?:[.!?](?=\s|$)|$)\s?"
# `The sheet is at https://…` says nothing without its address; `call the desk at https://… and ask` says the rest.
_PLACED = r"(?:\s(?:at|on|in|from|via|under|here|to))?\s?"
_NOTHING_ELSE = re.compile(
    rf"(?:according to|(?:as|like) (?:it|they) (?:says?|explains?) (?:on|in|at)|(?:quoted|taken"
    rf"|copied) from) {_LINK}[,:]?\s?"
    rf"|(?:(?!\.\s)[^!?\n]){{1,120}}?\s(?:is|are)(?: now| also| all)?(?: at| on| in| here)?:?\s?(?:{_LINK}"
    rf"|{_ADDRESS}){_END}",
    re.IGNORECASE,
)
# A sentence that only sends the reader away goes as a whole: `See ... for a table.`
_YOU_CAN = r"(?:(?:you|we|one|they|also|please|just|can|could|may|might|should|to|or|so|i|suggest|recommend)\s){0,5}"
_POINTER = re.compile(
    rf"{_YOU_CAN}(?:\(re\)-?|re-?)?(?:view|learn|find|read|get|refer|have a look|take a look|look(?: up)?|see|check"
    rf"|watch|visit|google|download|go|click|try)\b{_REST}?(?:{_LINK}|\]\((?:http|/|www)[^\s)]{{1,500}}\))"
    rf"(?:[^.!?\n]|\.(?=\S)){{0,40}}{_END}"
    r"|(?:see|visit|check|read|sources?|go to|look|for more|more (?:info\w*|on|at)|links?|watch|click|here(?:['’]s| is)"
    r"|for (?:\w+ ){0,3}(?:details?|info\w*|reference|reading|examples?|explanations?))"
    rf"\b{_REST}?(?:{_LINK}|\]\((?:http|/|www)[^\s)]{{1,500}}\)){_REST}{_END}",
    re.IGNORECASE,
)
_CALL = re.compile(
    rf"(?:(?:just|please|or|so|you can|feel free to)\s){{0,3}}"
    rf"(?:e-?mail|mail|call|contact|write|message|reach)\b{_REST}?(?:{_ADDRESS}|{_NUMBER}){_REST}{_END}",
    re.IGNORECASE,
)
_SOURCE = re.compile(
    rf"\(\s?(?:(?:sources?|see|links?|references?|from|here)\s?[:\-]?\s?)?{_LINK}\s?\)"
    rf"|\b(?:sources?|see|links?|references?|from|here)\s?[:\-]?\s?{_LINK}|{_WORDS_OF_LINK}|{_PLACED}{_LINK}",
    re.IGNORECASE,
)
_CONTACT = re.compile(rf"(?:\s(?:at|on|under|via)\s)?(?:{_ADDRESS}|{_NUMBER})[,:]?")
_DIGITS = re.compile(r"\d{3}[ -]")
# Spoken of and not spoken to: without a word in their place, the sentence would lose its subject or object.
_OTHERS = re.compile(
    r"(?P<before>\b(?:about|and|as|because|by|for|from|if|in|like|of|or|than|that|to|what|when|where|which|with) )"
    r"\[user\]|\[user\](?=['’]s\b| (?:already|also|and|asked|asks|can|described|describes|did|does|explained|explains"
    r"|found|gave|gives|got|had|has|is|just|made|makes|meant|means|mentioned|mentions|or|pointed|points|said|says|showed"
    r"|shows|suggested|suggests|thinks|used|uses|was|who|writes|wrote)\b)",
    re.IGNORECASE,
)


def delete_links(text: str) -> str:
    """KhanQ A.4, external information: addresses go, the words of a link stay."""
    if not mentions(text, ("http", "www.", "](")):
        return text
    return _SOURCE.sub(lambda m: m[1] or "", cut(_NOTHING_ELSE, cut(_POINTER, text)))


def delete_contacts(text: str) -> str:
    """KhanQ A.4, external information: e-mail addresses and telephone numbers, names addressed; scrubbed ones too.

    Of somebody who is spoken of stays `someone`.
    """
    if not ("@" in text or "[" in text or _DIGITS.search(text)):
        return text
    return _CONTACT.sub("", cut(_CALL, _OTHERS.sub(_someone, text)))


def _someone(found: re.Match[str]) -> str:
    begins = found.start() == 0 or found.string[: found.start()].endswith((". ", "! ", "? "))
    return (found["before"] or "") + ("Someone" if begins and not found["before"] else "someone")
