"""Bring labels, reviews and validations into `annotations/`, all rows of a file or none."""

import json
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from expectations.reviews import VERDICTS
from expectations.types import REASONING_TYPES
from expectations.validations import STATEMENTS
from flows.errors import ConfigError
from flows.store.home import Home, write_text
from flows.store.json_lines import Row, lines_of, object_in, read_stored
from transforms.digest import digest
from transforms.usefulness.labels import read_labels
from transforms.usefulness.tokens import normalise, rejoin

PARTS = ("context", "prompt", "question")
TASKS = ("usefulness", "reasoning_type", "triples", "validation")
# Where rows go; labels of every other task stand in one file.
FILES = {"triples": "reviews", "validation": "validations"}
_ANSWERS = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}


def import_file(home: Home, task: str, path: Path, triples: dict[str, Row] | None = None) -> tuple[int, int]:
    """Import a file of JSON lines; how many rows were new and how many replaced an earlier one.

    `triples` are the current ones: their drafts, which a review is about, or their texts, which a validation is about.
    """
    rows = [_storable(_labelled(task, row, where, triples or {}), where) for row, where in _read(path)]
    target = home / "annotations" / f"{FILES.get(task, 'labels')}.jsonl"
    merged = {_identity(row): row for row in map(_renamed, read_stored(target))}
    before = len(merged)
    merged.update({_identity(row): row for row in rows})
    write_text(target, "".join(json.dumps(row, ensure_ascii=False, sort_keys=True) + "\n" for row in merged.values()))
    new = len(merged) - before
    return new, len(rows) - new


def _storable(row: Row, where: str) -> Row:
    """JSON can escape half of a character (a lone surrogate), which no file and no table can hold."""
    for name, value in row.items():
        try:
            str(value).encode()
        except UnicodeEncodeError:
            raise ConfigError(
                f"{where}: `{name}` holds half of a character ({value!r}); nothing was imported"
            ) from None
    return row


def _read(path: Path) -> Iterable[tuple[Row, str]]:
    try:
        lines = lines_of(path, "utf-8-sig")
    except (OSError, UnicodeDecodeError) as problem:
        raise ConfigError(f"{path} cannot be read ({problem})") from None
    body = "".join(lines)
    if body.lstrip().startswith("["):
        return _from_label_studio(path, body)
    found = []
    for number, line in enumerate(lines, 1):
        if line.strip():
            row = object_in(line)
            if row is None:
                raise ConfigError(f"{path}, line {number} is no JSON object; nothing was imported")
            found.append((row, f"{path}, line {number}"))
    if not found:
        raise ConfigError(f"{path} has no rows")
    return found


def _from_label_studio(path: Path, body: str) -> list[tuple[Row, str]]:
    """The rows of an export from Label Studio: the task's data, overlaid with what each annotator gave."""
    found = []
    try:
        for number, item in enumerate(json.loads(body), 1):
            for annotation in item["annotations"]:
                if annotation.get("was_cancelled"):  # skipped by the annotator
                    continue
                given = {r["from_name"]: _first(r["value"]) for r in annotation["result"]}
                who = annotation.get("completed_by")
                name = who.get("email") if isinstance(who, dict) else who
                row = {**item["data"], **given, "annotator": f"label-studio:{name}"}
                # Whoever changes the text and then accepts it means the changed text.
                if row.get("verdict") == "accepted" and any(row.get(part) != item["data"].get(part) for part in PARTS):
                    row["verdict"] = "edited"
                found.append((row, f"{path}, task {number}"))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise ConfigError(f"{path} is no export of Label Studio (JSON); nothing was imported") from None
    return found


def _first(value: Row) -> str | None:
    values = value.get("choices") or value.get("text") or [None]
    return values if isinstance(values, str) else values[0]


def _identity(row: Row) -> tuple[Any, ...]:
    """One annotator has one opinion on one record in one round."""
    return (row.get("task"), row.get("record_id") or row.get("triple_id"), row.get("annotator"), row.get("round"))


def _record_id(task: str, text: str) -> str:
    """The same for a text in another case or spacing, as for the model."""
    return digest(task, normalise(text))


def _renamed(row: Row) -> Row:
    """A row stored before, when ids went by the text as it was written or less of it was joined again."""
    task, text = row.get("task"), row.get("text")
    if not isinstance(text, str) or row.get("record_id") not in (digest(task, text), digest(task, rejoin(text))):
        return row
    return {**row, "record_id": _record_id(str(task), text)}


