"""How a rewriting rule is run: it has a name, it changes as little as it can, and its name is written down."""

import re
from collections.abc import Callable, Sequence

Rule = tuple[str, Callable[[str], str]]

# Where a sentence begins inside a text, with white space folded.
_NEXT_SENTENCE = re.compile(r"[.!?] {1,3}(?=\S)")
_BEFORE_MARK = re.compile(r"(?:, ?| )(?=[.;?!](?:\s|$))| (?=,(?:\s|$))")
# `x` and `pH` are names of their own.
_FIRST_WORD = re.compile(r"(?:[ai](?!\s?=)|[a-z][a-z'’]+)(?=[\s,:;?.]|-[a-z])")


def mentions(text: str, words: Sequence[str]) -> bool:
    """Whether one of the (lower-case) words occurs: a cheap look before a costly pattern."""
    return any(map(text.lower().__contains__, words))


def fold(text: str) -> str:
    """White space folded, and no comma left at an end."""
    return " ".join(text.split()).strip(" ,;")


def tidy(text: str) -> str:
    """What a deletion leaves behind goes too: a blank or comma before a mark, a mark in front, a comma behind."""
    return _BEFORE_MARK.sub("", fold(text)).lstrip(" ,;.:!?)")


def sentence_case(text: str) -> str:
    """A capital at the beginning; `pH`, `mRNA` and `x = 2` stay."""
    return text[0].upper() + text[1:] if _FIRST_WORD.match(text) else text


def _always(found: re.Match[str]) -> bool:
    return True


def cut(pattern: re.Pattern[str], text: str, holds: Callable[[re.Match[str]], bool] = _always) -> str:
    """The text without what the pattern finds at the beginning of a sentence, which goes on with a capital."""
    first = pattern.match(text)
    first = first if first and holds(first) else None
    kept, position = [], first.end() if first else 0
    for mark in _NEXT_SENTENCE.finditer(text, max(position - 2, 0)):
        start = mark.end()
        found = pattern.match(text, start) if start >= position else None
        if found and holds(found):
            kept.append(text[position:start])
            position = found.end()
            if _FIRST_WORD.match(text, position):
                kept.append(text[position].upper())
                position += 1
    return "".join(kept) + text[position:] if position else text


def rewrite(text: str, rules: Sequence[Rule]) -> tuple[str, list[str]]:
    """The text after every rule, and the names of the rules that changed it."""
    text, names = fold(text), []
    for name, rule in rules:
        changed = rule(text)
        if changed != text:
            names.append(name)
            text = tidy(changed) if len(changed) < len(text) else changed.strip()
    return text, names
