"""The wording of each triple that is published: the draft's, or a person's; and the types of that wording.

A draft is made from a sentence, a triple holds a part of it or what a person made of that: `If so, how does it work?`
asks how, whatever its sentence began with.
"""

import hashlib
from collections.abc import Mapping
from typing import Any

from transforms.result import Ledger, Params, Result, Tables
from transforms.triples.prompt_types import prompt_type
from transforms.types import rules
from transforms.types.interrogative import question_type
from transforms.types.model import TypesModel

Row = dict[str, Any]
PARTS = ("context", "prompt", "question")
# The part of a sentence that the question follows from belongs to what is asked; sentences before it do not.
_SAME_SENTENCE = ("condition", "preposition")


def draft_digest(triple: Mapping[str, str]) -> str:
    """What a review names its draft by; the view `triples` shows the same digest."""
    return hashlib.md5("\n".join(triple[name] for name in PARTS).encode(), usedforsecurity=False).hexdigest()


def holds(review: Mapping[str, Any], triple: Mapping[str, Any]) -> bool:
    """Whether an edit is about this draft; it outlives other rules for as long as the posts say what they said."""
    same_posts = review["source_version"] is not None and review["source_version"] == triple["source_version"]
    return same_posts or bool(review["draft"] == draft_digest(triple))


def word_triples(inputs: Tables, params: Params, model: object = None) -> Result:
    """Input: triples, edits (the last verdict on a triple, where it is an edit). Output: wordings. Rejects: none."""
    ledger = Ledger("wordings")
    edits = {row["triple_id"]: row for row in inputs["edits"].to_pylist()}
    columns = ["triple_id", "lesson_id", "source_version", "prompt_type", *PARTS]
    for triple in inputs["triples"].select(columns).sort_by("triple_id").to_pylist():
        edit = edits.get(triple["triple_id"])
        edited = {name: edit[name] if edit and holds(edit, triple) else None for name in PARTS}
        text = {name: edited[name] or triple[name] for name in PARTS}
        form = prompt_type(text["prompt"]) if edited["prompt"] else triple["prompt_type"]
        row = {"triple_id": triple["triple_id"], "lesson_id": triple["lesson_id"], **edited, "prompt_type": form}
        asked = f"{text['prompt']}, {text['question']}" if form in _SAME_SENTENCE else text["question"]
        types = {"question_type": question_type(text["question"]), "reasoning_type": _reasoning(asked, model)}
        ledger.add("wordings", {**row, **types})
        ledger.keep(triple["lesson_id"])
    return ledger.result("wordings")


def _reasoning(asked: str, model: object) -> str:
    return model.predict([asked])[0] if isinstance(model, TypesModel) else rules.reasoning_type(rules.read(asked))
