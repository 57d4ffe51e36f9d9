"""Word vectors of `wordllama` (the table is inside the package), averaged over parts of a question."""

from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from transforms.types.rules import Reading
from transforms.types.wording import tokens

WIDTH = 256
PARTS = 3  # the whole question, its asking clause, the opening of the clause
OPENING = 5  # words
VECTOR_WEIGHT = 0.4  # of each part's unit vector beside the features, whose row has length one


@lru_cache(maxsize=1)
def _wordllama() -> Any:
    import wordllama

    return wordllama.WordLlama.load(cache_dir=Path(wordllama.__file__).parent, disable_download=True)


@lru_cache(maxsize=100_000)
def _vector(word: str) -> NDArray[np.float32]:
    # The sum of the pieces as they are: the table gives words that say little a short vector.
    pieces = _wordllama().tokenizer.encode(word, add_special_tokens=False).ids
    found: NDArray[np.float32] = np.asarray(_wordllama().embedding[pieces], dtype=np.float32).sum(axis=0)
    return found


def part_vectors(reading: Reading) -> NDArray[np.float32]:
    """The mean vectors of the question's parts, each of the same length, side by side."""
    asking = tokens(reading.clause)
    found = np.zeros((PARTS, WIDTH), dtype=np.float32)
    for row, words in enumerate((tokens(reading.whole), asking, asking[:OPENING])):
        for word in words:
            found[row] += _vector(word)
    lengths = np.linalg.norm(found, axis=1, keepdims=True)
    scaled: NDArray[np.float32] = found * np.float32(VECTOR_WEIGHT) / np.maximum(lengths, np.float32(1e-9))
    return scaled.reshape(-1)
