"""Blank what stands in a post without being the poster's prose: quoted posts and blocks of code."""

import re

from transforms.lines import goes_on

_QUOTED_LINE = re.compile(r"[ \t]*(?:(?:[-*+•]|\d{1,2}[.)])[ \t]+(?=>[ \t]))?>")
# A quotation of older boards, up to the next blank line (or one line long), and the mail that is answered.
_POSTED_BY = re.compile(
    r"(?im)^[ \t]*(?:quote:?[ \t]*\n\s*)?originally posted by\b.*\n(?:(?:.*\S.*\n)*?(?=[ \t]*\n)|.*)"
    r"|^[ \t]*-{5,}[ \t]*(?:original|forwarded) message[ \t]*-{5,}(?s:.*)"
)
_SIGN = re.compile(r"[^\n]")
# Indentation alone is no sign of code, since writers indent paragraphs too: the line must also be written like code.
_INDENTED_CODE = re.compile(
    r"(?m)^(?: {4}|\t)(?=.*(?:[{};][ \t]*$|;[ \t]*//|(?<!:)//[ \t]|/\*|:[ \t]*#|==|\):[ \t]*$)).*$"
)
_BLOCK_SIGN = re.compile(
    r"(?P<fence>```|~~~)"
    r"|(?i:\[(?P<ends>/?)(?P<name>quote|code)\b[^\]\n]{0,100}\]|<(?P<shuts>/?)(?P<tag>blockquote|pre|script|div)\b[^<>]{0,300}>?)"
)


def blank_blocks(text: str) -> str:
    """The text at the same length with those parts blank."""
    if ">" in text:
        text = _blank_quoted_lines(text)
    if "```" in text or "~~~" in text or "[/" in text or "</" in text:
        text = _blank_pairs(text)
    if "    " in text or "\t" in text:
        text = _INDENTED_CODE.sub(lambda match: " " * len(match[0]), text)
    return text


def blank_posted(text: str) -> str:
    """The text at the same length without the post or mail that it answers."""
    return _POSTED_BY.sub(lambda match: _SIGN.sub(" ", match[0]), text)


def _blank_quoted_lines(text: str) -> str:
    """Quoted lines become blank, with the lines that go on in the middle of a quoted sentence."""
    lines = text.split("\n")
    quoted = ""
    for number, line in enumerate(lines):
        quoted = line if _QUOTED_LINE.match(line) or (quoted and goes_on(quoted[-40:], line)) else ""
        if quoted:
            lines[number] = " " * len(line)
    return "\n".join(lines)


def _blank_pairs(text: str) -> str:
    """Fenced and tagged blocks become blank; blocks of one kind nest, and one that never ends lasts to the end."""
    parts: list[str] = []
    done, start, kind, depth = 0, 0, "", 0
    for sign in _BLOCK_SIGN.finditer(text):
        name = (sign["fence"] or sign["name"] or sign["tag"]).lower()
        closes = bool(sign["ends"] or sign["shuts"]) or (name == kind and sign["fence"] is not None)
        if not kind:
            if name == "div" and (closes or "quote" not in sign[0].lower()):  # other boxes hold the post itself
                continue
            kind, start, depth = name, sign.start(), 0
            parts.append(text[done:start])
        if name == kind:
            depth += -1 if closes else 1
            if depth <= 0:
                done, kind = sign.end(), ""
                parts.append(_blank(text[start:done]))
    parts.append(_blank(text[start:]) if kind else text[done:])
    return "".join(parts)


def _blank(block: str) -> str:
    if block.startswith(("```", "~~~")) and "\n" not in block:  # a fence inside a line is a part of its sentence
        return "_" * len(block)
    # Lines of its own: what stands before and behind it are different sentences.
    return "\n" + " " * (len(block) - 2) + "\n" if len(block) > 1 else " "
