"""KhanQ A.2: which sentences before a question belong to its prompt."""

import pytest

from transforms.triples.content import content_words, says_nothing
from transforms.triples.following import HOLE, follows_from, is_chat, preceding, sentences_before, statement_behind

NOTHING: frozenset[str] = frozenset()


def test_content_words_are_rough_stems_and_short_names() -> None:
    assert content_words("Does the glacier melt with Na and CO2?") == {"glacie", "melt", "na", "co2"}
    assert content_words("I'm sure it didn't") == {"sure"}


def test_talk_around_the_question_is_no_prompt() -> None:
    for sentence in (
        "Thanks in advance!",
        "I am a bit confused.",
        "Great video!",
        "In other words",
        f"See {HOLE} here.",
    ):
        assert is_chat(sentence)
    for sentence in (
        "Glaciers move slowly.",
        "Great apes live far from glaciers.",
        "Well water comes from the glacier.",
        "Good conductors stay warm.",
        "OK Glacier was a town.",
        "Thanks to the glacier we have water.",
    ):
        assert not is_chat(sentence)
    assert is_chat("I have browsed other pages on glaciers.")


def test_a_prompt_of_common_words_says_nothing() -> None:
    for prompt in ("At this point", "To be fair", "If not", "In that case", "In the second paragraph"):
        assert says_nothing(prompt)
    assert not says_nothing("In ice")
    assert not says_nothing("For n >= 2")


def test_a_question_follows_from_one_it_points_back_to() -> None:
    assert follows_from("If so, how does it move?", "Is ice a fluid?", NOTHING, adjacent=True)
    assert follows_from("Why do glaciers move?", "Is a glacier a fluid?", NOTHING, adjacent=True)
    assert not follows_from("Why do rivers bend?", "Is a glacier a fluid?", NOTHING, adjacent=True)


def test_answers_that_speak_about_both_questions_link_them() -> None:
    answered = frozenset(content_words("A glacier carves the valley in which a river then bends."))
    assert follows_from("Why do rivers bend?", "Is a glacier a fluid?", answered, adjacent=True)
    assert not follows_from("Why do rivers bend?", "Is a glacier a fluid?", answered, adjacent=False)
    assert not follows_from("Also, why do rivers bend?", "Is a glacier a fluid?", answered, adjacent=True)
    assert follows_from("Also, why does it bend?", "Is a glacier a fluid?", answered, adjacent=True)


def test_a_numbered_question_begins_anew() -> None:
    assert preceding("Is ice a fluid? 2) ", "Why is ice cold?", NOTHING) == []
    assert preceding("Is ice a fluid? ", "Second, why is ice cold?", NOTHING) == []
    assert preceding("Glaciers are made of ice. 1) ", "Why is it cold?", NOTHING) == ["Glaciers are made of ice."]


def test_what_if_supposes_something_for_the_next_question() -> None:
    assert follows_from("Would rivers bend?", "What if ice never melts?", NOTHING, adjacent=True)


def test_sentences_end_at_every_question_mark() -> None:
    assert sentences_before("is it ice? when it melts, it flows. Good.") == [
        "is it ice?",
        "when it melts, it flows.",
        "Good.",
    ]


def test_statements_and_linked_questions_are_chosen_in_order() -> None:
    text = "Hello all! Glaciers are made of ice. Does a glacier move? "
    assert preceding(text, "How fast does it move?", NOTHING) == ["Glaciers are made of ice.", "Does a glacier move?"]


def test_an_unrelated_question_ends_the_search() -> None:
    text = "Sand is yellow. Is a glacier a fluid? "
    assert preceding(text, "Why do rivers bend?", NOTHING) == []


def test_only_the_nearest_sentences_are_taken() -> None:
    text = " ".join(f"Fact number {i} is here." for i in range(30))
    assert preceding(text, "Why?", NOTHING) == [f"Fact number {i} is here." for i in range(26, 30)]


def test_a_remark_between_two_linked_questions_is_passed() -> None:
    text = "Do glaciers move? Most pictures are still. "
    assert preceding(text, "How fast do glaciers move?", NOTHING) == ["Do glaciers move?", "Most pictures are still."]


def test_a_greeting_does_not_hide_what_the_sentence_says() -> None:
    assert preceding("Hello everyone, glaciers are ice. ", "Why do they move?", NOTHING) == [
        "Hello everyone, glaciers are ice."
    ]


def test_also_announces_another_question() -> None:
    assert not follows_from("Also, what is a glacier?", "Why does a glacier move?", NOTHING, adjacent=True)


def test_a_remark_on_what_one_follows_is_talk() -> None:
    for sentence in (
        "I get most of it.",
        "But I understand the second step",
        "I have a doubt.",
        "Have a lovely day!",
        "If anyone knows",
    ):
        assert is_chat(sentence)
    for sentence in (
        "If anyone knows the weight of ice",
        "I get the ice is cold here.",
        "If I want to melt ice",
        "When I don't know the weight of ice",
    ):
        assert not is_chat(sentence)


@pytest.mark.parametrize(
    "behind",
    [
        "I thought rivers carve valleys in this shape.",
        "From what I've heard, rivers carve the valleys.",
        "They move only a metre in a year.",
        "Because ice is brittle it should crack.",
    ],
)
def test_a_statement_behind_says_why_one_asks(behind: str) -> None:
    assert statement_behind("Why do glaciers bend?", [behind]) == behind


@pytest.mark.parametrize(
    "behind",
    [
        "Thanks for any answer!",
        "My brother asked me that at dinner.",
        "It would be helpful to see ice.",
        "Such as ice in a valley that moves.",
        "You never said what ice is made of.",
        "You explained it very well but the ice is missing.",
        "This lesson was good and it helped a lot.",
        "The answer was not clear.",
        "She didnt even say when that happened to the ice.",
        "Two glaciers are too few for me.",
        "It doesn't work on ice when they move.",
        "It keeps telling me that the ice is wrong.",
        "The colour of glaciers.",
        "Do they move at night?",
        "I need this for my homework.",
    ],
)
def test_talk_behind_says_nothing_of_the_question(behind: str) -> None:
    assert statement_behind("Why do glaciers bend?", [behind]) == ""


def test_a_statement_in_front_of_another_question_leads_up_to_that_one() -> None:
    after = ["Rivers carve valleys too.", "Are those narrow?"]
    assert statement_behind("Why does ice bend?", after) == ""
    assert statement_behind("Why do rivers bend?", after) == after[0]
    assert statement_behind("Glaciers of what?", ["The colour of it is blue."]) == ""
    assert statement_behind("Why does ice bend?", ["If rivers carved it too.", "Would ice melt?"]) == ""
