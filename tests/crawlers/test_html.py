"""Forums described by selectors: crawls of a site on loopback."""

import re
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from toy import Answer, crawl, html_answer, json_answer, posts, records, serving, text_answer

from crawlers.campus.site import serve

LEAST = {"listing": "a.thread", "post": "div.post"}
SELECTORS = {
    "listing": "a.title", "item": "li", "activity": "time@datetime", "next": "a.older", "lesson": "a.lesson",
    "lesson_text": "article", "title": "h1", "post": "div.post", "comment": "div.comment", "body": ".body",
    "author": ".by", "role": ".badge", "date": "time@datetime", "votes": ".votes", "accepted": ".tick",
    "next_posts": "a.more-answers", "license": "CC BY-SA 4.0",
    "more_comments": {
        "url": "/comments?post={post}", "when": "a.all", "post": "@data-n", "id": "c-{id}", "body": "{html}",
        "author": "{name}", "date": "{at}", "votes": "{score}",
    },
}  # fmt: skip


PER_LISTING, PER_PAGE, SHOWN_COMMENTS = 10, 5, 2


class HtmlForum:
    """Threads with a question, answers five a page and comments of which two are shown; every third has no lesson."""

    def __init__(self, threads: int, answers: int = 12, comments: int = 5) -> None:
        self.threads = {n: {f"{n}-{a}": f"Because {a}." for a in range(answers)} for n in range(threads)}
        self.comments = {f"{n}-0": [f"But {c}?" for c in range(comments)] for n in self.threads}
        self.activity = dict.fromkeys(self.threads, 1)
        self.lesson = "Levers move the world."
        self.gone: set[int] = set()

    def __call__(self, target: str) -> Answer:
        parts = urlsplit(target)
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        number = int(query.get("page", 0))
        kind, _, name = parts.path.strip("/").partition("/")
        if parts.path == "/questions":
            return html_answer(self.listing(number))
        if kind == "q" and int(name) in self.threads and int(name) not in self.gone:
            return html_answer(self.thread(int(name), number))
        if parts.path == "/comments":
            shown = enumerate(self.comments[query["post"]])
            return json_answer(
                [{"id": f"{query['post']}-{c}", "html": f"<p>{text}</p>", "name": "cy", "at": "2024-03-03 10:00",
                  "score": c} for c, text in shown]
            )  # fmt: skip
        if kind == "lessons":
            return html_answer(f"<h1>Levers</h1><article><p>{self.lesson}</p></article>")
        return text_answer("no such page", 404)

    def listing(self, number: int) -> str:
        shown = list(self.threads)[number * PER_LISTING : (number + 1) * PER_LISTING]
        items = "".join(
            f'<li><a class="title" href="/q/{n}">Why {n}?</a><time datetime="{self.activity[n]}">now</time></li>'
            for n in shown
        )
        older = f'<a class="older" href="?page={number + 1}">Older</a>'
        return f"<ul>{items}</ul>{older if len(self.threads) > (number + 1) * PER_LISTING else ''}"

    def thread(self, n: int, number: int) -> str:
        answers = list(self.threads[n].items())
        shown = answers[number * PER_PAGE : (number + 1) * PER_PAGE]
        lesson = "" if n % 3 == 2 else f'<a class="lesson" href="/lessons/{n % 3}#part">Lesson</a>'
        more = f'<a class="more-answers" href="?page={number + 1}">More</a>'
        return (
            f"<h1>Why {n}?</h1>{lesson}"
            + self.post(f"q{n}", "I cannot see it.", self.comment(f"c-q{n}", "Me too."))
            + "".join(self.post(name, text, self.shown_comments(name)) for name, text in shown)
            + '<div class="post"><div class="body"></div></div>'  # a template
            + (more if len(answers) > (number + 1) * PER_PAGE else "")
        )

    def shown_comments(self, name: str) -> str:
        found = self.comments.get(name, [])
        shown = "".join(self.comment(f"c-{name}-{c}", text) for c, text in enumerate(found[:SHOWN_COMMENTS]))
        return shown + ('<a class="all" href="#">all</a>' if len(found) > SHOWN_COMMENTS else "")

    def post(self, name: str, text: str, comments: str) -> str:
        tick = '<i class="tick"></i><b class="badge">Tutor</b>' if name.endswith("-1") else ""
        return (
            f'<div class="post" id="{name}" data-n="{name}"><span class="votes">{len(text)} votes</span>{tick}'
            f'<div class="body"><p>{text}</p></div><span class="by">ada</span>'
            f'<time datetime="2024-03-01T10:00:00Z"></time>{comments}</div>'
        )

    def comment(self, name: str, text: str) -> str:
        return f'<div class="comment" id="{name}"><div class="body">{text}</div><span class="by">bo</span></div>'


