"""Hide the parts of a post whose punctuation is not prose, without moving any character."""

import re

# Quoted lines are another person's words; code, links and formulas hold question marks that ask nothing.
_QUOTED = re.compile(r"(?m)^[ \t]*>.*$")
_HIDDEN = re.compile(
    r"```.*?(?:```|\Z)|`[^`\n]{1,300}`|\$\$.{1,400}?\$\$|\$[^$\n]{1,200}\$|\\\(.{1,200}?\\\)|(?:https?://|www\.)[^\s<>\"]+",
    re.DOTALL,
)


def mask(text: str) -> str:
    """The text at the same length, quoted lines blank, code and links and formulas replaced by `x`."""
    if ">" in text:
        text = _QUOTED.sub(lambda m: " " * len(m[0]), text)
    return _HIDDEN.sub(_hide, text)


def _hide(match: re.Match[str]) -> str:
    found = match[0]
    # A link swallows the mark of the sentence that it ends: "have you read https://example.org/a?"
    ends_sentence = found.startswith(("http", "www")) and found.endswith("?")
    return "x" * (len(found) - 1) + "?" if ends_sentence else "x" * len(found)
