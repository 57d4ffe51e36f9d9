"""Which sentence is being spoken at a cited second."""

import pytest

from transforms.align.times import Speech

TEXTS = ["One two three four.", "Five six seven eight.", "Nine ten eleven twelve."]


def test_the_sentence_that_began_last_is_being_spoken() -> None:
    speech = Speech(TEXTS, [0.0, 10.0, 20.0])
    assert [speech.at(second) for second in (0, 9.9, 10, 19, 20, 25)] == [0, 0, 1, 1, 2, 2]


def test_before_the_first_sentence_the_first_is_meant() -> None:
    assert Speech(TEXTS, [5.0, 10.0, 20.0]).at(0) == 0


def test_articles_have_no_times() -> None:
    assert Speech(TEXTS, [None, None, None]).at(3) is None
    assert Speech([], []).at(3) is None


@pytest.mark.parametrize("seconds", [None, float("nan"), float("inf"), -1.0])
def test_what_is_no_time_points_nowhere(seconds: float | None) -> None:
    assert Speech(TEXTS, [0.0, 10.0, 20.0]).at(seconds) is None


def test_the_last_sentence_lasts_as_long_as_the_longest_before_it() -> None:
    speech = Speech(TEXTS, [0.0, 12.0, 20.0])
    assert speech.at(32) == 2
    assert speech.at(32.1) is None


def test_a_long_last_sentence_lasts_as_long_as_its_words_need() -> None:
    speech = Speech(["Hello.", " ".join(["word"] * 100)], [0.0, 1.0])
    assert speech.at(51) == 1
    assert speech.at(52) is None


def test_sentences_of_one_caption_share_its_time_by_their_words() -> None:
    speech = Speech(["A b c.", "D.", "Next caption."], [10.0, 10.0, 18.0])
    assert [speech.at(second) for second in (10, 15, 16, 17, 18)] == [0, 0, 1, 1, 2]


def test_sentences_of_the_last_caption_share_it_too() -> None:
    speech = Speech(["First one.", "Two words.", "Last words."], [0.0, 8.0, 8.0])
    assert [speech.at(second) for second in (8, 11, 12, 16)] == [1, 1, 2, 2]


def test_starts_out_of_order_are_put_in_order() -> None:
    speech = Speech(TEXTS, [20.0, 0.0, 10.0])
    assert [speech.at(second) for second in (0, 10, 20)] == [1, 2, 0]


def test_a_sentence_without_a_start_is_passed_over() -> None:
    speech = Speech(TEXTS, [0.0, None, 20.0])
    assert [speech.at(second) for second in (0, 12, 20)] == [0, 0, 2]


def test_a_sentence_without_words_does_not_stop_the_clock() -> None:
    assert Speech(["...", "Word.", "Word."], [0.0, 0.0, 4.0]).at(3) == 1
