"""Names that ingest writes nowhere, and what a quiz says of itself."""

import json
from datetime import UTC, datetime
from typing import Any

import pyarrow as pa

from transforms.ingest import RECORDS, ingest
from transforms.result import Result

AT = datetime(2024, 5, 1, tzinfo=UTC)


def ingested(*bodies: tuple[str, dict[str, Any] | str]) -> Result:
    rows = [
        {
            "source": "s", "type": kind, "lesson_id": "s:l", "record_id": f"s:{number}", "fetched_at": AT,
            "body": body if isinstance(body, str) else json.dumps(body), "verdict": "allowed", "lesson_version": "1",
            "source_language": "en", "taken_down": False, "elsewhere": None,
        } for number, (kind, body) in enumerate([("lesson", {"lesson_id": "l", "license": "CC0"}), *bodies])
    ]  # fmt: skip
    return ingest({"records": pa.Table.from_pylist(rows, schema=RECORDS)}, {"pseudonym_key": "k"})


def post(text: object, **fields: Any) -> tuple[str, dict[str, Any]]:
    return "post", {"post_id": "p", "lesson_id": "l", "text": text, **fields}


def test_further_names_of_an_author_are_written_nowhere() -> None:
    known = {"author": "kaid_1", "author_names": ["Janet Quux", "jq&#49;7"]}
    found = ingested(
        post("Why?", **known),
        post("Thanks, Janet! As Janet Quux and jq17 said.", author_names=[]),
        post("", **known),
        post("So says Janet Quux", votes="many", **known),
        post("Janet Quux has a name that is no list", author_names="Janet Quux"),
        ("bad", '{"text": "Why?", "author_names": ["Janet Quux", "jq17"], '),
    )
    assert [row["text"] for row in found.tables["posts"].to_pylist()] == [
        "Why?", "Thanks, [user]! As [user] and [user] said.",
    ]  # fmt: skip
    reasons = sorted(row["reason"] for row in found.rejects.to_pylist())
    assert reasons == ["bad_field", "bad_field", "empty_post", "not_json"]
    written = json.dumps([t.to_pylist() for t in (*found.tables.values(), found.rejects)], default=str)
    assert not {"Quux", "jq17"} & set(written.replace('"', " ").split())


def test_a_quiz_says_when_and_why_it_was_fetched_and_its_licence_or_its_lesson_s() -> None:
    quiz = {"quiz_id": "q", "lesson_id": "l", "text": "Why?"}
    rows = ingested(("quiz", quiz), ("quiz", quiz | {"license": "CC BY 4.0"})).tables["quizzes"].to_pylist()
    assert [(row["license"], row["fetched_at"], row["verdict"]) for row in rows] == [
        ("CC0", AT, "allowed"), ("CC BY 4.0", AT, "allowed"),
    ]  # fmt: skip
