"""The sentence being spoken at a cited second."""

import math
from bisect import bisect_right
from itertools import accumulate, groupby, pairwise
from operator import itemgetter

from transforms.align.bags import WORD

# Slow speech; how long a last sentence may take when no other tells how fast the speaker is.
_WORDS_PER_SECOND = 2.0


class Speech:
    """When each sentence of a lesson is spoken, as far as the starts of captions tell."""

    def __init__(self, texts: list[str], starts: list[float | None]) -> None:
        """Order the sentences that have a start by it; sentences that share one follow each other at even pace."""
        timed = sorted((start, number) for number, start in enumerate(starts) if start is not None)
        groups = [(start, [number for _, number in group]) for start, group in groupby(timed, key=itemgetter(0))]
        counts = [[max(len(WORD.findall(texts[number])), 1) for number in numbers] for _, numbers in groups]
        gaps = [later[0] - earlier[0] for earlier, later in pairwise(groups)]
        if groups:
            # Nothing follows the last: it lasts as long as its words need, or as the longest stretch before it.
            gaps.append(max([sum(counts[-1]) / _WORDS_PER_SECOND, *gaps]))
        self._numbers = [number for _, numbers in groups for number in numbers]
        self._starts: list[float] = []
        for (start, _), words, gap in zip(groups, counts, gaps, strict=True):
            before = accumulate(words[:-1], initial=0)
            self._starts.extend(start + gap * said / sum(words) for said in before)
        self._end = groups[-1][0] + gaps[-1] if groups else 0.0

    def at(self, seconds: float | None) -> int | None:
        """The sentence spoken at that second; none for articles, and for times that the lesson does not have."""
        if seconds is None or not self._starts or math.isnan(seconds) or not 0 <= seconds <= self._end:
            return None
        return self._numbers[max(bisect_right(self._starts, seconds) - 1, 0)]
