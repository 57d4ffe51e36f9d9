"""Parts of a record that cannot be read: they are left out and told, and the record stays."""

import json
from typing import Any

import pyarrow as pa
import pytest

from transforms.ingest import RECORDS, ingest
from transforms.result import Result


def run(*bodies: tuple[str, dict[str, Any]]) -> Result:
    common = {"source": "s", "lesson_id": "s:l", "lesson_version": "v", "source_language": "en", "taken_down": False}
    rows = [
        {**common, "type": kind, "record_id": f"s:{body.get('quiz_id', 'l')}", "body": json.dumps(body)}
        for kind, body in bodies
    ]
    return ingest({"records": pa.Table.from_pylist(rows, schema=RECORDS)}, {"pseudonym_key": "k"})


def lost(result: Result) -> list[tuple[str, str, str]]:
    rows = result.rejects.select(["record_id", "reason", "detail"]).to_pylist()
    assert all(u.rows_in - u.kept == result.rejects.num_rows for u in result.units.values())
    return [(row["record_id"], row["reason"], row["detail"]) for row in rows]


def test_captions_without_times_become_the_text_of_a_video() -> None:
    result = run(("lesson", {"lesson_id": "l", "captions": [{"text": "The moon"}, {"start": "?", "text": "pulls."}]}))
    (lesson,) = result.tables["lessons"].to_pylist()
    assert (lesson["kind"], lesson["text"], lesson["captions"]) == ("video", "The moon pulls.", None)
    assert lost(result) == [("s:l", "no_caption_times", "no two captions have different starts that can be read")]


def test_captions_with_times_are_told_with_their_ends() -> None:
    cues = [{"start": "0:01", "end": 2, "text": "The <b>moon</b>"}, {"start": 4, "text": "pulls."}]
    result = run(("lesson", {"lesson_id": "l", "captions": cues}))
    (lesson,) = result.tables["lessons"].to_pylist()
    assert lesson["captions"] == [
        {"start": 1.0, "end": 2.0, "text": "The moon"},
        {"start": 4.0, "end": None, "text": "pulls."},
    ]
    assert lost(result) == []


@pytest.mark.parametrize(("hint", "seconds"), [("1:20", 80.0), ("80", 80.0), ("1m20s", 80.0), (80, 80.0), ("", None)])
def test_hints_may_be_clocks(hint: Any, seconds: float | None) -> None:
    result = run(("lesson", {"lesson_id": "l"}), ("quiz", {"quiz_id": "q", "text": "Why?", "hint_seconds": hint}))
    assert result.tables["quizzes"]["hint_seconds"].to_pylist() == [seconds]
    assert lost(result) == []


@pytest.mark.parametrize("hint", ["soon", float("nan"), True, [80], {"at": 80}])
def test_a_quiz_whose_hint_cannot_be_read_stays(hint: Any) -> None:
    result = run(("lesson", {"lesson_id": "l"}), ("quiz", {"quiz_id": "q", "text": "Why?", "hint_seconds": hint}))
    assert result.tables["quizzes"]["hint_seconds"].to_pylist() == [None]
    assert [row[:2] for row in lost(result)] == [("s:q", "bad_hint")]
