"""The bundled labels: enough of every class in every subject, and none twice."""

import json
from collections import Counter
from pathlib import Path

import pytest

from benchmarks.label_agreement import LABELS, kappa, read_labels
from benchmarks.variety import frame

REASONING_TYPES = {
    "verification", "disjunction", "concept", "extent", "example", "comparison", "cause", "consequence", "procedural",
    "judgmental",
}  # fmt: skip
SUBJECTS = sorted(path.name for path in (LABELS.parent / "campus").iterdir() if path.is_dir())


def rows(task: str, subject: str) -> list[dict[str, str | int]]:
    text = (LABELS / task / f"{subject}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def all_texts(task: str) -> list[str]:
    return [str(row["text"]) for subject in SUBJECTS for row in rows(task, subject)]


@pytest.mark.parametrize("subject", SUBJECTS)
def test_each_subject_has_both_classes(subject: str) -> None:
    useful = [row["useful"] for row in rows("usefulness", subject)]
    assert set(useful) == {0, 1}
    assert 0.55 <= sum(map(int, useful)) / len(useful) <= 0.65


@pytest.mark.parametrize("subject", SUBJECTS)
def test_each_subject_has_all_ten_types(subject: str) -> None:
    types = Counter(row["label"] for row in rows("reasoning_type", subject))
    assert set(types) == REASONING_TYPES
    assert min(types.values()) >= 5


@pytest.mark.parametrize(("task", "least", "openings"), [("usefulness", 1500, 0.9), ("reasoning_type", 600, 0.85)])
def test_labels_are_many_and_varied(task: str, least: int, openings: float) -> None:
    texts = all_texts(task)
    assert len(texts) >= least
    assert max(Counter(text.lower().rstrip("?!. ") for text in texts).values()) == 1
    first_words = {" ".join(text.lower().split()[:4]) for text in texts}
    assert len(first_words) / len(texts) >= openings  # measured 0.94 and 0.92
    frames = Counter(slots for slots in map(frame, texts) if len(set(slots.split())) > 4)
    assert [slots for slots, count in frames.items() if count > 1] == []


def test_rows_labelled_twice_are_rows_of_the_training_set() -> None:
    first, second = read_labels(LABELS / "usefulness"), read_labels(LABELS / "usefulness_second")
    assert len(second) >= 538
    assert second.keys() <= first.keys()
    assert min(Counter(subject for subject, _ in second).values()) >= 66
    assert {row["annotator"] for subject in SUBJECTS for row in rows("usefulness_second", subject)} == {
        "second",
        "third",
        "fourth",
    }


def test_the_annotators_agree() -> None:
    first, second = read_labels(LABELS / "usefulness"), read_labels(LABELS / "usefulness_second")
    assert kappa([first[row] for row in second], list(second.values())) >= 0.8


def test_kappa_by_hand() -> None:
    # Two annotators, four rows: they agree on three; chance alone gives 2/4 * 3/4 + 2/4 * 1/4 = 1/2.
    assert kappa([1, 1, 0, 0], [1, 1, 1, 0]) == pytest.approx((0.75 - 0.5) / 0.5)
    assert kappa([1, 0], [0, 1]) == -1
    assert kappa([1, 1], [1, 1]) == 1


def test_one_file_for_each_subject() -> None:
    for task in ("usefulness", "usefulness_second", "reasoning_type"):
        assert sorted(path.stem for path in Path(LABELS / task).iterdir()) == SUBJECTS
