"""Triples against KhanQ's published rows, and the yield on raw Khan Academy threads (docs/triples.md)."""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from transforms.ingest import RECORDS, ingest
from transforms.questions import extract_questions
from transforms.result import Result
from transforms.sentences import split_lessons
from transforms.triples.build import build_triples

Row = dict[str, Any]
# The default of `triples.min_context_words` in the settings.
MIN_CONTEXT_WORDS = 16
_MARKS = (",", ".", "?", "!", ";", ":")


@dataclass(frozen=True)
class Thread:
    """A lesson's title, a question post and its answers."""

    title: str
    question: str
    answers: tuple[str, ...]


@dataclass(frozen=True)
class Outcome:
    """What became of one published row."""

    kept: bool
    one: bool
    question: bool
    prompt_type: bool


def run(threads: Iterable[Thread]) -> Result:
    """Every stage from raw records to triples, each thread in a lesson of its own."""
    records = []
    for number, thread in enumerate(threads):
        lesson = f"t:{number:05}"
        posts = [{"post_id": "q", "kind": "question", "text": thread.question}]
        posts += [{"post_id": f"a{i:03}", "kind": "answer", "text": a} for i, a in enumerate(thread.answers)]
        records.append(_record("lesson", lesson, lesson, {"title": thread.title, "language": "en"}))
        for post in posts:
            native = f"{number:05}-{post['post_id']}"
            body = {**post, "post_id": native, "thread_id": str(number), "parent_id": f"{number:05}-q"}
            if post["kind"] == "question":
                del body["parent_id"]
            records.append(_record("post", lesson, f"t:{native}", body))
    params = {"takedowns": [], "pseudonym_key": "", "languages": ["en"], "min_context_words": MIN_CONTEXT_WORDS}
    tables = ingest({"records": pa.Table.from_pylist(records, schema=RECORDS)}, params).tables
    tables |= split_lessons(tables, params).tables
    tables |= extract_questions(tables, params).tables
    return build_triples(tables, params)


def _record(kind: str, lesson: str, record: str, body: Row) -> Row:
    return {
        "source": "t",
        "type": kind,
        "lesson_id": lesson,
        "record_id": record,
        "body": json.dumps(body),
        "fetched_at": None,
        "lesson_version": "",
        "source_language": "en",
    }


def joined(row: Row, mark: str | None = None, lower: bool = False) -> str:
    """Prompt and question as one post; the mark between them is chosen by a digest of the text, never by the type."""
    prompt, question = row["Prompt"]["content"].strip(), row["Question"].strip()
    if lower:
        question = question[0].lower() + question[1:]
    if prompt.endswith(_MARKS):
        return f"{prompt} {question}"
    chance = hashlib.sha256(prompt.encode()).digest()[0] % 2
    return f"{prompt}{mark or ',.'[chance]} {question}"


def judge(rows: list[Row], mark: str | None = None, lower: bool = False) -> list[Outcome]:
    """The outcome of each published row, its own context as the answer."""
    threads = [Thread(r["Source"], joined(r, mark, lower), (r["Context"],)) for r in rows]
    found: dict[int, list[Row]] = {}
    for triple in run(threads).tables["triples"].to_pylist():
        found.setdefault(int(triple["lesson_id"][2:]), []).append(triple)
    outcomes = []
    for number, row in enumerate(rows):
        drafts = found.get(number, [])
        question, kind = " ".join(row["Question"].split()), row["Prompt"]["type"].lower()
        exact = [d for d in drafts if d["question"] == question] or drafts
        outcomes.append(
            Outcome(
                kept=bool(drafts),
                one=len(drafts) == 1,
                question=bool(drafts) and exact[0]["question"] == question,
                prompt_type=bool(drafts) and exact[0]["prompt_type"] == kind,
            )
        )
    return outcomes


def held_out(row: Row) -> bool:
    """A quarter of the lessons: nobody looked at what the rules missed there while they were written."""
    digest = hashlib.sha256(row["Source"].encode()).digest()
    return bool(digest[0] % 2 and digest[1] % 2)


def _line(name: str, outcomes: list[Outcome]) -> str:
    total = len(outcomes) or 1
    share = {
        field: 100 * sum(getattr(o, field) for o in outcomes) / total
        for field in ("kept", "one", "question", "prompt_type")
    }
    return (
        f"  {name:<34} rows {len(outcomes):4}   a triple {share['kept']:5.1f} %   exactly one {share['one']:5.1f} %"
        f"   question exact {share['question']:5.1f} %   prompt type {share['prompt_type']:5.1f} %"
    )


def report_published(path: Path) -> None:
    """Print the figures on KhanQ's published rows."""
    rows = json.loads(path.read_text())
    outcomes = judge(rows)
    ended = [r["Prompt"]["content"].strip().endswith(_MARKS) for r in rows]
    print(f"triples: {len(rows)} published rows of KhanQ, prompt and question joined again")
    print(_line("all rows", outcomes))
    print(_line("prompt without a mark at its end", [o for o, e in zip(outcomes, ended, strict=True) if not e]))
    print(_line("prompt with a mark at its end", [o for o, e in zip(outcomes, ended, strict=True) if e]))
    unseen = [o for o, r in zip(outcomes, rows, strict=True) if held_out(r)]
    print(_line("misses never looked at", unseen))
    print(_line("always a comma", judge(rows, ",")))
    print(_line("always a full stop", judge(rows, ".")))
    print(_line("question begun in lower case", judge(rows, lower=True)))


def report_raw(path: Path) -> None:
    """Print what becomes of raw threads."""
    threads = [Thread("", r["question"], tuple(r["answers"])) for r in json.loads(path.read_text())]
    result = run(threads)
    units = sum((u.rows_in for u in result.units.values()), 0)
    kept = sum((u.kept for u in result.units.values()), 0)
    print(f"triples: {len(threads)} raw threads, {units} pairs of question sentence and answer")
    print(f"  kept {kept} pairs ({100 * kept / units:.1f} %) in {result.tables['triples'].num_rows} triples")
    for reason, count in Counter(result.rejects["reason"].to_pylist()).most_common():
        print(f"  {reason:<26} {count:5} ({100 * count / units:.1f} %)")


def report(data: Path) -> None:
    """Print every figure of docs/triples.md."""
    report_published(data / "khanq" / "khanq_dev.json")
    report_raw(data / "khan_discussions" / "questions_dev.json")
