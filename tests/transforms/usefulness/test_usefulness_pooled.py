import numpy as np
import pytest

from transforms.usefulness.forms import GROUPS, describe
from transforms.usefulness.labels import Labelled
from transforms.usefulness.pooled import SIGNS, compress, expand, pool, signs, solve
from transforms.usefulness.tokens import cut
from transforms.usefulness.vectors import TableVectors


def test_a_form_of_full_rank_equals_the_kernel_expansion(labels: list[Labelled], small_vectors: TableVectors) -> None:
    words = cut([row.text for row in labels[::4]])
    others = cut([row.text for row in labels[1::4]])
    numbers = pool(words, describe(words.distinct, small_vectors))
    weights = solve(numbers, np.array([2.0 * row.useful - 1 for row in labels[::4]]), np.full(len(numbers), 6.0))
    forms = describe(others.distinct, small_vectors)
    exact = expand(pool(others, forms), numbers, weights)
    full = compress(numbers, weights, numbers.shape[1], 0.0).values(others, forms)
    assert full == pytest.approx(exact, abs=1e-9)
    some = compress(numbers, weights, 8, 0.0).values(others, forms)
    assert 0.8 < np.corrcoef(some, exact)[0, 1] < 1


def test_a_row_of_higher_penalty_is_followed_less() -> None:
    numbers = np.array([[1.0, 0.0], [0.0, 1.0]])
    weights = solve(numbers, np.array([1.0, 1.0]), np.array([1.0, 9.0]))
    first, second = expand(numbers, numbers, weights)
    assert first > second > 0


def test_signs_tell_lengths_and_which_groups_of_words_occur(small_vectors: TableVectors) -> None:
    words = cut(["Why did he say that it isn't his?", "osmosis", ""])
    found = signs(words, describe(words.distinct, small_vectors))
    assert found.shape == (3, SIGNS)
    named = [{next(iter(sorted(GROUPS[i]))) for i in np.flatnonzero(row[4:])} for row in found]
    assert named == [{"between", "he", "it", "n't"}, set(), set()]
    assert found[0, 0] > found[1, 0] > 0


def test_no_word_is_in_two_groups() -> None:
    assert len(frozenset().union(*GROUPS)) == sum(map(len, GROUPS))
