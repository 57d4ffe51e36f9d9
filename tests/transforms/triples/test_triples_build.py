"""The whole stage: every pair is a triple or has one reason, for any text and in any order."""

import random
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from expectations import table
from expectations.triples import PROMPT_TYPES
from transforms.result import Result
from transforms.triples.build import build_triples

GOOD = (
    "Ice is less dense than water because its molecules keep a distance, so the same mass takes more room and the lake"
    " freezes from the top."
)
REASONS = {
    "not_asked_first", "no_answer", "not_a_question", "no_prompt", "needs_calculation", "cites_missing_media",
    "definition", "prompt_of_later_question", "empty_after_editing", "not_understood", "answer_too_short",
    "answer_not_standalone", "answer_does_not_answer", "answer_needs_background", "same_answer", "not_useful",
    "no_span",
}  # fmt: skip
_PIECES = st.sampled_from(
    [
        "If ice floats, ", "why does it float?", "Is ice water? ", "Or is it not? ", "Because ", "yes, ", "no.", "\n",
        "> quoted\n", "```code?```", "$x^2?$", "https://example.org/?q=1 ", "At 3:40 ", "in figure 2 ", "(?) ", "?!?",
        "I thought that ", "so ", "*", "_", "`", "°C", "e.g. ", "How can I ", "Hope this helps! ", "\u200b", "ﬀ",
        "the lake ", "it ", "they ", "what is ", "do you mean ", "12 km ", "how many ", "...", "(", ")",
        "\"", "’", "lake " * 20,
    ]
)  # fmt: skip
_TEXT = st.one_of(st.text(max_size=200), st.lists(_PIECES, max_size=15).map("".join))


def check(result: Result) -> None:
    """What holds for any input."""
    triples, rejects = result.tables["triples"].to_pylist(), result.rejects.to_pylist()
    for row in triples:
        assert all(any(c.isalnum() for c in row[field]) for field in ("context", "prompt", "question"))
        assert row["prompt_type"] in PROMPT_TYPES
    assert {row["reason"] for row in rejects} <= REASONS
    assert len({row["triple_id"] for row in triples}) == len(triples)
    for lesson_id, units in result.units.items():
        # Both options of a choice have the answers of one question.
        pairs = {(r["question_id"], a) for r in triples if r["lesson_id"] == lesson_id for a in r["answer_post_ids"]}
        kept = len(pairs)
        dropped = sum(row["lesson_id"] == lesson_id for row in rejects)
        assert (units.kept, units.rows_in) == (kept, kept + dropped)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.tuples(_TEXT, st.lists(_TEXT, max_size=4)), max_size=3))
def test_any_text_gives_a_triple_or_a_reason(new_threads: Any, posts: list[tuple[str, list[str]]]) -> None:
    threads = new_threads()
    for question, answers in posts:
        threads.add(question, *answers)
    result = threads.build()
    check(result)
    # Every question is paired with every answer to its post; one without, or inside an answer, counts once.
    answers_of = {f"s:t{n:04}": 0 for n in range(len(threads.posts))}
    for post in threads.posts:
        answers_of[post.get("parent_id", "")] = answers_of.get(post.get("parent_id", ""), 0) + 1
    questions = threads.tables()["questions"].to_pylist()
    expected = sum(max(1, answers_of.get(question["post_id"], 0)) for question in questions)
    assert sum(units.rows_in for units in result.units.values()) == expected


@settings(max_examples=60, deadline=None)
@given(st.lists(_PIECES, min_size=3, max_size=12).map("".join), st.integers(0, 999))
def test_the_order_of_rows_does_not_matter(new_threads: Any, noise: str, seed: int) -> None:
    threads = new_threads()
    threads.add("If ice floats, why does it float? " + noise, GOOD, noise, GOOD + " More.", lesson="s:1")
    threads.add(noise + " Is ice water? Why does the lake freeze?", noise, GOOD, lesson="s:2")
    tables = threads.tables()
    mixed = {}
    for name, rows in tables.items():
        order = list(range(rows.num_rows))
        random.Random(seed).shuffle(order)
        mixed[name] = rows.take(order) if order else rows
    params = {"min_context_words": 16}
    first, second = build_triples(tables, params), build_triples(mixed, params)
    assert first.tables["triples"].equals(second.tables["triples"])
    assert first.rejects.equals(second.rejects)
    assert first.units == second.units


