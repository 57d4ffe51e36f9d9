import json
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from safetensors.numpy import load, save

from expectations import table
from transforms.usefulness.labels import Labelled
from transforms.usefulness.model import Classifier
from transforms.usefulness.score import score_questions
from transforms.usefulness.train import Trained
from transforms.usefulness.vectors import TableVectors

ODD = ["", "?", "😀😀", "a" * 1_000_000, "why " * 300_000, "\x00\ufffd caf\udce9?".replace("\udce9", "é"), "为什么?"]


def test_a_score_does_not_depend_on_its_batch(trained: Trained, labels: list[Labelled]) -> None:
    texts = [row.text for row in labels[:60]] + ODD
    whole = trained.classifier.scores(texts)
    assert np.array_equal(whole, trained.classifier.scores(texts, batch=7))
    assert np.array_equal(whole[::-1], trained.classifier.scores(texts[::-1]))
    assert np.array_equal(whole[:9], np.concatenate([trained.classifier.scores([text]) for text in texts[:9]]))


def test_odd_texts_get_a_probability_of_six_decimals(trained: Trained) -> None:
    scores = trained.classifier.scores(ODD)
    assert ((scores >= 0) & (scores <= 1)).all()
    assert np.array_equal(scores, np.round(scores, 6))
    assert trained.classifier.scores([]).shape == (0,)


def test_a_model_survives_its_files(trained: Trained, labels: list[Labelled]) -> None:
    arrays, description = trained.classifier.to_files()
    again = Classifier.from_files(load(save(arrays)), json.loads(json.dumps(description)))
    texts = [row.text for row in labels[::7]]
    assert again.model_id == trained.classifier.model_id
    assert again.settings == trained.classifier.settings
    assert np.array_equal(again.scores(texts), trained.classifier.scores(texts))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": 0}, "format 0"),
        ({"format": None}, "format None"),
        ({"vectors": "word2vec"}, "trained on the vectors 'word2vec'"),
        ({"dimension": 50}, "50 numbers each"),
        ({"model_id": None}, "names no model_id"),
        ({"settings": {"kind": "blend"}}, "another version"),
        ({"settings": None}, "another version"),
    ],
)
def test_a_description_of_another_version_is_refused(trained: Trained, change: dict[str, Any], message: str) -> None:
    arrays, description = trained.classifier.to_files()
    with pytest.raises(ValueError, match=message):
        Classifier.from_files(arrays, {**description, **change})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"kind": "forest"}, "forest"),
        ({"kind": 3}, "'kind'"),
        ({"rank": "many"}, "'rank'"),
        ({"dropout": None}, "'dropout'"),
        ({"strength": float("nan")}, "'strength'"),
        ({"seed": 10**30}, "'seed'"),
        ({"widths": 3}, "'widths'"),
        ({"widths": []}, "'widths'"),
        ({"widths": [3, "4"]}, "'widths'"),
        ({"kind": "cnn", "filters": 10**9}, "'network"),
        ({"kind": "cnn", "widths": [10**9]}, "'network"),
        ({"kind": "cnn", "filters": -1}, "'network"),
        ({"kind": "encoder", "tuned_layers": 99}, "99 fitted layers"),
    ],
)
def test_settings_that_cannot_be_are_refused_before_anything_is_made_of_them(
    trained: Trained, change: dict[str, Any], message: str
) -> None:
    arrays, description = trained.classifier.to_files()
    with pytest.raises(ValueError, match=message):
        Classifier.from_files(arrays, {**description, "settings": {**description["settings"], **change}})


def test_every_missing_misshapen_or_broken_array_is_named(trained: Trained) -> None:
    arrays, description = trained.classifier.to_files()
    for name, array in arrays.items():
        others = {key: value for key, value in arrays.items() if key != name}
        broken = array.astype(np.float64) * np.nan
        for wrong in (None, array[..., None], array.astype(np.float32), broken):
            with pytest.raises(ValueError, match="usefulness model") as error:
                Classifier.from_files(others if wrong is None else {**others, name: wrong}, description)
            assert name in str(error.value)


def test_another_table_of_vectors_is_refused(trained: Trained) -> None:
    with pytest.raises(ValueError, match="not on 'table-2-"):
        Classifier.from_files(*trained.classifier.to_files(), TableVectors(["a"], np.ones((1, 2), dtype=np.float32)))


def questions(rows: list[tuple[str, str, str]]) -> pa.Table:
    schema = table("questions").schema
    filled = [
        dict.fromkeys(schema.names) | dict(zip(("question_id", "lesson_id", "text"), row, strict=True)) for row in rows
    ]
    return pa.Table.from_pylist(filled, schema=schema)


def test_the_stage_scores_each_question_and_accounts_for_it(trained: Trained) -> None:
    rows = [("q1", "b", "why?"), ("q2", "a", "how is mass different from weight?"), ("q3", "b", "")]
    result = score_questions({"questions": questions(rows)}, {}, trained.classifier)
    scores = result.tables["scores"].to_pylist()
    assert [row["question_id"] for row in scores] == ["q1", "q2", "q3"]
    assert [row["useful_score"] for row in scores] == trained.classifier.scores([text for _, _, text in rows]).tolist()
    assert {row["model_id"] for row in scores} == {trained.classifier.model_id}
    assert {name: (units.rows_in, units.kept) for name, units in result.units.items()} == {"a": (1, 1), "b": (2, 2)}
    assert result.rejects.num_rows == 0


def test_no_questions_give_a_typed_empty_table(trained: Trained) -> None:
    result = score_questions({"questions": questions([])}, {}, trained.classifier)
    assert result.tables["scores"].schema == table("scores").schema
    assert result.tables["scores"].num_rows == 0


def test_scoring_without_a_model_is_a_clear_error() -> None:
    with pytest.raises(TypeError, match="trained usefulness classifier"):
        score_questions({"questions": questions([])}, {}, None)
