"""KhanQ 4.4: the form of a prompt, and which form wins when several apply."""

import pytest

from transforms.triples.prompt_types import asks, opens_as_question, opens_with_phrase, prompt_type


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        ("If the tide is out", "condition"),
        ("So when the tide is out", "condition"),
        ("If the tide is out, does the harbour dry? And then", "condition"),
        ("If the tide is out?", "condition"),
        ("When does the tide turn?", "question"),
        ("Is there a tide on a lake?", "question"),
        ("Lakes are small. Is there a tide on a lake?", "question"),
        ("Why do lakes have no tide.", "question"),
        ("What if lakes had a tide?", "question"),
        ("In a small lake", "preposition"),
        ("During the night, or in the early morning", "preposition"),
        ("In small lakes (like ponds, pools, puddles)", "preposition"),
        ("In a small lake, how do waves form?", "preposition"),
        ("As the tide turns", "preposition"),
        ("In a small lake, the waves are low", "citation"),
        ("As a sailor I know the lake.", "citation"),
        ("For e.g. the lake of Geneva says little about the sea.", "citation"),
        ('"To be on a lake" is a song.', "citation"),
        ("In the last century the sailors built harbours on lakes.", "citation"),
        ("For lakes that have no outflow", "preposition"),
        ("Without knowing the depth", "preposition"),
        ("In the second section you mention a map of lakes.", "citation"),
        ("Lakes have no tide.", "citation"),
        ("Lakes have no tide. If a lake is large", "citation"),
        ("Lakes have no tide, right?", "citation"),
        ("Lakes (?) have no tide.", "citation"),
        ("However, lakes have no tide.", "citation"),
        ("How lakes form.", "citation"),
        ("", "citation"),
    ],
)
def test_how_the_prompt_opens_decides(prompt: str, expected: str) -> None:
    assert prompt_type(prompt) == expected


def test_an_abbreviation_does_not_end_the_sentence() -> None:
    assert prompt_type("after the pump of the R.O. unit and its filter") == "preposition"


def test_a_tag_does_not_ask() -> None:
    assert asks("Do lakes freeze?")
    assert not asks("Lakes freeze, don't they?")
    assert not asks("Lakes freeze.")


def test_word_order_without_a_mark() -> None:
    assert opens_as_question("Why do lakes freeze.")
    assert not opens_as_question("Why lakes freeze.")


def test_a_clause_behind_the_phrase_makes_a_sentence() -> None:
    assert opens_with_phrase("In winter, on the lake")
    assert not opens_with_phrase("In winter, the lake is frozen")
    assert not opens_with_phrase("Winter in the north")
