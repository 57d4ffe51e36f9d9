"""How often alignment finds the sentences that people marked: MultiRC and TED-Q, both methods side by side."""

import csv
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from expectations import table
from transforms.align import align
from transforms.align.bags import Batch
from transforms.align.expand import expand, most_similar
from transforms.align.meaning import Coverage, MeaningCosine
from transforms.align.similarity import Mixture, Similarity, TermCosine
from transforms.align.stage import METHODS, similarity_of
from transforms.align.vectors import WordVectors
from transforms.sentences import split

_SENTENCE = re.compile(r"<b>Sent \d+: </b>(.*?)<br>")
_TAG = re.compile(r"<[^>]+>")


class Marked(NamedTuple):
    """A question with the sentences that people marked for it."""

    text: str
    sentences: set[int]


class Lesson(NamedTuple):
    """Sentences with marked questions."""

    sentences: list[str]
    questions: list[Marked]


def multirc(folder: Path) -> Iterator[Lesson]:
    """MultiRC: paragraphs whose questions name the sentences they use."""
    for entry in json.loads((folder / "multirc_dev.json").read_text(encoding="utf-8"))["data"]:
        paragraph = entry["paragraph"]
        sentences = [_TAG.sub("", text).strip() for text in _SENTENCE.findall(paragraph["text"])]
        yield Lesson(sentences, [Marked(q["question"], set(q["sentences_used"])) for q in paragraph["questions"]])


