import numpy as np
import pytest

from transforms.usefulness.calibration import fit_mixture, sigmoid, stratified_folds
from transforms.usefulness.evaluate import evaluate_splits
from transforms.usefulness.labels import Labelled, Settings
from transforms.usefulness.metrics import auc, calibration_error, measure
from transforms.usefulness.vectors import TableVectors


def test_metrics_of_a_small_case_worked_by_hand() -> None:
    scores, useful = np.array([0.9, 0.8, 0.3, 0.6]), np.array([True, False, False, True])
    found = measure(scores, useful)
    assert found["accuracy"] == 0.75
    assert found["auc"] == 0.75
    assert found["macro_f1"] == pytest.approx((2 * 2 / 5 + 2 * 1 / 3) / 2)
    assert found["calibration_error"] == pytest.approx((0.1 + 0.8 + 0.3 + 0.4) / 4)


def test_ties_count_half_and_one_class_has_no_order() -> None:
    assert auc(np.array([0.5, 0.5]), np.array([True, False])) == 0.5
    assert auc(np.array([0.1, 0.9]), np.array([True, True])) == 0.5
    assert measure(np.zeros(0), np.zeros(0, dtype=bool))["accuracy"] == 0.0


def test_scores_equal_to_shares_have_no_calibration_error() -> None:
    assert calibration_error(np.full(10, 0.25), np.arange(10) < 2.5) == pytest.approx(0.05)
    assert calibration_error(np.full(4, 0.25), np.arange(4) < 1) == pytest.approx(0.0)


def test_the_mixture_repairs_overconfident_logits() -> None:
    rng = np.random.default_rng(1)
    logits = rng.normal(size=4000)
    useful = (rng.random(4000) < sigmoid(logits)).astype(float)
    weights = fit_mixture((5 * logits)[:, None], useful)
    assert weights[0] == pytest.approx(0.2, abs=0.03)
    assert calibration_error(sigmoid(5 * weights[0] * logits + weights[1]), useful.astype(bool)) < 0.03


def test_folds_are_disjoint_complete_and_hold_both_classes() -> None:
    useful = np.array([1.0] * 10 + [0.0] * 30)
    folds = stratified_folds(useful, seed=3)
    assert sorted(np.concatenate(folds).tolist()) == list(range(40))
    assert all(0 < useful[fold].mean() < 1 for fold in folds)
    assert stratified_folds(np.array([1.0, 0.0, 0.0]), seed=3) == []


def test_model_and_baseline_stand_on_the_same_splits(labels: list[Labelled], small_vectors: TableVectors) -> None:
    found = evaluate_splits(labels[::2], Settings(rank=16), 2, small_vectors)
    again = evaluate_splits(labels[::2][::-1], Settings(rank=16), 2, small_vectors)
    assert found == again
    assert set(found.model) == set(found.baseline) == {"accuracy", "macro_f1", "auc", "calibration_error"}
    assert found.model["accuracy"].mean > 0.9
    difference = found.model["accuracy"].mean - found.baseline["accuracy"].mean
    assert found.ahead.mean == pytest.approx(difference)
    assert str(found.ahead).count("±") == 1


@pytest.mark.parametrize("splits", [0, -1])
def test_splits_must_be_positive(labels: list[Labelled], splits: int) -> None:
    with pytest.raises(ValueError, match="at least one split"):
        evaluate_splits(labels, Settings(), splits)


def test_too_few_labels_or_one_class_are_clear_errors() -> None:
    with pytest.raises(ValueError, match="too few"):
        evaluate_splits([Labelled("why?", True), Labelled("lol?", False)], Settings())
    with pytest.raises(ValueError, match="both classes"):
        evaluate_splits([Labelled("why?", True)] * 10, Settings())
