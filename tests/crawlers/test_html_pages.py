"""Forums described by selectors: pages in `pages/html/`."""

import json
from pathlib import Path
from typing import Any

import pytest

from crawlers.article import ArticlePage
from crawlers.html.options import Options
from crawlers.html.pages import CommentsPage, FragmentPage, ListingPage, Place, ThreadPage
from crawlers.html.reading import count, moment
from crawlers.page import PageError
from crawlers.spec import Spec

FOLDER = Path(__file__).parent / "pages" / "html"


URL = "https://forum.example.org/q/7"


SPEC = {"kind": "html", "name": "h", "url": "http://127.0.0.1/", "records": "r", "warc": "w"}


LEAST = {"listing": "a.thread", "post": "div.post"}


def told(**options: Any) -> Options:
    return Options.read(Spec.read(SPEC | {"options": LEAST | options}))


def parse_listing(text: str, options: Options) -> Any:
    page = ListingPage(text, URL)
    return {"threads": [list(thread) for thread in page.threads(options)], "next": page.next_urls(options)}


def parse_thread(text: str, options: Options, question: str | None = None) -> Any:
    page = ThreadPage(text, URL, options)
    found = {
        "lesson": page.own_lesson("/q/7"),
        "lesson_links": page.followed("lesson"),
        "discussions": page.followed("discussion"),
        "next": page.followed("next_posts"),
        "more": page.more_comments(),
    }
    return found | {"posts": page.posts(Place("/q/7", URL, page.found_license, question))}


HEAD = {"kind": "comment", "thread_id": "q7", "parent_id": "a1"}


PLACE = Place("/q/7", URL, "CC BY 4.0")


def parse_comments(text: str, options: Options) -> Any:
    assert options.more
    return CommentsPage(text, URL).comments(options, options.more, PLACE, HEAD)


PARSERS = {
    "listing": parse_listing,
    "thread": parse_thread,
    "next": lambda text, options: parse_thread(text, options, "q7"),
    "fragment": lambda text, options: FragmentPage(text, URL, options).comments(PLACE, HEAD),
    "comments": parse_comments,
    "lesson": lambda text, options: ArticlePage(text, URL).lesson(
        "/l", options.about, options.selectors.get("lesson_title"), options.selectors.get("lesson_text")
    ),
}


def parse_folder(folder: Path) -> Any:
    options = told(**json.loads((folder / "options.json").read_text(encoding="utf-8")))
    text = next(folder.glob("input.*")).read_text(encoding="utf-8")
    return PARSERS[folder.name.partition("_")[0]](text, options)


@pytest.mark.parametrize("folder", sorted(FOLDER.iterdir()), ids=lambda folder: folder.name)
def test_page_gives_expected_records(folder: Path) -> None:
    assert parse_folder(folder) == json.loads((folder / "expected.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("text", "number"),
    [("12 votes", 12), ("\u22123", -3), ("1,204", 1204), ("1.2k", 1200), ("none", None), ("", None), ("3.5", 3)],
)
def test_votes_are_read(text: str, number: int | None) -> None:
    assert count(text) == number


@pytest.mark.parametrize(
    ("text", "form", "time"),
    [
        ("2023-01-17T03:44:00.5-0500", None, "2023-01-17T03:44:00-05:00"),
        ("1 March 2024, 14:05", "%d %B %Y, %H:%M", "2024-03-01T14:05:00+00:00"),
        ("yesterday", "%Y", None),
        ("yesterday", None, None),
        ("", None, None),
    ],
)
def test_times_are_read(text: str, form: str | None, time: str | None) -> None:
    assert moment(text, form) == time


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("9" * 100_000, 10**15 - 1),
        ("1," * 50_000, 1),
        ("-" * 100_000, None),
        ("2024-01-" * 12_500, 2024),
        (" " * 100_000, None),
    ],
)
def test_hostile_texts_are_read_quickly(text: str, number: int | None) -> None:
    assert (count(text), moment(text, None)) == (number, None)


def test_posts_that_cannot_be_told_apart_are_no_posts() -> None:
    with pytest.raises(PageError, match="has no id"):
        parse_thread('<div class="post">Why?</div>', told())
    with pytest.raises(PageError, match="the id 1"):
        parse_thread('<div class="post" id="1">Why?</div><div class="post" id="1">So?</div>', told())