def tedq(folder: Path) -> Iterator[Lesson]:
    """TED-Q: talks whose questions were asked while reading, each at a highlighted place."""
    with (folder / "tedq" / "elicitation_dev.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["type"] == "question" and row["highlight_start"]]
    for source in sorted({row["source"] for row in rows}):
        text = (folder / "tedq" / Path(source).name).read_text(encoding="utf-8")
        sentences, ends, position = [], [], 0
        for line in text.split("\n")[5:]:  # after number and title of the talk
            for sentence in split(line):
                position = text.index(sentence, position) + len(sentence)
                sentences.append(sentence)
                ends.append(position)
        questions = [
            Marked(row["content"], {int(np.searchsorted(ends, float(row["highlight_start"]), side="right"))})
            for row in rows
            if row["source"] == source
        ]
        yield Lesson(sentences, questions)


class Outcome(NamedTuple):
    """For each question: whether the start is marked, F1 of the span's sentences, and the confidence."""

    start: np.ndarray
    f1: np.ndarray
    confidence: np.ndarray


def outcome(lessons: list[Lesson], method: str) -> Outcome:
    """Align the questions as the stage does; a rejected question found nothing."""
    sentences, questions = [], []
    for number, lesson in enumerate(lessons):
        lesson_id = f"l{number:04}"
        for place, text in enumerate(lesson.sentences):
            row = {"lesson_id": lesson_id, "sentence_no": place, "text": text}
            sentences.append(row)
        for place, question in enumerate(lesson.questions):
            row = {"question_id": f"{number}/{place}", "post_id": "", "lesson_id": lesson_id, "question_no": 0}
            questions.append({**row, "text": question.text, "start_char": 0, "end_char": 1})
    inputs = {
        "sentences": pa.Table.from_pylist(sentences, schema=table("sentences").schema),
        "questions": pa.Table.from_pylist(questions, schema=table("questions").schema),
        "quizzes": table("quizzes").empty(),
    }
    result = align(inputs, {"method": method, "max_words": 100})
    spans = {row["question_id"]: row for row in result.tables["spans"].to_pylist()}
    rows = []
    for number, lesson in enumerate(lessons):
        for place, question in enumerate(lesson.questions):
            span = spans.get(f"{number}/{place}")
            if span is None:
                rows.append((0.0, 0.0, 0.0))
                continue
            found = set(range(span["first_sentence"], span["last_sentence"] + 1))
            start = float(span["start_sentence"] in question.sentences)
            rows.append((start, _f1(found, question.sentences), span["confidence"]))
    return Outcome(*np.array(rows).T)


def variations(lessons: list[Lesson]) -> Iterator[tuple[str, np.ndarray]]:
    """Start and F1 of every question, for parts of quarry's similarity alone and for other shares of the neighbours."""
    batch = Batch.of([(lesson.sentences, [q.text for q in lesson.questions]) for lesson in lessons])
    words = WordVectors(batch)
    parts: dict[str, Callable[[], Similarity]] = {
        "terms": lambda: TermCosine(batch),
        "meaning": lambda: MeaningCosine(batch, words),
        "coverage": lambda: Coverage(batch, words),
    }
    tried = [([name], 0.2) for name in parts]
    tried += [(["terms", "meaning"], 0.2), (["terms", "coverage"], 0.2), (["meaning", "coverage"], 0.2)]
    tried += [(list(parts), share) for share in (0.0, 0.1, 0.2, 0.3, 0.5)]
    for names, share in tried:
        similarity = Mixture([parts[name]() for name in names])
        yield f"{' + '.join(names)}, neighbours {share}", _measured(lessons, batch, similarity, share)


def weightings(lessons: list[Lesson]) -> Iterator[tuple[str, np.ndarray]]:
    """Start and F1 of every question under learningq, for the weightings that "TF-IDF" can mean."""
    batch = Batch.of([(lesson.sentences, [q.text for q in lesson.questions]) for lesson in lessons])
    n = np.repeat(np.diff(batch.sentence_starts), np.diff(batch.word_starts)).astype(float)
    df = np.bincount(batch.sentences.word, minlength=len(batch.idf))
    yield "idf ln((N + 1) / (df + 0.5)), ours", _measured(lessons, batch, TermCosine(batch), 0.0)
    for name, idf in {
        "idf ln((N + 1) / (df + 1)) + 1, scikit-learn's": np.log((n + 1) / (df + 1)) + 1,
        "idf ln(N / df) + 1": np.log(n / np.maximum(df, 1)) + 1,
        "idf ln(N / df), the textbook's": np.log(n / np.maximum(df, 1)),
        "idf ln(1 + N / df)": np.log(1 + n / np.maximum(df, 1)),
    }.items():
        yield name, _measured(lessons, batch, TermCosine(replace(batch, idf=idf)), 0.0)


def _measured(lessons: list[Lesson], batch: Batch, similarity: Similarity, share: float) -> np.ndarray:
    marked = [question.sentences for lesson in lessons for question in lesson.questions]
    offset = batch.sentence_starts[batch.lesson_of_question]
    starts = most_similar(batch, similarity.singles(), share).sentence
    first, last, _ = expand(batch, similarity, starts)
    rows = zip(marked, starts - offset, first - offset, last - offset, strict=True)
    found = [(start in gold, _f1(set(range(begin, end + 1)), gold)) for gold, start, begin, end in rows]
    return np.array(found, dtype=float)


def held_out(lessons: list[Lesson], found: list[np.ndarray]) -> np.ndarray:
    """Start and F1 of every question under the variation that does best on all other texts."""
    text = np.repeat(np.arange(len(lessons)), [len(lesson.questions) for lesson in lessons])
    chosen = np.zeros_like(found[0])
    for number in range(len(lessons)):
        best = max(found, key=lambda rows: rows[text != number].mean())
        chosen[text == number] = best[text == number]
    return chosen


def strangers(lessons: list[Lesson]) -> str:
    """How similar questions are to their own text and to another one, which tells when there is no source."""
    texts = []
    for shift in (0, 1):
        asked = [[q.text for q in lesson.questions] for lesson in lessons[shift:] + lessons[:shift]]
        batch = Batch.of([(lesson.sentences, other) for lesson, other in zip(lessons, asked, strict=True)])
        best = most_similar(batch, similarity_of("quarry", batch).singles(), METHODS["quarry"].neighbours).similarity
        rejected = (best <= METHODS["quarry"].least).mean()
        texts.append(f"median {np.median(best):.2f}, without a source {rejected:.1%}")
    return f"own text: {texts[0]}; another text: {texts[1]}"


def report(data: Path) -> None:
    """Print both methods on both sets, and how far the confidence can be trusted."""
    folder = data / "alignment"
    sets = {"MultiRC": list(multirc(folder)), "TED-Q": list(tedq(folder))}
    for name, lessons in sets.items():
        asked = sum(len(lesson.questions) for lesson in lessons)
        print(f"alignment: {name}, {asked} questions about {len(lessons)} texts")
        for method in METHODS:
            found = outcome(lessons, method)
            f1 = f"   sentence F1 {_mean(found.f1)}" if name == "MultiRC" else ""
            print(f"  {method:10} start marked {_mean(found.start)}{f1}")
            print(f"  {'':10} start marked by confidence: {_by_confidence(found)}")
        print(f"  similarity of quarry: {strangers(lessons)}")
        for tried in (dict(weightings(lessons)), dict(variations(lessons))):
            tried["the best of these on the other texts"] = held_out(lessons, list(tried.values()))
            for variation, rows in tried.items():
                f1 = f"   sentence F1 {_mean(rows[:, 1])}" if name == "MultiRC" else ""
                print(f"  {variation:46} start marked {_mean(rows[:, 0])}{f1}")


def _f1(found: set[int], marked: set[int]) -> float:
    return 2 * len(found & marked) / (len(found) + len(marked))


def _mean(values: np.ndarray) -> str:
    return f"{values.mean():.3f} ± {values.std(ddof=1) / np.sqrt(len(values)):.3f}"


def _by_confidence(found: Outcome) -> str:
    parts = []
    for low in (0.0, 0.2, 0.4, 0.6, 0.8):
        inside = (found.confidence >= low) & (found.confidence < (low + 0.2 if low < 0.8 else 2.0))
        if inside.any():
            parts.append(f"{low:.1f}+ {found.start[inside].mean():.2f} (n={inside.sum()})")
    return ", ".join(parts)
