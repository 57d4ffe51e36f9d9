"""KhanQ 3.3: the gate on the first tenth, the spot check, and the final validation."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from transforms.review_quality import (
    AnnotatorQuality,
    Review,
    Validation,
    annotators_quality,
    checked_work,
    rate_of,
    validation_quality,
    wilson,
)


def work(annotator: str, count: int, verdict: str = "accepted") -> list[Review]:
    return [Review(f"t{n:02}", f"d{n:02}", annotator, verdict, at=f"1-{n:02}") for n in range(count)]


def checks(numbers: range, failing: tuple[int, ...] = (), by: str = "cleo") -> list[Validation]:
    return [Validation(f"t{n:02}", f"d{n:02}", by, n not in failing, True, True) for n in numbers]


def one(reviews: list[Review], validations: list[Validation], assigned: int | None = None) -> AnnotatorQuality:
    (found,) = annotators_quality(reviews, validations, assigned)
    return found


@pytest.mark.parametrize(
    ("validations", "gate", "approved"),
    [
        ([], "waiting", 0),
        (checks(range(1)), "waiting", 1),
        (checks(range(2)), "approved", 2),
        (checks(range(2), failing=(1,)), "redo", 1),
        (checks(range(1), failing=(0,)), "redo", 0),
    ],
)
def test_the_gate_on_the_first_tenth(validations: list[Validation], gate: str, approved: int) -> None:
    found = one(work("ada", 20), validations)
    assert (found.reviewed, found.first, found.approved, found.gate) == (20, 2, approved, gate)
    assert found.state == "unchecked"


def test_the_tenth_is_of_what_was_assigned() -> None:
    found = one(work("ada", 4), checks(range(4)), assigned=50)
    assert (found.first, found.gate) == (5, "working")
    found = one(work("ada", 6), checks(range(5)), assigned=50)
    assert (found.first, found.gate) == (5, "approved")
    assert one(work("ada", 1), []).first == 1


@pytest.mark.parametrize(("failing", "state"), [((), "passed"), ((5, 6, 7), "passed"), ((5, 6, 7, 8), "retrain")])
def test_the_spot_check_asks_for_85_percent(failing: tuple[int, ...], state: str) -> None:
    found = one(work("ada", 30), checks(range(3, 23), failing))
    assert found.gate == "waiting"
    assert (found.spot_check.checked, found.spot_check.passed, found.state) == (20, 20 - len(failing), state)


def test_what_was_checked_at_the_gate_is_no_spot_check() -> None:
    found = one(work("ada", 20), checks(range(2), failing=(0, 1)))
    assert found.spot_check.checked == 0
    assert found.spot_check.rate is None


def test_a_second_review_checks_the_first() -> None:
    edited = Review("t00", "d00", "ada", "edited", (None, "In ice", None), at="1")
    for second, passed in (
        (Review("t00", "d00", "ben", "edited", (None, "In ice", None), at="2"), True),
        (Review("t00", "d00", "ben", "edited", (None, "In snow", None), at="2"), False),
        (Review("t00", "d00", "ben", "accepted", at="2"), False),
        (Review("t00", "d00", "ben", "rejected", at="2"), False),
        (Review("t00", "another draft", "ben", "rejected", at="2"), None),
    ):
        assert checked_work([edited, second], [])["ada"] == [passed]


def test_redone_work_keeps_its_turn_and_is_judged_anew() -> None:
    reviews = [*work("ada", 3), Review("t00", "d00", "ben", "rejected", at="2")]
    assert checked_work(reviews, [])["ada"] == [False, None, None]
    redone = [*reviews, Review("t00", "d00", "ada", "rejected", at="3")]
    assert checked_work(redone, [])["ada"] == [True, None, None]


def test_a_validation_is_of_the_text_that_stands() -> None:
    ada = Review("t00", "d00", "ada", "accepted", at="1")
    ben = Review("t00", "d00", "ben", "edited", ("c", "p", "q"), at="2")
    # The validator saw Ben's text, which says nothing of Ada's.
    assert checked_work([ada, ben], checks(range(1)))["ada"] == [False]
    rejected = Review("t00", "d00", "ada", "rejected", at="1")
    assert checked_work([rejected], checks(range(1)))["ada"] == [None]


def test_annotators_are_told_apart() -> None:
    reviews = [*work("ada", 10), *(Review(f"u{n}", f"e{n}", "ben", "accepted", at="1") for n in range(10))]
    found = annotators_quality(reviews, checks(range(10)))
    assert [(a.annotator, a.gate, a.state) for a in found] == [
        ("ada", "approved", "passed"), ("ben", "waiting", "unchecked")]  # fmt: skip


def test_the_final_validation() -> None:
    answers = [
        Validation("t00", "d00", "cleo", True, True, True),
        Validation("t00", "d00", "dan", True, True, True),
        Validation("t01", "d01", "cleo", True, True, True),
        Validation("t01", "d01", "dan", False, True, False),
        Validation("t02", "d02", "cleo", True, False, True),
        Validation("t03", "d03", "cleo", True, True, True),
    ]
    found = validation_quality(work("ada", 3), answers)
    assert (found.triples.checked, found.triples.passed, found.triples.rate) == (4, 2, 0.5)
    assert found.failed == {"carries": 1, "constrains": 1, "complete": 1}
    assert found.failing == ("t01", "t02")
    assert found.ignored == 0


def test_the_last_answer_of_a_person_counts() -> None:
    found = validation_quality([], [*checks(range(1), failing=(0,)), *checks(range(1))])
    assert (found.triples.checked, found.triples.passed) == (1, 1)


def test_nobody_validates_their_own_work() -> None:
    reviews, own = work("ada", 10), checks(range(10), by="ada")
    found = validation_quality(reviews, own)
    assert (found.triples.checked, found.triples.rate, found.ignored) == (0, None, 10)
    assert one(reviews, own).gate == "waiting"


def test_wilson_as_published() -> None:
    # KhanQ's own validation: 1,034 of 1,217.
    low, high = wilson(1034, 1217) or (0.0, 0.0)
    assert (round(low, 3), round(high, 3)) == (0.828, 0.869)
    # Newcombe 1998, table I: 15 of 148 and 0 of 20.
    assert [round(x, 4) for x in wilson(15, 148) or ()] == [0.0624, 0.1605]
    assert [round(x, 4) for x in wilson(0, 20) or ()] == [0.0, 0.1611]
    assert wilson(0, 0) is None


@given(st.lists(st.booleans(), min_size=1))
def test_the_rate_lies_in_its_interval(found: list[bool]) -> None:
    rate = rate_of(found)
    assert rate.low is not None
    assert rate.high is not None
    assert rate.rate is not None
    assert 0 <= rate.low <= rate.rate <= rate.high <= 1


def test_nothing_at_all() -> None:
    assert annotators_quality([], []) == []
    assert validation_quality([], []).triples.rate is None
