"""KhanQ A.5: a pronoun whose noun stands in the prompt."""

import pytest

from transforms.triples.pronouns import name_pronoun


@pytest.mark.parametrize(
    ("prompt", "question", "expected"),
    [
        ("Is there a tide on a lake? If so", "How does it work?", "How does the tide work?"),
        ("Aren't there salt lakes", "Why are they salty?", "Why are the salt lakes salty?"),
        ("Is there a tide on a lake?", "It rises when?", "The tide rises when?"),
        ("Is there a Brea tide on a lake?", "It rises when?", "The Brea tide rises when?"),
        ("The senate had no army.", "How could they stop an emperor?", "How could the senate stop an emperor?"),
        ("The bees can see blue.", "Why do they dance?", "Why do the bees dance?"),
    ],
)
def test_named(prompt: str, question: str, expected: str) -> None:
    assert name_pronoun(prompt, question) == expected


@pytest.mark.parametrize(
    ("prompt", "question"),
    [
        ("The tide rises.", "How does it work?"),
        ("Is there a tide, or is there a wave?", "How does it work?"),
        ("Is there a tide on a lake?", "How does it move its water?"),
        ("Is there a tide on a lake?", "How do they work?"),
        ("The moon was full.", "How could they know?"),
        ("The bees have wings.", "Why are they thin?"),
        ("The senate had soldiers.", "How could they eat?"),
        ("The senate had no army.", "Where do they meet?"),
        ("Is there a tide on a lake?", "How does it make a tide?"),
        ("Is there a tide on a lake?", "Why do lakes freeze?"),
    ],
)
def test_left_alone_when_in_doubt(prompt: str, question: str) -> None:
    assert name_pronoun(prompt, question) == question
