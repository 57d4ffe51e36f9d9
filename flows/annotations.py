"""Bring labels, reviews and validations into `annotations/`, all rows of a file or none."""

import json
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from expectations.reviews import VERDICTS
from expectations.types import REASONING_TYPES
from expectations.validations import STATEMENTS
from flows.errors import ConfigError, StoreError
from flows.store.home import Home, write_text
from transforms.digest import digest
from transforms.usefulness.labels import read_labels

Row = dict[str, Any]
TASKS = ("usefulness", "reasoning_type", "triples", "validation")
# Where rows go; labels of every other task stand in one file.
FILES = {"triples": "reviews", "validation": "validations"}
_ANSWERS = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}


def import_file(home: Home, task: str, path: Path, drafts: dict[str, str] | None = None) -> tuple[int, int]:
    """Import a file of JSON lines; how many rows were new and how many replaced an earlier one.

    `drafts` names the draft of each triple, which a review is about, or the text of it, which a validation is about.
    """
    rows = [_labelled(task, row, where, drafts) for row, where in _read(path)]
    target = home / "annotations" / f"{FILES.get(task, 'labels')}.jsonl"
    known = read_stored(target)
    merged = {_identity(row): row for row in known}
    replaced = sum(_identity(row) in merged for row in rows)
    merged.update({_identity(row): row for row in rows})
    write_text(target, "".join(json.dumps(row, ensure_ascii=False, sort_keys=True) + "\n" for row in merged.values()))
    return len(rows) - replaced, replaced


def _read(path: Path) -> Iterable[tuple[Row, str]]:
    try:
        body = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as problem:
        raise ConfigError(f"{path} cannot be read ({problem})") from None
    if body.lstrip().startswith("["):
        return _from_label_studio(path, body)
    lines = body.splitlines()
    found = []
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                row = json.loads(line)
            except ValueError:
                row = None
            if not isinstance(row, dict):
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
                found.append((row, f"{path}, task {number}"))
    except (ValueError, KeyError, TypeError, AttributeError):
        raise ConfigError(f"{path} is no export of Label Studio (JSON); nothing was imported") from None
    return found


def _first(value: Row) -> str | None:
    values = value.get("choices") or value.get("text") or [None]
    return values if isinstance(values, str) else values[0]


def read_stored(path: Path) -> list[Row]:
    """The rows of a file in `annotations/`, in the order in which they first came."""
    if not path.is_file():
        return []
    try:
        return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]
    except ValueError:
        raise StoreError(f"{path} is broken: restore it from a backup, or remove it and import again") from None


def _identity(row: Row) -> tuple[Any, ...]:
    """One annotator has one opinion on one record in one round."""
    return (row.get("task"), row.get("record_id") or row.get("triple_id"), row.get("annotator"), row.get("round"))


def _labelled(task: str, row: Row, where: str, drafts: dict[str, str] | None) -> Row:
    now = datetime.now(UTC).isoformat(timespec="microseconds")
    common = {"annotator": _text(row, "annotator"), "round": _round(row, where)}
    if task == "validation":
        return {**common, **_validation(row, where, drafts or {}), "validated_at": now}
    if task == "triples":
        return {**common, **_review(row, where, drafts or {}), "reviewed_at": now}
    text = _text(row, "text")
    if text is None:
        raise ConfigError(f"{where}: `text` is missing; nothing was imported")
    return {
        **common,
        "task": task,
        "record_id": _text(row, "record_id") or digest(task, text),
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


def _review(row: Row, where: str, drafts: dict[str, str]) -> Row:
    verdict, triple = row.get("verdict"), _text(row, "triple_id")
    if verdict not in VERDICTS:
        raise ConfigError(f"{where}: verdict {verdict!r} is none of {', '.join(VERDICTS)}; nothing was imported")
    draft = _text(row, "draft") or drafts.get(triple or "")
    if triple is None or draft is None:
        raise ConfigError(f"{where}: there is no triple {triple!r} in the current snapshot; nothing was imported")
    edited = {name: _text(row, name) if verdict == "edited" else None for name in ("context", "prompt", "question")}
    if verdict == "edited" and not any(edited.values()):
        raise ConfigError(f"{where}: `edited` needs a context, prompt or question; nothing was imported")
    return {"triple_id": triple, "draft": draft, "verdict": verdict, **edited}


def _validation(row: Row, where: str, shown: dict[str, str]) -> Row:
    triple = _text(row, "triple_id")
    if triple not in shown:
        raise ConfigError(f"{where}: there is no triple {triple!r} in the current snapshot; nothing was imported")
    if _text(row, "annotator") is None:
        raise ConfigError(f"{where}: `annotator` is missing, who must be another than the reviewer; "
                          "nothing was imported")  # fmt: skip
    answers = {name: _ANSWERS.get(str(row.get(name)).strip().lower()) for name in STATEMENTS}
    for name, answer in answers.items():
        if answer is None:
            raise ConfigError(f"{where}: `{name}` is {row.get(name)!r}, not 0 or 1; nothing was imported")
    return {"triple_id": triple, "shown": _text(row, "shown") or shown[triple], **answers}


def _round(row: Row, where: str) -> int | None:
    value = row.get("round")
    if value is not None and type(value) is not int:
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
    return value.strip() or None if isinstance(value, str) else None