def bodies(folder: Path, kind: str) -> dict[str, dict[str, Any]]:
    return {str(record["body"][f"{kind}_id"]): record["body"] for record in records(folder) if record["type"] == kind}


def test_nothing_is_lost_over_many_pages(tmp_path: Path) -> None:
    with serving(HtmlForum(25)) as server:
        summary = crawl(f"{server.url}questions", tmp_path, "html", options=SELECTORS)
        asked = [path for path in server.paths if path.startswith("/comments")]
        assert len(server.paths) == len(set(server.paths)) == 3 + 25 * 3 + 25 + 2
        assert len(asked) == 25
    assert (summary["code"], summary["rejects"]) == (0, {})
    found = bodies(tmp_path, "post")
    assert len(posts(tmp_path)) == 25 * (1 + 1 + 12 + 5)
    assert {name: lesson["text"] for name, lesson in bodies(tmp_path, "lesson").items()} == {
        "/lessons/0": "Levers move the world.", "/lessons/1": "Levers move the world.",
        **{f"/q/{n}": "" for n in range(25) if n % 3 == 2},
    }  # fmt: skip
    assert found["7-1"] == {
        "post_id": "7-1", "lesson_id": "/lessons/1", "thread_id": "q7", "parent_id": "q7", "kind": "answer",
        "author": "ada", "author_role": "Tutor", "created_at": "2024-03-01T10:00:00+00:00", "votes": 10,
        "accepted": True, "text": "Because 1.", "url": f"{server.url}q/7#7-1", "license": "CC BY-SA 4.0",
    }  # fmt: skip
    assert found["q8"]["text"] == "Why 8?\n\nI cannot see it."
    assert (found["8-11"]["thread_id"], found["8-11"]["url"]) == ("q8", f"{server.url}q/8?page=2#8-11")
    comment = found["c-8-0-4"]
    assert (comment["parent_id"], comment["kind"], comment["votes"], comment["text"]) == ("8-0", "comment", 4, "But 4?")
    assert found["c-q8"]["parent_id"] == "q8"


def test_every_board_of_an_index_is_read(tmp_path: Path) -> None:
    thread = '<h1>{0}</h1><div class="post" id="{0}">Why?</div>'
    pages = {
        "/": '<a class="board" href="/b/1">1</a><a class="board" href="/b/2">2</a>',
        "/b/1": '<a class="thread" href="/t/1">1</a><a class="page" href="#">1</a><a class="page" href="?p=2">2</a>',
        "/b/1?p=2": '<a class="thread" href="/t/2">2</a>',
        "/b/2": '<a class="thread" href="/t/3">3</a>',
    } | {f"/t/{n}": thread.format(n) for n in (1, 2, 3)}
    with serving(lambda path: html_answer(pages[path]) if path in pages else text_answer("", 404)) as server:
        summary = crawl(server.url, tmp_path, "html", options=LEAST | {"next": "a.board, a.page"})
        assert sorted(server.paths) == sorted(pages)
    assert (summary["code"], summary["rejects"], set(posts(tmp_path))) == (0, {}, {"1", "2", "3"})


def test_second_night_brings_the_edit_and_the_tombstones(tmp_path: Path) -> None:
    forum = HtmlForum(12)
    with serving(forum) as server:
        start = f"{server.url}questions"
        crawl(start, tmp_path, "html", options=SELECTORS)
        server.forget()
        crawl(start, tmp_path, "html", options=SELECTORS | {"revisit": 0})
        assert server.paths == ["/questions", "/questions?page=1"]
        forum.threads[3]["3-9"] = "Because of leverage."
        del forum.threads[4]["4-11"]
        forum.comments["5-0"].pop()
        forum.gone.add(6)
        for n in (3, 4, 5, 6):
            forum.activity[n] += 1
        forum.lesson = "Levers turn."
        changes = crawl(start, tmp_path, "html", options=SELECTORS | {"revisit": 0})["changes"]
    found = posts(tmp_path)
    assert (changes["changed"], changes["removed"], changes["new"]) == (1 + 2, 1 + 1 + 19, 0)
    assert found["3-9"] == "Because of leverage."
    assert not {"4-11", "c-5-0-4", "q6"} & set(found)
    before = (tmp_path / "records.jsonl").read_bytes()
    again = crawl(start, tmp_path, "html", options=SELECTORS | {"revisit": 0}, from_raw=True)
    assert (again["code"], (tmp_path / "records.jsonl").read_bytes()) == (0, before)


