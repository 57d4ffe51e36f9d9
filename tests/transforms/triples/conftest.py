"""Small threads as the tables that the triples stage reads."""

from collections.abc import Sequence
from typing import Any

import pyarrow as pa
import pytest

from expectations import table
from transforms.questions import extract_questions
from transforms.result import Result, Tables
from transforms.triples.build import build_triples

Row = dict[str, Any]
PARAMS = {"min_context_words": 16, "languages": ["en"]}


def _filled(name: str, rows: Sequence[Row]) -> pa.Table:
    schema = table(name).schema
    blank = {f.name: None if f.nullable else "" for f in schema}
    return pa.Table.from_pylist([{**blank, **row} for row in rows], schema=schema)


class Threads:
    """Collects posts, and runs the stage over them."""

    def __init__(self) -> None:
        self.posts: list[Row] = []
        self.lessons: dict[str, Row] = {}
        self.sentences: list[Row] = []

    def add(self, question: str, *answers: str, lesson: str = "s:1", title: str = "Ice", name: str = "") -> None:
        """One thread: a question post and its answers."""
        self.lessons[lesson] = {"lesson_id": lesson, "source": "s", "title": title, "subject": "physics"}
        thread = name or f"s:t{len(self.posts):04}"
        post = {"lesson_id": lesson, "thread_id": thread, "source": "s", "accepted": False, "language": "en"}
        self.posts.append({**post, "post_id": thread, "kind": "question", "text": question})
        for number, answer in enumerate(answers):
            reply = {"post_id": f"{thread}-a{number:03}", "parent_id": thread, "kind": "answer", "text": answer}
            self.posts.append({**post, **reply})

    def tables(self) -> Tables:
        """The input tables, questions extracted."""
        tables = {
            "posts": _filled("posts", self.posts),
            "lessons": _filled("lessons", list(self.lessons.values())),
            "sentences": _filled("sentences", self.sentences),
        }
        return {**tables, "questions": extract_questions(tables, PARAMS).tables["questions"]}

    def build(self) -> Result:
        """The stage's result."""
        return build_triples(self.tables(), PARAMS)


@pytest.fixture
def threads() -> Threads:
    return Threads()


@pytest.fixture(scope="session")
def new_threads() -> type[Threads]:
    return Threads
