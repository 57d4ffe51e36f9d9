"""The files of the archive, parsed into records with native ids."""

import re
from typing import Any
from urllib.parse import parse_qs, urlsplit

from crawlers.captions import seconds
from crawlers.khan.perseus import perseus_text
from crawlers.khan.tree_pages import license_name
from crawlers.page import JsonPage, PageError, Record
from crawlers.teded.lesson_pages import spoken

CLOCK = re.compile(r"(?:[0-9]{1,2}:)?[0-9]{1,3}:[0-9]{2}")
LENGTH = re.compile(r" - [0-9]{1,3}:[0-9]{2}(?::[0-9]{2})?")
MAX_OPTIONS = 100


class DiscussionPage(JsonPage):
    """What learners asked about one article or video: `[{"question": text, "answers": []}]`."""

    def posts(self, lesson_id: str, url: str | None) -> list[Record]:
        """The questions, numbered as they stand, for the archive has no ids; and answers, should a copy have any."""
        if not isinstance(self.data, list):
            raise PageError(f"{self.url}: no list of questions", "unexpected_page")
        found: list[Record] = []
        for number, entry in enumerate(self.objects(), 1):
            thread = f"{lesson_id}-{number}"
            found.append(post(thread, lesson_id, thread, "question", entry.get("question"), url))
            answers = entry.get("answers")
            for place, answer in enumerate(answers if isinstance(answers, list) else [], 1):
                words = answer.get("answer") if isinstance(answer, dict) else answer
                found.append(post(f"{thread}-{place}", lesson_id, thread, "answer", words, url))
        return [entry for entry in found if entry["text"]]


class ArticlePage(JsonPage):
    """An article of Khan Academy as its interface gave it in 2017."""

    def lesson(self, lesson_id: str, link: Record) -> Record:
        """The article as a lesson."""
        found = lesson(lesson_id, "article", link)
        found["title"] = text_of(self.find("translated_title")) or text_of(self.find("title")) or found["title"]
        found["license"] = license_name(text_of(self.find("ka_user_license")))
        content = self.find("translated_perseus_content") or self.find("perseus_content")
        found["text"] = perseus_text(content or [], self.url)
        return found


class TedEdPage(JsonPage):
    """A lesson of TED-Ed with its quizzes."""

    @property
    def video_id(self) -> str:
        """The video's number at YouTube, which its transcript is named by; else the last part of its address."""
        link = text_of(self.find("video_youtube_link")) or ""
        named = parse_qs(urlsplit(link).query).get("v")
        own = urlsplit(text_of(self.find("video_link")) or link).path.rstrip("/").rpartition("/")[2]
        found = named[0] if named else own
        if not found:
            raise PageError(f"{self.url}: neither video_youtube_link nor video_link", "unexpected_page")
        return found

    def lesson(self, transcript: str | None) -> Record:
        """The lesson, with the description for text when there is no transcript."""
        found = lesson(f"teded-{self.video_id}", "video", {"ka_url": self.find("video_link")})
        found["title"] = LENGTH.sub("", text_of(self.find("video_title_length")) or found["title"])
        found["text"] = (
            spoken(without_title(transcript)) if transcript else text_of(self.find("video_description")) or ""
        )
        return found

    def quizzes(self) -> tuple[list[Record], int]:
        """The quizzes, and how many more only repeat one: the archive's crawler read the first over and over."""
        found: dict[str, Record] = {}
        entries = self.objects("quizzes")
        for number, entry in enumerate(entries, 1):
            text = text_of(entry.get("quiz_description")) or ""
            if text in found:
                continue
            listed = entry.get("quiz_options")
            options = [option for option in listed if isinstance(option, dict)] if isinstance(listed, list) else []
            found[text] = {
                "quiz_id": f"teded-{self.video_id}-{number}",
                "lesson_id": f"teded-{self.video_id}",
                "kind": "multiple_choice" if options else "open",
                "text": text,
                "options": [str(option.get("option_text") or "") for option in options[:MAX_OPTIONS]],
                "answer": position(entry.get("answer"), options),
                "hint_seconds": hint(entry.get("hint")),
            }
        return list(found.values()), len(entries) - len(found)


def lesson(lesson_id: str, kind: str, link: Record) -> Record:
    """What the lists of links tell of a lesson."""
    url = text_of(link.get("ka_url"))
    slug = urlsplit(url).path.rstrip("/").rpartition("/")[2] if url else ""
    return {
        "lesson_id": lesson_id,
        "kind": kind,
        "title": slug.replace("-", " "),
        "url": url,
        "subject": text_of(link.get("topic_category")),
        "course": text_of(link.get("component_name")),
        "language": None,
        "license": None,
        "text": "",
    }


def post(post_id: str, lesson_id: str, thread_id: str, kind: str, words: object, url: str | None) -> Record:
    """A post, of which the archive has the words alone."""
    return {
        "post_id": post_id,
        "lesson_id": lesson_id,
        "thread_id": thread_id,
        "parent_id": None if kind == "question" else thread_id,
        "kind": kind,
        "author": None,
        "author_role": None,
        "created_at": None,
        "votes": None,
        "accepted": False,
        "text": text_of(words) or "",
        "url": url,
        "license": None,  # what learners wrote is not under the lessons' licence
    }


def transcript(text: str) -> Record:
    """A transcript of Khan Academy, whose lines alternate `m:ss` and caption, as captions; else as text."""
    captions: list[dict[str, Any]] = []
    for line in text.splitlines():
        words = line.strip()
        if CLOCK.fullmatch(words):
            captions.append({"start": seconds(words), "text": ""})
        elif words and captions:
            captions[-1]["text"] = f"{captions[-1]['text']} {words}".strip()
    captions = [cue for cue in captions if cue["text"]]
    return {"captions": captions} if captions else {"text": text.strip()}


def without_title(text: str) -> str:
    """A transcript of TED-Ed without the title above it."""
    head, _, rest = text.replace("\r\n", "\n").partition("\n\n")
    return rest if head.startswith("Title:") else text


def position(answer: object, options: list[Record]) -> int | None:
    """The index of the right option, null when the crawler did not find it."""
    known = isinstance(answer, int) and not isinstance(answer, bool) and 0 <= answer < len(options)
    return int(str(answer)) if known else None


def hint(value: object) -> float | None:
    """The second of the video that a wrong answer leads back to."""
    try:
        found = float(str(value))
    except ValueError:
        return None
    return found if 0 <= found < 1_000_000 else None


def text_of(value: object) -> str | None:
    """A text that says something, else None."""
    return (value.strip() or None) if isinstance(value, str) else None


def as_object(value: Any, origin: str) -> Record:
    """An object, which some copies hold as a JSON string that holds JSON."""
    if isinstance(value, str):
        value = JsonPage(value, origin).data
    if not isinstance(value, dict):
        raise PageError(f"{origin}: no object of links", "unexpected_page")
    return value
