"""Cut a text into blocks that no sentence crosses: paragraphs, headings, entries of lists."""

import re
from collections.abc import Iterator

_BLANK_LINES = re.compile(r"\n\s*\n")
_SPACE = re.compile(r"\s+")
_ENTRY = re.compile(r"(?:[-*•◦▪‣·]|#{1,6}|\(?\d{1,3}[.)])\s")
_CAPITAL = re.compile(r"[\"'“‘(]?[A-Z]")
_ENDED = re.compile(r"[.!?…:][\"'”’)\]]*\Z")
_IN_MID_PHRASE = re.compile(
    r"(?:,|\b(?:a|an|the|of|in|on|at|to|for|from|with|by|between|and|or|but|if|when|that|which|than|as|is|are|was|were"
    r"|its|their|our|your|this|these))\Z",
    re.IGNORECASE,
)
_NOTE = re.compile(r"(?:\(.*\)|\[.*\]|[♪♫ ]+)\Z")  # (Laughter)
_LONGEST_HEADING = 60  # characters
_NARROWEST = 40  # nobody wraps lines that are narrower


def blocks(text: str) -> Iterator[list[str]]:
    """The lines of each block, white space folded; lines that were wrapped stay together."""
    for paragraph in _BLANK_LINES.split(text):
        lines = [line for line in (_SPACE.sub(" ", line).strip() for line in paragraph.split("\n")) if line]
        width = max([_NARROWEST, *map(len, lines)])
        if width < _LONGEST_HEADING and sum(line[0].islower() for line in lines) * 3 >= len(lines):
            width = 0  # a transcript, whose lines are short and end anywhere
        block: list[str] = []
        for line in lines:
            if block and (_ENTRY.match(line) or _stands_alone(block, line, width)):
                yield block
                block = []
            block.append(line)
        if block:
            yield block


def _stands_alone(block: list[str], following: str, width: int) -> bool:
    """Whether the last line of a block is a heading or another line that was not wrapped."""
    line = block[-1]
    if line.startswith(("# ", "##")) or (_NOTE.match(line) and _CAPITAL.match(following)):
        return True
    begins = len(block) == 1 or _ENDED.search(block[-2]) is not None
    fits = len(line) + 1 + len(following.partition(" ")[0]) <= width  # the first word of the next line
    is_short = len(line) < _LONGEST_HEADING and fits
    return begins and is_short and bool(_CAPITAL.match(following)) and not _IN_MID_PHRASE.search(line)
