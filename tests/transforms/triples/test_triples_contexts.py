"""KhanQ A.4: what goes out of an answer, and what stays."""

import pytest

from transforms.triples.contexts import make_context


@pytest.mark.parametrize(
    ("answer", "context", "edit"),
    [
        # answer-tone phrases
        ("Yes, kites need wind.", "Kites need wind.", "answer_tone"),
        ("No! Kites need wind.", "Kites need wind.", "answer_tone"),
        ("Short answer: kites need wind.", "Kites need wind.", "answer_tone"),
        ("This is because kites need wind.", "Kites need wind.", "answer_tone"),
        ("Because kites need wind.", "Kites need wind.", "answer_tone"),
        # external information
        ("Kites need wind. https://example.org/kites", "Kites need wind.", "links"),
        ("Kites need [strong wind](https://example.org/w).", "Kites need strong wind.", "links"),
        ("Kites need wind. Source: https://example.org/kites", "Kites need wind.", "links"),
        ("Kites need wind. kite@example.org", "Kites need wind.", "contacts"),
        ("Kites need wind, call 1 555 123 4567.", "Kites need wind, call.", "contacts"),
        ("[user] Kites need wind.", "Kites need wind.", "contacts"),
        # questions asked but not answered
        ("Kites need wind. Why do you ask?", "Kites need wind.", "open_questions"),
        ("Have you tried it? Kites need wind.", "Kites need wind.", "open_questions"),
        ("Kites need wind. Or do they?", "Kites need wind.", "open_questions"),
        ("Kites need wind. Does that make sense? They fly.", "Kites need wind. They fly.", "open_questions"),
        # what the paragraph needs
        ("kites need wind.", "Kites need wind.", "sentence_case"),
        ("Kites need wind", "Kites need wind.", "end_mark"),
        ("> Do kites need wind?\nKites need wind.", "Kites need wind.", "quoted_lines"),
        ("```fly(kite)``` Kites need wind.", "Kites need wind.", "quoted_lines"),
        ("Kites need wind. One could write:\n```fly(kite)```\nThey fly.", "Kites need wind. They fly.", "quoted_lines"),
        ("Kites need wind.\n```fly(kite)```\nThey fly.", "Kites need wind. They fly.", "quoted_lines"),
    ],
)
def test_rules(answer: str, context: str, edit: str) -> None:
    found, edits = make_context(answer)
    assert found == context
    assert edit in edits


def test_a_question_that_the_answer_answers_stays() -> None:
    text = "Why does it fly? Wind presses the kite up."
    assert make_context(text) == (text, [])


@pytest.mark.parametrize(
    "text",
    [
        "Kites fly. Why is that so? Because wind presses them up.",
        "Have you ever seen a kite without a tail? It spins.",
        "Kites fly. Do you know why? The reason is the wind.",
    ],
)
def test_a_question_whose_answer_would_dangle_without_it_stays(text: str) -> None:
    assert make_context(text) == (text, [])


@pytest.mark.parametrize(
    "repeated",
    ["Do kites need wind? ", "Do they need wind when kites are wet? ", "If kites are wet, do kites need wind? "],
)
def test_the_asker_s_own_question_goes_also_when_it_is_a_part_or_in_another_order(repeated: str) -> None:
    found, edits = make_context(repeated + "Yes they do! Wind lifts.", "If kites are wet, do they need wind?")
    assert found == "Wind lifts."
    assert edits == ["open_questions", "answer_tone"]


def test_another_question_in_some_of_the_words_stays() -> None:
    text = "What lifts a wet kite? Wind does."
    assert make_context(text, "If kites are wet, do they need wind?") == (text, [])


def test_two_stars_in_a_formula_or_a_comment_are_no_markup() -> None:
    for text in ("Kites rise by x**2 + y**2 metres.", "Write /** kite **/ above it."):
        assert make_context(text) == (text, [])


def test_the_asker_s_own_question_goes() -> None:
    found, edits = make_context("Do kites need wind? Kites need it badly.", "do kites  need wind?")
    assert found == "Kites need it badly."
    assert edits == ["open_questions"]


def test_nothing_is_left_of_an_answer_that_only_asks() -> None:
    assert make_context("Do you have a kite?")[0] == ""


def test_a_clean_answer_is_not_touched() -> None:
    assert make_context("Kites need wind.") == ("Kites need wind.", [])


def test_a_very_long_answer_ends_with_a_sentence() -> None:
    found, _ = make_context("Kites need wind. " * 2_000)
    assert len(found) <= 6_000
    assert found.endswith("wind.")
