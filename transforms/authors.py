"""Names of a lesson's authors in what is written there: `Thanks, Janet Quux!` tells what the pseudonym hides.

A name of several words, or one that no ordinary word looks like (janet_q, JanetQ, ann99), goes wherever it stands, in
whatever case and joined by whatever sign. A first name, a last name or a single word may be any word, and goes only
where people are addressed, quoted or sign. A name that the lesson's own text holds belongs to the subject: an author
who calls herself Marie Curie does not blank the history of physics.
"""

import re
import unicodedata
from collections.abc import Iterable

from transforms.letters import LETTERS, WORD

MARK = "[user]"
_WORD = re.compile(rf"{WORD}+")
_ASCII_WORD = re.compile(r"\w+", re.ASCII)
_NO_LETTER, _LETTER = rf"(?<![{LETTERS}])", rf"(?![{LETTERS}])"
_UNLIKE_A_WORD = re.compile(r"\w*[\d_]|\w*[a-z]\w*[A-Z]|\w+[.-]\w")
_SHORTEST = 4  # letters of a name that goes wherever it stands: J K is joule and kelvin
_JOINT = r"[\s.,’'_-]{1,3}"  # Janet Quux, janet-quux, janet_quux; Quux, Janet
# Joined into one word, a name of fewer letters may be a word: Mark Up, Dar Win.
_SHORTEST_JOINED = 9
# Scripts that put no blank between words: a name of three signs is no other word.
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2,}")
_SHORTEST_UNSPACED = 3
# What many call themselves and everybody writes.
_EVERYDAY = frozenset(
    re.findall(
        r"\w+",
        """
        a an and the no not of in on to for by is it its me my i you your we our us he she they who what why how
        when this that one just only name nobody anybody someone somebody user guest student teacher learner
        member anonymous admin note edit update hint answer question example proof solution yes thanks hello hi
        all any some so or if do
        """,
    )
)
# Where people are addressed, and where a name follows that only may be a word: `As Ann said`, `in reply to Ann:`.
_THANKED = (
    r"(?:thanks|thank\syou|thx|ty|cheers|hi|hello|hey|dear|sorry|danke|hallo|merci|bonjour|salut|gracias|hola|obrigad[oa]"
    r"|grazie|ciao|спасибо|привет|здравствуйте|谢谢|你好|ありがとう|धन्यवाद|शुक्रिया|नमस्ते|شكرا)"
    r"(?:,|\s(?:so\smuch|a\slot|again|you|to|for\sthis)(?:,|\sto)?)?"
)
_TITLE = r"(?:mr|mrs|ms|dr|prof|professor|herr|frau|señor[a]?|monsieur|madame)\.?"
_NAMED = (
    r"(?:my\sname\sis|my\sname['’]s|i\sam\scalled|ich\shei(?:ß|ss)e|je\sm['’]appelle|me\sllamo|меня\sзовут|मेरा\sनाम"
    r"|(?:in\s)?(?:reply|response|answer|regards?)\sto|replying\sto|responding\sto|agree\swith|(?:asked|posted|written"
    r"|answered)\sby|(?:best|kind|warm)?\s?(?:regards|wishes)|best|yours|sincerely|grüße|saludos|cordialement),?"
)
_VERB = r"(?:wrote|said|says|asked|asks|schrieb|fragte|escribi[óo]|dijo|a\s[ée]crit|a\sdit|написала?|сказала?)"
_SAID = (
    rf"(?:{_VERB}|mentioned|mentions|pointed|points|explained|explains|noted|notes|suggested|suggests|writes|stated)"
)

# Such a word, where it is a person: with a capital, since `thanks will do` thanks nobody, or where a sign ends it.
_NAME, _CAPITAL = rf"({WORD}+){_LETTER}", r"(?-i:(?![a-zа-яß-öø-ÿ]))"
_ADDRESSED = re.compile(
    rf"@{_NAME}|\b{_THANKED}\s(?:{_TITLE}\s)?(?:{_NAME}(?=\s*(?:[,.!?:;)\n]|\Z))|{_CAPITAL}(?=\w{{3}}){_NAME})"
    rf"|\b(?:{_TITLE}|{_NAMED})\s{_CAPITAL}{_NAME}|\bI(?:\sam|['’]m)\s{_CAPITAL}{_NAME}(?=\s*(?:[,.!;\n]|and\b|\Z))"
    rf"|\bas\s{_CAPITAL}{_NAME}(?=\s{_SAID}\b)|^[^\S\n]*{_CAPITAL}{_NAME}(?=[^\S\n]*:\s)"
    rf"|(?:^|[–—~]|--|(?<!\S)-)[^\S\n]*{_CAPITAL}{_NAME}(?=[.!]?(?:\s*\Z|\n\s*\n))"
    rf"|{_NO_LETTER}{_CAPITAL}{_NAME}(?=\s{_VERB}\s?:|['’]s\s(?:answer|comment|reply|question|post|point|explanation)\b)",
    re.IGNORECASE | re.MULTILINE,
)


