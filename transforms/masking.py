"""Hide the parts of a post whose punctuation is not prose, without moving any character."""

import re
from html import unescape

from transforms.blocks import blank_blocks, blank_posted

# Code, links and formulas hold question marks that ask nothing. A dollar opens a formula only as in TeX and Pandoc:
# no blank inside the dollars and no digit behind them, so that "is it $5? or $6?" stays prose.
# Every alternative begins with its first sign, so that the text between costs next to nothing.
_CODE = re.compile(
    r"``[^`\n]{1,300}(?:`[^`\n]{1,300})?``|`[^`\n]{1,300}`|<(?i:code)>.{1,300}?</(?i:code)>"
    r"|\$\$.{1,400}?\$\$|\$(?=[^\s$])[^$\n]{0,200}(?<=\S)\$(?!\d)"
    r"|\\\(.{1,200}?\\\)|\\\[.{1,400}?\\\]|\\begin\{(\w{1,12})\*?\}.{0,1000}?\\end\{\1\*?\}",
    re.DOTALL,
)
_TAG = re.compile(
    r"(?i)</?(?:(p|br|div|li|[uo]l|h[1-6r]|t[rdh]|table)|b|i|u|s|q|em|strong|a|span|su[bp]|small|font|img|kbd|del|ins"
    r"|mark)(?:\s+[a-z-]{1,20}=[^<>\n]{0,400}|\s?/)?>"
)
_LINK = re.compile(r"[hHfFwW](?i:(?<=h)ttps?://|(?<=f)tp://|(?<=w)ww\.)[^\s<>\"]+")
_PATTERN = re.compile(r"\\(?:[dwsbDWSB](?![a-zA-Z])|[.?+^])\S*")  # \d+\.?\d*
_CALL = re.compile(r"\((?<=\w.)(?:\"[^\"\n]{0,200}\"|'[^'\n]{0,200}')")  # print("why?")
# [What is it?](page) names a page: the mark is its title's. ![What is it?](file) is no prose at all.
_TITLED_LINK = re.compile(r"!?\[[^\[\]\n]{0,300}\]\([^\s()]{1,1000}\)")
# What follows a link or pattern belongs to the sentence: "have you read https://example.org/a?"
_AFTER_WORD = "?!.,;:)]}'…”’*_"
_ENTITY = re.compile(r"&(?:[a-zA-Z][a-zA-Z0-9]{1,30}|#\d{1,7}|#[xX][0-9a-fA-F]{1,6});")
MARKS = "?？؟❓❔⁇⁈⁉"
_ONE_MARK = str.maketrans(dict.fromkeys(MARKS, "?"))
_ANY_MARK = re.compile(f"[{MARKS}]")
_FOREIGN_MARK = re.compile(f"[{MARKS[1:]}]")


def mask(text: str) -> str:
    """The text at the same length: blocks and markup blank, code, links and formulas of a line replaced by `_`.

    An underscore is no letter: a link with a mark behind it is no question.
    """
    if "\n" in text and ("-----" in text or "Posted by" in text):
        text = blank_posted(text)
    if ">" in text or "`" in text or "~~~" in text or "[" in text or "    " in text or "\t" in text:
        text = blank_blocks(text)
    if "`" in text or "$" in text or "\\" in text or "</" in text:
        text = _CODE.sub(_hide, text)
    if "\\" in text:
        text = _PATTERN.sub(_hide_pattern, text)
    if "<" in text and ">" in text:
        text = _TAG.sub(_blank_tag, text)
    if "](" in text:
        text = _TITLED_LINK.sub(_hide_title, text)
    if "://" in text or "www." in text:
        text = _LINK.sub(_hide_word, text)
    if "(" in text:
        text = _CALL.sub(_hide, text)
    return text if text.isascii() or not _FOREIGN_MARK.search(text) else text.translate(_ONE_MARK)


def _blank_tag(match: re.Match[str]) -> str:
    return ("\n" if match[1] else " ") + " " * (len(match[0]) - 1)


def _hide(match: re.Match[str]) -> str:
    return "_" * len(match[0])


def _hide_title(match: re.Match[str]) -> str:
    return _hide(match) if match[0][0] == "!" else _ANY_MARK.sub("_", match[0])


def _hide_word(match: re.Match[str]) -> str:
    word = match[0].rstrip(_AFTER_WORD)
    return "_" * len(word) + match[0][len(word) :]


def _hide_pattern(match: re.Match[str]) -> str:
    word = match[0].rstrip(_AFTER_WORD + "+")  # a sign that repeats says what the mark behind it is
    return "_" * len(word) + match[0][len(word) :]


def decode_entities(text: str) -> tuple[str, list[int]]:
    """The text with its HTML entities as characters, and where each of them (and the end) stood before."""
    parts: list[str] = []
    origins: list[int] = []
    position = 0
    for entity in _ENTITY.finditer(text):
        characters = unescape(entity[0])
        if characters in (entity[0], "?"):  # a mark must stand in the text itself
            continue
        parts += [text[position : entity.start()], characters]
        origins += range(position, entity.start())
        origins += [entity.start()] * len(characters)
        position = entity.end()
    parts.append(text[position:])
    origins += range(position, len(text) + 1)
    return "".join(parts), origins
