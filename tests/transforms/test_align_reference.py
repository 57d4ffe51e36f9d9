"""The fast alignment against one written down as plainly as possible, which vectorises every span again."""

import math
import re
from collections import Counter
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest
import wordllama
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from transforms.align.bags import Batch
from transforms.align.expand import expand, most_similar
from transforms.align.stage import METHODS
from transforms.align.stage import similarity_of as fast_similarity_of

TIE = 1e-9
_MODEL = wordllama.WordLlama.load(cache_dir=Path(wordllama.__file__).parent, disable_download=True)
Similarity = Callable[[str, str], float]


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def weight(word: str, sentences: list[str]) -> float:
    holding = sum(word in words(sentence) for sentence in sentences)
    return math.log((len(sentences) + 1) / (holding + 0.5))


def term_cosine(sentences: list[str]) -> Similarity:
    def vector(text: str) -> dict[str, float]:
        return {word: count * weight(word, sentences) for word, count in Counter(words(text)).items()}

    def similarity(question: str, span: str) -> float:
        a, b = vector(question), vector(span)
        below = math.sqrt(sum(x * x for x in a.values())) * math.sqrt(sum(x * x for x in b.values()))
        return sum(a[word] * b[word] for word in a.keys() & b.keys()) / below if below else 0.0

    return similarity


@lru_cache(maxsize=100)
def word_vector(word: str) -> NDArray[np.float64]:
    found = _MODEL.tokenizer.encode(word, add_special_tokens=False)
    ids = [number for number, real in zip(found.ids, found.attention_mask, strict=True) if real]
    return np.asarray(_MODEL.embedding[ids], dtype=np.float64).sum(axis=0)


def cosine(a: NDArray[np.float64], b: NDArray[np.float64]) -> float:
    below = float(np.linalg.norm(a) * np.linalg.norm(b))
    return max(float(a @ b) / below, 0.0) if below else 0.0


def meaning_cosine(sentences: list[str]) -> Similarity:
    def vector(text: str) -> NDArray[np.float64]:
        return sum((weight(word, sentences) * word_vector(word) for word in words(text)), np.zeros(256))

    return lambda question, span: cosine(vector(question), vector(span))


def coverage(sentences: list[str]) -> Similarity:
    def similarity(question: str, span: str) -> float:
        total = reached = 0.0
        for word in words(question):
            vector = word_vector(word)
            importance = weight(word, sentences) * float(np.linalg.norm(vector))
            total += importance
            reached += importance * max((cosine(vector, word_vector(other)) ** 2 for other in words(span)), default=0.0)
        return reached / total if total else 0.0

    return similarity


def similarity_of(method: str, sentences: list[str]) -> Similarity:
    if method == "learningq":
        return term_cosine(sentences)
    parts = [part(sentences) for part in (term_cosine, meaning_cosine, coverage)]
    return lambda question, span: sum(part(question, span) for part in parts) / 3


def start_of(method: str, similarities: list[float]) -> int:
    neighbours = {"learningq": 0.0, "quarry": 0.2}[method]
    padded = [0.0, *similarities, 0.0]
    if len(similarities) > 1:  # at either end the one neighbour counts for both
        padded[0], padded[-1] = similarities[1], similarities[-2]
    else:
        padded = similarities * 3
    scores = [padded[i] + neighbours * (padded[i - 1] + padded[i + 1]) for i in range(1, len(padded) - 1)]
    return next(i for i, score in enumerate(scores) if score >= max(scores) - TIE)


def span_of(similarity: Similarity, sentences: list[str], question: str, start: int) -> tuple[int, int, float]:
    def value(first: int, last: int) -> float:
        return similarity(question, " ".join(sentences[first : last + 1]))

    first = last = start
    best, forwards, backwards = value(first, last), True, True
    while forwards or backwards:
        if forwards:
            forwards = last + 1 < len(sentences) and value(first, last + 1) > best + TIE
        if forwards:
            last, best = last + 1, value(first, last + 1)
        if backwards:
            backwards = first > 0 and value(first - 1, last) > best + TIE
        if backwards:
            first, best = first - 1, value(first - 1, last)
    return first, last, best


# Few words, so that sentences repeat, overlap and tie; with inflections, numbers, an unknown string and no word at all.
WORDS = ["the", "is", "moon", "moons", "tide", "tidal", "pull", "gravity", "7", "Earth", "water", "qzxv", "--"]
UNHEARD = ["ocean", "why", "blarg"]
sentences = st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=7).map(" ".join), min_size=1, max_size=9)
questions = st.lists(st.lists(st.sampled_from(WORDS + UNHEARD), max_size=6).map(" ".join), min_size=1, max_size=3)
lessons = st.lists(st.tuples(sentences, questions), min_size=1, max_size=4)


@pytest.mark.parametrize(("method", "examples"), [("learningq", 300), ("quarry", 120)])
def test_fast_and_plain_alignment_agree(method: str, examples: int) -> None:
    @settings(max_examples=examples, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True)
    @given(lessons)
    def agree(lessons: list[tuple[list[str], list[str]]]) -> None:
        batch = Batch.of(lessons)
        fast = fast_similarity_of(method, batch)
        singles = fast.singles()
        starts = most_similar(batch, singles, METHODS[method].neighbours)
        first, last, values = expand(batch, fast, starts.sentence)
        number = 0
        for lesson, (texts, asked) in enumerate(lessons):
            plain = similarity_of(method, texts)
            offset = batch.sentence_starts[lesson]
            for question in asked:
                similarities = [plain(question, text) for text in texts]
                cells = slice(batch.cell_starts[number], batch.cell_starts[number + 1])
                np.testing.assert_allclose(singles[cells], similarities, atol=1e-9)
                start = start_of(method, similarities)
                expected = span_of(plain, texts, question, start)
                found = (first[number] - offset, last[number] - offset)
                assert (starts.sentence[number] - offset, *found) == (start, *expected[:2])
                assert abs(values[number] - expected[2]) <= 1e-9
                number += 1

    agree()


@pytest.mark.parametrize("method", METHODS)
def test_a_span_can_start_anywhere(method: str) -> None:
    texts = ["The moon pulls.", "Tides follow the moon.", "Nobody sleeps.", "Water rises twice.", "The end."]
    question = "Why does the water rise twice when the moon pulls?"
    plain = similarity_of(method, texts)
    batch = Batch.of([(texts, [question] * len(texts))])
    first, last, values = expand(batch, fast_similarity_of(method, batch), np.arange(len(texts)))
    for start in range(len(texts)):
        expected = span_of(plain, texts, question, start)
        assert (first[start], last[start]) == expected[:2]
        assert abs(values[start] - expected[2]) <= 1e-9
