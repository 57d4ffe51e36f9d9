"""The alignment stage: spans, anchors, limits, rejects, and what odd input does."""

import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from expectations import table
from transforms.align import align
from transforms.align.stage import METHODS
from transforms.result import Result, Tables

TIDES = [
    "The sea rises and falls twice a day.",
    "Gravity of the Moon pulls at the water.",
    "The far bulge comes from the orbit of the Earth.",
    "Sailors keep tables of harbours.",
]
both_methods = pytest.mark.parametrize("method", METHODS)


def tables(
    lessons: dict[str, list[Any]], questions: list[tuple[Any, ...]], quizzes: list[tuple[Any, ...]] = ()
) -> Tables:
    """Lessons of texts or (text, start); questions and quizzes as (id, lesson, text) or (id, lesson, text, seconds)."""
    sentences = []
    for lesson_id, texts in lessons.items():
        for number, entry in enumerate(texts):
            text, start = entry if isinstance(entry, tuple) else (entry, None)
            row = {"lesson_id": lesson_id, "sentence_no": number, "text": text, "start_seconds": start}
            sentences.append({**row, "end_seconds": None if start is None else start + 10})
    asked = [
        {"question_id": q[0], "post_id": "p", "lesson_id": q[1], "question_no": 0, "text": q[2], "start_char": 0,
         "end_char": 1, "timestamp_seconds": q[3] if len(q) > 3 else None}
        for q in questions
    ]  # fmt: skip
    tested = [
        {"quiz_id": q[0], "lesson_id": q[1], "kind": "open", "text": q[2], "options": [], "answer": None,
         "hint_seconds": q[3] if len(q) > 3 else None}
        for q in quizzes
    ]  # fmt: skip
    return {
        "sentences": pa.Table.from_pylist(sentences, schema=table("sentences").schema),
        "questions": pa.Table.from_pylist(asked, schema=table("questions").schema),
        "quizzes": pa.Table.from_pylist(tested, schema=table("quizzes").schema),
    }


def run(inputs: Tables, method: str = "learningq", max_words: int = 100) -> Result:
    return align(inputs, {"method": method, "max_words": max_words})


def spans(result: Result, name: str = "spans") -> list[dict[str, Any]]:
    return result.tables[name].to_pylist()


def one(texts: list[Any], question: str, seconds: float | None = None, **settings: Any) -> dict[str, Any]:
    (span,) = spans(run(tables({"l": texts}, [("q", "l", question, seconds)]), **settings))
    return span


@both_methods
def test_the_most_similar_sentence_is_the_source(method: str) -> None:
    span = one(TIDES, "Why does the gravity of the Moon pull at water?", method=method)
    assert (span["start_sentence"], span["anchor"]) == (1, "similarity")
    assert span["first_sentence"] <= 1 <= span["last_sentence"]
    assert span["text"] == " ".join(TIDES[span["first_sentence"] : span["last_sentence"] + 1])
    assert 0.3 < span["cosine"] <= 1


@both_methods
def test_a_span_grows_while_that_helps_and_no_further(method: str) -> None:
    texts = ["Bread is baked.", "Copper conducts heat.", "Silver conducts electricity.", "Bread is eaten."]
    span = one(texts, "Copper heat, silver electricity?", method=method)
    assert (span["first_sentence"], span["last_sentence"]) == (1, 2)


def test_quarry_finds_a_paraphrase_that_shares_no_word() -> None:
    texts = ["The committee met on Tuesday.", "Physicians prescribe medicine to sick children.", "Rain fell all night."]
    question = "Which drugs do doctors give?"
    assert one(texts, question, method="quarry")["start_sentence"] == 1
    assert run(tables({"l": texts}, [("q", "l", question)])).rejects["reason"].to_pylist() == ["no_source"]


def test_the_first_direction_is_forwards() -> None:
    # Either neighbour helps by itself, but not both: the one after wins.
    span = one(["Silver.", "Gold.", "Silver."], "Gold, gold and silver?")
    assert (span["start_sentence"], span["first_sentence"], span["last_sentence"]) == (1, 1, 2)


def test_a_failure_closes_one_direction_only() -> None:
    texts = ["copper.", "silver.", "gold.", "lead lead lead lead.", "tin."]
    span = one([(text, float(n)) for n, text in enumerate(texts)], "copper silver gold?", 2.0)
    assert (span["first_sentence"], span["last_sentence"]) == (0, 2)


