"""Every folder in `pages/` holds a page as fetched and the records it must give."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from crawlers.campus.pages import DiscussionPage, IndexPage, LessonPage
from crawlers.page import Page, PageError

FOLDER = Path(__file__).parent / "pages"
URL = "http://127.0.0.1:4321/fetched"


def parse_index(html: str) -> Any:
    return IndexPage(html, URL).lesson_urls


def parse_lesson(html: str) -> Any:
    page = LessonPage(html, URL)
    return {"lesson": page.lesson(), "quizzes": page.quizzes(), "discussion": page.discussion_urls}


def parse_discussion(html: str) -> Any:
    page = DiscussionPage(html, URL)
    return {"posts": page.posts(), "next": page.next_urls}


PARSERS: dict[str, Callable[[str], Any]] = {
    "index": parse_index, "lesson": parse_lesson, "discussion": parse_discussion,
}  # fmt: skip


@pytest.mark.parametrize(
    "folder", sorted(path.parent for path in FOLDER.glob("*/input.html")), ids=lambda folder: folder.name
)
def test_page_gives_expected_records(folder: Path) -> None:
    parse = PARSERS[folder.name.partition("_")[0]]
    expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    assert parse((folder / "input.html").read_text(encoding="utf-8")) == expected


def test_page_of_another_layout_says_what_is_missing() -> None:
    with pytest.raises(PageError, match="data-lesson"):
        LessonPage("<h1>Under maintenance</h1>", URL).lesson()


SELECTORS = ("p", ".a", "p.a", "p.a[id]", '[rel="next"]', '[rel="next x"]', "a[href]", '[id="1"]', "[data-x]", ".b",
             "p.c", "div > p", "p:first-child", ".a .b", "i")  # fmt: skip


@pytest.mark.parametrize("selector", SELECTORS)
def test_simple_selectors_are_css(selector: str) -> None:
    html = (
        '<div class="a b" id="1"><p class="a" id="2">x<a rel="next" href="/">y</a></p><p class="ab">z</p>'
        '<p class="b a"/><a rel="next x" data-x="" href>w</a><b class="">v</b></div><p>u</p>'
    )
    page = Page(html, URL)
    assert page.all(selector) == page.soup.select(selector)
