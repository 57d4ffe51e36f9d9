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