def test_a_neighbour_that_leaves_the_cosine_as_it_is_is_not_added() -> None:
    span = one(["Iron rusts.", "Iron rusts.", "Iron rusts."], "Iron rusts?")
    assert (span["first_sentence"], span["last_sentence"], span["cosine"]) == (0, 0, 1.0)


@both_methods
def test_of_equal_sentences_the_first_is_the_start(method: str) -> None:
    texts = ["Rain fell.", "Iron rusts slowly.", "Rain fell.", "Rain fell.", "Iron rusts slowly.", "Rain fell."]
    assert one(texts, "Iron rusts slowly?", method=method)["start_sentence"] == 1


@both_methods
def test_equal_sentences_at_the_edge_of_the_lesson_are_equal(method: str) -> None:
    texts = ["Iron rusts slowly.", "Copper is red."] * 5
    assert one(texts, "Why does iron rust slowly?", method=method)["start_sentence"] == 0


@both_methods
def test_of_two_sentences_in_the_cited_second_the_more_similar_is_meant(method: str) -> None:
    timed = [(text, start) for text, start in zip(TIDES, (0.0, 10.0, 69.3, 80.0), strict=True)]
    assert one(timed, "At 1:09, is it the far bulge?", 69.0, method=method)["start_sentence"] == 2
    assert one(timed, "At 1:09, is it gravity?", 69.0, method=method)["start_sentence"] == 1
    assert one(timed, "At 1:09, why?", 69.0, method=method)["start_sentence"] == 1


@both_methods
def test_a_cited_time_starts_at_the_sentence_being_spoken(method: str) -> None:
    timed = [(text, 10.0 * number) for number, text in enumerate(TIDES)]
    span = one(timed, "At 0:25, what about the Moon?", 25.0, method=method)
    assert (span["start_sentence"], span["anchor"], span["confidence"]) == (2, "timestamp", 1.0)


@both_methods
@pytest.mark.parametrize("seconds", [5999.0, -3.0, float("nan")])
def test_a_time_that_the_video_does_not_have_falls_back_to_similarity(method: str, seconds: float) -> None:
    timed = [(text, 10.0 * number) for number, text in enumerate(TIDES)]
    span = one(timed, "Does the gravity of the Moon pull at water?", seconds, method=method)
    assert (span["start_sentence"], span["anchor"]) == (1, "similarity")


@both_methods
def test_a_time_in_an_article_falls_back_to_similarity(method: str) -> None:
    assert one(TIDES, "Does the Moon pull at 0:10?", 10.0, method=method)["anchor"] == "similarity"


@both_methods
def test_a_cited_time_is_a_source_even_without_similarity(method: str) -> None:
    span = one([("The Moon pulls.", 0.0), ("Water moves.", 9.0)], "???", 9.0, method=method)
    assert (span["start_sentence"], span["cosine"]) == (1, 0.0)


def test_quarry_looks_for_the_correct_option_of_a_quiz() -> None:
    quizzes = [("z", "l", "Which of the following is true?")]
    inputs = tables({"l": TIDES}, [], quizzes)
    options = ["Sailors keep tables of harbours", "Gravity of the Moon pulls at the water"]
    for answer, start in ((0, 3), (1, 1)):
        (row,) = inputs["quizzes"].to_pylist()
        given = pa.Table.from_pylist([{**row, "options": options, "answer": answer}], schema=table("quizzes").schema)
        (span,) = spans(run({**inputs, "quizzes": given}, "quarry"), "quiz_spans")
        assert span["start_sentence"] == start


def test_a_quiz_without_a_hint_starts_at_the_time_it_cites() -> None:
    timed = [(text, 10.0 * number) for number, text in enumerate(TIDES)]
    (span,) = spans(run(tables({"l": timed}, [], [("z", "l", "At 0:35, what do they keep?")])), "quiz_spans")
    assert (span["start_sentence"], span["anchor"]) == (3, "timestamp")


def test_quizzes_start_at_their_hint() -> None:
    timed = [(text, 10.0 * number) for number, text in enumerate(TIDES)]
    quizzes = [("z1", "l", "What pulls at the water?", 30.0), ("z2", "l", "Does gravity of the Moon pull?")]
    result = run(tables({"l": timed}, [], quizzes))
    found = {row["quiz_id"]: (row["start_sentence"], row["anchor"]) for row in spans(result, "quiz_spans")}
    assert found == {"z1": (3, "timestamp"), "z2": (1, "similarity")}
    assert spans(result) == []


