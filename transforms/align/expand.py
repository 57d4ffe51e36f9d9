"""LearningQ's search: a starting sentence, then neighbours in turns for as long as the similarity grows."""

from dataclasses import dataclass

import numpy as np

from transforms.align.bags import Batch, Floats, Ints, sums
from transforms.align.similarity import Similarity

# Differences below this are rounding, not similarity: a tie. It makes results independent of the order of sums.
TIE = 1e-9
# How sharply confidence prefers the most similar sentence; docs/alignment.md sets it beside the share of right starts.
_SHARPNESS = 0.05


@dataclass(frozen=True)
class Starts:
    """For each question the most similar sentence of its lesson, that similarity, and how sure the choice is."""

    sentence: Ints
    similarity: Floats
    confidence: Floats


def most_similar(batch: Batch, singles: Floats, neighbours: float) -> Starts:
    """Choose starting sentences; of equal ones the first.

    `neighbours` is the share of the similarity of the sentences before and after that is added before comparing; at
    either end of the lesson the one neighbour counts for both.
    """
    cells = batch.cell_starts
    starts = cells[:-1]
    question = np.repeat(np.arange(len(starts)), np.diff(cells))
    first_of = starts[question]
    number = np.arange(len(singles))
    last_of = cells[1:][question] - 1
    before = np.where(number > first_of, number - 1, np.minimum(number + 1, last_of))
    after = np.where(number < last_of, number + 1, np.maximum(number - 1, first_of))
    context = singles + neighbours * (singles[before] + singles[after])
    best = np.maximum.reduceat(context, starts)
    chosen = np.minimum.reduceat(np.where(context >= best[question] - TIE, number, len(number)), starts)
    similarity = singles[chosen]
    others = sums(question, np.exp((singles - similarity[question]) / _SHARPNESS), len(starts))
    lesson = batch.lesson_of_question
    return Starts(chosen - starts + batch.sentence_starts[lesson], similarity, 1.0 / others)


def expand(batch: Batch, similarity: Similarity, starts: Ints) -> tuple[Ints, Ints, Floats]:
    """First and last sentence of the spans grown from these sentences, and their similarity.

    Forwards first, then backwards, in turns. A failure closes its direction only; the search ends when both are closed.
    """
    lesson = batch.lesson_of_question
    edge = {1: starts.copy(), -1: starts.copy()}
    limit = {1: batch.sentence_starts[lesson + 1] - 1, -1: batch.sentence_starts[lesson]}
    is_open = {1: np.ones(len(starts), dtype=bool), -1: np.ones(len(starts), dtype=bool)}
    best = similarity.begin(starts)
    while is_open[1].any() or is_open[-1].any():
        for step in (1, -1):
            is_open[step] &= edge[step] != limit[step]
            tried = np.flatnonzero(is_open[step])
            neighbour = edge[step][tried] + step
            value = similarity.widened(tried, neighbour)
            grows = value > best[tried] + TIE
            is_open[step][tried[~grows]] = False
            grown = tried[grows]
            similarity.widen(grown, neighbour[grows])
            edge[step][grown] = neighbour[grows]
            best[grown] = value[grows]
    return edge[-1], edge[1], best
