"""Lessons and the questions about them as bags of words: a whole batch of lessons in a few flat arrays.

Words, sentences and questions are numbered through the batch, but every word belongs to one lesson and its number
inside the lesson follows from that lesson's text alone. So nothing computed from these arrays for one lesson
depends on which other lessons share the batch.
"""

import re
from collections import defaultdict
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Bags:
    """Texts as rows of a sparse matrix: row r holds the entries `starts[r]` to `starts[r + 1]`, one for each word."""

    starts: Ints
    row: Ints
    word: Ints
    count: Floats

    @classmethod
    def of(cls, lengths: list[int], words: Ints) -> "Bags":
        """Count the words of consecutive texts with these lengths."""
        rows, stride = len(lengths), int(words.max(initial=0)) + 1
        keys = np.repeat(np.arange(rows), lengths) * stride + words
        found, counts = np.unique(keys, return_counts=True)
        row = found // stride
        return cls(edges(np.bincount(row, minlength=rows)), row, found % stride, counts.astype(np.float64))

    def entries(self, rows: Ints) -> tuple[Ints, Ints]:
        """For the given rows: the numbers of their entries, and for each entry which of the given rows it is of."""
        return flatten(self.starts[rows], self.starts[rows + 1] - self.starts[rows])


@dataclass(frozen=True)
class Batch:
    """The sentences and questions of some lessons; no lesson is without sentences."""

    vocabulary: list[list[str]]  # the words of each lesson, the sentences' own before those only questions use
    word_starts: Ints  # lesson → its first word
    sentence_starts: Ints  # lesson → its first sentence
    question_starts: Ints  # lesson → its first question
    sentences: Bags
    questions: Bags
    idf: Floats  # weight of each word

    @property
    def lesson_of_question(self) -> Ints:
        """The lesson of each question."""
        return np.repeat(np.arange(len(self.vocabulary)), np.diff(self.question_starts))

    @property
    def cell_starts(self) -> Ints:
        """Where each question's row starts in an array with one cell for each (question, sentence of its lesson)."""
        return edges(np.diff(self.sentence_starts)[self.lesson_of_question])

    @classmethod
    def of(cls, lessons: list[tuple[list[str], list[str]]]) -> "Batch":
        """Read lessons given as (sentences, questions)."""
        vocabulary: list[list[str]] = []
        lengths: tuple[list[int], list[int]] = ([], [])
        words: tuple[list[list[int]], list[list[int]]] = ([], [])
        for texts in lessons:
            numbers: defaultdict[str, int] = defaultdict()
            numbers.default_factory = numbers.__len__
            for kind in (0, 1):
                found = [WORD.findall(text.lower()) for text in texts[kind]]
                lengths[kind].extend(map(len, found))
                words[kind].append([numbers[word] for word in chain.from_iterable(found)])
            vocabulary.append(list(numbers))
        word_starts = edges([len(v) for v in vocabulary])
        sentence_starts = edges([len(sentences) for sentences, _ in lessons])
        sentences, questions = (Bags.of(lengths[kind], _joined(words[kind], word_starts)) for kind in (0, 1))
        # In how many sentences of its lesson a word stands. The weight is positive even for a word that stands in
        # all of them, so that a lesson of one sentence can be aligned too.
        document_frequency = np.bincount(sentences.word, minlength=word_starts[-1])
        size = np.repeat(np.diff(sentence_starts), np.diff(word_starts))
        idf = np.log((size + 1) / (document_frequency + 0.5))
        question_starts = edges([len(asked) for _, asked in lessons])
        return cls(vocabulary, word_starts, sentence_starts, question_starts, sentences, questions, idf)


def edges(lengths: list[int] | Ints) -> Ints:
    """Starts of consecutive stretches with these lengths, and the end of the last."""
    return np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(lengths, dtype=np.int64)])


def flatten(starts: Ints, lengths: Ints) -> tuple[Ints, Ints]:
    """All numbers of the stretches, one stretch after the other, and the stretch that each number is of."""
    stretch = np.repeat(np.arange(len(lengths)), lengths)
    return np.arange(len(stretch)) + (starts - edges(lengths)[:-1])[stretch], stretch


def sums(places: Ints, values: Floats, size: int) -> Floats:
    """Values added up by place, each place in the order given."""
    return np.bincount(places, weights=values, minlength=size).astype(np.float64, copy=False)


def _joined(words: list[list[int]], word_starts: Ints) -> Ints:
    numbers = np.fromiter(chain.from_iterable(words), dtype=np.int64, count=sum(map(len, words)))
    return numbers + np.repeat(word_starts[:-1], [len(w) for w in words])
