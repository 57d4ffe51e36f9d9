"""Text to words, alike for posts and for labels.

Labels of the field are lower-cased and tokenised ("is n't ?"); posts are not. Both take one form here, and all texts
of a batch are cut at once, in Arrow: tokenising is most of the cost of a fast classifier.
"""

import re
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

MAX_CHARS = 2000  # what a question is about stands in its first words; a text of a million characters costs no more
NUMBER, TIME = "0", "0:0"
_REJOIN = re.compile(r"\s+(?=n['’]t\b|['’](?:s|m|re|ve|ll|d)\b|[?.,!;:)\]%])")
_DOUBLE = re.compile(r"``\s?|\s?''|[“”„«»]")
_OPENING = re.compile(r"([(\[$#])\s")
_PAIRS = re.compile(r"\b(?:can not|(?:gon|wan) na|got ta|(?:lem|gim) me)\b|(?<!\w)'t (?:is|was)\b")
_SPACE = re.compile(r"\s+")
# Patterns of RE2: linear on any text.
_CUTS = (
    ("[’‘`´]", "'"),
    ("''|[“”„«»]", '"'),
    (r"\bcannot\b", "can not"),
    (r"\b(?:(gon|wan)(na)|(got)(ta)|(lem|gim)(me))\b", r"\1\3\5 \2\4\6"),  # as treebanks cut them
    (r"\d+(?::\d\d)+", f" {TIME} "),  # 4:15 and 1:02:03 are places in a video, not numbers
    (r"\d+(?:[.,]\d+)*", NUMBER),
    (r"(n't|'(?:s|m|re|ve|ll|d))\b", r" \1 "),
    (r"([^\pL\pM\pN'\s:]|^'|'$|'\s|\s'(?:[^smrvld]|$))", r" \1 "),
    (r"([^0]):|:([^0])", r"\1 : \2"),
)


@dataclass(frozen=True)
class Words:
    """The words of many texts: distinct words, and for each text a run of positions in them."""

    distinct: list[str]
    positions: NDArray[np.int64]  # of every word of every text, in `distinct`
    starts: NDArray[np.int64]  # text i is positions[starts[i] : starts[i + 1]]

    @property
    def counts(self) -> NDArray[np.int64]:
        """How many words each text has."""
        return np.diff(self.starts)


def normalise(text: str) -> str:
    """Lower case, white space folded, what a tokeniser took apart joined again: the identity of a text."""
    joined = _DOUBLE.sub('"', rejoin(text)) if not text.isascii() or "`" in text or "''" in text else rejoin(text)
    joined = _OPENING.sub(r"\1", joined)
    return _PAIRS.sub(lambda match: match[0].replace(" ", ""), joined)


def rejoin(text: str) -> str:
    """Lower case, white space folded, clitics and closing marks joined again."""
    return _REJOIN.sub("", _SPACE.sub(" ", text.lower())).strip().replace("’", "'")


def cut(texts: list[str]) -> Words:
    """Words, numbers as one word, marks one by one; clitics apart ("is n't", "it 's")."""
    clean = [text[:MAX_CHARS] for text in texts]
    column = pc.utf8_lower(pa.array(clean, type=pa.large_string()))
    for pattern, replacement in _CUTS:
        column = pc.replace_substring_regex(column, pattern, replacement)
    runs = pc.utf8_split_whitespace(pc.utf8_trim_whitespace(column))
    starts = runs.offsets.to_numpy().astype(np.int64)
    found = runs.values.dictionary_encode()
    return Words(found.dictionary.to_pylist(), found.indices.to_numpy().astype(np.int64), starts)
