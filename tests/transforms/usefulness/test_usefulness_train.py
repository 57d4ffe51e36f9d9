import numpy as np
import pytest

from transforms.usefulness.blend import fit_blend
from transforms.usefulness.labels import Labelled, Settings, apart, distinct, model_id, part_of, read_labels
from transforms.usefulness.train import Trained, held_out, train
from transforms.usefulness.vectors import TableVectors, WordLlamaVectors


def test_a_rule_is_found_and_measured_on_rows_held_out(trained: Trained, labels: list[Labelled]) -> None:
    assert trained.metrics["test_rows"] == sum(part_of(row.text) == "test" for row in labels) > 20
    assert trained.metrics["accuracy"] > 0.9 > trained.metrics["majority"]


def test_unseen_questions_of_the_same_form_are_told_apart(trained: Trained) -> None:
    useful, other = trained.classifier.scores(
        ["How is a covalent bond different from gravity?", "Can you upload the video about gravity again?"]
    )
    assert useful > 0.5 > other


def test_training_twice_gives_the_same_scores(labels: list[Labelled], small_vectors: TableVectors) -> None:
    for kind in ("blend", "cnn"):
        settings = Settings(kind=kind, filters=5, epochs=1, rank=8)
        first = train(labels[::3], settings, small_vectors).classifier
        second = train(labels[::3][::-1], settings, small_vectors).classifier
        texts = [row.text for row in labels[1::9]]
        assert first.model_id == second.model_id
        assert np.array_equal(first.scores(texts), second.scores(texts))


@pytest.mark.parametrize("kind", ["blend", "cnn"])
@pytest.mark.parametrize("useful", [True, False])
def test_one_class_alone_is_a_clear_error(labels: list[Labelled], kind: str, useful: bool) -> None:
    with pytest.raises(ValueError, match="both classes"):
        train([row for row in labels if row.useful is useful], Settings(kind=kind))


def test_no_labels_are_a_clear_error() -> None:
    with pytest.raises(ValueError, match="both classes"):
        train([], Settings())


def test_a_handful_of_labels_still_gives_a_model() -> None:
    few = [Labelled(f"why does {w} melt?", True) for w in ("ice", "wax", "iron")]
    few += [Labelled(f"lol {w} again?", False) for w in ("ice", "wax", "iron")]
    scores = train(few, Settings()).classifier.scores(["why does snow melt?", ""])
    assert np.isfinite(scores).all()


def test_the_name_follows_labels_settings_and_vectors(labels: list[Labelled]) -> None:
    names = {
        model_id(labels, Settings()),
        model_id(labels[1:], Settings()),
        model_id(labels, Settings(kind="cnn")),
        model_id(labels, Settings(), "table-300-abc"),
        model_id(labels, Settings(), beside=labels[:1]),
    }
    assert len(names) == 5
    assert model_id(labels, Settings()) == model_id(labels[::-1], Settings())


def test_labels_of_another_origin_help_where_ones_own_are_few(labels: list[Labelled]) -> None:
    useful, other = ([row for row in labels if row.useful is value] for value in (True, False))
    few, rest = useful[:20] + other[:20], labels[1::5]  # of one form in each class, and of all forms
    judges, vectors = labels[2::7], WordLlamaVectors()
    right = []
    for beside in (None, rest):
        said = fit_blend(few, Settings(), vectors, beside).halves([row.text for row in judges], vectors)[:, 1]
        right.append(float(((said >= 0) == [row.useful for row in judges]).mean()))
    assert right[1] > right[0]


def test_labels_of_another_origin_never_show_a_text_of_ones_own() -> None:
    own = [Labelled("Why isn't ice heavy?", True)]
    beside = [Labelled("why is n't ice heavy ?", False), Labelled("Lol?", False), Labelled("lol ?", False)]
    assert [row.text.lower()[:3] for row in apart(beside, own)] == ["lol"]


def test_a_model_can_be_judged_on_the_held_out_part_of_other_labels(trained: Trained, labels: list[Labelled]) -> None:
    assert held_out(trained.classifier, labels).items() <= trained.metrics.items()
    inverted = [Labelled(row.text, not row.useful) for row in labels]
    assert held_out(trained.classifier, inverted)["accuracy"] == pytest.approx(1 - trained.metrics["accuracy"])


def test_without_rows_to_test_on_nothing_is_measured(trained: Trained, labels: list[Labelled]) -> None:
    found = held_out(trained.classifier, [row for row in labels if part_of(row.text) != "test"])
    assert found["test_rows"] == 0
    assert {name for name, value in found.items() if value is None} == {
        "accuracy", "macro_f1", "auc", "calibration_error", "majority"}  # fmt: skip


def test_an_unknown_kind_of_model_is_a_clear_error() -> None:
    with pytest.raises(ValueError, match="blend, cnn, encoder"):
        Settings(kind="forest")


def test_labels_are_read_in_the_forms_of_the_field() -> None:
    rows = [{"text": "why?", "useful": v} for v in (1, True, "1", 1.0, "Useful")]
    rows += [{"text": "lol?", "label": v} for v in (0, False, "0", 0.0, "not useful")]
    rows += [{"text": "lol?", "useful": None, "label": "useful"}, {"text": "lol?", "useful": 0, "label": None}]
    assert [row.useful for row in read_labels(rows)] == [True] * 5 + [False] * 5 + [True, False]


@pytest.mark.parametrize("value", [2, -1, 0.5, "maybe", "", None])
def test_an_unknown_label_names_its_row(value: object) -> None:
    with pytest.raises(ValueError, match="row 2: unknown usefulness label"):
        read_labels([{"text": "why?", "useful": 1}, {"text": "why not?", "useful": value}])


@pytest.mark.parametrize("text", ["", "  ", None, 3])
def test_a_label_without_a_text_names_its_row(text: object) -> None:
    with pytest.raises(ValueError, match="row 1: a label needs a text"):
        read_labels([{"text": text, "useful": 1}])


def test_a_text_that_came_twice_counts_once_and_a_contradiction_stays() -> None:
    rows = [Labelled("is it n't ?", True), Labelled("Is itn't?", True), Labelled("Is itn't?", False)]
    assert [row.useful for row in distinct(rows)] == [False, True]
    assert distinct(rows) == distinct(rows[::-1])
