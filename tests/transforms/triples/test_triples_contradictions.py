"""KhanQ A.3, several answers: what says opposite things is no paragraph."""

import pytest

from transforms.triples.contradictions import contradict


def opposed(*answers: str) -> bool:
    return contradict(answers, answers)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Yes, it does.", "No."),
        ("Of course, kites pull.", "Nah, strings do."),
        ("Correct, the kite pulls.", "Wrong, the string does."),
        ("Well yes, but slowly.", "Not really."),
        ("The pull of a kite rises with the wind.", "The pull of a kite drops with the wind."),
        ("A wet kite is heavier.", "A wet kite is lighter since it shrank."),
        ("The pull of the string grows.", "The pull of the string stays the same."),
        ("The string of a kite goes up in wind.", "The string of a kite goes down, as wind presses it."),
        ("Kites always need a tail.", "A kite never has to have a tail."),
        ("The force is held by the string.", "The force isn't held by any string."),
        ("Kites need a tail to stay up.", "Kites don't need any tail."),
    ],
)
def test_opposites(one: str, other: str) -> None:
    assert opposed(one, other)
    assert opposed(other, one)
    assert opposed("Kites are old.", one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Yes, it does.", "Yep."),
        ("Yes, it does.", "Nothing is known."),
        ("Yes, kites pull.", "True north is where kites point."),
        ("The wind rises at noon.", "Dew falls at night."),
        ("A kite is hot by day and cold by night.", "By day a kite is hot."),
        ("A kite has no engine.", "A kite has a tail."),
        ("If a kite did not have a tail, it would spin.", "A kite has a tail for balance."),
        ("More wind lifts the kite.", "The kite is lifted by more wind, and less of it lets it sink."),
    ],
)
def test_what_goes_together(one: str, other: str) -> None:
    assert not opposed(one, other)
    assert not opposed(other, one)