def test_a_span_over_the_limit_stays_and_is_flagged() -> None:
    text = " ".join(["iron", *["filler"] * 100])
    assert one([text], "iron?", max_words=101)["over_limit"] is False
    span = one([text], "iron?", max_words=100)
    assert (span["words"], span["over_limit"]) == (101, True)


@both_methods
def test_a_question_with_no_similarity_is_rejected(method: str) -> None:
    inputs = tables(
        {"l": TIDES}, [("q", "l", "qzxv wvuq?"), ("r", "l", "?!"), ("s", "l", "Moon?")], [("z", "l", "xx yy")]
    )
    result = run(inputs, method)
    rejects = [(row["record_id"], row["reason"], row["detail"]) for row in result.rejects.to_pylist()]
    assert sorted(rejects) == [(i, "no_source", "no sentence resembles it") for i in ("q", "r", "z")]
    assert [row["question_id"] for row in spans(result)] == ["s"]


@both_methods
def test_every_question_is_accounted_for(method: str) -> None:
    lessons = {"a": TIDES, "b": [], "c": ["Only one."]}
    questions = [
        (f"q{n}", lesson, text)
        for n, (lesson, text) in enumerate(
            (lesson, text) for lesson in ("a", "b", "c", "unknown") for text in ("Moon gravity?", "qqqq?", "one?")
        )
    ]
    result = run(tables(lessons, questions, [("z", "b", "Is it?")]), method)
    assert {key: units.rows_in for key, units in result.units.items()} == {"a": 3, "b": 4, "c": 3, "unknown": 3}
    for lesson_id, units in result.units.items():
        rejected = result.rejects["lesson_id"].to_pylist().count(lesson_id)
        kept = sum(result.tables[name]["lesson_id"].to_pylist().count(lesson_id) for name in result.tables)
        assert (units.kept, units.rows_in) == (kept, kept + rejected)


@both_methods
def test_a_lesson_without_sentences_has_no_sources(method: str) -> None:
    result = run(tables({}, [("q", "l", "Why?")]), method)
    assert result.rejects["detail"].to_pylist() == ["the lesson has no sentences"]


@both_methods
def test_nothing_in_gives_typed_nothing_out(method: str) -> None:
    result = run(tables({"l": TIDES}, []), method)
    assert {name: found.schema for name, found in result.tables.items()} == {
        name: table(name).schema for name in ("spans", "quiz_spans")
    }
    assert (len(result.rejects), result.units) == (0, {})


@both_methods
def test_a_lesson_of_one_sentence(method: str) -> None:
    span = one(["The Moon pulls at the sea."], "What pulls at the sea?", method=method)
    assert (span["first_sentence"], span["last_sentence"], span["confidence"]) == (0, 0, 1.0)


@both_methods
def test_sentences_of_one_word_and_of_thousands(method: str) -> None:
    texts = ["Yes.", " ".join(f"word{n}" for n in range(5000)), "...", "Gravity."]
    assert one(texts, "What is gravity?", method=method)["start_sentence"] == 3
    assert one(texts, "word17 word18 word4999?", method=method)["start_sentence"] == 1


@both_methods
def test_ten_thousand_sentences(method: str) -> None:
    chance = random.Random(3)
    names = [f"thing{n}" for n in range(3000)]
    texts = [" ".join(chance.choices(names, k=6)) for _ in range(10_000)]
    texts[7123] = "The obsidian lighthouse collapsed."
    span = one(texts, "When did the obsidian lighthouse collapse?", method=method)
    assert span["start_sentence"] == 7123


@both_methods
def test_a_question_of_stop_words_only_is_aligned_like_any_other(method: str) -> None:
    texts = ["It is what it is.", "Copper conducts heat.", "What is this?"]
    span = one(texts, "What is this?", method=method)
    assert (span["start_sentence"], span["cosine"]) == (2, 1.0)


@both_methods
def test_a_hostile_question_is_just_a_long_one(method: str) -> None:
    inputs = tables(
        {"l": TIDES}, [("q", "l", "a" * 100_000), ("r", "l", "moon " * 20_000), ("s", "l", "\u0130_" * 9999)]
    )
    result = run(inputs, method)
    assert result.units["l"].rows_in == 3
    assert "r" in {row["question_id"] for row in spans(result)}


