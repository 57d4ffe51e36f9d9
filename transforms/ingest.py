"""Turn raw records of any source into lessons, posts and quizzes.

A record is what a source yielded: JSON with the public column names and native ids. Here ids get their prefix,
text is cleaned and scrubbed, authors become pseudonyms, and what does not fit is rejected.
"""

import json
from collections import defaultdict
from typing import Any

import pyarrow as pa

from transforms import clocks, fields
from transforms.authors import Names
from transforms.captions import captions
from transforms.fields import BadField
from transforms.language import detect
from transforms.privacy import pseudonym, scrub
from transforms.result import Ledger, Params, Result, Tables

RECORDS = pa.schema(
    [
        pa.field("source", pa.string(), nullable=False),
        pa.field("type", pa.string(), nullable=False),  # lesson, post, quiz, reject (of a crawl), or bad
        pa.field("lesson_id", pa.string(), nullable=False),
        pa.field("record_id", pa.string(), nullable=False),
        pa.field("body", pa.string(), nullable=False),  # canonical JSON; the raw line of a bad record
        pa.field("fetched_at", pa.timestamp("us", tz="UTC")),
        pa.field("verdict", pa.string()),
        pa.field("lesson_version", pa.string(), nullable=False),
        pa.field("source_language", pa.string(), nullable=False),
        pa.field("taken_down", pa.bool_(), nullable=False),
        pa.field("elsewhere", pa.string()),  # the lesson that keeps this id, when it is another one
    ]
)

Record = dict[str, Any]
_SHOWN, _READ = 500, 2000  # characters of a reject, and of the text that they are taken from


def ingest(inputs: Tables, params: Params, model: object = None) -> Result:
    """Input: records. Output: lessons, posts, quizzes.

    Rejects: `not_json`, `missing_id`, `bad_field`, `empty_post`, `empty_quiz`, `duplicate_id`, `copy` (merged),
    `no_lesson`, `unknown_lesson`, `taken_down`, and what a crawl or a reader could not take, with its reason. A part
    that cannot be read (`no_caption_times`, `bad_hint`) is left out and counted by itself; the lesson or quiz stays.
    """
    ledger = Ledger("ingest")
    rank = {"lesson": 0, "post": 1, "quiz": 2, "reject": 3, "bad": 4}
    records = sorted(inputs["records"].to_pylist(), key=lambda r: (rank[r["type"]], r["record_id"], r["body"]))
    lessons: dict[str, Record] = {}
    names = _NamesOfLessons(records, lessons)
    lost: dict[str, str] = {}
    bodies: dict[tuple[str, str], str] = {}
    for record in records:
        if record["type"] == "bad":
            _reject_unreadable(record, ledger)
            continue
        if record["elsewhere"]:
            _reject(
                record, ledger, names, "duplicate_id", detail=f"the id is that of a record of {record['elsewhere']}"
            )
            continue
        key = (record["type"], record["record_id"])
        if key in bodies:
            same = bodies[key] == record["body"]
            _reject(record, ledger, names, "copy" if same else "duplicate_id", merged_into=key[1] if same else None)
            continue
        bodies[key] = record["body"]
        body = json.loads(record["body"])
        if record["taken_down"]:
            _reject(record, ledger, names, "taken_down", show_text=False)
            continue
        try:
            if record["type"] == "reject":
                raise BadField(fields.text(body, "detail"), fields.optional_text(body, "reason") or "bad_record")
            if record["type"] == "lesson":
                lessons[record["lesson_id"]] = _lesson(record, body, ledger)
                ledger.add("lessons", lessons[record["lesson_id"]])
            elif record["lesson_id"] not in lessons:
                reason = "no_lesson" if record["lesson_id"].endswith(":?") else "unknown_lesson"
                _reject(record, ledger, names, reason, detail=lost.get(record["lesson_id"]))
                continue
            elif record["type"] == "post":
                ledger.add("posts", _post(record, body, lessons[record["lesson_id"]], names, params["pseudonym_key"]))
            else:
                ledger.add("quizzes", _quiz(record, body, lessons[record["lesson_id"]], ledger))
        except BadField as problem:
            if record["type"] == "lesson":
                lost[record["lesson_id"]] = f"its lesson was rejected: {problem}"
            _reject(record, ledger, names, problem.reason, detail=str(problem))
            continue
        ledger.keep(record["lesson_id"])
    return ledger.result("lessons", "posts", "quizzes")


def _lesson(record: Record, body: Record, ledger: Ledger) -> Record:
    cues = captions(body.get("captions"))
    text = " ".join(cue["text"] for cue in cues) if cues else fields.text(body, "text")
    kind = fields.choice(body, "kind", ("article", "video", "page"), "video" if cues else "article")
    title = fields.text(body, "title")
    is_timed = bool(cues) and cues[0]["start"] is not None
    row = {
        "lesson_id": record["lesson_id"],
        "source": record["source"],
        "kind": kind,
        "title": title,
        "url": fields.optional_text(body, "url"),
        "subject": fields.optional_text(body, "subject"),
        "course": fields.optional_text(body, "course"),
        "language": fields.language(body, "language") or detect(text or title, record["source_language"]),
        "license": fields.optional_text(body, "license"),
        "text": scrub(text),
        "captions": [cue | {"text": scrub(cue["text"])} for cue in cues] if is_timed else None,
        "fetched_at": record["fetched_at"],
        "verdict": record["verdict"],
        "lesson_version": record["lesson_version"],
    }
    if cues and not is_timed:
        detail = "no two captions have different starts that can be read"
        ledger.reject(record["lesson_id"], record["record_id"], "no_caption_times", detail=detail)
    return row


