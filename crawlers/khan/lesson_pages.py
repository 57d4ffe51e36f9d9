"""The pages of one lesson: an article, a video's transcript, or both as GraphQL gives them."""

import json
import re
from typing import Any

from crawlers.captions import parse_captions
from crawlers.khan.perseus import perseus_text
from crawlers.khan.tree_pages import first, license_name
from crawlers.page import JsonPage, Page, PageError, Record

CLOCK = re.compile(r"(?:([0-9]{1,2}):)?([0-9]{1,3}):([0-9]{2})")


class ArticlePage(JsonPage):
    """An article, REST (`/api/v1/articles/{id}`)."""

    def lesson(self, known: Record, guessed: bool = False) -> Record:
        """The lesson with its text, and with its own id when what is known of it was guessed."""
        content = self.find("translated_perseus_content") or self.find("translatedPerseusContent")
        content = content or self.find("perseus_content")
        if content is None:
            raise PageError(f"{self.url}: no `translated_perseus_content`; has the site's interface changed?")
        return completed(known, self.data, guessed) | {"text": perseus_text(content, self.url)}


class TranscriptPage(JsonPage):
    """The transcript of a video, REST (`/api/internal/videos/{youtube_id}/transcript`): a list of cues."""

    def lesson(self, known: Record) -> Record:
        """The lesson with its captions; a video without any has none."""
        entries = self.data if isinstance(self.data, list) else self.find("subtitles")
        return known | {"captions": cues(entries, self.url)}


class WatchPage(Page):
    """A video's page, where the transcript is a list whose lines alternate between `m:ss` and caption."""

    def lesson(self, known: Record) -> Record:
        """The lesson with the captions that the page shows."""
        entries: list[Record] = []
        for listed in self.all('ul[itemprop="transcript"]'):
            for line in listed.stripped_strings:
                clock = CLOCK.fullmatch(line)
                if clock:
                    hours, minutes, seconds = (int(part or 0) for part in clock.groups())
                    entries.append({"startTime": 1000 * (hours * 3600 + minutes * 60 + seconds), "text": ""})
                elif entries:
                    entries[-1]["text"] = f"{entries[-1]['text']} {line}".strip()
        return known | {"captions": cues(entries, self.url)}


class ContentPage(JsonPage):
    """An article or a video, GraphQL (`ContentForPath`)."""

    def lesson(self, known: Record, guessed: bool = False) -> Record | None:
        """The lesson with its text or captions; None when the site answers that there is no such lesson."""
        content = self.content()
        if content is None:
            return None
        lesson = completed(known, content, guessed)
        if known["kind"] == "article":
            if "translatedPerseusContent" not in content:
                raise PageError(f"{self.url}: no `translatedPerseusContent`; has the site's interface changed?")
            return lesson | {"text": perseus_text(content["translatedPerseusContent"] or [], self.url)}
        return lesson | {"captions": cues(content.get("subtitles"), self.url)}

    def content(self) -> Record | None:
        """The object that holds the lesson, wherever the query put it."""
        if not isinstance(self.data, dict) or "data" not in self.data or self.find("errors"):
            problem = json.dumps(self.find("errors") or "no `data`")[:300]
            raise PageError(f"{self.url}: {problem}", "graphql_error")
        queue: list[Any] = [self.data["data"]]
        for value in queue:  # grows while it is read: breadth first
            if isinstance(value, dict):
                if not {"translatedPerseusContent", "subtitles", "youtubeId"}.isdisjoint(value):
                    return value
                queue.extend(value.values())
            elif isinstance(value, list):
                queue.extend(value)
        return None


def completed(known: Record, content: Record, guessed: bool) -> Record:
    """What the tree knew of a lesson, completed by what the lesson's own page states."""
    title = first(content, "translated_title", "translatedTitle", "title")
    license = license_name(first(content, "ka_user_license", "kaUserLicense"))
    own = (guessed and first(content, "internal_id", "id")) or known["lesson_id"]
    return known | {"lesson_id": own, "title": title or known["title"], "license": license or known["license"]}


def cues(entries: Any, origin: str) -> list[Record]:
    """Captions as `{start, text}`; times are milliseconds, and those marked as not valid are dropped."""
    found = [
        {"startTime": start, "endTime": end, "text": entry["text"], "kaIsValid": valid(entry)}
        for entry in (entries if isinstance(entries, list) else [])
        if isinstance(entry, dict) and isinstance(entry.get("text"), str)
        if isinstance(start := entry.get("startTime", entry.get("start_time")), int | float) and start >= 0
        for end in [entry.get("endTime", entry.get("end_time"))]
    ]
    try:
        return parse_captions(json.dumps(found), origin)
    except PageError as error:
        if error.reason == "no_captions":  # a video that nobody has captioned is a lesson all the same
            return []
        raise


def valid(entry: Record) -> bool:
    """Whether the site itself takes a caption to be usable."""
    return entry.get("kaIsValid", entry.get("ka_is_valid", True)) is not False
