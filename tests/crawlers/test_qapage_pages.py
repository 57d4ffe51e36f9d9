"""Threads of any site by schema.org: pages in `pages/qapage/`."""

import json
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import pytest
from qapage_site import FOLDER, html, thread

from crawlers.page import PageError
from crawlers.qapage.addresses import continues
from crawlers.qapage.lessons import declared_lesson, lesson
from crawlers.qapage.pages import ThreadPage
from crawlers.qapage.values import integer, license_name

URL = "http://127.0.0.1:4321/q/7/shadow"


def parse(html: str) -> Any:
    page = ThreadPage(html, URL)
    page.check()
    if page.found is None:
        return {"refused": page.refused, "outgoing": page.outgoing}
    about = declared_lesson(page)
    return {
        "lesson": about or lesson(page, False, {}),
        "category": lesson(page, True, {})["lesson_id"],
        "posts": page.posts("the lesson"),
        "dropped": [[reason, f"{kind} {url}"] for reason, kind, url in page.dropped],
        "next": page.next_urls,
    }


@pytest.mark.parametrize("folder", sorted(FOLDER.iterdir()), ids=lambda folder: folder.name)
def test_page_gives_expected_records(folder: Path) -> None:
    expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    assert parse((folder / "input.html").read_text(encoding="utf-8")) == expected


def test_broken_json_ld_of_a_thread_is_an_error_and_another_script_is_not() -> None:
    broken = html(thread(1)).replace("}}}", "}}")
    with pytest.raises(PageError) as caught:
        parse(broken)
    assert caught.value.reason == "bad_json_ld"
    other = '<script type="application/ld+json">{"@type": "Organization",, }</script>'
    assert len(parse(html(thread(7)).replace("<head>", f"<head>{other}"))["posts"]) == 2
    assert parse(other) == {"refused": None, "outgoing": []}


@pytest.mark.parametrize(("missing", "reason"), [({"author": None}, "no_author"), ({"dateCreated": "soon"}, "no_date")])
def test_question_must_have_an_author_and_a_date(missing: dict[str, Any], reason: str) -> None:
    with pytest.raises(PageError) as caught:
        parse(html(thread(7, **missing)))
    assert caught.value.reason == reason


def test_title_is_no_post() -> None:
    posting = {
        "@type": "DiscussionForumPosting", "headline": "Hello all", "text": "Hello all", "url": "/q/7/shadow",
        "author": "ann", "datePublished": "2024-01-01",
        "comment": {"@type": "Comment", "text": "Hi, what is it?", "author": "ben", "datePublished": "2024-01-02"},
    }  # fmt: skip
    found = parse(html(posting))
    assert [(post["text"], post["parent_id"]) for post in found["posts"]] == [("Hi, what is it?", None)]
    assert found["dropped"] == [["no_text", "post http://127.0.0.1:4321/q/7/shadow"]]


def test_items_that_refer_to_themselves_are_read_once() -> None:
    answer = {"@id": "#a", "@type": "Answer", "text": "It is.", "author": "b", "dateCreated": "2024-01-01"}
    circle = thread(7, suggestedAnswer=answer | {"comment": {"@id": "#a"}}, acceptedAnswer={"@id": "#a"})
    found = parse(html([circle, {"@id": "#a", "upvoteCount": 4}]))["posts"]
    assert [(post["kind"], post["votes"], post["accepted"]) for post in found[1:]] == [("answer", 4, True)]


def test_answers_with_one_address_stay_apart() -> None:
    answers = [
        {"@type": "Answer", "text": f"Number {n}", "url": URL, "author": "ben", "dateCreated": f"2024-01-0{n}"}
        for n in (1, 2)
    ]
    found = parse(html(thread(7, url=URL, acceptedAnswer=answers[0], suggestedAnswer=answers)))["posts"]
    assert len({post["post_id"] for post in found}) == len(found) == 3
    assert [post["accepted"] for post in found] == [False, True, False]


def test_deep_markup_and_long_values_are_no_trouble() -> None:
    deep = "<div itemprop=comment itemscope itemtype=https://schema.org/Comment>" * 3000
    page = ThreadPage(f"<div itemscope itemtype=https://schema.org/DiscussionForumPosting>{deep}", URL)
    assert page.posts("x") == []
    for hostile in ("<" * 50_000, "1," * 50_000, "2024-01-01T" * 10_000, "&lt;" * 50_000, "[" * 100_000):
        data = thread(7, text=hostile, upvoteCount=hostile, answerCount=hostile)
        assert parse(html(data))["posts"][0]["votes"] in (None, 1)


def test_posts_inside_the_text_of_posts_do_not_fill_the_memory() -> None:
    comment = "<div itemprop=comment itemscope itemtype=https://schema.org/Comment><div itemprop=text>x"
    html = f"<div itemscope itemtype=https://schema.org/DiscussionForumPosting>{comment * 300}{'why ' * 10_000}"
    with pytest.raises(PageError) as caught:
        ThreadPage(html, URL).posts("x")
    assert caught.value.reason == "too_large"


@pytest.mark.parametrize(
    ("text", "number"),
    [("12 votes", 12), ("1,204", 1204), ("\u22123", -3), ("+4", 4), ("1.2k", None), ("3K", None), ("none", None),
     (None, None), ("1,20", None)],
)  # fmt: skip
def test_integer(text: str | None, number: int | None) -> None:
    assert integer(text) == number


def test_license_by_address() -> None:
    assert license_name("http://creativecommons.org/licenses/by-nc-sa/3.0/us/") == "CC BY-NC-SA 3.0"
    assert license_name("https://creativecommons.org/publicdomain/zero/1.0/") == "CC0 1.0"
    assert license_name("https://example.org/terms") == "https://example.org/terms"
    assert license_name("") is None


def test_later_page_of_a_discussion_goes_on_where_the_first_ended() -> None:
    comment = {"@type": "Comment", "text": "Me too?", "author": "ben", "datePublished": "2024-01-02", "url": "#c9"}
    later = html({"@type": "DiscussionForumPosting", "headline": "Hello", "url": "/q/7/shadow", "comment": comment})
    page = ThreadPage(later, f"{URL}?page=2", URL, "answer")
    found = [(post["post_id"], post["kind"], post["parent_id"]) for post in page.posts("x")]
    assert found == [("q/7/shadow#c9", "answer", "q/7/shadow")]
    assert page.dropped == []


@pytest.mark.parametrize(
    ("url", "thread", "expected"),
    [("/t/5?page=2", "/t/5", True), ("/threads/a.5/page-2", "/threads/a.5/", True), ("/t-5-2.html", "/t-5.html", True),
     ("/view.php?t=5&start=20", "/view.php?t=5", True), ("/view.php?t=6", "/view.php?t=5", False),
     ("/t/51", "/t/5", False), ("/t/6", "/t/5", False), ("http://other.example/t/5/page-2", "/t/5", False)],
)  # fmt: skip
def test_further_pages_of_a_thread(url: str, thread: str, expected: bool) -> None:
    assert continues(urljoin(URL, url), urljoin(URL, thread)) == expected


def test_next_link_to_another_thread_gives_nothing() -> None:
    page = ThreadPage(html(thread(8, url="/q/8")), f"{URL}/8", URL, "comment")
    assert page.found is None
