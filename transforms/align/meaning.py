"""Similarity by meaning: static vectors of words bring together what TF-IDF keeps apart."""

import numpy as np

from transforms.align.bags import Batch, Floats, Ints, flatten, sums
from transforms.align.similarity import cosines
from transforms.align.vectors import WordVectors, blocks, combine, products


class MeaningCosine:
    """Cosine of the sums of word vectors, each times its word's count and weight."""

    def __init__(self, batch: Batch, words: WordVectors) -> None:
        """Sum up sentences and questions."""
        self._cells = batch.cell_starts
        lesson = batch.lesson_of_question
        self._first = self._cells[:-1] - batch.sentence_starts[lesson]
        summed = []
        for bags in (batch.sentences, batch.questions):
            values = bags.count * batch.idf[bags.word]
            total = np.zeros((len(bags.starts) - 1, words.width))
            for rows, entries in blocks(bags.starts):
                spread = words.vectors(bags.word[entries]) * values[entries, None]
                combine(np.add, spread, bags.starts[rows.start : rows.stop + 1], total[rows])
            summed.append(total)
        self._sentences, self._questions = summed
        self._squares = (self._sentences**2).sum(axis=1)
        self._lengths = np.sqrt((self._questions**2).sum(axis=1))
        self._products = np.zeros(self._cells[-1])
        for number in range(len(batch.vocabulary)):
            asked = slice(*batch.question_starts[number : number + 2])
            said = slice(*batch.sentence_starts[number : number + 2])
            cells = slice(self._cells[asked.start], self._cells[asked.stop])
            self._products[cells] = products(self._questions[asked], self._sentences[said]).ravel()

    def singles(self) -> Floats:
        """Cosine of every question and every sentence."""
        cell_question = np.repeat(np.arange(len(self._lengths)), np.diff(self._cells))
        sentence = np.arange(self._cells[-1]) - self._first[cell_question]
        return cosines(self._products, self._squares[sentence], self._lengths[cell_question])

    def begin(self, starts: Ints) -> Floats:
        """Make one sentence for each question its span."""
        self._span = self._sentences[starts]
        self._product = self._products[self._first + starts]
        return cosines(self._product, self._squares[starts], self._lengths)

    def widened(self, questions: Ints, sentences: Ints) -> Floats:
        """Cosine if the spans also held these sentences."""
        square = ((self._span[questions] + self._sentences[sentences]) ** 2).sum(axis=1)
        product = self._product[questions] + self._products[self._first[questions] + sentences]
        return cosines(product, square, self._lengths[questions])

    def widen(self, questions: Ints, sentences: Ints) -> None:
        """Add sentences to spans."""
        self._span[questions] += self._sentences[sentences]
        self._product[questions] += self._products[self._first[questions] + sentences]


class Coverage:
    """How much of the question the span speaks of: for each word of it the nearest word of the span.

    Nearness is the square of the words' cosine, which keeps synonyms and inflections and lets mere neighbours fade;
    a word counts by its weight in the lesson times the length of its vector.
    """

    def __init__(self, batch: Batch, words: WordVectors) -> None:
        """Find, for every word that a lesson's questions use, the nearest word in every sentence."""
        questions = batch.questions
        weights = questions.count * batch.idf[questions.word] * words.lengths(questions.word)
        total = sums(questions.row, weights, len(questions.starts) - 1)[questions.row]
        self._weights = np.divide(weights, total, out=np.zeros_like(weights), where=total > 0)
        self._entries = questions.starts
        starts = batch.cell_starts
        self._singles = np.zeros(starts[-1])
        tables: list[Floats] = []
        self._row = np.zeros(batch.sentence_starts[-1], dtype=np.int64)
        self._column = np.zeros(len(questions.word), dtype=np.int64)
        offset = 0
        for number in range(len(batch.vocabulary)):
            asked = slice(*batch.question_starts[number : number + 2])
            said = slice(*batch.sentence_starts[number : number + 2])
            entries = slice(questions.starts[asked.start], questions.starts[asked.stop])
            used, column = np.unique(questions.word[entries], return_inverse=True)
            nearest = _nearest(batch, words, number, used)
            weight = np.zeros((asked.stop - asked.start, len(used)))
            weight[questions.row[entries] - asked.start, column] = self._weights[entries]
            cells = slice(starts[asked.start], starts[asked.stop])
            self._singles[cells] = products(weight, nearest).ravel()
            self._row[said] = offset + np.arange(len(nearest)) * len(used)
            self._column[entries] = column
            tables.append(nearest.ravel())
            offset += nearest.size
        self._nearest = np.concatenate(tables)

    def singles(self) -> Floats:
        """Coverage of every question by every sentence."""
        return np.minimum(self._singles, 1.0)

    def begin(self, starts: Ints) -> Floats:
        """Make one sentence for each question its span."""
        everyone = np.arange(len(starts))
        self._best = np.zeros(len(self._column))
        self.widen(everyone, starts)
        return self.widened(everyone, starts)

    def widened(self, questions: Ints, sentences: Ints) -> Floats:
        """Coverage if the spans also held these sentences."""
        entry, of, nearest = self._with(questions, sentences)
        return np.minimum(sums(of, self._weights[entry] * nearest, len(questions)), 1.0)

    def widen(self, questions: Ints, sentences: Ints) -> None:
        """Add sentences to spans."""
        entry, _, nearest = self._with(questions, sentences)
        self._best[entry] = nearest

    def _with(self, questions: Ints, sentences: Ints) -> tuple[Ints, Ints, Floats]:
        entry, of = flatten(self._entries[questions], self._entries[questions + 1] - self._entries[questions])
        there = self._nearest[self._row[sentences[of]] + self._column[entry]]
        return entry, of, np.maximum(self._best[entry], there)


def _nearest(batch: Batch, words: WordVectors, lesson: int, used: Ints) -> Floats:
    """For every sentence of the lesson and every word used: the squared cosine of the nearest word."""
    bags = batch.sentences
    said = slice(*batch.sentence_starts[lesson : lesson + 2])
    own = slice(bags.starts[said.start], bags.starts[said.stop])
    first = batch.word_starts[lesson]
    vocabulary = np.arange(first, bags.word[own].max(initial=first - 1) + 1)
    near = np.maximum(products(words.directions(vocabulary), words.directions(used)), 0.0) ** 2
    found = np.zeros((said.stop - said.start, len(used)))
    for rows, entries in blocks(bags.starts[said.start : said.stop + 1]):
        starts = bags.starts[said.start + rows.start : said.start + rows.stop + 1]
        combine(np.maximum, near[bags.word[entries] - first], starts, found[rows])
    return found
