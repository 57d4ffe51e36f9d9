"""Symbols that will be garbled (KhanQ A.5)."""

import re

_DEGREES = ((re.compile(r"\s?°\s?C\b"), " degrees Celsius"), (re.compile(r"\s?°\s?F\b"), " degrees Fahrenheit"))
_MARKUP = re.compile(
    r"(?<![\w*/])\*\*([^*\n]{1,200})\*\*(?![\w*/])|(?<![^\s(\['])\*([^*\s/](?:[^*\n]{0,200}[^*\s/])?)\*(?![\w*])|`{1,3}([^`\n]{1,200})`{1,3}"
    r"|(?<!\w)__?([^_\n]{1,200})_?_(?!\w)"
)
_INVISIBLE = re.compile(r"[\u200b-\u200f\u2028-\u202e\ufeff\ufffd\x00-\x08\x0b-\x1f\x7f]")
_MARKS = re.compile(r"[?!]{2,}")


def rewrite_symbols(text: str) -> str:
    """KhanQ A.5, garbled symbols: degree signs, markup and invisible characters, marks written many times."""
    if "°" in text:
        for pattern, words in _DEGREES:
            text = pattern.sub(words, text)
    if "*" in text or "`" in text or "_" in text:
        text = _MARKUP.sub(lambda m: next(g for g in m.groups() if g is not None), text)
    return _MARKS.sub(lambda m: "?" if "?" in m[0] else "!", _INVISIBLE.sub("", text))
