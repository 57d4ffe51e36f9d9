"""A lesson: its title, its video and, where the page shows it, its transcript."""

import re
from urllib.parse import urljoin, urlsplit

from crawlers.captions import parse_captions
from crawlers.html_text import html_to_text
from crawlers.page import Page, PageError, Record, absolute, attribute
from crawlers.teded import PUBLIC_BASE

TITLES = ("#main-content article h1", "article h1", "h1")
FRAMES = ('iframe[data-ui--youtube-video-target="frame"]', "iframe#playerContainer", 'iframe[src*="youtube"]')
TRANSCRIPTS = ('[itemprop="transcript"]', "#transcript", ".transcript")
YOUTUBE = re.compile(r"(?:/embed/|/v/|/vi/|youtu\.be/|[?&]v=)([A-Za-z0-9_-]{11})(?![A-Za-z0-9_-])")
CREDIT = re.compile(r"(?:Translator|Reviewer|Transcriber|Translated by|Reviewed by)\s?:", re.IGNORECASE)
NOTE = re.compile(r"\([A-Z][A-Za-z ]{0,40}\)")  # what is heard, not said: "(Explosion)"


class LessonPage(Page):
    """The first page of a lesson."""

    @property
    def slug(self) -> str:
        """The lesson's own id: the end of its address."""
        return urlsplit(self.url).path.rstrip("/").rpartition("/")[2]

    def lesson(self, subject: str | None) -> Record:
        """The lesson, with the transcript when the page holds one."""
        title = next((text for text in (self.text_of(selector) for selector in TITLES) if text), None)
        if title is None:
            raise PageError(f"{self.url}: no title; has the site's layout changed?")
        license = next(iter(self.all('a[rel="license"]')), None)
        return {
            "lesson_id": self.slug,
            "kind": "video",
            "title": title,
            "url": urljoin(PUBLIC_BASE, urlsplit(self.url).path),
            "subject": subject,
            "course": None,
            "language": None,
            "license": license.get_text(" ", strip=True) if license else None,
            "text": self.transcript(),
        }

    def text_of(self, selector: str) -> str | None:
        """The text of the first element for a selector."""
        found = next(iter(self.all(selector)), None)
        return found.get_text(" ", strip=True) if found else None

    @property
    def youtube_id(self) -> str | None:
        """The video."""
        sources = (attribute(frame, name) for selector in FRAMES for frame in self.all(selector)
                   for name in ("src", "data-src"))  # fmt: skip
        found = (YOUTUBE.search(source) for source in sources if source)
        return next((match.group(1) for match in found if match), None)

    @property
    def caption_urls(self) -> list[str]:
        """The caption files that the page's own player names."""
        tracks = [tag for tag in self.all("track[src]") if attribute(tag, "kind") in (None, "captions", "subtitles")]
        joined = (absolute(self.url, attribute(track, "src") or "") for track in tracks)
        return [url for url in joined if url][:1]

    def transcript(self) -> str:
        """The transcript on the page, without credits and without notes of what is heard."""
        found = next((tag for selector in TRANSCRIPTS for tag in self.all(selector)), None)
        return spoken(html_to_text(found)) if found else ""

    @property
    def has_positions(self) -> bool:
        """Whether the quiz is on this page, as in 2017."""
        return any(block.select(".panel-response, .question") for block in self.all("div[data-position]"))

    @property
    def review_urls(self) -> list[str]:
        """The page of all questions, of 2017 and 2020; none when the lesson has no quiz or is of 2024."""
        address = self.url.partition("?")[0].partition("#")[0].rstrip("/")
        return [f"{address}/review_open"] if self.all("a#think-link") else []

    @property
    def is_old(self) -> bool:
        """Whether the page is in the markup of before 2024."""
        return bool(self.all("div.lessonDescription") or self.all("iframe#playerContainer") or self.all("a#think-link"))


def with_captions(lesson: Record, text: str, origin: str) -> Record:
    """A lesson with the captions of a file; when that has none, the transcript of its page stays."""
    try:
        cues = parse_captions(text, origin)
    except PageError as error:
        if error.reason != "no_captions":
            raise
        return lesson
    said = (cue | {"text": spoken(cue["text"])} for cue in cues)
    return lesson | {"captions": [cue for cue in said if cue["text"]]}


def spoken(text: str) -> str:
    """The lines of a transcript that are spoken."""
    lines = (" ".join(NOTE.sub(" ", line).split()) for line in text.splitlines())
    return "\n".join(line for line in lines if line and not CREDIT.match(line))
