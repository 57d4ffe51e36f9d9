"""The stage: questions and quizzes in, spans out, lessons in batches."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from transforms.align.bags import WORD, Batch, Floats
from transforms.align.expand import expand, most_similar
from transforms.align.meaning import Coverage, MeaningCosine
from transforms.align.quizzes import quiz_time, with_option
from transforms.align.similarity import Mixture, Similarity, TermCosine
from transforms.align.times import Speech
from transforms.align.vectors import WordVectors
from transforms.result import Ledger, Params, Result, Tables

# A batch is full at this many pairs of a question and a character that it meets: some 70 lessons of LearningQ's size.
_FULL = 20_000_000


@dataclass(frozen=True)
class Method:
    """What distinguishes the two methods besides the similarity itself."""

    options: bool  # whether a quiz is searched for with its correct option
    neighbours: float  # share of the similarity of a sentence's neighbours when the start is chosen
    least: float  # a question that is not more similar than this to any sentence has no source


METHODS = {
    "learningq": Method(options=False, neighbours=0.0, least=0.0),
    # The best sentence of the right text has a similarity of 0.39 (median), that of another text still 0.07: weak
    # spans are kept, and their confidence tells them apart.
    "quarry": Method(options=True, neighbours=0.2, least=0.03),
}


@dataclass(frozen=True)
class Asked:
    """A question or a quiz: which table its span goes to, under which key, and the second it points at."""

    table: str
    key: str
    record_id: str
    text: str
    seconds: float | None
    search: str  # the words that are looked for


@dataclass(frozen=True)
class Lesson:
    """One lesson with what is asked about it."""

    lesson_id: str
    numbers: list[int]
    texts: list[str]
    starts: list[float | None]
    ends: list[float | None]
    asked: list[Asked]


class Source(NamedTuple):
    """The sentences that something is about, counted inside the lesson."""

    start: int
    first: int
    last: int
    similarity: float
    confidence: float
    cited: bool


def align(inputs: Tables, params: Params, model: object = None) -> Result:
    """Input: questions, quizzes, sentences. Output: spans, quiz_spans. Rejects: `no_source`."""
    if params["method"] not in METHODS:
        raise ValueError(f"alignment.method is {params['method']!r}: choose one of {', '.join(METHODS)}")
    ledger = Ledger("spans")
    for lessons in _batches(_lessons(inputs, METHODS[params["method"]].options)):
        found = _search([lesson for lesson in lessons if lesson.texts], params["method"])
        for lesson in lessons:
            for asked in lesson.asked:
                if not lesson.texts:
                    _reject(ledger, lesson, asked, "the lesson has no sentences")
                elif (source := next(found)) is None:
                    _reject(ledger, lesson, asked, "no sentence resembles it")
                else:
                    ledger.add(asked.table, _span(lesson, asked, source, params["max_words"]))
                    ledger.keep(lesson.lesson_id)
    return ledger.result("spans", "quiz_spans")


def similarity_of(method: str, batch: Batch) -> Similarity:
    """The similarity that a method measures by."""
    if method == "learningq":
        return TermCosine(batch)
    words = WordVectors(batch)
    return Mixture([TermCosine(batch), MeaningCosine(batch, words), Coverage(batch, words)])


def _search(lessons: list[Lesson], name: str) -> Iterator[Source | None]:
    """The source of everything asked about these lessons, in order; None for what has none."""
    if not lessons:
        return
    method = METHODS[name]
    batch = Batch.of([(lesson.texts, [asked.search for asked in lesson.asked]) for lesson in lessons])
    similarity = similarity_of(name, batch)
    singles = similarity.singles()
    nearest = most_similar(batch, singles, method.neighbours)
    spoken = np.array(_cited(lessons, batch, singles), dtype=np.int64)
    cited = spoken >= 0
    lesson_start = batch.sentence_starts[batch.lesson_of_question]
    starts = np.where(cited, spoken + lesson_start, nearest.sentence)
    first, last, value = expand(batch, similarity, starts)
    columns = (starts - lesson_start, first - lesson_start, last - lesson_start, value, nearest.confidence, cited)
    has_source = (cited | (nearest.similarity > method.least)).tolist()
    for is_found, *source in zip(has_source, *(column.tolist() for column in columns), strict=True):
        yield Source(*source) if is_found else None


def _span(lesson: Lesson, asked: Asked, source: Source, max_words: int) -> dict[str, Any]:
    text = " ".join(lesson.texts[source.first : source.last + 1])
    words = len(WORD.findall(text))
    return {
        asked.key: asked.record_id,
        "lesson_id": lesson.lesson_id,
        "first_sentence": lesson.numbers[source.first],
        "last_sentence": lesson.numbers[source.last],
        "text": text,
        "words": words,
        "over_limit": words > max_words,
        "cosine": round(source.similarity, 6),
        "anchor": "timestamp" if source.cited else "similarity",
        "start_sentence": lesson.numbers[source.start],
        "confidence": 1.0 if source.cited else round(source.confidence, 6),
    }


def _cited(lessons: list[Lesson], batch: Batch, singles: Floats) -> list[int]:
    """The sentence each question points at by its time, or -1; of several in one second the most similar."""
    found: list[int] = []
    for lesson in lessons:
        speech = Speech(lesson.starts, lesson.ends)
        for asked in lesson.asked:
            spoken, cell = speech.at(asked.seconds), batch.cell_starts[len(found)]
            # Rounded, so that a tie is one whatever the order of the sums; the first of equals wins.
            found.append(max(spoken, key=lambda place: round(singles[cell + place], 9), default=-1))
    return found


def _reject(ledger: Ledger, lesson: Lesson, asked: Asked, detail: str) -> None:
    ledger.reject(lesson.lesson_id, asked.record_id, "no_source", detail=detail, text=asked.text)


def _batches(lessons: Iterator[Lesson]) -> Iterator[list[Lesson]]:
    """Lessons in batches of bounded size; the questions of one huge lesson are dealt out to several."""
    batch: list[Lesson] = []
    size = 0
    for lesson in lessons:
        for asked, weight in _dealt(lesson):
            if batch and size + weight > _FULL:
                yield batch
                batch, size = [], 0
            batch.append(replace(lesson, asked=asked))
            size += weight
    if batch:
        yield batch


def _dealt(lesson: Lesson) -> Iterator[tuple[list[Asked], int]]:
    """The questions of a lesson in groups that fit a batch, with the weight of each.

    Every question of a group meets every word of the lesson and of the group, so that many questions about a short
    lesson are heavy too.
    """
    characters = sum(map(len, lesson.texts)) + 1
    group: list[Asked] = []
    read = characters
    for asked in lesson.asked:
        if group and (len(group) + 1) * (read + len(asked.search)) > _FULL:
            yield group, (len(group) + 10) * read
            group, read = [], characters
        group.append(asked)
        read += len(asked.search)
    if group:
        yield group, (len(group) + 10) * read


def _lessons(inputs: Tables, options: bool) -> Iterator[Lesson]:
    """Every lesson that something is asked about, in order of its id."""
    sentences = inputs["sentences"].sort_by([("lesson_id", "ascending"), ("sentence_no", "ascending")])
    columns = sentences.select(["sentence_no", "text", "start_seconds", "end_seconds"])
    places = _stretches(sentences)
    questions = inputs["questions"].sort_by([("lesson_id", "ascending"), ("question_id", "ascending")])
    quizzes = inputs["quizzes"].sort_by([("lesson_id", "ascending"), ("quiz_id", "ascending")])
    cited = questions.select(["question_id", "text", "timestamp_seconds"])
    hinted = quizzes.select(["quiz_id", "text", "hint_seconds", "options", "answer"])
    asking, testing = _stretches(questions), _stretches(quizzes)
    for lesson_id in sorted({*asking, *testing}):
        asked = [
            Asked("spans", "question_id", key, text, seconds, text)
            for key, text, seconds in zip(*_values(cited, asking.get(lesson_id, (0, 0))), strict=True)
        ]
        asked += [
            Asked(
                "quiz_spans", "quiz_id", key, text, quiz_time(text, hint), with_option(text, *rest) if options else text
            )
            for key, text, hint, *rest in zip(*_values(hinted, testing.get(lesson_id, (0, 0))), strict=True)
        ]
        numbers, texts, starts, ends = _values(columns, places.get(lesson_id, (0, 0)))
        yield Lesson(lesson_id, numbers, texts, starts, ends, asked)


def _stretches(rows: pa.Table) -> dict[str, tuple[int, int]]:
    """Where the rows of each lesson stand in a table sorted by lesson, as (start, length)."""
    runs = pc.run_end_encode(rows["lesson_id"].combine_chunks())
    ends = runs.run_ends.to_pylist()
    return {
        lesson_id: (start, end - start)
        for lesson_id, start, end in zip(runs.values.to_pylist(), [0, *ends], ends, strict=False)
    }


def _values(rows: pa.Table, stretch: tuple[int, int]) -> list[list[Any]]:
    return [column.to_pylist() for column in rows.slice(*stretch).columns]
