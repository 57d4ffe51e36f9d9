"""KhanQ A.3: each criterion has an answer that trips it and only it."""

import pytest

from transforms.triples.answer_filters import (
    answer_reason,
    does_not_answer,
    needs_background,
    not_standalone,
    too_short,
)

ASKED = "If a glacier melts. Why does the valley flood?"
GOOD = (
    "A glacier holds more water than any lake of the valley. When it melts faster than the river can carry the water"
    " away, the lower fields fill up first, and then the houses near the bridge."
)
FILLER = " and so on" * 30


def test_a_paragraph_that_answers_passes() -> None:
    assert answer_reason(GOOD, GOOD, ASKED, 16) is None


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("The glacier floods the valley.", "answer_too_short"),
        ("The moraine is the heap of stones that a glacier leaves at the end of its valley.", "answer_too_short"),
        ("They melt in summer because the glacier lies low, and then the valley takes all the water at once.",
         "answer_not_standalone"),
        ("Gravity. It pulls the water of the glacier down, and the valley lies below it, so it has to flood sooner.",
         "answer_not_standalone"),
        ("It floods since the glacier is above the valley and water runs down whenever it can do so.",
         "answer_not_standalone"),
        ("As Tim said, the glacier is above the valley, and water runs down the slopes whenever it can do so.",
         "answer_not_standalone"),
        ("I don't know, but the glacier in my home valley never did anything of that kind, as far as people tell.",
         "answer_does_not_answer"),
        ("Pancakes are tasty with butter, and sometimes I eat three of them before lunch, which is too many.",
         "answer_does_not_answer"),
        ("", "answer_does_not_answer"),
        ("Watch the next video, there the glacier melts, and then the valley floods within two days of rain.",
         "answer_needs_background"),
        ("In the picture the glacier is above the valley, so that the water has to run down and flood it soon.",
         "answer_needs_background"),
        ("As the second video of this playlist shows, the glacier melts, and then the valley floods in a day or two.",
         "answer_needs_background"),
        ("The glacier melts, look at the picture on the left, and then the valley floods within a day or two.",
         "answer_needs_background"),
        ("Watch on, then the glacier melts, and the valley floods within two days of rain or so they say.",
         "answer_needs_background"),
        ("What he is saying is that the glacier is above the valley, and that water runs down wherever it can do so.",
         "answer_not_standalone"),
        ("Similar to Tim's answer: the glacier is above the valley, and water runs down whenever it can do so.",
         "answer_not_standalone"),
        ("If you google search the glacier and click the first page, you find the valley that it flooded last year.",
         "answer_needs_background"),
        ("S-n-o-w-m-e-l-t is easy to spell for me, and so is m-o-u-n-t-a-i-n-e-e-r-i-n-g, which has many letters.",
         "answer_does_not_answer"),
        ("Maybe the glacier melts so fast that the valley floods before the river can carry the water away.",
         "answer_does_not_answer"),
        ("It can be used for many different things, for example in the kitchen, where everybody does the same.",
         "answer_does_not_answer"),
    ],
)  # fmt: skip
def test_the_first_failed_criterion_is_the_reason(answer: str, reason: str) -> None:
    assert answer_reason(answer, answer, ASKED, 16) == reason


@pytest.mark.parametrize(
    "answer",
    [
        "It depends: a glacier of a high valley melts late, and the river takes the water away before it can flood.",
        "Part 1: the glacier melts in May. Part 2: the river takes the water, what it cannot take floods the field.",
        "Maybe a month before the flood, the glacier begins to melt from below." + FILLER,
    ],
)
def test_an_opening_that_announces_is_no_fragment(answer: str) -> None:
    assert answer_reason(answer, answer, ASKED, 16) is None


def test_length_makes_up_for_an_opening_pronoun() -> None:
    assert not_standalone("It floods quickly.")
    assert not not_standalone("It floods quickly." + FILLER)
    assert not_standalone("They flood quickly." + FILLER)


def test_one_sentence_of_a_definition_is_too_little() -> None:
    assert too_short("The moraine is the heap of stones that a glacier leaves behind at its end.", 5)
    assert not too_short("The moraine grows since the glacier leaves stones behind at its end.", 5)


def test_a_long_answer_may_use_other_words() -> None:
    off_topic = "Ice turns liquid" + FILLER
    assert not does_not_answer(off_topic, off_topic, ASKED)


def test_a_doubt_about_a_detail_is_no_refusal() -> None:
    long = "The glacier melts" + FILLER + FILLER + ", though I'm not sure about May."
    assert not does_not_answer(long, long, ASKED)


def test_looking_at_a_thing_is_no_background() -> None:
    assert not needs_background("If you look at the glacier, the ice is blue.")


@pytest.mark.parametrize(
    "answer",
    [
        "Subscribe to my channel about every glacier and valley of the world!!",
        "First comment! Glaciers are so cool.",
        "My pet goat loves the valley below the glacier.",
        "My dog likes to run down the valley when the flood comes.",
        "Nice video, but the glacier froze on my screen.",
    ],
)
def test_small_talk_answers_nothing_whatever_it_shares(answer: str) -> None:
    assert does_not_answer(answer, answer, ASKED)
    assert not does_not_answer(f"{GOOD} {answer}", f"{GOOD} {answer}", ASKED)


def test_what_is_like_small_talk() -> None:
    for answer in ("A valley is cool at night, and the glacier melts less.", "Ice floods the valley like a video."):
        assert not does_not_answer(answer, answer, ASKED)


@pytest.mark.parametrize("answer", ["Yes.", "No!", "It is the heat.", "Because of gravity."])
def test_a_word_of_an_answer_is_too_short_whatever_it_shares(answer: str) -> None:
    assert answer_reason(answer, "" if answer in ("Yes.", "No!") else answer, ASKED, 16) == "answer_too_short"


def test_a_condition_alone_rests_on_the_question() -> None:
    assert not_standalone("Only if the glacier is a large one, for example one that fills the whole of its valley.")
    assert not not_standalone("Only when the glacier melts does the valley flood, as the river carries little water.")


def test_a_pointer_to_another_thread_leans_on_it() -> None:
    assert not_standalone("The glacier floods the valley; look for my thread of October, where I told the rest of it.")
