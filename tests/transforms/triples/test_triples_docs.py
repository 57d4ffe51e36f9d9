"""The examples of docs/triples.md are what the code does."""

import re
from pathlib import Path

import pytest

from transforms.triples.asking import ask_all
from transforms.triples.contexts import make_context
from transforms.triples.rewrites import rewrite
from transforms.triples.wording import PROMPT_RULES, QUESTION_RULES

PAGE = (Path(__file__).parents[3] / "docs" / "triples.md").read_text(encoding="utf-8")


def rows(heading: str) -> list[list[str]]:
    """The cells of the first table below a heading, without its header."""
    section = PAGE.partition(f"## {heading}")[2].partition("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


SPLITS = [row for row in rows("A.2") if " / " not in row[3] and len(row) == 4]


@pytest.mark.parametrize("row", SPLITS, ids=lambda row: row[0])
def test_prompt_and_question(row: list[str]) -> None:
    _, post, prompt, question = row
    found = re.finditer(r"(?!\s)[^.?!]*\?", post)
    questions = [{"start_char": m.start(), "end_char": m.end(), "question_id": ""} for m in found]
    asked = ask_all(post, questions, [], None)[-1]
    assert (asked.prompt, asked.question) == (prompt, question)


@pytest.mark.parametrize("row", rows("A.4"), ids=lambda row: row[0])
def test_contexts(row: list[str]) -> None:
    name, before, after = row
    for answer in before.split(" / "):
        text, edits = make_context(answer.replace("⏎", "\n"))
        assert text == after
        assert name.split("`")[1] in edits


@pytest.mark.parametrize("row", [r for r in rows("A.5") if r[0] != "`pronoun`"], ids=lambda row: row[0] + row[1])
def test_wording(row: list[str]) -> None:
    name, where, before, after = row
    text, edits = rewrite(before, QUESTION_RULES if where == "question" else PROMPT_RULES)
    assert text == after
    assert name.strip("`") in edits


def test_the_tables_were_found() -> None:
    assert len(SPLITS) >= 10
    assert len(rows("A.4")) >= 6
    assert len(rows("A.5")) >= 13
