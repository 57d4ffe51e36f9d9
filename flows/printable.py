"""What people wrote, made harmless for those who read it: forum text can move cursors, change colours, turn lines."""

import unicodedata

# Persian and the scripts of India are not written without these, and no line breaks without the others.
_KEPT = "\n\t\u200c\u200d"


def printable(text: str) -> str:
    """Text in which a mark stands for every control character and for what turns the direction of writing."""
    return "".join(c if c.isprintable() or c in _KEPT else "�" for c in text)


def escaped(text: str, kept: str = _KEPT) -> str:
    r"""Text in which such characters are written as \uXXXX, so that scripts find them and terminals do not."""
    odd = (c for c in set(text) - set(kept) if unicodedata.category(c) in ("Cc", "Cf"))
    return text.translate({ord(c): _written(c) for c in odd})


def _written(character: str) -> str:
    units = character.encode("utf-16-be").hex()
    return "".join(f"\\u{units[place : place + 4]}" for place in range(0, len(units), 4))
