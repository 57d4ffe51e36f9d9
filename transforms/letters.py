"""Letters of all scripts, for patterns: `\\w` ends at the vowel signs of इन्दु and at a letter's separate accent."""

import unicodedata

# Signs that stand on letters, in the scripts in use, and the joiners between letters of Persian and of India.
_SIGNS = "".join(chr(code) for code in range(0x300, 0x3100) if unicodedata.category(chr(code)) in ("Mn", "Mc"))
# What goes into a class of characters beside others.
LETTERS = rf"\w{_SIGNS}\u200c\u200d"
WORD = rf"[{LETTERS}]"
