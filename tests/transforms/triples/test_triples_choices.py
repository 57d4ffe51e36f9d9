"""KhanQ A.2, choice questions."""

import pytest

from transforms.triples.choices import delete_empty_option, split_choice


@pytest.mark.parametrize(
    ("question", "options"),
    [
        ("does ice melt or does it crack?", ["does ice melt?", "does it crack?"]),
        ("does ice melt, or can it crack, or is it neither?", ["does ice melt?", "can it crack?", "is it neither?"]),
        ("does ice melt or is it something else?", ["does ice melt or is it something else?"]),
        ("is it ice or snow?", ["is it ice or snow?"]),
        ("does ice melt or crack?", ["does ice melt or crack?"]),
        ("why is it ice or is it snow?", ["why is it ice or is it snow?"]),
        ("is ice or is snow colder?", ["is ice or is snow colder?"]),
    ],
)
def test_two_whole_questions_become_two(question: str, options: list[str]) -> None:
    assert split_choice(question) == options


def test_an_option_without_information_goes() -> None:
    assert delete_empty_option("Does ice melt or is it something different?") == "Does ice melt?"
    assert delete_empty_option("Is it ice or snow?") == "Is it ice or snow?"