def test_one_triple_with_all_its_columns(threads: Any) -> None:
    threads.add("If ice floats, why does the lake not freeze from below?", "Yes! " + GOOD, title="Lakes in winter")
    result = threads.build()
    check(result)
    (row,) = result.tables["triples"].to_pylist()
    assert row["context"] == GOOD
    assert row["prompt"] == "If ice floats"
    assert row["question"] == "Why does the lake not freeze from below?"
    assert row["prompt_type"] == "condition"
    assert row["edits"] == ["sentence_case", "answer_tone"]
    assert (row["title"], row["subject"]) == ("Lakes in winter", "physics")
    assert row["answer_post_ids"] == ["s:t0000-a000"]


def test_settings_keep_questions_out(threads: Any) -> None:
    threads.add("If ice floats, why does the lake not freeze from below?", GOOD, GOOD + " In summer, too.")
    tables = threads.tables()
    (question,) = tables["questions"].to_pylist()
    scores = pa.table({"question_id": [question["question_id"]], "useful_score": [0.4]})
    for gate, score, reason in [("scores", 0.5, "not_useful"), ("scores", 0.4, None), ("spans", 0.0, "no_span")]:
        read = scores if gate == "scores" else scores.slice(1)
        result = build_triples({**tables, gate: read}, {"min_context_words": 16, "min_useful_score": score})
        check(result)
        assert result.rejects["reason"].to_pylist() == ([reason] * 2 if reason else [])


def test_a_choice_is_two_triples_of_one_pair(threads: Any) -> None:
    threads.add("If a lake freezes, do the fish sleep or do they leave the lake?", GOOD, GOOD, title="Lakes in winter")
    result = threads.build()
    check(result)
    rows = result.tables["triples"].to_pylist()
    assert [(row["prompt"], row["question"]) for row in rows] == [
        ("If a lake freezes", "Do the fish sleep?"),
        ("If a lake freezes", "Do they leave the lake?"),
    ]
    assert all("choice" in row["edits"] for row in rows)
    (units,) = result.units.values()
    assert (units.kept, units.rows_in) == (1, 2)
    assert result.rejects["merged_into"].to_pylist() == [rows[0]["triple_id"]]


def test_a_thread_without_answers(threads: Any) -> None:
    threads.add("If ice floats, why does it float?")
    result = threads.build()
    assert result.rejects["reason"].to_pylist() == ["no_answer"]
    check(result)


def test_a_thread_with_a_hundred_answers(threads: Any) -> None:
    threads.add("If ice floats, why does the lake freeze?", *(f"{GOOD} Example {i}." for i in range(100)))
    result = threads.build()
    assert result.tables["triples"].num_rows == 100
    check(result)


def test_an_answer_that_quotes_the_question(threads: Any) -> None:
    question = "If ice floats, why does the lake freeze?"
    threads.add(question, f"> {question}\n{GOOD}", f"{question} {GOOD} Indeed.")
    result = threads.build()
    contexts = result.tables["triples"]["context"].to_pylist()
    assert contexts == [GOOD, f"{GOOD} Indeed."]
    # The copy inside the answer is a question of its own, but nobody answers it.
    check(result)


def test_code_and_formulas(threads: Any) -> None:
    threads.add(
        "If `x = 1 ? 2 : 3` and $y^2 = 4?$ hold, why does the lake freeze?", f"```\nfreeze(lake)?\n```\n{GOOD} $E=mc^2$"
    )
    result = threads.build()
    assert result.tables["triples"].num_rows == 1
    check(result)


def test_an_answer_without_a_known_parent_answers_the_thread(threads: Any) -> None:
    threads.add("If ice floats, why does the lake freeze?", GOOD)
    threads.posts[1]["parent_id"] = "s:gone"
    assert threads.build().tables["triples"].num_rows == 1


def test_a_parent_in_another_lesson_changes_nothing(threads: Any, new_threads: Any) -> None:
    threads.add("If ice floats, why does the lake freeze?", GOOD, lesson="s:1", name="s:a")
    alone = new_threads()
    alone.posts, alone.lessons = [dict(p) for p in threads.posts], dict(threads.lessons)
    for both in (threads, alone):
        both.posts[1]["parent_id"] = "s:b"
    threads.add("If wood floats, why does it rot?", lesson="s:2", name="s:b")
    together = threads.build().tables["triples"].to_pylist()
    assert [row for row in together if row["lesson_id"] == "s:1"] == alone.build().tables["triples"].to_pylist() != []


