"""KhanQ A.5, spelling: what is near-certain by dictionary and lesson, and what is left alone."""

import pytest

from transforms.triples.dictionary import Vocabulary


def corrected(text: str, lesson: str = "", *posts: str) -> str:
    return Vocabulary(lesson, [text, *posts]).correct(text)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("the divisoin of kites", "the division of kites"),
        ("an oppotunity to fly", "an opportunity to fly"),
        ("a refridgerator of kites", "a refrigerator of kites"),
    ],
)
def test_one_slip_from_a_common_word(before: str, after: str) -> None:
    assert corrected(before) == after


@pytest.mark.parametrize(
    "text",
    [
        "alkene and alkyne", "the aluminum of a color", "wavefunction and lightyear", "a kiteable wind", "vortices",
        "a Kitchn by the sea", "see oppotunity.org", "oppotunity(kite)", "oppotunity-wise", "micelles and piperine",
        "phosphorylase", "a kteh",
    ],
)  # fmt: skip
def test_rare_words_names_and_code_stay(text: str) -> None:
    assert corrected(text) == text


def test_the_lesson_s_word_wins() -> None:
    assert corrected("an electon jumps") == "an electon jumps"
    assert corrected("an electon jumps", "The electron and the election") == "an electon jumps"
    assert corrected("an electon jumps", "An electron jumps.") == "an electron jumps"
    assert corrected("an alkyne burns", "The alkane burns.") == "an alkyne burns"


def test_a_word_of_the_thread_is_a_witness_too() -> None:
    assert corrected("the meosis of a cell") == "the meosis of a cell"
    assert corrected("the meosis of a cell", "", "In meiosis, cells divide.") == "the meiosis of a cell"
    assert corrected("ten kilometers", "", "Ten kilometres.") == "ten kilometers"


def test_what_the_lesson_or_another_post_knows_stays() -> None:
    assert corrected("the oppotunity", "Oppotunity is a rover.") == "the oppotunity"
    assert corrected("the oppotunity", "", "Which oppotunity?") == "the oppotunity"