class Names:
    """The names of the authors of one lesson."""

    def __init__(self, authors: Iterable[str], lesson: str) -> None:
        subject = set(_words(lesson))
        self._telling: dict[str, dict[str, frozenset[str]]] = {}
        self._plain: set[str] = set()
        self._unspaced: set[str] = set()
        for author in authors:
            for name in _spellings(author.strip()):
                self._add(name, subject)
        self._begin = self._telling.keys() | self._plain

    def _add(self, name: str, subject: set[str]) -> None:
        written, words = _WORD.findall(name.replace("_", " ")), _words(name)
        if not any(map(str.isalpha, name)) or subject.issuperset(words) or _EVERYDAY.issuperset(words):
            return  # a number is nobody's name
        whole = len("".join(words)) >= _SHORTEST
        if len(words) > 1 and whole:
            for order in (written, written[::-1]) if len(words) == 2 else (written,):
                self._tell(order, _JOINT.join(map(re.escape, order)))
            if len("".join(words)) >= _SHORTEST_JOINED:
                self._tell(["".join(written)], "".join(written))
        elif whole and _UNLIKE_A_WORD.match(name):
            self._tell(written, rf"(?-i:{name})" if name.isalpha() else re.escape(name))  # TomB, and no tomb
        if _UNSPACED.fullmatch(name):
            self._unspaced.add(name)
        if " " in name or len(words) == 1:
            ends = {words[0], words[-1]} - subject - _EVERYDAY
            self._plain.update(word for word in ends if len(word) > 1 and not word.isdigit())

    def _tell(self, written: list[str], pattern: str) -> None:
        words = [word.casefold() for word in written]
        self._telling.setdefault(words[0], {})[pattern] = frozenset(words)

    def without(self, text: str) -> str:
        """The text with a mark in place of each name."""
        for name in sorted(self._unspaced, key=len, reverse=True):
            if name in text:
                text = re.sub(_unspaced(name), MARK, text)
        if not self._begin or not text:
            return text
        words = set(_words(text))
        found = self._begin & words
        if not found:
            return text
        telling = (name for word in found for name in self._telling.get(word, {}).items())
        if names := {pattern for pattern, parts in telling if parts <= words}:
            text = re.sub(rf"{_NO_LETTER}@?{_any(names)}{_LETTER}", MARK, text, flags=re.IGNORECASE)
        return self._without_addressed(text) if found & self._plain else text

    def _without_addressed(self, text: str) -> str:
        pieces, done, begin = [], 0, 0
        while found := _ADDRESSED.search(text, begin):
            start, end = found.span(found.lastindex or 0)
            begin = max(start, found.start() + 1)
            if found[found.lastindex or 0].casefold().strip("_") in self._plain:
                pieces += [text[done:start].removesuffix("@"), MARK]
                done = begin = end
        return "".join([*pieces, text[done:]])


def _words(text: str) -> list[str]:
    pattern = _ASCII_WORD if text.isascii() else _WORD
    return pattern.findall(text.casefold().replace("_", " "))


def _spellings(name: str) -> set[str]:
    """The name with its accents in the letters, beside them and, in Latin letters, left out."""
    apart = unicodedata.normalize("NFD", name)
    plain = "".join(sign for sign in apart if not unicodedata.combining(sign))
    return {unicodedata.normalize("NFC", name), apart, *([plain] if plain.isascii() else [])}


def _unspaced(name: str) -> str:
    """Two signs may be a word: they go where they are addressed."""
    if len(name) >= _SHORTEST_UNSPACED:
        return rf"@?{re.escape(name)}"
    behind = r"(?=同学|老师|先生|小姐|さん|くん|ちゃん|님|씨|说|說|:|：)"
    return rf"(?:@|(?<=谢谢)){re.escape(name)}|{re.escape(name)}{behind}"


def _any(names: Iterable[str]) -> str:
    """A pattern of any of these, the longest first."""
    return f"(?:{'|'.join(sorted(names, key=lambda name: (-len(name), name)))})"
