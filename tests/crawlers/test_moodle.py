"""A Moodle site in the shape of its web services, crawled over loopback with a token from the environment."""

import gzip
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from moodle_site import TOKEN, Moodle, teaching
from toy import html_answer, posts, records, text_answer

from crawlers.moodle.pages import ContentsPage, DiscussionPage, DiscussionsPage, ForumsPage, PagesPage, linked_page

FOLDER = Path(__file__).parent / "pages" / "moodle"


PROJECT = Path(__file__).parents[2]


URL = "https://moodle.example.org/webservice/rest/server.php"


BASE = "https://moodle.example.org/"


ABOUT = {"license": "CC BY 4.0", "subject": "physics", "course": "Waves"}


def parse_contents(body: bytes) -> Any:
    page = ContentsPage(body, URL, BASE, ABOUT)
    lessons = page.lessons_of_forums()
    return {"forums": lessons, "pages": page.pages(), "lessons": page.section_lessons(set(lessons.values()), "3")}


def parse_pages(body: bytes) -> Any:
    return PagesPage(body, URL, BASE, ABOUT).lessons()


def parse_forums(body: bytes) -> Any:
    return [list(forum) for forum in ForumsPage(body, URL, BASE, ABOUT).forums()]


def parse_discussions(body: bytes) -> Any:
    page = DiscussionsPage(body, URL, BASE, ABOUT)
    found = [[*entry[:2], linked_page(entry.message, ["21", "22"])] for entry in page.discussions()]
    return {"discussions": found, "more": page.has_more()}


def parse_posts(body: bytes) -> Any:
    return DiscussionPage(body, URL, BASE, ABOUT).posts("77", "page/21", "general", frozenset({"8"}))


PARSERS = {
    "contents": parse_contents, "pages": parse_pages, "forums": parse_forums, "discussions": parse_discussions,
    "posts": parse_posts,
}  # fmt: skip


@pytest.mark.parametrize("folder", sorted(FOLDER.iterdir()), ids=lambda folder: folder.name)
def test_page_gives_expected_records(folder: Path) -> None:
    expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    assert PARSERS[folder.name.partition("_")[0]]((folder / "input.json").read_bytes()) == expected


def test_hostile_messages_are_searched_quickly() -> None:
    link = "/mod/page/view.php?"
    assert linked_page(link * 5_000 + "&" * 100_000, ["1"]) is None
    assert linked_page(f"{link}{'a=b&' * 20}id=1", ["1"]) == "1"


def crawl(url: str, folder: Path, token: str | None = TOKEN, **changes: Any) -> dict[str, Any]:
    """Crawl in a process that has the token in its environment."""
    options = {"courses": [3], "token_env": "CAMPUS_TOKEN"} | changes.pop("options", {})
    spec = {
        "kind": "moodle", "name": "m", "url": url, "records": str(folder / "records.jsonl"),
        "warc": str(folder / "raw"), "state": str(folder / "state"),
        "options": {name: value for name, value in options.items() if value is not None},
    } | changes  # fmt: skip
    environment = {**os.environ, "PYTHONPATH": str(PROJECT)} | ({"CAMPUS_TOKEN": token} if token is not None else {})
    command = [sys.executable, "-m", "crawlers.run"]
    done = subprocess.run(command, input=json.dumps(spec), env=environment, capture_output=True, text=True, timeout=60)
    assert "Traceback" not in done.stderr, done.stderr
    assert TOKEN not in done.stdout + done.stderr
    return json.loads(done.stdout) | {"code": done.returncode}


def ties(folder: Path) -> dict[str, str]:
    found = [record["body"] for record in records(folder) if record["type"] == "post"]
    return {post["post_id"]: post["lesson_id"] for post in found}


def lessons(folder: Path) -> dict[str, str]:
    found = [record["body"] for record in records(folder) if record["type"] == "lesson"]
    return {lesson["lesson_id"]: lesson["text"] for lesson in found}


def test_posts_are_tied_to_pages_and_nothing_is_lost(tmp_path: Path) -> None:
    moodle = Moodle(130)
    moodle.discussions[2][0]["message"] = '<p>About <a href="https://m.org/mod/page/view.php?id=21">it</a>: why?</p>'
    with teaching(moodle) as server:
        summary = crawl(server.url, tmp_path)
        assert set(server.paths) == {"/webservice/rest/server.php"}
        chosen = crawl(server.url, tmp_path / "chosen", options={"forums": {"31": 21}, "staff": [8]})
    assert (summary["code"], chosen["code"], summary["rejects"]) == (0, 0, {})
    found = ties(tmp_path)
    assert len(posts(tmp_path)) == 129 * 3
    assert (found["100"], found["202"], found["700"]) == ("page/22", "page/21", "section/6")
    assert lessons(tmp_path) == {
        "page/21": "Waves carry energy.", "page/22": "Sound is a wave.", "section/6": "Light bends.",
    }  # fmt: skip
    assert ties(tmp_path / "chosen")["100"] == "page/21"
    bodies = {r["body"]["post_id"]: r["body"] for r in records(tmp_path / "chosen") if r["type"] == "post"}
    assert bodies["101"] == {
        "post_id": "101", "lesson_id": "page/21", "thread_id": "1", "parent_id": "100", "kind": "answer",
        "author": "8", "author_names": ["Ada L."], "author_role": "instructor",
        "created_at": "2024-03-01T11:00:01+00:00", "votes": None,
        "accepted": False, "text": "Why 101?", "url": f"{server.url}mod/forum/discuss.php?d=1#p101", "license": None,
    }  # fmt: skip


