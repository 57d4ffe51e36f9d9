"""Vectors for words: the table that comes with the `wordllama` package, or one read from a file."""

import hashlib
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray


class Vectors(Protocol):
    """Anything that gives a vector to every word, zeros to an unknown one."""

    @property
    def name(self) -> str:
        """What a stored model calls the table, to refuse another one."""
        ...

    @property
    def dimension(self) -> int:
        """The length of a vector."""
        ...

    def of(self, words: list[str]) -> NDArray[np.float64]:
        """One row for each word."""
        ...


@lru_cache(maxsize=1)
def _wordllama() -> Any:
    import wordllama

    return wordllama.WordLlama.load(cache_dir=Path(wordllama.__file__).parent, disable_download=True)


class WordLlamaVectors:
    """32,000 word pieces by 256, inside the package, so nothing is downloaded; a word is the sum of its pieces."""

    name = "wordllama-256"
    dimension = 256

    def of(self, words: list[str]) -> NDArray[np.float64]:
        """One row for each word."""
        rows = np.zeros((len(words), self.dimension))
        fresh = [word for word in words if word and word not in _REMEMBERED]
        new = dict(zip(fresh, _sum_pieces(fresh), strict=True))
        for row, word in enumerate(words):
            if word:
                rows[row] = new[word] if word in new else _REMEMBERED[word]
        if len(_REMEMBERED) + len(new) <= _REMEMBER:
            _REMEMBERED.update(new)
        return rows


_REMEMBER = 50_000  # words: 50 MB; cutting a word into pieces costs more than all else that is done with it
_REMEMBERED: dict[str, NDArray[np.float32]] = {}


def _sum_pieces(words: list[str]) -> list[NDArray[np.float32]]:
    if not words:
        return []
    table = _wordllama().embedding
    encoded = _wordllama().tokenizer.encode_batch(words, add_special_tokens=False)
    return [table[found.ids[: sum(found.attention_mask)]].sum(axis=0, dtype=np.float32) for found in encoded]


class TableVectors:
    """Vectors read from a file of word2vec, GloVe or fastText (`transforms.usefulness.readers`)."""

    def __init__(self, words: list[str], table: NDArray[np.float32]) -> None:
        if table.ndim != 2 or len(words) != len(table):
            raise ValueError(f"{len(words)} words do not fit a table of shape {table.shape}")
        self._table = table
        self._rows: dict[str, int] = {}
        for row, word in enumerate(words):
            self._rows.setdefault(word, row)
        fingerprint = hashlib.sha256("\n".join(words).encode())
        fingerprint.update(np.ascontiguousarray(table).data)
        self.name = f"table-{table.shape[1]}-{fingerprint.hexdigest()[:12]}"
        self.dimension = int(table.shape[1])

    def of(self, words: list[str]) -> NDArray[np.float64]:
        """One row for each word; zeros for one that is not in the table."""
        rows = np.zeros((len(words), self.dimension))
        for row, word in enumerate(words):
            if word in self._rows:
                rows[row] = self._table[self._rows[word]]
        return rows
