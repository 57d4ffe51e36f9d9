"""Lists, headings and paragraphs of an answer as running text (KhanQ A.4: a context is an independent paragraph)."""

import re

_BULLET = re.compile(r"[ \t]*[-*+•][ \t]+(?=\S)")
_NUMBER = re.compile(r"[ \t]*\d{1,2}[.)][ \t]+(?=\S)")
_HEADING = re.compile(r"[ \t]*#{1,6}[ \t]+(?=\S)")
_ENDS = frozenset(".!?…:;,)\"'”’")
_PARAGRAPH = re.compile(r"(?<=\w)[ \t]*\n[ \t]*\n(?=[A-Z])")


def _kind(line: str) -> str:
    if _BULLET.match(line) or _NUMBER.match(line):
        return "item"
    return "heading" if _HEADING.match(line) else "text"


def _mark(kind: str, following: str) -> str:
    """What parts a line from the next one: `heading: text`, `item; item.`, `text: item`."""
    if kind == "heading":
        return ":"
    if following == "item":
        return ";" if kind == "item" else ":"
    return "." if kind == "item" or following == "heading" else ""


def mark_lines(text: str) -> str:
    """Items, headings and paragraphs with the marks that the writer left to the line breaks."""
    lines = [line for line in _PARAGRAPH.sub(".\n", text).split("\n") if line.strip()]
    kinds = [_kind(line) for line in lines]
    marked = []
    for line, kind, following in zip(lines, kinds, [*kinds[1:], "end"], strict=False):
        own = _HEADING.sub("", _BULLET.sub("", line, count=1), count=1).rstrip() if kind != "text" else line.rstrip()
        marked.append(own if own[-1] in _ENDS else own + _mark(kind, following))
    return "\n".join(marked)
