"""Khan Academy: every page class by folders of input and expected output."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from crawlers.khan.discussion_pages import DiscussionPage
from crawlers.khan.lesson_pages import ArticlePage, ContentPage, TranscriptPage, WatchPage
from crawlers.khan.perseus import markdown_text, perseus_text
from crawlers.khan.tree_pages import TreePage
from crawlers.page import PageError

FOLDER = Path(__file__).parent / "pages" / "khan"


URL = "http://127.0.0.1:4321/fetched"


KNOWN = {"lesson_id": "one", "kind": "video", "title": "Old title", "license": None}


def parse_tree(text: str, name: str) -> Any:
    page = TreePage(text, URL)
    return {"lessons": page.lessons(), "open_topics": page.open_topics()}


def parse_lesson(text: str, name: str) -> Any:
    kinds: dict[str, Any] = {
        "article": ArticlePage, "transcript": TranscriptPage, "watch": WatchPage, "content": ContentPage,
    }  # fmt: skip
    known = KNOWN | {"kind": "article" if "article" in name else "video"}
    return kinds[name.partition("_")[0]](text, URL).lesson(known)


def parse_discussion(text: str, name: str) -> Any:
    below = ("q1", "q1") if name.startswith("replies") else (None, None)
    page = DiscussionPage(text, URL, *below)
    return {
        "posts": page.posts("one"), "unfinished": [list(post) for post in page.unfinished()],
        "cursor": page.cursor, "goes_on": page.goes_on(2), "has_answers": page.has_answers,
    }  # fmt: skip


PARSERS: dict[str, Callable[[str, str], Any]] = {
    "tree": parse_tree, "article": parse_lesson, "transcript": parse_lesson, "watch": parse_lesson,
    "content": parse_lesson, "feed": parse_discussion, "replies": parse_discussion,
}  # fmt: skip


@pytest.mark.parametrize("folder", sorted(FOLDER.iterdir()), ids=lambda folder: folder.name)
def test_page_gives_expected_records(folder: Path) -> None:
    (page,) = folder.glob("input.*")
    expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    assert PARSERS[folder.name.partition("_")[0]](page.read_text(encoding="utf-8"), folder.name) == expected


@pytest.mark.parametrize(
    ("path", "above", "subject"),
    [
        ("/video/free-fall", {"domain_slug": "science"}, "science"),
        ("/a/inertia", {}, None),
        ("/video/free-fall", {}, None),
        ("/science/physics/v/free-fall", {}, "science"),
        ("/a/v/free-fall", {}, None),
    ],
)
def test_subject_is_the_domain_and_no_other_word_of_the_address(
    path: str, above: dict[str, str], subject: str | None
) -> None:
    video = {"kind": "Video", "id": "v1", "title": "Free fall", "relative_url": path}
    forces = {"kind": "Topic", "slug": "forces", "children": [video]}
    tree = {
        "kind": "Topic",
        "slug": "root",
        "children": [{"kind": "Topic", "slug": "physics", "children": [forces]} | above],
    }
    (lesson,) = TreePage(json.dumps(tree), URL).lessons()
    assert lesson["record"]["subject"] == subject


def test_page_of_another_layout_says_what_is_missing() -> None:
    with pytest.raises(PageError, match="translated_perseus_content"):
        ArticlePage("{}", URL).lesson(KNOWN)
    with pytest.raises(PageError, match="key"):
        DiscussionPage('[{"content": "Why?"}]', URL).posts("one")
    for body in ('{"message": "moved"}', '"text"', '{"feedback": {}}'):
        with pytest.raises(PageError):
            DiscussionPage(body, URL)
    with pytest.raises(PageError) as caught:
        perseus_text("[{", URL)
    assert caught.value.reason == "bad_json"


HOSTILE = (
    "$",
    "\\$",
    "*",
    "**",
    "_",
    "[",
    "![",
    "](",
    "`",
    "```",
    "#",
    "# ",
    "<a",
    "[[☃ ",
    "&",
    "a*",
    " _x",
    "- ",
    "$\\",
)


@pytest.mark.parametrize("piece", HOSTILE)
def test_hostile_markdown_takes_linear_time(piece: str) -> None:
    text = piece * (200_000 // len(piece))
    assert len(markdown_text(text)) <= len(text)  # quadratic patterns would take minutes here