@pytest.mark.parametrize("path", ["/q/4", "/q/4?page=1", "/comments?post=4-0"])
def test_page_of_the_server_in_place_of_posts_removes_nothing(tmp_path: Path, path: str) -> None:
    forum = HtmlForum(6)
    wall: set[str] = set()
    pages = {name: value for name, value in SELECTORS.items() if name != "more_comments"}
    options = pages | {"more_comments": "a.all@href", "revisit": 0}

    def answer(target: str) -> Answer:
        if target in wall:
            return html_answer("<h1>Just a moment...</h1>")
        if target.startswith("/comments"):
            name = target.partition("=")[2]
            shown = enumerate(forum.comments[name])
            return html_answer("".join(forum.comment(f"c-{name}-{number}", text) for number, text in shown))
        status, headers, body = forum(target)
        linked = re.sub(rb'data-n="([^"]+)"((?:(?!data-n).)*)href="#"', rb'data-n="\1"\2href="/comments?post=\1"', body)
        return status, headers, linked

    with serving(answer) as server:
        start = f"{server.url}questions"
        assert crawl(start, tmp_path, "html", options=options)["rejects"] == {}
        before = posts(tmp_path)
        assert len(before) == 6 * (1 + 1 + 12 + 5)
        wall.add(path)
        forum.activity[4] += 1
        summary = crawl(start, tmp_path, "html", options=options)
        reason = "unexpected_page" if path == "/q/4" else "no_posts"
        assert (summary["rejects"], summary["changes"]["removed"]) == ({reason: 1}, 0)
        assert posts(tmp_path) == before


def test_discussion_in_which_nobody_wrote_yet_is_no_other_page(tmp_path: Path) -> None:
    pages = {"/": '<a class="thread" href="/l">l</a>', "/l": '<a class="d" href="/d">d</a>', "/d": "<p>Be the first!"}
    with serving(lambda path: html_answer(pages[path]) if path in pages else text_answer("", 404)) as server:
        for shown, rejects in (("", {}), ('<div class="post" id="1">Why?</div>', {}), ("", {"no_posts": 1})):
            pages["/d"] = f"<p>Be the first!{shown}"
            summary = crawl(server.url, tmp_path, "html", options=LEAST | {"discussion": "a.d"})
            assert summary["rejects"] == rejects
    assert posts(tmp_path) == {"1": "Why?"}


def test_lesson_has_the_address_to_which_its_thread_leads(tmp_path: Path) -> None:
    post = '<h1>T</h1><div class="post" id="{}">Why?</div>'
    canonical = '<link rel="canonical" href="{}">'
    pages = {
        "/": html_answer("".join(f'<a class="thread" href="/t/{n}?from=list">t</a>' for n in range(5))),
        "/t/0?from=list": text_answer("", 302, Location="/t/0-tides#p0"),
        "/t/0-tides": html_answer(post.format("p0")),
        "/t/1?from=list": text_answer("", 301, Location="/t/1-rust?from=list"),
        "/t/1-rust?from=list": html_answer(canonical.format("/t/1-rust") + post.format("p1")),
        "/t/2?from=list": html_answer(canonical.format("http://elsewhere.example/t/2") + post.format("p2")),
        "/t/3?from=list": html_answer(canonical.format("/") + post.format("p3")),
        "/t/4?from=list": html_answer(canonical.format("/t/4") + post.format("p4")),
    }
    with serving(lambda path: pages.get(path) or text_answer("", 404)) as server:
        assert crawl(server.url, tmp_path, "html", options=LEAST)["code"] == 0
    expected = ["/t/0-tides", "/t/1-rust", "/t/2?from=list", "/t/3?from=list", "/t/4"]
    assert [post["lesson_id"] for post in bodies(tmp_path, "post").values()] == expected
    assert {
        name: lesson["url"].removeprefix(server.url[:-1]) for name, lesson in bodies(tmp_path, "lesson").items()
    } == {name: name for name in expected}


def test_other_selectors_read_unchanged_pages_again(tmp_path: Path) -> None:
    with serving(HtmlForum(3)) as server:
        for author, name in ((".by", "ada"), (".votes", "10 votes")):
            options = SELECTORS | {"author": author, "revisit": 0}
            assert crawl(f"{server.url}questions", tmp_path, "html", options=options)["code"] == 0
            assert bodies(tmp_path, "post")["1-1"]["author"] == name


