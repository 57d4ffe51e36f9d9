"""Near-duplicate texts: MinHash sketches, candidates that share a band, and links between those that are alike."""

import re
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from rensa import RMinHash

Sketches = NDArray[np.uint64]

_WORD = re.compile(r"\w+")
# A question of ten words with one of them replaced keeps 0.73 of its words and pairs of neighbours, one of six 0.58;
# two questions of one form about different things rarely share half.
ALIKE = 0.5
# 16 bands of 4 hashes: of two texts that share 0.7 of their shingles, 99 in 100 meet in a band; at 0.3, one in eight.
HASHES, BANDS = 64, 16
# In a band many texts may meet, such as those with one opening; each is compared with so many before it.
_COMPARED = 16


def words_of(text: str) -> list[str]:
    """The words of a text, case and marks aside."""
    return _WORD.findall(text.lower())


def sketch(text: str) -> list[int]:
    """The MinHash of a text's words and pairs of neighbours."""
    words = words_of(text)
    shingles = words + [f"{words[i]} {words[i + 1]}" for i in range(len(words) - 1)]
    found = RMinHash(num_perm=HASHES, seed=42)
    found.update(shingles or [text])
    return list(found.digest())


def alike(sketches: Sketches) -> Iterator[tuple[int, int]]:
    """Pairs of rows whose texts are near-duplicates; linked together they give the groups."""
    distinct, first, copy_of = np.unique(sketches, axis=0, return_index=True, return_inverse=True)
    yield from ((int(first[group]), row) for row, group in enumerate(copy_of.ravel()) if first[group] != row)
    size = HASHES // BANDS
    for band in range(BANDS):
        _, meeting = np.unique(distinct[:, band * size : (band + 1) * size], axis=0, return_inverse=True)
        order = np.argsort(meeting.ravel(), kind="stable")
        meeting = meeting.ravel()[order]
        for distance in range(1, min(_COMPARED, len(order) - 1) + 1):
            together = np.flatnonzero(meeting[distance:] == meeting[:-distance])
            if not len(together):
                break
            one, other = order[together], order[together + distance]
            shared = (distinct[one] == distinct[other]).mean(axis=1)
            for a, b in zip(one[shared >= ALIKE], other[shared >= ALIKE], strict=True):
                yield int(first[a]), int(first[b])
