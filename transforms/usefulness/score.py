"""Score every question with the current classifier."""

from collections import Counter

import pyarrow as pa

from expectations import table
from transforms.result import Ledger, Params, Result, Tables
from transforms.usefulness.model import Classifier


def score_questions(inputs: Tables, params: Params, model: object = None) -> Result:
    """Input: questions. Output: scores. Rejects: none."""
    if not isinstance(model, Classifier):
        raise TypeError("scoring needs a trained usefulness classifier")
    questions = inputs["questions"]
    ledger = Ledger("scores")
    for lesson_id, count in sorted(Counter(questions["lesson_id"].to_pylist()).items()):
        ledger.keep(lesson_id, count)
    columns = {
        "question_id": questions["question_id"],
        "lesson_id": questions["lesson_id"],
        "useful_score": pa.array(model.scores(questions["text"].to_pylist()), type=pa.float64()),
        "model_id": pa.array([model.model_id] * len(questions), type=pa.string()),
    }
    result = ledger.result("scores")
    schema = table("scores").schema
    scores = pa.table([columns[name].cast(schema.field(name).type) for name in schema.names], schema=schema)
    return Result({"scores": scores}, result.rejects, result.units)