def test_lessons_may_stand_on_another_host(tmp_path: Path) -> None:
    with serving(HtmlForum(1)) as school, serving(HtmlForum(1)) as server:
        link = f'<a class="l" href="{school.url}lessons/1">The lesson</a>'
        html = f'<a class="thread" href="/t">t</a><div class="post" id="q">Why?</div>{link}'
        server.answer = lambda path: html_answer(html) if path != "/robots.txt" else text_answer("", 404)
        found = {}
        for name, more in (("here", {}), ("there", {"lesson_site": school.url})):
            assert crawl(server.url, tmp_path / name, "html", options=LEAST | {"lesson": "a.l"} | more)["code"] == 0
            found[name] = set(bodies(tmp_path / name, "lesson"))
            assert {post["lesson_id"] for post in bodies(tmp_path / name, "post").values()} == found[name]
    assert found == {"here": {"/t"}, "there": {f"{school.url}lessons/1"}}


def test_further_comments_may_be_html(tmp_path: Path) -> None:
    pages = {
        "/": '<a class="thread" href="/t">t</a>',
        "/t": '<div class="post" id="q">Why?<p class="c" id="c1">1</p><a class="rest" href="/rest">more</a></div>',
        "/rest": '<p class="c" id="c1">1</p><p class="c" id="c2">2</p>',
    }
    options = LEAST | {"comment": "p.c", "more_comments": "a.rest@href"}
    with serving(lambda path: html_answer(pages[path]) if path in pages else text_answer("", 404)) as server:
        assert crawl(server.url, tmp_path, "html", options=options)["code"] == 0
    found = bodies(tmp_path, "post")
    assert {name: post["parent_id"] for name, post in found.items()} == {"q": None, "c1": "q", "c2": "q"}
    assert found["q"]["text"].startswith("Why?")


CAMPUS = {
    "listing": "a.lesson", "activity": "@data-activity", "lesson_text": "article.body", "discussion": "a.discussion",
    "next_posts": 'a[rel="next"]', "post": "article.post", "post_id": "@data-post", "question": ".question",
    "answer": ".answer", "comment": ".comment", "parent": "@data-parent", "body": ".body",
    "author": "@data-author", "role": "@data-role",
    "date": "time@datetime", "votes": "@data-votes", "accepted": ".accepted",
}  # fmt: skip


def test_bundled_campus_gives_the_same_posts_by_selectors(tmp_path: Path) -> None:
    same = ("kind", "parent_id", "author", "author_role", "votes", "accepted", "text", "license")
    found = {}
    with serve(Path(__file__).parents[2] / "data" / "campus") as url:
        for kind, options in (("campus", {}), ("html", CAMPUS)):
            assert crawl(url, tmp_path / kind, kind, options=options)["code"] == 0
            posts_of = bodies(tmp_path / kind, "post")
            found[kind] = {name: {key: post[key] for key in same} for name, post in posts_of.items()}
    assert len(found["html"]) > 100
    assert found["html"] == found["campus"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"listing": None}, "listing"),
        ({"post": None}, "post"),
        ({"listing": "a["}, "listing"),
        ({"author": ".by@"}, "author"),
        ({"votes": 3}, "votes"),
        ({"more_comments": {"url": "/c"}}, "more_comments"),
        ({"more_comments": {"url": "/c", "id": "{id}", "body": "{b}", "after": "x"}}, "more_comments"),
        ({"autor": ".by"}, "autor"),
    ],
)
def test_wrong_options_are_named(tmp_path: Path, options: dict[str, Any], said: str) -> None:
    given = {name: value for name, value in (LEAST | options).items() if value is not None}
    summary = crawl("http://127.0.0.1:9/", tmp_path, "html", options=given)
    assert (summary["code"], summary["reason"]) == (2, "bad spec")
    assert re.search(rf"\b{said}\b", summary["errors"][0]), summary["errors"]


def test_selectors_of_another_site_say_so(tmp_path: Path) -> None:
    with serving(HtmlForum(3)) as server:
        summary = crawl(f"{server.url}questions", tmp_path, "html", options=SELECTORS | {"post": "div.entry"})
    assert (summary["code"], summary["rejects"]["unexpected_page"]) == (1, 3)
    assert "div.entry" in summary["rejected"][0]["detail"]
