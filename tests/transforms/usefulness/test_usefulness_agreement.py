import pytest

from transforms.usefulness.agreement import Vote, agreements, cohen_kappa, disagreements, most_uncertain_first

VOTES = [
    Vote("q1", "ann", "1"),
    Vote("q1", "bob", "1"),
    Vote("q2", "bob", "1"),
    Vote("q2", "ann", "0"),
    Vote("q3", "ann", "0"),
    Vote("q3", "bob", "0"),
    Vote("q4", "ann", "1"),
    Vote("q4", "bob", "1"),
    Vote("q5", "cid", "1"),
]


def test_kappa_of_a_table_worked_by_hand() -> None:
    # 20 yes-yes, 5 yes-no, 10 no-yes, 15 no-no: observed 0.7, expected 0.5.
    first = ["y"] * 25 + ["n"] * 25
    second = ["y"] * 20 + ["n"] * 5 + ["y"] * 10 + ["n"] * 15
    assert cohen_kappa(first, second) == pytest.approx(0.4)
    assert cohen_kappa(second, first) == pytest.approx(0.4)


def test_kappa_is_one_zero_or_undefined_at_its_ends() -> None:
    assert cohen_kappa(["a", "b"], ["a", "b"]) == 1.0
    assert cohen_kappa(["a", "a", "b", "b"], ["a", "b", "a", "b"]) == 0.0
    assert cohen_kappa(["a", "a"], ["a", "a"]) is None
    assert cohen_kappa([], []) is None
    with pytest.raises(ValueError, match="2 and 1"):
        cohen_kappa(["a", "b"], ["a"])


def test_only_the_doubly_labelled_part_counts() -> None:
    (found,) = agreements(VOTES)
    assert (found.first, found.second, found.records, found.agreed) == ("ann", "bob", 4, 0.75)
    assert found.kappa == pytest.approx(0.5)


def test_an_annotators_last_vote_counts() -> None:
    assert disagreements([*VOTES, Vote("q2", "ann", "1")]) == []


def test_disagreements_name_who_said_what() -> None:
    (found,) = disagreements(VOTES)
    assert found.record_id == "q2"
    assert found.labels == (("ann", "0"), ("bob", "1"))


def test_the_most_uncertain_come_first_and_labelled_ones_not_at_all() -> None:
    scores = {"a": 0.9, "b": 0.45, "c": 0.55, "d": 0.5, "e": 0.1}
    assert most_uncertain_first(scores, labelled=["d"]) == ["b", "c", "a", "e"]
    assert most_uncertain_first({}) == []
