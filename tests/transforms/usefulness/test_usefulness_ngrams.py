import numpy as np
import pytest

from transforms.usefulness.forms import describe
from transforms.usefulness.ngrams import BLOCKS, contrast, inverse_frequency, lengths
from transforms.usefulness.tokens import cut
from transforms.usefulness.vectors import TableVectors

NOTHING = TableVectors(["x"], np.zeros((1, 2), dtype=np.float32))


def grams_of(block: str, texts: list[str]) -> list[list[int]]:
    words = cut(texts)
    found = BLOCKS[block](words, describe(words.distinct, NOTHING))
    return [sorted(found.place[found.text == i].tolist()) for i in range(len(texts))]


@pytest.mark.parametrize("block", sorted(BLOCKS))
def test_what_a_text_holds_does_not_depend_on_its_neighbours(block: str) -> None:
    texts = ["why is ice lighter than water?", "no", "", "is it the same as steam?"]
    together = grams_of(block, texts)
    assert together == [grams_of(block, [text])[0] for text in texts]


def test_words_come_in_runs_of_up_to_three_after_a_mark_for_the_start() -> None:
    assert len(grams_of("words", ["why is ice"])[0]) == 4 + 3 + 2


def test_order_matters() -> None:
    first, second = grams_of("words", ["ice is water", "water is ice"])
    assert first != second


def test_skeletons_forget_the_subject_and_keep_the_form() -> None:
    one, same, other = grams_of(
        "skeletons", ["is red light the same as heat", "is mass the same as weight", "is mass heavy"]
    )
    assert one == same != other


def test_characters_stay_within_a_word() -> None:
    assert len(grams_of("characters", ["ab"])[0]) == 3 + 2 + 1  # " a", "ab", "b ", " ab", "ab ", " ab "


def test_rarer_weighs_more_and_once_weighs_nothing() -> None:
    words = cut(["ice melts", "ice floats", "ice sinks", "steam sinks"])
    found = BLOCKS["words"](words, describe(words.distinct, NOTHING))
    weights = inverse_frequency(found)
    place = {text: grams_of("words", [text])[0] for text in ("ice", "sinks", "melts")}
    weight = {text: sorted(weights[p] for p in places if weights[p] > 0) for text, places in place.items()}
    assert max(weight["sinks"]) > min(weight["ice"])
    assert len(weight["melts"]) == 1  # the mark of the start alone
    assert (lengths(found, weights) > 0).all()


def test_what_only_one_class_says_weighs_more_than_what_both_say() -> None:
    words = cut(["ice melts", "ice floats", "ice bores", "lol bores"])
    found = BLOCKS["words"](words, describe(words.distinct, NOTHING))
    weights = contrast(found, np.array([1.0, 1.0, 0.0, 0.0]))
    (start,) = grams_of("words", [""])[0][:1]
    assert weights[found.place].max() > weights[start] >= 0
    assert contrast(found, np.ones(4))[found.place].max() < np.inf
