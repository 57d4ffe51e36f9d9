"""Whether what follows `I know` tells something."""

import pytest

from transforms.triples.claims import tells


@pytest.mark.parametrize(
    "text",
    [
        "water expands when it freezes",
        "bees can see red",
        "ions move in water",
        "bacteria share genes",
        "Caesar crossed the river",
        "the tide always turns at noon",
        "a glacier became a lake",
        "they cross thousands of rivers",
    ],
)
def test_a_subject_and_its_verb_tell_something(text: str) -> None:
    assert tells(text)


@pytest.mark.parametrize(
    "text",
    ["", "ice", "the formula of ice", "algebra and geometry", "people who dig wells", "the basics of many crafts"],
)
def test_a_thing_alone_tells_nothing(text: str) -> None:
    assert not tells(text)
