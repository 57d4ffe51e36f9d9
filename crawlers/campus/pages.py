"""The pages of the campus site, parsed into records with native ids."""

from urllib.parse import urljoin, urlsplit

from bs4 import Tag

from crawlers.campus import PUBLIC_BASE
from crawlers.html_text import html_to_text
from crawlers.page import Page, PageError, Record, attribute, integer


class CampusPage(Page):
    """A page of the campus site."""

    @property
    def public_url(self) -> str:
        """The address for records: the canonical one, the same whatever port the site is served on."""
        link = next(iter(self.all('link[rel="canonical"]')), None)
        parts = urlsplit(self.url)
        own = parts.path + (f"?{parts.query}" if parts.query else "")
        return urljoin(PUBLIC_BASE, (link and attribute(link, "href")) or own)

    @property
    def lesson_id(self) -> str:
        """The lesson that the page belongs to."""
        return self.known(self.one("main[data-lesson]"), "data-lesson")

    @property
    def license(self) -> str | None:
        """The licence that the page names."""
        link = next(iter(self.all('a[rel="license"]')), None)
        return link.get_text(strip=True) if link else None

    def known(self, tag: Tag, name: str) -> str:
        """An attribute that must exist."""
        value = attribute(tag, name)
        if value is None:
            raise PageError(f"{self.url}: <{tag.name} class={tag.get('class')}> lacks `{name}`")
        return value


class IndexPage(CampusPage):
    """The course index."""

    @property
    def lesson_urls(self) -> list[str]:
        """The addresses of all lessons."""
        return self.links("a.lesson")

    @property
    def activities(self) -> dict[str, str | None]:
        """The mark of last activity of every lesson, by address."""
        marks = ((attribute(link, "href"), attribute(link, "data-activity")) for link in self.all("a.lesson"))
        return {urljoin(self.url, address): mark for address, mark in marks if address}


class LessonPage(CampusPage):
    """A lesson with its quizzes."""

    @property
    def discussion_urls(self) -> list[str]:
        """The address of the first page of the discussion, if there is one."""
        return self.links("a.discussion")

    def lesson(self) -> Record:
        """The lesson, with captions if it is a video and with text if it is not."""
        captions = self.all(".captions > [data-start]")
        record: Record = {
            "lesson_id": self.lesson_id,
            "kind": self.one(".kind").get_text(strip=True),
            "title": self.one("h1").get_text(" ", strip=True),
            "url": self.public_url,
            "subject": self.known(self.one(".subject"), "data-subject"),
            "course": self.one(".course").get_text(strip=True),
            "license": self.license,
            "language": None,
        }
        if captions:
            record["captions"] = [
                {"start": float(self.known(cue, "data-start")), "text": html_to_text(cue)} for cue in captions
            ]
        else:
            record["text"] = html_to_text(self.one("article.body"))
        return record

    def quizzes(self) -> list[Record]:
        """The quiz questions below the lesson."""
        return [
            {
                "quiz_id": self.known(quiz, "data-quiz"),
                "lesson_id": self.lesson_id,
                "kind": self.known(quiz, "data-kind"),
                "text": html_to_text(self.one(".text", quiz)),
                "options": [option.get_text(" ", strip=True) for option in quiz.select(".options > li")],
                "answer": integer(attribute(quiz, "data-answer")),
                "hint_seconds": integer(attribute(quiz, "data-hint")),
            }
            for quiz in self.all("section.quiz")
        ]


class DiscussionPage(CampusPage):
    """One page of a lesson's discussion."""

    @property
    def next_urls(self) -> list[str]:
        """The address of the next page, if there is one."""
        return self.links('[rel="next"]')

    def posts(self) -> list[Record]:
        """All posts of the page, threads in order."""
        lesson_id, url, license = self.lesson_id, self.public_url, self.license
        return [
            {
                "post_id": self.known(post, "data-post"),
                "lesson_id": lesson_id,
                "thread_id": self.known(thread, "data-thread"),
                "parent_id": attribute(post, "data-parent"),
                "kind": self.known(post, "data-kind"),
                "author": attribute(post, "data-author"),
                "author_role": attribute(post, "data-role"),
                "created_at": self.known(self.one("time", post), "datetime"),
                "votes": integer(attribute(post, "data-votes")),
                "accepted": attribute(post, "data-accepted") == "true",
                "text": html_to_text(self.one(".body", post)),
                "url": f"{url}#{self.known(post, 'id')}",
                "license": license,
            }
            for thread in self.all("section.thread")
            for post in self.all("article.post", thread)
        ]