def test_questions_inside_answers_are_not_asked_first(threads: Any) -> None:
    threads.add("Ice floats.", "If ice floats, why does it float?")
    result = threads.build()
    assert result.rejects["reason"].to_pylist() == ["not_asked_first"]
    check(result)


def test_captions_resolve_a_time(threads: Any) -> None:
    threads.add("At 0:12 ice floats up. Why does the lake freeze?", GOOD)
    assert set(threads.build().rejects["reason"].to_pylist()) == {"cites_missing_media"}
    threads.sentences = [
        {"lesson_id": "s:1", "sentence_no": 0, "text": "Ice.", "start_seconds": 0.0, "end_seconds": 20.0}
    ]
    (row,) = threads.build().tables["triples"].to_pylist()
    assert row["prompt"] == "Ice floats up."
    assert "timestamp" in row["edits"]


def test_the_same_answer_names_what_it_was_merged_into(threads: Any) -> None:
    threads.add("If ice floats, why does the lake freeze?", GOOD, GOOD)
    result = threads.build()
    check(result)
    (kept,) = result.tables["triples"]["triple_id"].to_pylist()
    assert result.rejects["merged_into"].to_pylist() == [kept]


def test_spelling_is_corrected_with_the_lesson_as_its_witness(threads: Any) -> None:
    question = "If ice lets an electon through, why does the lake freeze?"
    threads.add(question, GOOD, title="The electron and the election")
    threads.add(question, GOOD, lesson="s:2", title="An electron")
    found = {row["lesson_id"]: row for row in threads.build().tables["triples"].to_pylist()}
    assert found["s:1"]["prompt"] == "If ice lets an electon through"
    assert found["s:2"]["prompt"] == "If ice lets an electron through"
    assert "spelling" in found["s:2"]["edits"]


def test_a_lesson_without_a_title_is_named_by_its_address_or_its_id(threads: Any) -> None:
    threads.add("If ice floats, why does the lake freeze?", GOOD, lesson="s:ice", title=" ")
    threads.add("If ice floats, why does the lake freeze?", GOOD, lesson="s:lake", title="")
    threads.lessons["s:lake"]["url"] = "https://example.org/lake"
    assert sorted(threads.build().tables["triples"]["title"].to_pylist()) == ["https://example.org/lake", "ice"]


def test_empty_in_typed_empty_out(threads: Any) -> None:
    result = threads.build()
    assert result.tables["triples"].schema == table("triples").schema
    assert result.tables["triples"].num_rows == result.rejects.num_rows == 0
    assert result.units == {}


@pytest.mark.parametrize(
    "hostile",
    [
        "so " * 33_000, "? " * 50_000, "?" * 100_000, " " * 100_000, "if a, " * 16_000 + "why?", "(" * 100_000,
        "*" * 100_000, "`" * 100_000, "> " * 50_000, "a" * 100_000 + "?", "Or is it? " * 10_000, "1:11 " * 20_000,
        "what is the " * 8_000, "yes, " * 20_000, "_a" * 50_000, "http" * 25_000, "[a](" * 25_000, "\n" * 100_000,
        "- a\n" * 25_000, "see http://a.b (" * 6_000, "i was wondering, " * 6_000, "from 1:00 to " * 8_000,
        "let me know " * 8_000, "and if so " * 10_000 + "why?", "how come if " * 8_000 + "why?", "in the " * 9_000,
        "as i said " * 10_000, "is it a or is it " * 6_000, "it does, " * 11_000, "http://" + "." * 100_000,
        "(see www." * 11_000, "my teacher said " * 6_000, "5 min " * 16_000, "in the video the video says " * 3_500,
        "is there a " * 9_000 + "?", "hope this " * 10_000, "1 555 " * 16_000, ". " * 50_000, "a@" * 50_000,
        "in the image of " * 6_000 + "says that a b c?", "if i am i " * 10_000 + "?", "solve = 3 " * 10_000 + "?",
    ],
)  # fmt: skip
def test_hostile_text_ends_soon(threads: Any, hostile: str) -> None:
    threads.add("If ice floats, why does the lake freeze?", hostile, GOOD)
    threads.add(hostile, GOOD)
    threads.add("Ice floats. " + hostile[:3_000] + " Why does the lake freeze?", GOOD)
    check(threads.build())
