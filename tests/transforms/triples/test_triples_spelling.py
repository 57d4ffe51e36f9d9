"""KhanQ A.5, grammar and spelling."""

import pytest

from transforms.triples.spelling import fix_spelling


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Thier sail isnt wet", "Their sail isn't wet"),
        ("thier is a sail", "there is a sail"),
        ("infact taht sail is wet aswell", "in fact that sail is wet as well"),
        ("u said that ur sails r not wet coz they r dry", "you said that your sails are not wet because they are dry"),
        ("can u see it, and why r they wet?", "can you see it, and why are they wet?"),
        ("because i think the the sail is wet", "because I think the sail is wet"),
        ("A protien dosent swim", "A protein doesn't swim"),
        ("what i've seen", "what I've seen"),
        ("how hard im pulling", "how hard I'm pulling"),
        ("its a sail, and it could of torn", "it's a sail, and it could have torn"),
        ("their are sails that wont tear", "there are sails that won't tear"),
    ],
)
def test_words_that_are_wrong_in_any_sentence(before: str, after: str) -> None:
    assert fix_spelling(before) == after


@pytest.mark.parametrize(
    "text",
    [
        "electon transport by Krebs",
        "i = 3 and j = 4",
        "why is u the unit of 12 u, if u can be any mass",
        "a sail with radius r, where r can be any length",
        "if u is a vector, do u and v add up?",
        "the city of Ur",
        "i.e. a sail",
        "that that is",
        "CANT is a slope",
        "its sail, as was his wont",
        "could of course tear",
        "seperately-named",
    ],
)
def test_science_words_variables_and_names_stay(text: str) -> None:
    assert fix_spelling(text) == text