@both_methods
def test_numbers_are_those_of_the_table_even_with_gaps(method: str) -> None:
    inputs = tables({"l": TIDES}, [("q", "l", "Gravity of the Moon?")])
    numbers = pa.array([3, 7, 8, 20])
    inputs["sentences"] = inputs["sentences"].set_column(1, inputs["sentences"].schema.field(1), numbers)
    assert spans(run(inputs, method))[0]["start_sentence"] == 7


def campus(seed: int) -> Tables:
    """Some lessons with questions and quizzes, in an order that depends on the seed."""
    chance, order = random.Random(11), random.Random(seed)
    names = ["moon", "tide", "copper", "heat", "the", "of", "is", "energy", "cell", "sea", "market", "price", "zq"]
    lessons = {
        f"lesson{n}": [(" ".join(chance.choices(names, k=chance.randint(1, 9))), 4.0 * s) for s in range(n + 1)]
        for n in range(12)
    }
    asked = [
        (f"{kind}{n}", f"lesson{n % 13}", " ".join(chance.choices(names, k=5)), chance.choice([None, None, 6.0, 900.0]))
        for kind in ("q", "z")
        for n in range(40)
    ]
    inputs = tables(lessons, asked[:40], asked[40:])
    return {name: rows.take(order.sample(range(len(rows)), len(rows))) for name, rows in inputs.items()}


@both_methods
def test_row_order_does_not_matter(method: str) -> None:
    one_way, other_way = run(campus(1), method), run(campus(2), method)
    assert one_way.tables == other_way.tables
    assert one_way.rejects == other_way.rejects


@both_methods
def test_a_lesson_does_not_depend_on_the_others(method: str) -> None:
    inputs = campus(1)
    whole = run(inputs, method)
    for lesson_id in set(inputs["questions"]["lesson_id"].to_pylist()):
        own = {name: _of(rows, lesson_id) for name, rows in inputs.items()}
        alone = run(own, method)
        assert alone.tables == {name: _of(rows, lesson_id) for name, rows in whole.tables.items()}
        assert alone.rejects == _of(whole.rejects, lesson_id)


@both_methods
def test_batches_do_not_matter(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = run(campus(1), method)
    monkeypatch.setattr("transforms.align.stage._FULL", 300)  # a few questions at a time
    parted = run(campus(1), method)
    assert (parted.tables, parted.rejects, parted.units) == (whole.tables, whole.rejects, whole.units)


def test_the_number_of_threads_does_not_matter() -> None:
    words = [f"{a}{b}" for a in ("moon", "tide", "iron", "cell", "wave", "salt") for b in ("", "s", "ing", "like")]
    script = f"""
import random, sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
from test_align import run, tables
chance = random.Random(5)
text = lambda: " ".join(chance.choices({words!r}, k=12))
result = run(tables({{"l": [text() for _ in range(150)]}}, [(str(n), "l", text()) for n in range(80)]), "quarry")
print(result.tables["spans"].to_pylist())
"""
    outputs = set()
    for threads in ("1", "4"):
        environment = {**os.environ, "OPENBLAS_NUM_THREADS": threads, "RAYON_NUM_THREADS": threads}
        command = [sys.executable, "-c", script]
        outputs.add(subprocess.run(command, env=environment, capture_output=True, check=True, text=True).stdout)
    assert len(outputs) == 1
    assert outputs.pop().count("first_sentence") == 80


@both_methods
def test_stored_numbers_are_rounded_and_in_range(method: str) -> None:
    for row in spans(run(campus(1), method)):
        for name in ("cosine", "confidence"):
            assert 0 <= row[name] <= 1
            assert row[name] == round(row[name], 6)


@both_methods
def test_confidence_tells_a_clear_case_from_a_doubtful_one(method: str) -> None:
    clear = one(TIDES, "Do sailors keep tables of harbours?", method=method)
    doubtful = one(["Iron rusts.", "Copper shines.", "Iron rusts.", "Iron rusts."], "Iron rusts?", method=method)
    assert clear["confidence"] > 0.9
    assert 0.3 < doubtful["confidence"] < 0.4


def test_an_unknown_method_is_an_error_that_says_what_to_do() -> None:
    with pytest.raises(ValueError, match="choose one of learningq, quarry"):
        run(tables({}, []), "magic")


def _of(rows: pa.Table, lesson_id: str) -> pa.Table:
    return rows.filter(pc.equal(rows["lesson_id"], lesson_id)).combine_chunks()
