"""KhanQ A.2: a prepositional phrase that no comma parts from the question."""

import pytest

from transforms.triples.phrases import split_phrase


@pytest.mark.parametrize(
    ("phrase", "question"),
    [
        ("During winter", "why do fish not freeze?"),
        ("Without tides", "would the sea be still?"),
        ("In the middle of the night", "can you see the sea?"),
        ("In plants", "do roots breathe?"),
        ("After the flood", "were the fields dry?"),
    ],
)
def test_split(phrase: str, question: str) -> None:
    assert split_phrase(f"{phrase} {question}") == (phrase, question)


@pytest.mark.parametrize(
    "sentence",
    [
        "In the winter the lake is frozen?",
        "In lakes that are the deepest do fish live?",
        "In winter it is the coldest?",
        "In what way does ice melt?",
        "Why do fish not freeze in winter?",
        "In winter lakes are cold?",
    ],
)
def test_whole(sentence: str) -> None:
    assert split_phrase(sentence) == ("", sentence)
