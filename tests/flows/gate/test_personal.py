"""Personal data: what is scrubbed from a file is what the gate looks for, in every column that people fill."""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from conftest import write_corpus
from poison import Poison, first

from expectations import TABLES
from expectations.prose import EXEMPT
from flows.gate.contents import check_contents, merge
from flows.gate.personal import without
from flows.store import files

SECRETS = ["write to ann.lee@mail.example.com", "call +49 30 5550 1234", "ask @annlee99"]
SEARCHED = [(t, name) for t in TABLES.values() for name in t.prose]
RULE = "no_personal_data"


def holding(kind: str, text: str) -> Any:
    """A value of a column of this type that holds a text; a null beside it hides nothing."""
    return {"text": text, "texts": ["fine", None, text], "captions": [{"start": 0.0, "text": text}]}[kind]


@pytest.mark.parametrize(("table", "name"), SEARCHED, ids=lambda x: getattr(x, "name", x))
@pytest.mark.parametrize("secret", SECRETS)
def test_every_column_of_prose_is_searched_and_scrubbed(table: Any, name: str, secret: str) -> None:
    (kind,) = (column.type for column in table.columns if column.name == name)
    good, bad = ({name: holding(kind, text)} for text in ("Why?", f"Why? {secret}"))
    rows = pa.Table.from_pylist([good, bad, good], schema=table.schema)
    (found,) = [check for check in merge(table, [check_contents(table, rows)]) if check.rule == RULE]
    assert (found.result, found.rows_failing) == ("failed", 1)
    assert secret not in str(found.observed)
    clean = without(rows, table)
    assert clean.schema.equals(table.schema)
    assert clean.slice(0, 1).equals(rows.slice(0, 1))
    assert secret not in str(clean.to_pylist())
    (found,) = [check for check in merge(table, [check_contents(table, clean)]) if check.rule == RULE]
    assert found.result == "passed"


def test_other_text_is_left_out_for_a_reason() -> None:
    tables = [table for table in TABLES.values() if table.stored == "snapshot"]
    textual = {c.name for t in tables for c in t.columns if c.type in ("text", "texts", "captions")}
    searched = {name for table in tables for name in table.prose}
    declared = {c.name for t in tables for c in t.columns if c.values or c.pattern or c.joined}
    assert textual - searched <= set(EXEMPT) | declared
    assert searched.isdisjoint(EXEMPT)


@pytest.mark.parametrize(
    ("name", "column"),
    [("lessons", "text"), ("posts", "license"), ("questions", "text"), ("triples", "context"), ("rejects", "text")],
)
def test_personal_data_stops_a_build(poison: Poison, name: str, column: str) -> None:
    (found,) = poison.stops(poison.candidate(name, first(**{column: f"Why? {SECRETS[0]}"})))
    assert found.name == f"{name}.{RULE}"
    assert found.rows_failing == 1


@pytest.mark.parametrize(
    ("url", "kept"),
    [
        ("mailto:ann@mail.example.com", False),
        (" MailTo:ann@mail.example.com?subject=tides", False),
        ("tel:+49-30-5550-1234", False),
        ("https://forum.example.org/u?mail=ann@mail.example.com", False),
        ("https://forum.example.org/u?mail=ann%40mail.example.com", False),
        ("https://pages.example.org/npm/react@18.2.0/index.js", True),
        ("https://forum.example.org/@annlee99/555-0199", False),
        ("https://forum.example.org/users/4/ann-lee", False),
        ("https://www.linkedin.com/in/ann-lee", False),
        ("https://numpy.example.org/doc/stable/user/basics.html", True),
        ("https://forum.example.org/t/why/12/3", True),
        ("urn:isbn:9780131103627", True),
        (None, True),
    ],
)
@pytest.mark.parametrize("name", ["lessons", "posts"])
def test_an_address_of_a_person_is_dropped(name: str, url: str | None, kept: bool) -> None:
    table = TABLES[name]
    rows = pa.Table.from_pylist([{"url": url}], schema=table.schema)
    (found,) = [check for check in merge(table, [check_contents(table, rows)]) if check.rule == RULE]
    assert found.result == ("passed" if kept else "failed")
    assert without(rows, table)["url"].to_pylist() == [url if kept else None]


def test_ids_are_kept(poison: Poison) -> None:
    # They say which record is meant: a message id stays what the source's own addresses say.
    table = TABLES["posts"]
    rows = pa.Table.from_pylist([{"post_id": "list:a1@mail.example.com"}], schema=table.schema)
    assert without(rows, table).equals(rows)


def test_no_personal_data_reaches_any_table(build: Any, corpus: Path) -> None:
    secrets = ("Janet Qu", "janet-qu", "Boris Zed", "janetq7", "ann.lee", "5550", "mail.example.com")
    lesson = {
        "lesson_id": "l", "title": "Ask ann.lee@mail.example.com", "subject": "call +49 30 5550 1234",
        "course": "@janetq7", "captions": [{"start": 0, "text": "Zinc protects the iron. Tel. 05550123456"}],
        "license": "ann.lee@mail.example.com", "url": "https://forum.example.org/?mail=ann.lee@mail.example.com",
    }  # fmt: skip
    posts = [
        {"post_id": "a", "lesson_id": "l", "author": "Janet Quux", "kind": "question", "url": "tel:+49-30-5550-1234",
         "text": "If zinc is scratched, why does the iron not rust?\nJanet Quux"},
        {"post_id": "b", "lesson_id": "l", "author": "janetq7", "parent_id": "a", "kind": "answer",
         "author_role": "ann.lee@mail.example.com",
         "text": "As Janet Quux guessed, zinc gives its electrons away first, so that the iron keeps its own as "
                 "long as some of the zinc is left. Ask ann.lee (at) mail.example.com, janetq7 or 0049 30 5550 1234."},
        {"post_id": "b", "lesson_id": "l", "text": "Janet Quux knows janetq7, or so does ann.lee@mail.example.com"},
        {"post_id": "d", "lesson_id": "l", "text": "Why?", "author_role": "Janet Quux", "license": "(c) janet quux",
         "url": "https://forum.example.org/posts/janet-quux/4"},
        {"post_id": "e", "lesson_id": "l", "text": "x" * 490 + " Janet Quux", "created_at": "by Janet Quux yesterday"},
        {"post_id": "c", "lesson_id": "gone", "author": "Janet Quux", "text": "Is Janet Quux here? 0044 30 5550 1234"},
    ]  # fmt: skip
    write_corpus(
        corpus,
        [lesson],
        posts,
        bad=['{"text": "call 555-5550, said Boris Zed", "author": "Boris Zed"}', "Tel. 05550123456 {", '["Boris Zed"]'],
    )
    quiz = {
        "quiz_id": "q",
        "lesson_id": "l",
        "text": "Who is @janetq7?",
        "options": ["ann.lee@mail.example.com", "555-5550"],
    }
    (corpus / "quizzes.jsonl").write_text(json.dumps(quiz) + "\n")
    run, outcome = build()
    stored = {ref.path: str(files.read(run.home / ref.path).to_pylist()) for ref in outcome.manifest.files}
    assert [(path, secret) for path, text in stored.items() for secret in secrets if secret in text] == []
    assert "[user] guessed, zinc gives" in "".join(stored.values())
