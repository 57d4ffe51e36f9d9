"""Turns the HTML of a post or an article into plain text."""

import re
from collections.abc import Iterator

from bs4.element import CData, NavigableString, Tag

HIDDEN = frozenset(("script", "style", "template", "noscript", "head", "title", "svg", "iframe", "object", "textarea"))
BLOCKS = frozenset(
    ("address", "article", "aside", "blockquote", "body", "dd", "details", "div", "dl", "dt", "fieldset", "figcaption",
     "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "html", "li", "main", "nav", "ol",
     "p", "pre", "section", "summary", "table", "tr", "ul")
)  # fmt: skip
NUMBER = re.compile(r"[0-9]{1,9}")
SPACES = re.compile(r"[ \t\r\n\f]+")
MAX_DEPTH = 20  # of quotes and lists that are shown: hostile markup must not grow the text quadratically


def html_to_text(root: Tag) -> str:
    """The text of an element: a blank line between blocks, quotes as `> `, code in backticks, items as `- ` or `1.`."""
    writer = _Writer()
    for node, entering in _walk(root):
        if isinstance(node, Tag):
            if entering:
                writer.enter(node)
            elif node.name in BLOCKS:
                writer.leave(node.name)
        elif type(node) in (NavigableString, CData):  # not comments and the like
            writer.inline.append(SPACES.sub(" ", node))
    writer.flush()
    return "\n".join(writer.lines)


def _walk(root: Tag) -> Iterator[tuple[Tag | NavigableString, bool]]:
    """All nodes in document order, elements on the way in and out, with a stack of its own instead of recursion."""
    stack: list[tuple[Tag | NavigableString, bool]] = [(root, True)]
    while stack:
        node, entering = stack.pop()
        if isinstance(node, Tag) and node.name in HIDDEN:
            continue
        yield node, entering
        if entering and isinstance(node, Tag):
            stack.append((node, False))
            if node.name not in ("pre", "code"):  # those two are written whole
                stack.extend(
                    (child, True) for child in reversed(node.contents) if isinstance(child, Tag | NavigableString)
                )


class _Writer:
    """Collects the inline text of the open block and writes it out as lines when the block ends."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.inline: list[str] = []
        self.quotes = 0
        self.numbers: list[int | None] = []  # of the next item in each open list, None for lists without numbers
        self.marker = ""  # of the list item that the next line begins
        self.gap = False  # a blank line is due before the next line
        self.last_quotes = 0

    def enter(self, tag: Tag) -> None:
        """Begin an element."""
        if tag.name == "br":
            self.inline.append("\n")
        elif tag.name in ("td", "th"):
            self.inline.append(" ")
        elif tag.name == "img":
            self.inline.append(SPACES.sub(" ", str(tag.get("alt") or "")))
        elif tag.name == "code":
            text = SPACES.sub(" ", tag.get_text()).strip()
            mark = "``" if "`" in text else "`"
            self.inline.append(f"{mark}{text}{mark}" if text else "")
        elif tag.name in BLOCKS:
            self.flush()
            self.enter_block(tag)

    def enter_block(self, tag: Tag) -> None:
        """Begin a block."""
        if tag.name in ("ul", "ol"):
            self.gap = self.gap or (not self.numbers and bool(self.lines))
            self.numbers.append(first_number(tag))
        elif tag.name == "li":
            self.marker = self.next_marker()
        elif tag.name == "blockquote":
            self.part()
            self.quotes += 1
        elif tag.name == "pre":
            self.part()
            text = tag.get_text().replace("\r\n", "\n").strip("\n")
            fence = "`" * max(3, 1 + max(map(len, re.findall("`+", text)), default=0))
            self.write([fence, *text.split("\n"), fence])
        elif tag.name != "tr":
            self.part()

    def leave(self, name: str) -> None:
        """End a block."""
        self.flush()
        if name in ("ul", "ol"):
            self.numbers.pop()
            self.gap = not self.numbers
        elif name == "li":
            self.marker, self.gap = "", False
        elif name == "blockquote":
            self.quotes -= 1
            self.part()
        elif name != "tr":
            self.part()

    def next_marker(self) -> str:
        """The dash of an item, or its number: whoever begins a post with `50. Each one` means the number."""
        number = self.numbers[-1] if self.numbers else None
        if number is None:
            return "- "
        self.numbers[-1] = number + 1
        return f"{number}. "

    def part(self) -> None:
        """Ask for a blank line, except between a list marker and the first words of its item."""
        self.gap = bool(self.lines) and not self.marker

    def flush(self) -> None:
        """Write the inline text collected so far, if it says anything."""
        text = "".join(self.inline)
        self.inline.clear()
        if text.strip(" \n"):
            self.write([SPACES.sub(" ", line).strip(" ") for line in text.strip(" \n").split("\n")])

    def write(self, lines: list[str]) -> None:
        """Write lines with the quote and list prefixes in force."""
        quotes, lists = min(self.quotes, MAX_DEPTH), min(len(self.numbers), MAX_DEPTH)
        prefix = "> " * quotes
        if self.gap and self.lines:
            self.lines.append(("> " * min(quotes, self.last_quotes)).rstrip())
        for line in lines:
            indent = "  " * (lists - 1) + self.marker if self.marker else "  " * lists
            self.lines.append((prefix + indent + line).rstrip())
            self.marker = ""
        self.gap = False
        self.last_quotes = quotes


def first_number(tag: Tag) -> int | None:
    """The number of a list's first item: None for lists without numbers."""
    start = str(tag.get("start") or "")
    return None if tag.name == "ul" else int(start) if NUMBER.fullmatch(start) else 1
