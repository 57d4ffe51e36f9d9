"""What of a quiz is looked for."""

import pytest

from transforms.align.quizzes import quiz_time, with_option

OPTIONS = ["Paint keeps water out", "Salt speeds rust up", "All of the above"]


@pytest.mark.parametrize(
    ("answer", "found"),
    [(1, "Which is true? Salt speeds rust up"), (None, "Which is true? Paint keeps water out Salt speeds rust up"),
     (2, "Which is true? Paint keeps water out Salt speeds rust up")],
)  # fmt: skip
def test_the_correct_option_tells_what_a_quiz_is_about(answer: int | None, found: str) -> None:
    assert with_option("Which is true?", OPTIONS, answer) == found


@pytest.mark.parametrize(
    "option", ["None of these", "Both A and B", "a and c", "A, B and C", "Neither option", "(1) or (2)"]
)
def test_options_that_speak_of_the_others(option: str) -> None:
    assert with_option("Which?", ["salt", option], 1) == "Which? salt"


def test_options_that_begin_alike() -> None:
    for option in ("A and a half", "All water rises", "Both moons pull"):
        assert with_option("Which?", ["salt", option], 1) == f"Which? {option}"


def test_an_open_quiz_is_its_text() -> None:
    assert with_option("Why does iron rust?", [], None) == "Why does iron rust?"


def test_a_time_in_a_quiz_is_its_hint_if_it_has_no_other() -> None:
    assert quiz_time("At 0:19 what happens?", None) == 19.0
    assert quiz_time("At 0:19 what happens?", 7.0) == 7.0
    assert quiz_time("What happens?", None) is None
