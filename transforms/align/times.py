"""The sentences being spoken at a cited second."""

import math
from bisect import bisect_left, bisect_right


class Speech:
    """When each sentence of a lesson is spoken."""

    def __init__(self, starts: list[float | None], ends: list[float | None]) -> None:
        """Order the sentences that have a start by it."""
        timed = sorted((start, number) for number, start in enumerate(starts) if start is not None)
        self._starts = [start for start, _ in timed]
        self._numbers = [number for _, number in timed]
        self._end = max((end for end in ends if end is not None), default=0.0)

    def at(self, seconds: float | None) -> list[int]:
        """The sentences spoken then; none for articles, and for times that the lesson does not have.

        Players show whole seconds: who cites 1:09 may mean a sentence that begins a moment later, before 1:10.
        """
        if seconds is None or not self._starts or math.isnan(seconds) or not 0 <= seconds <= self._end:
            return []
        first = max(bisect_right(self._starts, seconds) - 1, 0)
        last = bisect_left(self._starts, seconds + 1) - 1 if seconds == int(seconds) else first
        return self._numbers[first : max(first, last) + 1]
