import pytest

from transforms.triples.times import delete_times


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("At 3:45 he says it is red.", "he says it is red."),
        ("It breaks starting from 1:29, why", "It breaks why"),
        ("(3min 20s) It is red.", "It is red."),
        ("at 10m32 it is red, at 12'30'' blue", "it is red blue"),
        ("2-3 minutes into the video it is red", "it is red"),
        ("Is it red @2.15 and blue at sec 45", "Is it red and blue"),
    ],
)
def test_cited_times_go_with_the_words_that_lead_to_them(text, left):
    assert " ".join(delete_times(text).split()) == left


@pytest.mark.parametrize(
    "text",
    [
        "students who sleep until 7:30 feel tired",
        "until 6:10 I understood everything",
        "I went back to 3:45",
        "the train leaves at 9:15",
    ],
)
def test_no_word_is_left_without_its_time(text):
    assert delete_times(text) == text
