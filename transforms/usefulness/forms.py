"""What is known about a word before any training: a function word or a content word, its stable hash.

Whether a question is useful shows more in its form ("is X the same as Y") than in its subject, so function words keep
their identity in a text's skeleton and content words give theirs up.
"""

import hashlib
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from transforms.usefulness.vectors import Vectors

_FUNCTION_WORDS = """
a an the this that these those it its he she they them his her hers their theirs him i me my mine we us our ours you
your yours myself yourself himself herself itself ourselves themselves who whom whose which what when where why how is
are was were be been being am do does did done doing have has had having can could will would shall should may might
must ca wo n't 's 'm 're 've 'll 'd and or but nor so yet if then else than because since although though while
whereas unless until as of in on at by for with without about against between into through during before after above
below to from up down out off over under again further not no never any some all each every both few many much more
most other another such only own same too very just also even still ever there here now anyone someone anybody
somebody everyone something anything nothing everything one ones
"""
FUNCTION_WORDS = frozenset(_FUNCTION_WORDS.split())
CONTENT = "<content>"
LONG = 8  # letters: such a word is nearly always a term
# Words that tell whether a question is about a concept and can be understood by itself (LearningQ's conditions).
GROUPS = tuple(
    frozenset(group.split())
    for group in (
        "he she his him her hers himself herself",
        "you your yours",
        "i my me mine",
        "it this that these those",
        "video videos lesson exercise course quiz test exam site",
        "we they our their us them",
        "n't not no never",
        "difference between why how",
    )
)
_GROUP_OF = {word: number for number, group in enumerate(GROUPS) for word in group}


@dataclass(frozen=True)
class Forms:
    """One row for each distinct word."""

    hashes: NDArray[np.uint64]
    is_content: NDArray[np.bool_]
    is_long: NDArray[np.bool_]
    group: NDArray[np.int64]  # position in GROUPS, or one past its end
    vectors: NDArray[np.float64]


@lru_cache(maxsize=200_000)
def hash_of(word: str) -> int:
    """A 64-bit hash that is the same on every machine and in every run."""
    return int.from_bytes(hashlib.blake2b(word.encode(), digest_size=8).digest(), "little")


def is_content(word: str) -> bool:
    """Whether the word names something, rather than joining, pointing, counting or marking."""
    return word not in FUNCTION_WORDS and word[:1].isalpha()


def describe(words: list[str], vectors: Vectors) -> Forms:
    """Hashes, kinds and vectors of distinct words."""
    hashes = np.fromiter((hash_of(word) for word in words), dtype=np.uint64, count=len(words))
    content = np.fromiter((is_content(word) for word in words), dtype=np.bool_, count=len(words))
    long = np.fromiter((len(word) >= LONG for word in words), dtype=np.bool_, count=len(words))
    group = np.fromiter((_GROUP_OF.get(word, len(GROUPS)) for word in words), dtype=np.int64, count=len(words))
    return Forms(hashes, content, long, group, vectors.of(words))
