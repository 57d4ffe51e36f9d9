"""KhanQ A.5: the questioner becomes anybody, in the prompt and in the question alike."""

import pytest

from transforms.triples.persons import capital_i, people_in_prompt, people_in_question


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("If I dig, my hand is wet", "If people dig, their hand is wet"),
        ("When I'm digging", "When people are digging"),
        ("If I was a child and I dug", None),
        ("If I was on a dune", "If people were on a dune"),
        ("If the sand is hot and I've no shoes", "If the sand is hot and people have no shoes"),
        ("When you dig it hurts your hand", "When people dig it hurts their hand"),
        ("If sand burns when I touch it", "If sand burns when people touch it"),
        ("Sand is wet. When I dig, I get wet.", "Sand is wet. When people dig, people get wet."),
        ("I dug a hole.", None),
        ("If my friend and I dig", None),
        ("If I myself dig", None),
        ("If you dig, the sand wets you", None),
        ("If the sand hits me", None),
        ("If I remember right, sand is wet", None),
        ("If I- is heavier than sand", "If I- is heavier than sand"),
    ],
)
def test_who_supposes_something_is_anybody(before: str, after: str | None) -> None:
    assert people_in_prompt(before) == after


@pytest.mark.parametrize(
    ("before", "named", "after"),
    [
        ("Do I get wet?", False, "Do people get wet?"),
        ("Am I wet?", True, "Are people wet?"),
        ("Why does my hand get wet?", True, "Why does their hand get wet?"),
        ("Why does my hand get wet?", False, None),
        ("Am I a digger?", True, None),
        ("What will our sand be?", True, None),
        ("Do you get wet?", True, None),
        ("Why is sand wet?", False, "Why is sand wet?"),
    ],
)
def test_the_question_asks_about_the_same_people(before: str, named: bool, after: str | None) -> None:
    assert people_in_question(before, named) == after


def test_a_small_i_is_a_person_where_a_verb_says_so() -> None:
    assert capital_i("if i dig, do i get wet when i'm there?") == "if I dig, do I get wet when I'm there?"
    for text in ("If i is the root of -1", "when i doubles, does i squared?", "i.e. sand"):
        assert capital_i(text) == text
