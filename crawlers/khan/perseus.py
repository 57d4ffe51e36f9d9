"""Turns Perseus, the format of Khan Academy's articles, into plain text."""

import html
import json
import re
from typing import Any

from crawlers.page import PageError

# Formulas and code keep their stars and underscores; what is between them is Markdown. All patterns are linear: what a
# repeated class takes never holds the character that ends it, or it is bounded.
VERBATIM = re.compile(r"(\\\$|\$(?:[^$\\]|\\.)+\$|```[^`]*```|`[^`\n]+`)", re.DOTALL)
WIDGET = re.compile(r"\[\[\u2603 ([a-z-]{1,40} [0-9]{1,9})\]\]")
IMAGE = re.compile(r"!\[([^\[\]]{0,500})\]\([^()\s]{0,2000}(?:[ \t]\"[^\"\n]{0,500}\")?\)")
LINK = re.compile(r"\[([^\[\]]{1,500})\]\([^()\s]{0,2000}(?:[ \t]\"[^\"\n]{0,500}\")?\)")
TAG = re.compile(r"</?[a-zA-Z][^<>\n]{0,300}>")
RULE = re.compile(r"^ {0,3}(?:-{3,}|\*{3,}|_{3,}|={3,})[ \t]*$")
BULLET = re.compile(r"^( {0,12})[*+-][ \t]+")
STRONG = re.compile(r"\*\*([^*\n]{1,1000})\*\*|__([^_\n]{1,1000})__")
EMPHASIS = re.compile(r"(?<![\w*])\*([^*\s][^*\n]{0,1000})\*(?![\w*])|(?<![\w_])_([^_\s][^_\n]{0,1000})_(?![\w_])")
BLANK_LINES = re.compile(r"\n{3,}")


def perseus_text(content: Any, origin: str) -> str:
    """The text of an article: a JSON string (or what it holds) of `[{"content": Markdown, "widgets": …}]`."""
    if isinstance(content, str):
        try:
            content = json.loads(content)
        except (ValueError, RecursionError) as error:
            raise PageError(f"{origin}: the article's content is no JSON ({error})", "bad_json") from error
    sections = content if isinstance(content, list) else [content]
    texts = (section_text(section) for section in sections if isinstance(section, dict))
    return "\n\n".join(text for text in texts if text)


def section_text(section: dict[str, Any]) -> str:
    """The text of one section of an article."""
    markdown = section.get("content")
    if not isinstance(markdown, str):
        return ""
    widgets = section.get("widgets")
    shown = widgets if isinstance(widgets, dict) else {}
    text = WIDGET.sub(lambda mark: widget_text(shown.get(mark.group(1))), markdown)
    return markdown_text(text)


def widget_text(widget: Any) -> str:
    """What a widget says inside its sentence: a definition shows its word, all others stand for themselves."""
    options = widget.get("options") if isinstance(widget, dict) and widget.get("type") == "definition" else None
    return str(options.get("togglePrompt") or "") if isinstance(options, dict) else ""


def markdown_text(markdown: str) -> str:
    """Markdown without its marks; formulas (`$…$`) and code stay as they are."""
    lines: list[str] = []
    parts = VERBATIM.split(markdown.replace("\r\n", "\n").replace("\0", ""))
    # Marks at the beginning of lines first, on the whole text with formulas put aside.
    kept = parts[1::2]
    for line in "\0".join(parts[::2]).split("\n"):
        if RULE.match(line):
            continue
        lines.append(inline_text(BULLET.sub(r"\1- ", without_hashes(line))).rstrip())
    pieces = "\n".join(lines).split("\0")
    joined = [pieces[0]]
    for verbatim, piece in zip(kept, pieces[1:], strict=False):
        joined += ["$" if verbatim == "\\$" else verbatim, piece]
    return BLANK_LINES.sub("\n\n", "".join(joined)).strip()


def without_hashes(line: str) -> str:
    """A heading without its mark; the space after two or more hashes may be missing."""
    bare = line.lstrip(" ")
    hashes = len(bare) - len(bare.lstrip("#"))
    heading = 1 <= hashes <= 6 and (hashes > 1 or bare[1:2] in ("", " ", "\t"))
    return bare[hashes:].strip(" \t").rstrip("#").rstrip(" \t") if heading else line


def inline_text(line: str) -> str:
    """One line without links, images, tags and emphasis."""
    line = LINK.sub(r"\1", IMAGE.sub(r"\1", line))
    line = TAG.sub("", line)
    line = STRONG.sub(lambda found: found.group(1) or found.group(2), line)
    return html.unescape(EMPHASIS.sub(lambda found: found.group(1) or found.group(2), line))
