"""Find the question sentences of posts (LearningQ, data collection: sentences that end in a question mark).

Most posts ask nothing: they are set aside in Arrow, and only the text of the others ever becomes Python strings.
A unit of the accounting is a question that was found, or a post in which none was.
"""

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator
from json.encoder import encode_basestring_ascii
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from expectations import table
from transforms import punkt, question_marks
from transforms.masking import MARKS
from transforms.result import Params, Result, Tables, Units
from transforms.timestamps import MAY_CITE, cited_times, nearest_time

Row = tuple[Any, ...]
Find = Callable[[str, str], list[tuple[int, int]]]

SPLITTERS: dict[str, Find] = {"sentencex": question_marks.find_questions, "nltk": punkt.find_questions}
_PLAIN = [(sign, plain) for signs, plain in ((MARKS[1:], "?"), ("“”„«»", '"'), ("‘’", "'")) for sign in signs]
_NAME = re.compile(r"[A-Z](?!\w)(?<!\w.)(?<!\AA)(?!(?<=I)[' ])")  # a variable, not the words "A" and "I"
_SHOWN = 500  # characters of a rejected post
_ORDER = [("created_at", "ascending"), ("post_id", "ascending")]


def extract_questions(inputs: Tables, params: Params, model: object = None) -> Result:
    """Input: posts. Output: questions.

    Rejects: `other_language` and `no_question` (posts), `duplicate_question` (merged within the lesson).
    """
    find = SPLITTERS[params.get("splitter", "sentencex")]
    # The earliest post keeps a duplicated question; posts without a time come last.
    order = pc.sort_indices(inputs["posts"].select(["created_at", "post_id"]), _ORDER)
    posts = inputs["posts"].select(["post_id", "lesson_id", "text", "language"]).take(order)
    understood = pc.is_in(posts["language"], pa.array(sorted(params["languages"]), pa.string()))
    asking = pc.and_(understood, pc.fill_null(pc.match_substring_regex(posts["text"], f"[{MARKS}]"), False))
    candidates = posts.filter(asking)
    found: list[Row] = []
    duplicates: list[Row] = []
    silent = list(_read(candidates, find, found, duplicates))
    mute = pa.concat_tables(
        [posts.filter(pc.and_not(understood, asking)), candidates.take(pa.array(silent, pa.int64()))]
    )
    questions = _table("questions", found)
    rejects = pa.concat_tables(
        [
            _rejected(posts.filter(pc.invert(understood)), "other_language"),
            _rejected(mute.sort_by("post_id"), "no_question"),
            _table("rejects", duplicates),
        ]
    )
    return Result({"questions": questions}, rejects, _units(questions, rejects))


def _read(posts: pa.Table, find: Find, found: list[Row], duplicates: list[Row]) -> Iterator[int]:
    """Collect the questions of the posts in this order; yields the numbers of the posts that have none."""
    first_of: dict[tuple[str, str, float | None], str] = {}
    columns = [posts[name].to_pylist() for name in ("post_id", "lesson_id", "text", "language")]
    timed = pc.match_substring_regex(posts["text"], MAY_CITE).to_pylist()
    for row, (post_id, lesson_id, text, language, may_cite) in enumerate(zip(*columns, timed, strict=True)):
        stretches = find(text, language)
        if not stretches:
            yield row
            continue
        times = cited_times(text) if may_cite else []
        occurrences: dict[str, int] = {}
        for number, (start, end) in enumerate(stretches):
            words = " ".join(text[start:end].split())
            same = normalise(words)
            occurrences[same] = occurrence = occurrences.get(same, -1) + 1
            question_id = _question_id(post_id, same, occurrence)
            # "Why is that?" asks another thing at another time of the video.
            time = nearest_time(times, text, start, end) if times else None
            kept = first_of.setdefault((lesson_id, same, time), question_id)
            if kept == question_id:
                found.append((question_id, post_id, lesson_id, number, words, start, end, time))
            else:
                duplicates.append(
                    ("questions", question_id, lesson_id, "duplicate_question", post_id, kept, words[:_SHOWN])
                )


def _question_id(post_id: str, same: str, occurrence: int) -> str:
    """What `digest("question", post_id, same, occurrence)` gives, at a quarter of its time."""
    body = f'["question",{encode_basestring_ascii(post_id)},{encode_basestring_ascii(same)},{occurrence}]'
    return hashlib.sha256(body.encode()).hexdigest()[:16]


def normalise(question: str) -> str:
    """What makes two questions the same: case, quotes and end marks aside; but `C` is not `c`, and `n!` not `n`."""
    if not question.isascii():
        for sign, plain in _PLAIN:  # three times as fast as `translate`
            question = question.replace(sign, plain)
    asked, _, behind = question.rpartition("?")
    asked = asked.rstrip(" ?.…")
    if asked.endswith("!") and not question_marks.FACTORIAL.search(asked[-3:]):
        asked = asked.rstrip(" ?!.…")
    if behind and behind.strip(" !.…"):  # the end of a quotation or bracket
        asked = asked.lstrip("\"'([")
    if not _NAME.search(asked):
        return asked.lower() + "?"
    signs = [sign.lower() for sign in asked]
    for name in _NAME.finditer(asked):
        signs[name.start()] = name[0]
    return "".join(signs) + "?"


def _table(name: str, rows: Iterable[Row]) -> pa.Table:
    schema = table(name).schema
    columns = list(zip(*rows, strict=True)) or [()] * len(schema)
    return pa.table([pa.array(column, kind.type) for column, kind in zip(columns, schema, strict=True)], schema=schema)


def _rejected(posts: pa.Table, reason: str) -> pa.Table:
    """A reject for each of these posts; the detail of a foreign one is its language."""
    rows = len(posts)
    columns = {
        "stage": pa.repeat("questions", rows),
        "record_id": posts["post_id"],
        "lesson_id": posts["lesson_id"],
        "reason": pa.repeat(reason, rows),
        "detail": posts["language"] if reason == "other_language" else pa.nulls(rows, pa.string()),
        "merged_into": pa.nulls(rows, pa.string()),
        "text": pc.utf8_slice_codeunits(posts["text"], 0, _SHOWN),
    }
    schema = table("rejects").schema
    return pa.table([columns[name] for name in schema.names], schema=schema)


def _units(questions: pa.Table, rejects: pa.Table) -> dict[str, Units]:
    units: dict[str, Units] = {}
    for rows, kept in ((questions, 1), (rejects, 0)):
        for entry in pc.value_counts(rows["lesson_id"]).to_pylist():
            count, lesson_id = entry["counts"], entry["values"]
            units[lesson_id] = units.get(lesson_id, Units()) + Units(count, count * kept)
    return units
