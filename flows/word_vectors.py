"""Word vectors from a file that the settings name, whatever its form."""

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from transforms.usefulness.vectors import TableVectors


@lru_cache(maxsize=1)
def read_vectors(path: str) -> "TableVectors":
    """The table in a file: word2vec binary if its name ends in .bin, fastText if it has a header, else GloVe."""
    from transforms.usefulness import readers

    try:
        with Path(path).open("rb") as file:
            if path.endswith(".bin"):
                return readers.read_word2vec(file)
            first = file.readline(100).split()
            file.seek(0)
            has_header = len(first) == 2 and all(part.isdigit() for part in first)
            return readers.read_fasttext(file) if has_header else readers.read_glove(file)
    except OSError as problem:
        raise ValueError(f"the word vectors {path} cannot be read ({problem.strerror})") from None
