"""The wording of a triple that is published, and its types."""

from typing import Any

import pyarrow as pa
import pytest

from expectations import table
from transforms.wordings import PARTS, draft_digest, word_triples

EDITS = pa.schema([(name, pa.string()) for name in ("triple_id", "draft", "source_version", *PARTS)])
TRIPLE = {
    "triple_id": "t", "question_id": "q", "lesson_id": "l", "answer_post_ids": ["a"], "edits": [], "title": "Sulfur",
    "context": "Sulfur goes round.", "prompt": "Isn't there a sulfur cycle? If so", "question": "How does it work?",
    "prompt_type": "question", "source_version": "v1",
}  # fmt: skip


def worded(edit: dict[str, Any] | None = None, **changes: Any) -> dict[str, Any]:
    triples = pa.Table.from_pylist([TRIPLE | changes], schema=table("triples").schema)
    edits = pa.Table.from_pylist([{"triple_id": "t", **edit}] if edit else [], schema=EDITS)
    (row,) = word_triples({"triples": triples, "edits": edits}, {}).tables["wordings"].to_pylist()
    return row


def test_a_type_is_that_of_the_question_not_of_the_sentence_it_was_cut_from() -> None:
    assert worded()["question_type"] == "how"
    found = worded(prompt="When ice melts", prompt_type="condition", question="Is it a chemical change?")
    assert (found["question_type"], found["reasoning_type"]) == ("yes/no", "verification")


def test_the_clause_of_the_same_sentence_belongs_to_what_is_asked() -> None:
    found = worded(prompt="If prices rise", prompt_type="condition", question="What happens to wages?")
    assert found["reasoning_type"] == "consequence"


@pytest.mark.parametrize(
    ("edit", "applies"),
    [
        ({"draft": draft_digest(TRIPLE), "source_version": None}, True),
        ({"draft": "of other rules", "source_version": "v1"}, True),
        ({"draft": "of other posts", "source_version": "v0"}, False),
        ({"draft": "of other posts", "source_version": None}, False),
    ],
)
def test_an_edit_holds_for_its_draft_and_for_its_posts(edit: dict[str, Any], applies: bool) -> None:
    found = worded(edit | {"question": "Why does it go round?", "prompt": "If sulfur moves"})
    assert (found["question"] is not None) is applies
    assert found["context"] is None
    assert found["prompt_type"] == ("condition" if applies else "question")
    assert found["question_type"] == ("why" if applies else "how")
