"""Suggest what kind of question each one is: by interrogative, by reasoning, by Bloom level."""

import pyarrow as pa

from expectations import table
from transforms.result import Params, Result, Tables, Units
from transforms.types import rules
from transforms.types.bloom import bloom_levels
from transforms.types.interrogative import question_type
from transforms.types.model import TypesModel

DEEP = frozenset(("cause", "consequence", "procedural"))  # KhanQ 4.3


def suggest_types(inputs: Tables, params: Params, model: object = None) -> Result:
    """Input: questions. Output: types, reasoning by the model if there is one, else by rules. Rejects: none."""
    questions = inputs["questions"].select(["question_id", "lesson_id", "text"]).sort_by("question_id")
    texts = questions["text"].to_pylist()
    if isinstance(model, TypesModel):
        reasoning = model.predict(texts)
    else:
        reasoning = [rules.reasoning_type(rules.read(text)) for text in texts]
    columns = {
        "question_id": questions["question_id"],
        "lesson_id": questions["lesson_id"],
        "question_type": [question_type(text) for text in texts],
        "reasoning_type": reasoning,
        "deep": [kind in DEEP for kind in reasoning],
        "bloom_levels": [bloom_levels(text, kind) for text, kind in zip(texts, reasoning, strict=True)],
    }
    types = pa.table(columns, schema=table("types").schema)
    units: dict[str, Units] = {}
    for lesson_id in questions["lesson_id"].to_pylist():
        units[lesson_id] = units.get(lesson_id, Units()) + Units(1, 1)
    return Result({"types": types}, table("rejects").empty(), units)
