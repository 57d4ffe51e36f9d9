"""Find the sentences of the lesson that a question is about, by LearningQ's incremental expansion.

Start at the sentence spoken at the cited time, else at the one most similar to the question; then try the next
sentence forwards and backwards in turns, adding it while the cosine between question and span grows. What the
paper leaves open is settled in `docs/alignment.md`.

Why it is fast: with the IDF fixed for the lesson and raw term counts, a span's vector is the sum of its sentences'
vectors. So the product with the question is a difference of running sums, and the squared length of a span is a
rectangle of the running sum of the sentences' products: one step costs O(1).
"""

import re
from bisect import bisect_right
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from transforms.result import Ledger, Params, Result, Tables

Floats = NDArray[np.float64]
_WORD = re.compile(r"\w+")


def words(text: str) -> list[str]:
    """Lower-case words: the tokens of the similarity."""
    return _WORD.findall(text.lower())


@dataclass(frozen=True)
class Lesson:
    """The sentences of one lesson as weighted vectors, with the running sums that spans need."""

    vocabulary: dict[str, int]
    idf: Floats
    vectors: Floats  # sentence × word, term count × idf
    gram: Floats  # (n+1) × (n+1) running sums of the sentences' products

    @classmethod
    def of(cls, sentences: list[str]) -> "Lesson":
        """Vectorise the sentences; a word's weight is the smooth IDF over this lesson's sentences."""
        tokens = [words(s) for s in sentences]
        vocabulary = {word: i for i, word in enumerate(sorted({w for t in tokens for w in t}))}
        counts = np.zeros((len(sentences), len(vocabulary)))
        for row, found in enumerate(tokens):
            for word in found:
                counts[row, vocabulary[word]] += 1
        idf = np.log((1 + len(sentences)) / (1 + (counts > 0).sum(axis=0))) + 1
        vectors = counts * idf
        gram = np.zeros((len(sentences) + 1, len(sentences) + 1))
        gram[1:, 1:] = (vectors @ vectors.T).cumsum(axis=0).cumsum(axis=1)
        return cls(vocabulary, idf, vectors, gram)

    def question(self, text: str) -> tuple[Floats, float]:
        """Products of the question with each sentence, and the question's length.

        Words that the lesson never uses count for the length with the largest weight.
        """
        vector, strange = np.zeros(len(self.vocabulary)), {}
        for word in words(text):
            index = self.vocabulary.get(word)
            if index is None:
                strange[word] = strange.get(word, 0) + 1
            else:
                vector[index] += self.idf[index]
        unseen = np.log(1 + len(self.vectors)) + 1
        norm = vector @ vector + sum((n * unseen) ** 2 for n in strange.values())
        return self.vectors @ vector, float(np.sqrt(norm))

    def cosines(self, dots: Floats, norm: float) -> Floats:
        """Cosine of the question with each single sentence."""
        lengths = np.sqrt((self.vectors**2).sum(axis=1))
        return np.divide(dots, lengths * norm, out=np.zeros_like(dots), where=(lengths * norm) > 0)


def expand(lesson: Lesson, dots: Floats, norm: float, start: int) -> tuple[int, int, float]:
    """The span grown from a starting sentence, and its cosine. A direction closes at its first failure."""
    sums = np.concatenate([[0.0], dots.cumsum()])

    def cosine(first: int, last: int) -> float:
        g, end = lesson.gram, last + 1
        square = g[end, end] - g[first, end] - g[end, first] + g[first, first]
        length = float(np.sqrt(max(square, 0.0)))
        return float((sums[end] - sums[first]) / (length * norm)) if length * norm > 0 else 0.0

    first = last = start
    best = cosine(first, last)
    forwards, backwards = True, True
    while forwards or backwards:
        if forwards:
            forwards = last + 1 < len(dots) and cosine(first, last + 1) > best + 1e-12
            if forwards:
                last += 1
                best = cosine(first, last)
        if backwards:
            backwards = first > 0 and cosine(first - 1, last) > best + 1e-12
            if backwards:
                first -= 1
                best = cosine(first, last)
    return first, last, best


def align(inputs: Tables, params: Params, model: object = None) -> Result:
    """Input: questions, quizzes, sentences. Output: spans, quiz_spans. Rejects: `no_source`."""
    ledger = Ledger("spans")
    sentences: dict[str, list[dict[str, Any]]] = {}
    for row in inputs["sentences"].sort_by([("lesson_id", "ascending"), ("sentence_no", "ascending")]).to_pylist():
        sentences.setdefault(row["lesson_id"], []).append(row)
    lessons: dict[str, Lesson] = {}
    asked = [("question_id", "spans", "timestamp_seconds", r) for r in inputs["questions"].to_pylist()]
    asked += [("quiz_id", "quiz_spans", "hint_seconds", r) for r in inputs["quizzes"].to_pylist()]
    for key, name, time, row in asked:
        lesson_id = row["lesson_id"]
        found = sentences.get(lesson_id, [])
        if found and lesson_id not in lessons:
            lessons[lesson_id] = Lesson.of([s["text"] for s in found])
        span = _span(lessons[lesson_id], found, row["text"], row[time]) if found else None
        if span is None:
            ledger.reject(lesson_id, row[key], "no_source", text=row["text"])
            continue
        span["over_limit"] = span["words"] > params["max_words"]
        ledger.add(name, {key: row[key], "lesson_id": lesson_id, **span})
        ledger.keep(lesson_id)
    return ledger.result("spans", "quiz_spans")


def _span(
    lesson: Lesson, sentences: list[dict[str, Any]], question: str, seconds: float | None
) -> dict[str, Any] | None:
    dots, norm = lesson.question(question)
    start = _spoken_at(sentences, seconds)
    anchor = "similarity" if start is None else "timestamp"
    if start is None:
        cosines = lesson.cosines(dots, norm)
        start = int(cosines.argmax())
        if cosines[start] <= 0:
            return None
    first, last, cosine = expand(lesson, dots, norm, start)
    text = " ".join(s["text"] for s in sentences[first : last + 1])
    return {
        "first_sentence": first,
        "last_sentence": last,
        "text": text,
        "words": len(_WORD.findall(text)),
        "cosine": round(min(cosine, 1.0), 6),
        "anchor": anchor,
    }


# A time this long after the last sentence starts is taken to lie beyond the end of the video.
_TAIL_SECONDS = 30.0


def _spoken_at(sentences: list[dict[str, Any]], seconds: float | None) -> int | None:
    """The sentence being spoken at that second; none for articles and for times beyond the end."""
    if seconds is None or sentences[0]["start_seconds"] is None:
        return None
    starts = [s["start_seconds"] for s in sentences]
    if seconds > starts[-1] + _TAIL_SECONDS:
        return None
    return max(bisect_right(starts, seconds) - 1, 0)
