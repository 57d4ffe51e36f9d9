"""Flesch reading ease, with our own syllable counter: dictionaries of pronunciation need a download.

Implementations differ by ten points on one sentence, all of it in how they count syllables, so compare figures only
with figures of the same counter.
"""

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

# KhanQ's mean lengths come out when a word is this.
WORD = re.compile(r"\w+")
# For syllables an apostrophe does not end a word: "doesn't" is one of two.
_SPOKEN = re.compile(r"\w+(?:['’]\w+)*")
_VOWELS = re.compile(r"[aeiouy]+")
_SILENT = re.compile(
    r"(?:[^aeiouyl]|[aeiouy]l|rl)e(?:'s)?$"  # cake, whole, there's; but table
    r"|[^aeiouytd]ed$"  # jumped; but wanted
    r"|(?:[^aeiouycgszxlh]|[aeiouy]l|[tp]h|rl)es$"  # makes, rules; but boxes, tables
    r"|[^aeiouyl]e(?=(?:ly|ments?|ful|less|ness|thing|times|one|where|body)$)"  # safely, movement, something
)
_SPLIT = re.compile(
    r"i(?:a(?!(?:l(?:ly)?|n|ns)$)|e[tnr]|o(?!us|n)|u)"  # diameter, science, radio, medium
    r"|(?<![cstg])i(?:a(?:l(?:ly)?|ns?)$|ous|on)"  # material, various, ion; but special, nation, gracious
    r"|eo(?!u)|ea(?=t(?:e[ds]?|ion|ions|ing)$)|u(?:a(?!r[dn])|ou|i(?=t[iy]))|[aeiou]ing|oe[ltn]|yi"
)
_JOINED = re.compile(r"qu[aeiouy]|gu(?:a[rg]|e|i)")
_NASAL = re.compile(r"(?:s|th)ms?$|[ds]n't$")  # prism, rhythm, doesn't


@lru_cache(maxsize=200_000)
def syllables(word: str) -> int:
    """About how many syllables an English word has: groups of vowels, less the silent ones; at least one."""
    plain = unicodedata.normalize("NFKD", word[:60].lower().replace("’", "'")).encode("ascii", "ignore").decode()
    count = len(_VOWELS.findall(plain)) - len(_SILENT.findall(plain))
    count += len(_SPLIT.findall(_JOINED.sub("qa", plain))) + len(_NASAL.findall(plain))
    return max(count, 1)


def reading_ease(sentences: Sequence[str]) -> float | None:
    """206.835 - 1.015 words per sentence - 84.6 syllables per word (Flesch 1948); null where there is no word."""
    words = [word for sentence in sentences for word in _SPOKEN.findall(sentence)]
    spoken = sum(1 for sentence in sentences if _SPOKEN.search(sentence))
    if not words:
        return None
    return 206.835 - 1.015 * len(words) / spoken - 84.6 * sum(map(syllables, words)) / len(words)
