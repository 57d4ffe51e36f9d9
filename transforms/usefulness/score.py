"""Score every question with the current classifier."""

from transforms.result import Ledger, Params, Result, Tables
from transforms.usefulness.model import Classifier


def score_questions(inputs: Tables, params: Params, model: object = None) -> Result:
    """Input: questions. Output: scores. Rejects: none."""
    assert isinstance(model, Classifier)
    ledger = Ledger("scores")
    rows = inputs["questions"].select(["question_id", "lesson_id", "text"]).to_pylist()
    for row, score in zip(rows, model.scores([r["text"] for r in rows]), strict=True):
        ledger.add(
            "scores",
            {
                "question_id": row["question_id"],
                "lesson_id": row["lesson_id"],
                "useful_score": float(score),
                "model_id": model.model_id,
            },
        )
        ledger.keep(row["lesson_id"])
    return ledger.result("scores")
