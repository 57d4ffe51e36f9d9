"""KhanQ A.4, answer tone: what only makes sense behind the question."""

import pytest

from transforms.triples.contexts import make_context


@pytest.mark.parametrize(
    "opening",
    [
        "Yes because ", "Of course it does! ", "The answer is no. ", "In short, no. ", "Yes and no. ",
        "No it doesn't. ",
        "Yeah it does a bit because ", "No, it does not, since ", "Great question! Short answer: no. Longer answer: ",
        "Right, so basically, ", "It depends: ", "You are correct! ", "As I said in my other comment, ",
        "I think you are asking about kites. ", "To answer your question, ", "Lol no. ",
        "Hi Tom, good question. Well, ", "Yes. This is because ", "It will. ", "They do not: ", "No no! ",
        "Bit of both I'd say. ",
        "Yup! ", "Nah, ", "Yea, ", "Well yes, but ", "Its because ",
        "TL;DR: ", "Easy: ",
        "The answer is that ", "The answer to your question is that ", "I would say that ", "I assume that ",
        "One thing to add to Tom's answer: ",
    ],
)  # fmt: skip
def test_openings(opening: str) -> None:
    found, _ = make_context(opening + "kites need wind.")
    assert found == "Kites need wind."


@pytest.mark.parametrize(
    "answer",
    [
        "No kite is heavy.",
        "Right angles make a kite stiff.",
        "True north is where kites point.",
        "It depends on the kite.",
        "Yes-men fly no kites.",
        "Kites fly since they are light.",
        "The answer is five kites.",
        "Yupik kites are light.",
    ],
)
def test_what_looks_like_an_opening_stays(answer: str) -> None:
    assert make_context(answer) == (answer, [])


def test_a_phrase_inside_leaves_a_sentence() -> None:
    assert make_context("Kites fly. This is because wind lifts them.")[0] == "Kites fly. Wind lifts them."


def test_what_a_lesson_told_goes() -> None:
    assert make_context("Kites fly as Sal stated in the video.")[0] == "Kites fly."
    assert make_context("Kites fly as the wind rises.")[0] == "Kites fly as the wind rises."


def test_a_tag_in_an_answer_asks_nothing() -> None:
    for tag in ("ok", "aren't they"):
        assert make_context(f"Kites are light, {tag}? So they fly.")[0] == "Kites are light. So they fly."
    assert make_context("Your kite is light, isn't it? So it flies.")[0] == "Your kite is light. So it flies."


def test_because_of_keeps_its_because() -> None:
    assert make_context("Yes, because of wind kites fly.")[0] == "Because of wind kites fly."
