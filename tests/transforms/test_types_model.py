import numpy as np
import pyarrow as pa
import pytest

from expectations import table
from transforms.types import suggest_types
from transforms.types.labels import BadLabels, Labelled, types_model_id
from transforms.types.model import BadModel, TypesModel
from transforms.types.train import train_types

# A convention that the rules do not know: here "gizmo" makes a question judgmental, whatever it looks like.
LABELS = [Labelled(f"What is a gizmo {n}?", "judgmental") for n in range(300)]
LABELS += [Labelled(f"What is a plain stone {n}?", "concept") for n in range(300)]


@pytest.fixture(scope="module")
def model():
    return train_types(LABELS)


def test_labels_correct_the_rules(model):
    assert model.predict(["What is a gizmo?", "What is a plain river?"]) == ["judgmental", "concept"]


def test_rules_decide_where_labels_say_nothing(model):
    assert model.predict(["Why does it rain?", "How many legs has it?"]) == ["cause", "extent"]


def test_few_labels_do_not_replace_the_rules():
    few = train_types(
        [Labelled("Why does it rain?", "concept"), Labelled("What is rain?", "concept"), Labelled("Is it?", "cause")]
    )
    assert few.predict(["Why does it rain?"]) == ["cause"]


def test_the_same_labels_give_the_same_model_in_any_order(model):
    again = train_types(LABELS[::-1])
    assert again.model_id == model.model_id == types_model_id(LABELS)
    assert again.names == model.names
    assert np.array_equal(again.weights, model.weights)


def test_other_labels_give_another_id():
    assert types_model_id(LABELS[1:]) != types_model_id(LABELS)


def test_a_prediction_does_not_depend_on_its_batch(model):
    texts = ["What is a gizmo?", "Why?", "", "Is it so?"]
    assert model.predict(texts) == [model.predict([text])[0] for text in texts]


def test_arrays_hold_the_whole_model(model):
    again = TypesModel.from_arrays(model.to_arrays())
    assert (again.model_id, again.names) == (model.model_id, model.names)
    assert np.array_equal(again.weights, model.weights)
    texts = ["What is a gizmo?", "Why is a stone round?"]
    assert again.predict(texts) == model.predict(texts)


@pytest.mark.parametrize(
    "broken",
    [
        lambda arrays: {"weights": arrays["weights"]},
        lambda arrays: {**arrays, "weights": arrays["weights"][:-5]},
        lambda arrays: {**arrays, "weights": arrays["weights"][:, :3]},
    ],
)
def test_broken_arrays_are_refused(model, broken):
    with pytest.raises(BadModel, match="train it again"):
        TypesModel.from_arrays(broken(model.to_arrays()))


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ([Labelled("Why?", "cause"), Labelled("What?", "wisdom")], "wisdom"),
        ([Labelled("Why?", "cause")], "at least two"),
        ([], "at least two"),
        ([Labelled(" ", "concept"), Labelled("Why?", "cause")], "at least two"),
    ],
)
def test_labels_that_cannot_train(labels, message):
    with pytest.raises(BadLabels, match=message):
        train_types(labels)


def test_the_stage_uses_the_model(model):
    row = {"question_id": "q", "post_id": "p", "lesson_id": "l", "question_no": 0, "text": "What is a gizmo?"}
    questions = pa.Table.from_pylist([{**row, "start_char": 0, "end_char": 16}], schema=table("questions").schema)
    types = suggest_types({"questions": questions}, {}, model).tables["types"]
    assert types["reasoning_type"].to_pylist() == ["judgmental"]