def _labelled(task: str, row: Row, where: str, triples: dict[str, Row]) -> Row:
    now = datetime.now(UTC).isoformat(timespec="microseconds")
    annotator = row.get("annotator")
    if annotator is not None and (isinstance(annotator, bool) or not isinstance(annotator, (str, int))):
        raise ConfigError(f"{where}: `annotator` is {annotator!r}, neither a text nor a number; nothing was imported")
    common = {"annotator": _text(row, "annotator"), "round": _round(row, where)}
    if task == "validation":
        return {**common, **_validation(row, where, triples), "validated_at": now}
    if task == "triples":
        return {**common, **_review(row, where, triples), "reviewed_at": now}
    text = _text(row, "text")
    if text is None:
        raise ConfigError(f"{where}: `text` is missing; nothing was imported")
    return {
        **common,
        "task": task,
        "record_id": _text(row, "record_id") or _record_id(task, text),
        "text": text,
        "label": _LABELS[task](row, where),
        "guideline": _text(row, "guideline"),
        "labelled_at": _time(row, "labelled_at", where) or now,
    }


def _useful(row: Row, where: str) -> str:
    try:
        return str(int(read_labels([row])[0].useful))
    except ValueError as problem:
        raise ConfigError(f"{where}: {str(problem).removeprefix('row 1: ')}; nothing was imported") from None


def _reasoning_type(row: Row, where: str) -> str:
    label = str(row.get("label", "")).strip().lower()
    if label not in REASONING_TYPES:
        raise ConfigError(f"{where}: {label!r} is none of {', '.join(REASONING_TYPES)}; nothing was imported")
    return label


_LABELS: dict[str, Callable[[Row, str], str]] = {"usefulness": _useful, "reasoning_type": _reasoning_type}


def _review(row: Row, where: str, triples: dict[str, Row]) -> Row:
    verdict, triple = row.get("verdict"), _text(row, "triple_id")
    if verdict not in VERDICTS:
        raise ConfigError(f"{where}: verdict {verdict!r} is none of {', '.join(VERDICTS)}; nothing was imported")
    current = triples.get(triple or "", {})
    draft = _text(row, "draft") or current.get("draft")
    if triple is None or draft is None:
        raise ConfigError(f"{where}: there is no triple {triple!r} in the current snapshot; nothing was imported")
    edited = {name: _text(row, name) if verdict == "edited" else None for name in PARTS}
    for name in PARTS:
        # Missing or null means as drafted; a text that was deleted is a slip, and no triple has an empty part.
        if verdict == "edited" and isinstance(row.get(name), str) and edited[name] is None:
            raise ConfigError(f"{where}: the edited `{name}` is empty; nothing was imported")
    if verdict == "edited" and not any(edited.values()):
        raise ConfigError(f"{where}: `edited` needs a context, prompt or question; nothing was imported")
    as_drafted = draft == current.get("draft")
    if verdict == "edited" and as_drafted:  # the edited text is whole, whatever later rules make of the draft
        edited = {name: text or current[name] for name, text in edited.items()}
    source = current.get("source_version") if as_drafted else None
    found = {"triple_id": triple, "lesson_id": current.get("lesson_id"), "draft": draft, "source_version": source}
    return {**found, "verdict": verdict, **edited}


def _validation(row: Row, where: str, triples: dict[str, Row]) -> Row:
    triple = _text(row, "triple_id")
    if triple not in triples:
        raise ConfigError(f"{where}: there is no triple {triple!r} in the current snapshot; nothing was imported")
    if _text(row, "annotator") is None:
        raise ConfigError(f"{where}: `annotator` is missing, who must be another than the reviewer; "
                          "nothing was imported")  # fmt: skip
    answers = {name: _ANSWERS.get(str(row.get(name)).strip().lower()) for name in STATEMENTS}
    for name, answer in answers.items():
        if answer is None:
            raise ConfigError(f"{where}: `{name}` is {row.get(name)!r}, not 0 or 1; nothing was imported")
    return {"triple_id": triple, "shown": _text(row, "shown") or triples[triple]["shown"], **answers}


def _round(row: Row, where: str) -> int | None:
    value = row.get("round")
    if value is not None and (type(value) is not int or abs(value) >= 2**63):
        raise ConfigError(f"{where}: round {value!r} is no whole number; nothing was imported")
    return value


def _time(row: Row, name: str, where: str) -> str | None:
    value = row.get(name)
    if value is None:
        return None
    try:
        found = datetime.fromisoformat(value)
    except (ValueError, TypeError):
        raise ConfigError(f"{where}: `{name}` is {value!r}, no time as 2026-01-31T12:00:00Z") from None
    return (found if found.tzinfo else found.replace(tzinfo=UTC)).isoformat(timespec="microseconds")


def _text(row: Row, name: str) -> str | None:
    value = row.get(name)
    if type(value) is int:  # annotators and records may be numbers
        return str(value)
    return value.strip() or None if isinstance(value, str) else None
