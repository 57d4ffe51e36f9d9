"""E-mail addresses in prose, as machines write them and as people hide them from machines."""

import re

MARK = "[email]"
_LOCAL, _LABEL = r"[\w.+-]{1,64}", r"[\w-]{1,63}"
# Its last part has a letter: react@18.2.0 is a version.
EMAIL = re.compile(rf"{_LOCAL}(?:[@＠]|%40)(?:{_LABEL}\.){{1,8}}[^\W\d_][\w-]{{1,62}}")
# What is called or indexed, and what a matrix has, is code: q@k.transpose(-2, -1), X@W.shape.
_CALL = re.compile(r"[(\[][^\s()\[\]]{0,40}[,)\]]")
_MEMBER = re.compile(r"\.(?:shape|values|data|weight|bias|grad|real|imag|size|flat|mT|mH)\Z")
# Ends and names of domains, where an address is known by these alone.
_ENDS = (
    r"(?:com|org|net|edu|gov|info|(?:ac|co|edu|com|org|gov)\.[a-z]{2}|de|fr|es|nl|ch|at|pl|ru|ua|cz|se|dk|pt|br|mx|cn|jp"
    r"|kr|uk|ca|au|nz|tr|eu|in)"
)
_END = rf"{_ENDS}(?![\w(])"
_DOMAIN = re.compile(rf"\.{_ENDS}\Z", re.IGNORECASE)
_PROVIDER = (
    r"(?:g(?:oogle)?mail|yahoo|ymail|hotmail|outlook|live|msn|icloud|aol|gmx|web|mail|yandex|qq|163|126|proton(?:mail)?"
    r"|rediffmail|zoho|tutanota|fastmail|naver|posteo)"
)
BLANK = " \t\u00a0"
_BLANKS = rf"[{BLANK}]{{1,3}}"
# ann (at) example (dot) org, ann{at}example{dot}org
_OPEN, _CLOSE = r"\s?[(\[{<]\s?", r"\s?[)\]}>]\s?"
_AT, _DOT = rf"{_OPEN}(?:at|[@＠]){_CLOSE}", rf"{_OPEN}(?:dot|\.){_CLOSE}"
_SPOKEN_DOT = rf"{_BLANKS}dot{_BLANKS}"
_NAME = rf"[\w+-]{{1,64}}(?:(?:\.|{_DOT}|{_SPOKEN_DOT})[\w+-]{{1,64}}){{0,4}}"
_BRACKETS = re.compile(r"[(\[{<]\s?(?:[aA][tT]|[@＠])\s?[)\]}>]")
_IN_BRACKETS = re.compile(
    rf"{_NAME}(?<!_){_AT}"
    rf"(?:(?:{_LABEL}(?:\.|{_DOT})){{1,8}}[^\W\d_][\w-]{{1,62}}|(?:{_LABEL}{_SPOKEN_DOT}){{1,4}}{_END})",
    re.IGNORECASE,
)
# ann dot lee at example dot org; ann at gmail.com; ann.lee at example.org; ann @ example.org.
_SPOKEN_AT = rf"(?:{_BLANKS}at{_BLANKS}|_at_)"
# Without a flag for case, and a letter first: every text is searched for it.
_SPEECH = re.compile(rf"[aA][tT][{BLANK}_]{{1,3}}[^\s.]{{1,63}}(?:\.\S|{_BLANKS}[dD][oO][tT]{_BLANKS})|[@＠]")
_SPOKEN = re.compile(
    r"(?<!\w)(?!(?:me|us|look\w*|is|are|am|be|was|in|up|out|it|here|mail|account|page|site|work\w*|start\w*)\s)"
    rf"(?:{_NAME}{_SPOKEN_AT}(?!(?:the|an?|this|that|each|every|any|one|its?)\s)(?:{_LABEL}{_SPOKEN_DOT}){{1,4}}{_END}"
    rf"|{_LOCAL}{_SPOKEN_AT}{_PROVIDER}\.{_END}"
    rf"|[^\W\d_]\w{{0,63}}(?:[.+_]\w{{1,63}}){{1,3}}{_SPOKEN_AT}(?:{_LABEL}\.){{1,4}}{_END}"
    rf"|{_LOCAL}(?:{_BLANKS}[@＠](?:{_BLANKS})?|[@＠]{_BLANKS})(?:{_LABEL}\.){{1,4}}{_END})",
    re.IGNORECASE,
)
# Of all this, what Arrow can look for: wider than the patterns.
SUSPICIOUS = rf"%40|{_SPEECH.pattern}"


def without_mailboxes(text: str) -> str:
    """The text with a mark in place of each e-mail address."""
    if _BRACKETS.search(text):
        text = _IN_BRACKETS.sub(MARK, text)
    if _SPEECH.search(text):
        text = _SPOKEN.sub(MARK, text)
    return EMAIL.sub(_written, text) if "@" in text or "＠" in text or "%40" in text else text


def _written(found: re.Match[str]) -> str:
    """Code stays, and the address from which anybody clones."""
    called = _CALL.match(found.string, found.end()) and not _DOMAIN.search(found[0])
    return found[0] if called or _MEMBER.search(found[0]) or found[0].startswith("git@") else MARK
