"""Hide the parts of a post whose punctuation is not prose, without moving any character."""

import re
from html import unescape

# Code, links and formulas hold question marks that ask nothing. A dollar opens a formula only as in TeX and Pandoc:
# no blank inside the dollars and no digit behind them, so that "is it $5? or $6?" stays prose.
_QUOTED = re.compile(r"(?m)^[ \t]*>.*$")
_BLOCKS = re.compile(
    r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)|(?i:\[(quote|code)\b[^\]\n]{0,100}\].*?(?:\[/\1\]|\Z)"
    r"|<(blockquote|pre|script)\b.*?(?:</\2>|\Z))",
    re.DOTALL,
)
_INLINE = re.compile(
    r"``[^`\n]{1,300}(?:`[^`\n]{1,300})?``|`[^`\n]{1,300}`"
    r"|\$\$.{1,400}?\$\$|\$(?=[^\s$])[^$\n]{0,200}(?<=\S)\$(?!\d)"
    r"|\\\(.{1,200}?\\\)|\\\[.{1,400}?\\\]|\\begin\{(\w{1,12})\*?\}.{0,1000}?\\end\{\1\*?\}"
    r"|(?i:https?://|www\.)[^\s<>\"]+",
    re.DOTALL,
)
# What follows a link belongs to the sentence: "have you read https://example.org/a?"
_AFTER_LINK = "?!.,;:)]}'…”’*_"
_ENTITY = re.compile(r"&(?:[a-zA-Z][a-zA-Z0-9]{1,30}|#\d{1,7}|#[xX][0-9a-fA-F]{1,6});")
_FOREIGN_MARKS = str.maketrans("？؟", "??")


def mask(text: str) -> str:
    """The text at the same length: quotes and code blocks blank, code, links and formulas of a line replaced by `x`."""
    if ">" in text:
        text = _QUOTED.sub(_blank, text)
    if "```" in text or "~~~" in text or "[/" in text or "</" in text:
        text = _BLOCKS.sub(_blank, text)
    if "`" in text or "$" in text or "\\" in text or "://" in text or "www." in text:
        text = _INLINE.sub(_hide, text)
    return text.translate(_FOREIGN_MARKS) if "？" in text or "؟" in text else text


def _blank(match: re.Match[str]) -> str:
    found, length = match[0], len(match[0])
    if found.startswith(("```", "~~~")) and "\n" not in found:  # a fence inside a line is a part of its sentence
        return "x" * length
    # Lines of its own: what stands before and behind it are different sentences.
    return "\n" + " " * (length - 2) + "\n" if length > 1 else " "


def _hide(match: re.Match[str]) -> str:
    found = match[0]
    if found[0] in "hHwW":
        address = found.rstrip(_AFTER_LINK)
        return "x" * len(address) + found[len(address) :]
    return "x" * len(found)


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
