"""Which sentences are being spoken at a cited second."""

import pytest

from transforms.align.times import Speech

ENDS = [10.0, 20.0, 30.0]


def test_the_sentence_that_began_last_is_being_spoken() -> None:
    speech = Speech([0.0, 10.0, 20.0], ENDS)
    assert [speech.at(second) for second in (0, 9.9, 10, 18.5, 20, 25)] == [[0], [0], [1], [1], [2], [2]]


def test_a_whole_second_is_all_of_it_as_players_show_no_fractions() -> None:
    speech = Speech([0.0, 69.3, 69.8], [69.3, 69.8, 80.0])
    assert speech.at(69) == [0, 1, 2]
    assert speech.at(69.1) == [0]
    assert speech.at(70) == [2]


def test_before_the_first_sentence_the_first_is_meant() -> None:
    assert Speech([5.0, 10.0, 20.0], ENDS).at(0) == [0]


def test_articles_have_no_times() -> None:
    assert Speech([None, None], [None, None]).at(3) == []
    assert Speech([], []).at(3) == []


@pytest.mark.parametrize("seconds", [None, float("nan"), float("inf"), -1.0])
def test_what_is_no_time_points_nowhere(seconds: float | None) -> None:
    assert Speech([0.0, 10.0, 20.0], ENDS).at(seconds) == []


def test_behind_the_end_of_the_last_sentence_nothing_is_spoken() -> None:
    speech = Speech([0.0, 12.0], [12.0, 24.0])
    assert speech.at(24) == [1]
    assert speech.at(24.1) == []


def test_starts_out_of_order_are_put_in_order() -> None:
    speech = Speech([20.0, 0.0, 10.0], ENDS)
    assert [speech.at(second) for second in (0, 10, 20)] == [[1], [2], [0]]


def test_a_sentence_without_a_start_is_passed_over() -> None:
    speech = Speech([0.0, None, 20.0], [20.0, None, 30.0])
    assert [speech.at(second) for second in (0, 12, 20)] == [[0], [0], [2]]
