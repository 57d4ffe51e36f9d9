"""Similarity of a question to a growing run of sentences, for all questions of a batch at once.

LearningQ vectorises a span again at every step. With weights fixed for the lesson and raw term counts, the vector of
a span is the sum of its sentences' vectors, so a step needs only the product of the new sentence with the span:
its cost is the length of one sentence, whatever the span's.
"""

from typing import Protocol

import numpy as np

from transforms.align.bags import Batch, Floats, Ints, edges, flatten, sums


class Similarity(Protocol):
    """What the expansion needs to know about questions and spans; values lie in 0 to 1."""

    def singles(self) -> Floats:
        """Similarity of every question to every single sentence of its lesson, in the cells of the batch."""

    def begin(self, starts: Ints) -> Floats:
        """Make one sentence for each question its span."""

    def widened(self, questions: Ints, sentences: Ints) -> Floats:
        """Similarity if each of these questions' spans also held this sentence."""

    def widen(self, questions: Ints, sentences: Ints) -> None:
        """Add to each of these questions' spans this sentence."""


def cosines(products: Floats, squares: Floats, lengths: Floats) -> Floats:
    """Products divided by both lengths, held in 0 to 1; nothing is similar to a text without words."""
    below = np.sqrt(np.maximum(squares, 0.0)) * lengths
    values = np.divide(products, below, out=np.zeros_like(products), where=below > 0)
    return np.clip(values, 0.0, 1.0)


class TermCosine:
    """Cosine of TF-IDF vectors: term count times weight, no stop words, no length normalisation before the sum."""

    def __init__(self, batch: Batch) -> None:
        """Weigh all words, and multiply every question with every sentence that shares a word with it."""
        sentences, questions, idf = batch.sentences, batch.questions, batch.idf
        self._bags = sentences
        self._values = sentences.count * idf[sentences.word]
        self._squares = sums(sentences.row, self._values**2, len(sentences.starts) - 1)
        asked = questions.count * idf[questions.word]
        self._lengths = np.sqrt(sums(questions.row, asked**2, len(questions.starts) - 1))

        lesson = batch.lesson_of_question
        self._cells = batch.cell_starts
        self._first = self._cells[:-1] - batch.sentence_starts[lesson]  # cell of (question, sentence 0 of the batch)
        by_word = np.argsort(sentences.word, kind="stable")
        per_word = np.bincount(sentences.word, minlength=len(idf))
        found, of = flatten(edges(per_word)[:-1][questions.word], per_word[questions.word])
        entry = by_word[found]
        cell = self._first[questions.row[of]] + sentences.row[entry]
        self._products = sums(cell, asked[of] * self._values[entry], int(self._cells[-1]))

        # The spans' vectors, each as wide as its lesson's vocabulary; offset so that a word's number is its place.
        widths = np.diff(batch.word_starts)[lesson]
        self._span = np.zeros(int(widths.sum()))
        self._offset = edges(widths)[:-1] - batch.word_starts[lesson]

    def singles(self) -> Floats:
        """Cosine of every question and every sentence."""
        cell_question = np.repeat(np.arange(len(self._lengths)), np.diff(self._cells))
        sentence = np.arange(self._cells[-1]) - self._first[cell_question]
        return cosines(self._products, self._squares[sentence], self._lengths[cell_question])

    def begin(self, starts: Ints) -> Floats:
        """Make one sentence for each question its span."""
        everyone = np.arange(len(starts))
        self._span[:] = 0.0
        self._product = np.zeros(len(starts))
        self._square = np.zeros(len(starts))
        self.widen(everyone, starts)
        return cosines(self._product, self._square, self._lengths)

    def widened(self, questions: Ints, sentences: Ints) -> Floats:
        """Cosine if the spans also held these sentences."""
        product, square = self._with(questions, sentences)
        return cosines(product, square, self._lengths[questions])

    def widen(self, questions: Ints, sentences: Ints) -> None:
        """Add sentences to spans."""
        self._product[questions], self._square[questions] = self._with(questions, sentences)
        entry, of = self._bags.entries(sentences)
        self._span[self._offset[questions[of]] + self._bags.word[entry]] += self._values[entry]

    def _with(self, questions: Ints, sentences: Ints) -> tuple[Floats, Floats]:
        entry, of = self._bags.entries(sentences)
        shared = self._span[self._offset[questions[of]] + self._bags.word[entry]] * self._values[entry]
        square = self._square[questions] + 2 * sums(of, shared, len(sentences))
        return self._product[questions] + self._products[self._first[questions] + sentences], (
            square + self._squares[sentences]
        )


class Mixture:
    """The mean of several similarities."""

    def __init__(self, parts: list[Similarity]) -> None:
        """Mix these parts with equal weight."""
        self._parts = parts

    def singles(self) -> Floats:
        """Mean similarity of every question and every sentence."""
        return _mean([part.singles() for part in self._parts])

    def begin(self, starts: Ints) -> Floats:
        """Make one sentence for each question its span, in every part."""
        return _mean([part.begin(starts) for part in self._parts])

    def widened(self, questions: Ints, sentences: Ints) -> Floats:
        """Mean similarity if the spans also held these sentences."""
        return _mean([part.widened(questions, sentences) for part in self._parts])

    def widen(self, questions: Ints, sentences: Ints) -> None:
        """Add sentences to spans, in every part."""
        for part in self._parts:
            part.widen(questions, sentences)


def _mean(values: list[Floats]) -> Floats:
    total = values[0]
    for value in values[1:]:
        total = total + value
    return total / len(values)