def test_second_night_brings_the_edit_and_the_tombstones(tmp_path: Path) -> None:
    moodle = Moodle(6)
    with teaching(moodle) as server:
        crawl(server.url, tmp_path)
        server.bodies.clear()
        crawl(server.url, tmp_path, options={"revisit": 0})
        assert not [body for body in server.bodies if b"get_discussion_posts" in body]
        moodle.discussions[1][1]["message"] = "<p>Because.</p>"
        moodle.modified[1] += 1
        moodle.discussions[2][2] |= {"isdeleted": True, "message": "This post was deleted"}
        moodle.modified[2] += 1
        moodle.discussions[4].pop()
        del moodle.discussions[5]  # no listing shows it any more: the revisit finds out
        del moodle.pages[22]
        summary = crawl(server.url, tmp_path, options={"revisit": 1})
    found = posts(tmp_path)
    assert summary["code"] == 0
    assert summary["changes"]["removed"] == 1 + 1 + 3 + 1
    assert found["101"] == "Because."
    assert not {"202", "402", "500"} & set(found)
    assert set(lessons(tmp_path)) == {"page/21", "section/6"}
    before = (tmp_path / "records.jsonl").read_bytes()
    again = crawl(server.url, tmp_path, token=None, from_raw=True, options={"revisit": 1})  # without a token
    assert (again["code"], (tmp_path / "records.jsonl").read_bytes()) == (0, before)


def test_thread_is_the_discussion_also_where_its_posts_do_not_say_so(tmp_path: Path) -> None:
    moodle = Moodle(2)
    del moodle.discussions[2][1:], moodle.discussions[2][0]["discussionid"]
    with teaching(moodle) as server:
        crawl(server.url, tmp_path)
    bodies = {r["body"]["post_id"]: r["body"] for r in records(tmp_path) if r["type"] == "post"}
    assert (bodies["200"]["thread_id"], bodies["100"]["thread_id"]) == ("2", "1")
    assert bodies["200"]["url"].endswith("discuss.php?d=2#p200")


def test_discussion_that_lost_all_its_posts_at_once_keeps_them(tmp_path: Path) -> None:
    moodle = Moodle(2)
    with teaching(moodle) as server:
        crawl(server.url, tmp_path)
        moodle.mod_forum_get_discussion_posts = lambda _: {"posts": []}  # type: ignore[method-assign]
        moodle.modified[2] += 1
        summary = crawl(server.url, tmp_path, options={"revisit": 0})
    assert (summary["rejects"], len(posts(tmp_path))) == ({"no_posts": 1}, 6)


def test_token_is_sent_and_stored_nowhere(tmp_path: Path) -> None:
    moodle = Moodle(3)
    moodle.echo = f"<p>See pluginfile.php?token={TOKEN}</p>"
    with teaching(moodle) as server:
        assert crawl(server.url, tmp_path)["code"] == 0
        assert any(TOKEN.encode() in body for body in server.bodies)
        assert not [path for path in server.paths if TOKEN in path]
        server.answer = lambda path: text_answer("", 404) if path == "/robots.txt" else html_answer(f"<p>{TOKEN}</p>")
        assert crawl(server.url, tmp_path)["code"] == 1
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len([path for path in files if path.suffix == ".gz"]) == 2
    for path in files:
        data = path.read_bytes()
        assert TOKEN.encode() not in (gzip.decompress(data) if path.suffix == ".gz" else data), path
    before = (tmp_path / "records.jsonl").read_bytes()
    assert b"pluginfile" in before
    assert crawl(server.url, tmp_path, token=None, from_raw=True)["code"] == 0
    assert (tmp_path / "records.jsonl").read_bytes() == before


def test_error_with_status_200_is_an_error(tmp_path: Path) -> None:
    moodle = Moodle(2)
    with teaching(moodle) as server:
        crawl(server.url, tmp_path)
        summary = crawl(server.url, tmp_path, token="another-token", options={"revisit": 0})
    assert (summary["code"], summary["rejects"]) == (1, {"moodle_invalidtoken": 1})
    assert "Bad token" in summary["errors"][0]
    assert len(posts(tmp_path)) == 6


@pytest.mark.parametrize(
    ("options", "token", "said"),
    [
        ({"courses": None}, TOKEN, "courses"),
        ({"courses": []}, TOKEN, "courses"),
        ({"courses": ["waves"]}, TOKEN, "courses"),
        ({"token_env": None}, TOKEN, "token_env"),
        ({"token_env": "not a variable"}, TOKEN, "token_env"),
        ({}, None, "CAMPUS_TOKEN.*not set"),
        ({}, "two words", "CAMPUS_TOKEN.*no token"),
        ({"token": TOKEN}, TOKEN, "token_env"),
        ({"forums": {"31": "waves"}}, TOKEN, "forums"),
        ({"staff": ["Ada"]}, TOKEN, "staff"),
        ({"curses": [3]}, TOKEN, "curses"),
    ],
)
def test_wrong_options_are_named(tmp_path: Path, options: dict[str, Any], token: str | None, said: str) -> None:
    summary = crawl("http://127.0.0.1:9/", tmp_path, token, options=options)
    assert (summary["code"], summary["reason"]) == (2, "bad spec")
    assert re.search(said, summary["errors"][0]), summary["errors"]
