"""Read what `quarry evaluate describe` describes: the views of a snapshot, or a file in KhanQ's published form."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb

from expectations.triples import PROMPT_TYPES
from flows.errors import ConfigError
from flows.store.home import Home
from transforms.describe import Corpus, Measured, TriplesDescription, describe_corpus, describe_triples

Row = dict[str, Any]

_TRIPLES = "select context, prompt, question, prompt_type, reasoning_type from triples where review <> 'rejected'"
# Who asked: LearningQ keeps what its classifier finds useful, and sets instructors' questions apart.
_ASKED = {
    "learners": "select q.lesson_id, q.text, p.language from questions q join posts p on p.post_id = q.post_id",
    "learners, useful": "select q.lesson_id, q.text, p.language from questions q "
    "join posts p on p.post_id = q.post_id join scores s on s.question_id = q.question_id where s.useful",
    "instructors": "select q.lesson_id, q.text, l.language from quizzes q join lessons l on l.lesson_id = q.lesson_id",
}
# A question without a document makes no pair, and the other way round (LearningQ, Table 3, row 4).
_PAIRS = """
    with asked as (
        select lesson_id, list({{'text': text, 'language': language}}) as asked from ({asked}) group by lesson_id
    ),
    documents as (
        select lesson_id, list(text order by sentence_no) as sentences from sentences group by lesson_id
    )
    select l.source, l.kind, l.lesson_id, l.language, d.sentences, a.asked
    from asked a join documents d on d.lesson_id = a.lesson_id join lessons l on l.lesson_id = a.lesson_id
"""


def triples_of(connection: duckdb.DuckDBPyConnection) -> TriplesDescription:
    """Describe the triples of a snapshot that nobody rejected."""
    return describe_triples(_stream(connection.execute(_TRIPLES)))


def corpora_of(connection: duckdb.DuckDBPyConnection) -> list[tuple[str, str, str, Corpus]]:
    """LearningQ's Table 3: a column for each source, kind of lesson and creator of the questions."""
    from transforms.sentences import split

    found: dict[tuple[str, str, str], tuple[Measured, Measured]] = {}
    for creator, asked in _ASKED.items():
        for row in _stream(connection.execute(_PAIRS.format(asked=asked))):
            key = (row["source"], row["kind"], creator)
            documents, questions = found.setdefault(key, (Measured(), Measured()))
            documents.add(row["sentences"], row["language"])
            for each in row["asked"]:
                questions.add(split(each["text"], each["language"] or "en"), each["language"], scope=row["lesson_id"])
    return [(*key, describe_corpus(*measured)) for key, measured in sorted(found.items())]


def khanq_file(path: Path, home: Home | None) -> tuple[TriplesDescription, str]:
    """Describe a file of KhanQ's form, and say what suggested the reasoning types, which it does not hold."""
    rows = _read_khanq(path)
    kinds, by = _reasoning_types([row["question"] for row in rows], home)
    return describe_triples({**row, "reasoning_type": kind} for row, kind in zip(rows, kinds, strict=True)), by


def _read_khanq(path: Path) -> list[Row]:
    try:
        listed = json.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as problem:
        raise ConfigError(f"{path} cannot be read ({problem.strerror})") from None
    except (ValueError, RecursionError):
        raise ConfigError(f"{path} is no JSON in UTF-8") from None
    if not isinstance(listed, list) or not listed:
        raise ConfigError(f"{path} is no file of KhanQ's form: a list of {{Source, Context, Prompt, Question}}")
    return [_triple(item, f"{path}, item {number}") for number, item in enumerate(listed, 1)]


def _triple(item: Any, where: str) -> Row:
    try:
        prompt = item["Prompt"]
        row = {"context": item["Context"], "prompt": prompt["content"], "question": item["Question"]}
        kind = prompt["type"].strip().lower()
    except (KeyError, TypeError, AttributeError):
        raise ConfigError(f"{where}: Context, Question and Prompt with type and content are needed") from None
    for name, value in row.items():
        if not isinstance(value, str) or not value.strip():
            raise ConfigError(f"{where}: the {name} is no text")
    if kind not in PROMPT_TYPES:
        raise ConfigError(f"{where}: the prompt's type {kind!r} is none of {', '.join(PROMPT_TYPES)}")
    return {**row, "prompt_type": kind}


def _reasoning_types(questions: list[str], home: Home | None) -> tuple[list[str], str]:
    """By the home's current model, else by the rules alone."""
    from flows.models import current_id, load_model
    from transforms.types import rules

    name = current_id(home, "reasoning_type") if home else None
    if home is None or name is None:
        return [rules.reasoning_type(rules.read(text)) for text in questions], "rules"
    model: Any = load_model(home.path, "reasoning_type", name)
    return list(model.predict(questions)), name


def _stream(cursor: duckdb.DuckDBPyConnection) -> Iterator[Row]:
    names = [column[0] for column in cursor.description]
    while batch := cursor.fetchmany(1000):
        yield from (dict(zip(names, row, strict=True)) for row in batch)
