"""Reads the files of a campus folder."""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from crawlers.captions import parse_captions
from crawlers.page import PageError

DEFAULT_FOLDER = Path(__file__).resolve().parents[2] / "data" / "campus"


class ContentError(ValueError):
    """A file of the campus folder is not in the expected form."""


@dataclass(frozen=True)
class Caption:
    """One caption of a video, with the second at which it appears."""

    start: float
    text: str


@dataclass(frozen=True)
class Lesson:
    """One lesson with all that belongs to it, as the files tell it."""

    subject: str
    slug: str
    title: str
    course: str
    kind: str
    body: str
    captions: tuple[Caption, ...]
    threads: tuple[dict[str, Any], ...]
    quizzes: tuple[dict[str, Any], ...]

    @property
    def lesson_id(self) -> str:
        """The native id, which is also the end of the lesson's address."""
        return f"{self.subject}/{self.slug}"


def read_campus(folder: Path) -> dict[str, Lesson]:
    """All lessons of a campus folder by id, in the order of their ids."""
    paths = sorted(folder.glob("*/*/lesson.md"))
    if not paths:
        raise ContentError(f"{folder}: no <subject>/<slug>/lesson.md found; is this a campus folder?")
    lessons = (read_lesson(path.parent) for path in paths)
    return {lesson.lesson_id: lesson for lesson in lessons}


def read_lesson(folder: Path) -> Lesson:
    """The lesson in one `<subject>/<slug>` folder."""
    fields, body = read_front_matter(folder / "lesson.md")
    captions = folder / "captions.vtt"
    return Lesson(
        subject=folder.parent.name,
        slug=folder.name,
        title=fields["title"],
        course=fields["course"],
        kind=fields["kind"],
        body=body,
        captions=read_captions(captions) if captions.exists() else (),
        threads=read_list(folder / "threads.json"),
        quizzes=read_list(folder / "quizzes.json"),
    )


def read_front_matter(path: Path) -> tuple[dict[str, str], str]:
    """The `key: value` lines between the two `---` lines, and the text after them."""
    parts = re.split(r"^---[ \t]*$\n?", path.read_text(encoding="utf-8"), maxsplit=2, flags=re.MULTILINE)
    if len(parts) != 3 or parts[0].strip():
        raise ContentError(f"{path}: does not begin with front matter between two `---` lines")
    pairs = (line.partition(":") for line in parts[1].splitlines() if line.strip())
    fields = {key.strip(): value.strip() for key, _, value in pairs}
    for key in ("title", "course", "kind"):
        if not fields.get(key):
            raise ContentError(f"{path}: the front matter lacks `{key}`")
    return fields, parts[2].strip()


def read_captions(path: Path) -> tuple[Caption, ...]:
    """The cues of a caption file."""
    try:
        cues = parse_captions(path.read_text(encoding="utf-8"), str(path))
    except PageError as error:
        raise ContentError(str(error)) from error
    return tuple(Caption(cue["start"], cue["text"]) for cue in cues)


def read_list(path: Path) -> tuple[dict[str, Any], ...]:
    """The objects of a JSON list, none when there is no such file."""
    if not path.exists():
        return ()
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ContentError(f"{path}: not valid JSON ({error})") from error
    if not isinstance(value, list):
        raise ContentError(f"{path}: expected a JSON list")
    return tuple(value)