def _post(record: Record, body: Record, lesson: Record, names: "_NamesOfLessons", key: str) -> Record:
    source, without_names = record["source"], names[record["lesson_id"]].without
    text = scrub(without_names(fields.text(body, "text")))
    if not text.strip():
        raise BadField("the post has no text", "empty_post")
    author, url = fields.optional_name(body, "author"), fields.optional_text(body, "url")
    role, license = (fields.optional_text(body, name) or "" for name in ("author_role", "license"))
    fields.texts(body, "author_names")  # which the lesson's names took, and no table does
    parent = fields.optional_id(body, "parent_id")
    return {
        "post_id": record["record_id"],
        "source": source,
        "lesson_id": record["lesson_id"],
        "thread_id": f"{source}:{fields.optional_id(body, 'thread_id') or parent or fields.native_id(body, 'post_id')}",
        "parent_id": f"{source}:{parent}" if parent else None,
        "kind": fields.choice(body, "kind", ("question", "answer", "comment", "post"), "comment" if parent else "post"),
        "author": pseudonym(author, source, key) if author else None,
        "author_role": without_names(role) or None,
        "created_at": fields.time(body, "created_at"),
        "votes": fields.integer(body, "votes"),
        "accepted": bool(fields.boolean(body, "accepted")),
        "text": text,
        "url": url if url and without_names(url) == url else None,
        "language": fields.language(body, "language") or detect(text, lesson["language"]),
        "license": without_names(license) or None,
        "fetched_at": record["fetched_at"],
        "verdict": record["verdict"],
    }


def _quiz(record: Record, body: Record, lesson: Record, ledger: Ledger) -> Record:
    text = scrub(fields.text(body, "text"))
    if not text.strip():
        raise BadField("the quiz has no text", "empty_quiz")
    options = fields.texts(body, "options")
    answer = fields.integer(body, "answer")
    if answer is not None and not 0 <= answer < len(options):
        raise BadField(f"answer {answer} is not one of {len(options)} options")
    hint = body.get("hint_seconds")
    row = {
        "quiz_id": record["record_id"],
        "lesson_id": record["lesson_id"],
        "kind": fields.choice(body, "kind", ("multiple_choice", "open"), "multiple_choice" if options else "open"),
        "text": text,
        "options": options,
        "answer": answer,
        "hint_seconds": clocks.seconds(hint),
        "license": fields.optional_text(body, "license") or lesson["license"],
        "fetched_at": record["fetched_at"],
        "verdict": record["verdict"],
    }
    if row["hint_seconds"] is None and hint is not None and hint != "":
        detail = f"hint_seconds is no time: {fields.clean(str(hint)[:40])!r}"
        ledger.reject(record["lesson_id"], record["record_id"], "bad_hint", detail=scrub(detail))
    return row


def _reject_unreadable(record: Record, ledger: Ledger) -> None:
    """A line without an id shows its text without its author; one that is no record may hold anybody's name."""
    body, detail, text = None, None, None
    try:
        body = json.loads(record["body"])
        detail = f"a JSON {type(body).__name__}, not an object"
    except ValueError as problem:
        detail = str(problem)
    except RecursionError:
        detail = "nested too deep"
    if isinstance(body, dict):
        names = Names(_authors(body), "")
        text = _shown(body, names)
        ledger.reject(record["lesson_id"], record["record_id"], "missing_id", text=text)
    else:
        detail = f"{len(record['body'])} characters: {detail}"
        ledger.reject(record["lesson_id"], record["record_id"], "not_json", detail=detail)


def _reject(
    record: Record,
    ledger: Ledger,
    names: "_NamesOfLessons",
    reason: str,
    *,
    detail: str | None = None,
    merged_into: str | None = None,
    show_text: bool = True,
) -> None:
    in_lesson = names[record["lesson_id"]]
    ledger.reject(
        record["lesson_id"],
        record["record_id"],
        reason,
        detail=scrub(in_lesson.without(detail)) if detail else None,
        merged_into=merged_into,
        text=_shown(json.loads(record["body"]), in_lesson) if show_text else None,
    )


def _shown(body: Record, names: Names) -> str | None:
    """The beginning of a record's text; it is cut when the names are out, and what a cut makes a number goes too."""
    text = body.get("text")
    return scrub(scrub(names.without(fields.clean(text[:_READ])))[:_SHOWN]) if isinstance(text, str) else None


def _authors(body: Record) -> list[str]:
    """What a record calls its author, and no number of an account."""
    more = body.get("author_names")
    found = [body.get("author"), *(more if isinstance(more, list) else ())]
    return [fields.clean(name).strip() for name in found if isinstance(name, str)]


class _NamesOfLessons(dict[str, Names]):
    """The names of the authors of each lesson, made when a post first asks for them: by then the lessons are known."""

    def __init__(self, records: list[Record], lessons: dict[str, Record]) -> None:
        self._lessons = lessons
        self._authors: dict[str, set[str]] = defaultdict(set)
        for record in records:
            if record["type"] == "post" and '"author' in record["body"]:
                self._authors[record["lesson_id"]].update(_authors(json.loads(record["body"])))

    def __missing__(self, lesson_id: str) -> Names:
        lesson = self._lessons.get(lesson_id, {"title": "", "text": ""})
        self[lesson_id] = Names(self._authors[lesson_id], f"{lesson['title']} {lesson['text']}")
        return self[lesson_id]
