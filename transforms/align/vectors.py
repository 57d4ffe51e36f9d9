"""Vectors of words, and the arithmetic on them that gives the same result on any number of threads.

The table (32,000 word pieces) comes inside the `wordllama` package, so nothing is downloaded. A word's vector is the
sum of its pieces' vectors. Its length tells how much the word says in English at large (2 for "the", 20 for "moon"),
which the few sentences of one lesson cannot tell.
"""

from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from transforms.align.bags import Batch, Floats, Ints, edges

# Longer strings are no words; the tokeniser need not read them to their end.
_LONGEST_WORD = 64
# Words whose pieces are remembered from one batch to the next.
_REMEMBERED_WORDS = 100_000
# Rows that are spread out into vectors at a time: few enough for the processor's cache.
_ROWS_AT_ONCE = 1_024
# A product of matrices this small is never shared among threads, which costs more than it gains at our sizes.
_SIDE, _DEPTH = 32, 256


@lru_cache(maxsize=1)
def _wordllama() -> tuple[Any, NDArray[np.float32], dict[str, list[int]]]:
    """Tokeniser, table, and the pieces of words met before."""
    import wordllama

    model = wordllama.WordLlama.load(cache_dir=Path(wordllama.__file__).parent, disable_download=True)
    model.tokenizer.no_padding()
    return model.tokenizer, np.asarray(model.embedding, dtype=np.float32), {}


def _pieces(words: list[str]) -> list[list[int]]:
    tokenizer, _, known = _wordllama()
    if len(known) > _REMEMBERED_WORDS:
        known.clear()
    strange = [word for word in words if word not in known]
    encoded = tokenizer.encode_batch([word[:_LONGEST_WORD] for word in strange], add_special_tokens=False)
    known.update(zip(strange, (found.ids for found in encoded), strict=True))
    return [known[word] for word in words]


class WordVectors:
    """Length and direction of the vector of every word of a batch, each distinct word looked up once."""

    def __init__(self, batch: Batch) -> None:
        """Look up the words of all lessons."""
        number: dict[str, int] = {}
        places = [number.setdefault(word, len(number)) for word in chain.from_iterable(batch.vocabulary)]
        self._place = np.array(places, dtype=np.int64)
        table = _wordllama()[1]
        pieces = _pieces(list(number))
        flat = np.fromiter(chain.from_iterable(pieces), dtype=np.int64)
        starts = edges([len(found) for found in pieces])
        self._vectors = np.zeros((len(number), table.shape[1]))
        for rows, entries in blocks(starts):
            spread = table[flat[entries]].astype(np.float64)
            combine(np.add, spread, starts[rows.start : rows.stop + 1], self._vectors[rows])
        self._lengths = np.sqrt((self._vectors**2).sum(axis=1))
        self._directions = self._vectors / np.where(self._lengths > 0, self._lengths, 1.0)[:, None]

    def vectors(self, words: Ints) -> Floats:
        """Vectors of these words of the batch."""
        return self._vectors[self._place[words]]

    def lengths(self, words: Ints) -> Floats:
        """Lengths of the vectors of these words."""
        found: Floats = self._lengths[self._place[words]]
        return found

    def directions(self, words: Ints) -> Floats:
        """Vectors of these words, each made as long as 1."""
        return self._directions[self._place[words]]

    @property
    def width(self) -> int:
        """How many numbers a vector has."""
        return self._vectors.shape[1]


def products(left: Floats, right: Floats) -> Floats:
    """Product of every row of one matrix with every row of the other."""
    stacks = -(-len(left) // _SIDE)
    padded = np.zeros((stacks * _SIDE, left.shape[1]))
    padded[: len(left)] = left
    found = np.zeros((stacks, _SIDE, len(right)))
    for begin in range(0, left.shape[1], _DEPTH):
        part = padded[:, begin : begin + _DEPTH]
        stacked = part.reshape(stacks, _SIDE, part.shape[1])
        for column in range(0, len(right), _SIDE):
            other = right[column : column + _SIDE, begin : begin + _DEPTH]
            found[:, :, column : column + _SIDE] += np.matmul(stacked, other.T)
    return found.reshape(stacks * _SIDE, len(right))[: len(left)]


def blocks(starts: Ints) -> list[tuple[slice, slice]]:
    """Consecutive rows, and their entries, with at most a fixed number of entries unless one row has more."""
    found, row, rows = [], 0, len(starts) - 1
    while row < rows:
        until = int(np.searchsorted(starts, starts[row] + _ROWS_AT_ONCE, side="right")) - 1
        until = min(max(until, row + 1), rows)
        found.append((slice(row, until), slice(int(starts[row]), int(starts[until]))))
        row = until
    return found


def combine(operation: np.ufunc, spread: Floats, starts: Ints, out: Floats) -> None:
    """Combine the entries of each row into `out`; rows without entries stay as they are."""
    filled = np.flatnonzero(np.diff(starts))
    if len(filled):
        out[filled] = operation.reduceat(spread, starts[:-1][filled] - starts[0], axis=0)
