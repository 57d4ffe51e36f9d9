"""Any web page, read as a lesson."""

from typing import Any

from bs4 import Tag

from crawlers.html_text import html_to_text
from crawlers.page import Page, PageError, Record, attribute

# Where pages keep what they are about, the best place first.
MAIN = ("article", "main", '[role="main"]', "body")
AROUND = "nav, header, footer, aside, form"  # within the whole body these are not the lesson


class ArticlePage(Page):
    """A page whose main text is a lesson."""

    def lesson(self, lesson_id: str, about: Record, title: str | None = None, text: str | None = None) -> Record:
        """The lesson, its title and text found by selectors when they are given; `about` is known without the page."""
        body = self.one(text) if text else self.main()
        found = html_to_text(body)
        if not found.strip():
            raise PageError(f"{self.url}: the page has no text", "empty_lesson")
        named = self.all(title) if title else self.all("h1") or self.all("title")
        return lesson_record(lesson_id, words(named[0]) if named else "", self.url, found, self.license, about)

    def main(self) -> Tag:
        """The element that holds the page's main text."""
        found = next((element for place in MAIN for element in self.all(place)), None)
        if found is None:
            raise PageError(f"{self.url}: the page is empty", "empty_lesson")
        if found.name == "body":
            for other in found.select(AROUND):
                other.extract()
        return found

    @property
    def license(self) -> str | None:
        """The licence that the page states by `rel=license`: its name, or its address when it has none."""
        link = next(iter(self.soup.select('a[rel~="license"], link[rel~="license"]')), None)
        return (words(link) or attribute(link, "href")) if link else None


def lesson_record(
    lesson_id: str, title: str, url: str | None, text: str, license: str | None, about: dict[str, Any]
) -> Record:
    """A lesson; what the operator says about the whole source fills in what the page does not say."""
    return {
        "lesson_id": lesson_id, "kind": "page", "title": title, "url": url, "subject": about.get("subject"),
        "course": about.get("course"), "license": license or about.get("license"), "language": None, "text": text,
    }  # fmt: skip


def words(tag: Tag) -> str:
    """The text of an element on one line, as a browser shows it."""
    return " ".join(tag.get_text().split())
