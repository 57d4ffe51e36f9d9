"""Markup as it is on boards whose software marks every post for itself, or marks the title and replies alone."""

from typing import Any

import pytest
from toy import Answer, crawl, html_answer, records, serving, text_answer

from crawlers.qapage.pages import ThreadPage

SHOWN, PEOPLE = 3, ("ada", "ben")


def flat_post(number: int) -> str:
    """A post without title and address, as Misago marks it."""
    return (
        f'<li id="post-{number}" itemscope itemtype="http://schema.org/DiscussionForumPosting">'
        f'<span itemprop="author">{PEOPLE[number % 2]}</span><time itemprop="datePublished" datetime="2024-03-01T10:'
        f'{number:02}:00Z">now</time><div itemprop="articleBody"><p>Said {number}.</p></div></li>'
    )


class Board:
    """Threads with posts a few a page; the page of a listing that comes next is named in its head alone."""

    def __init__(self, threads: int, posts: int, page_name: str) -> None:
        self.threads, self.posts, self.page_name = threads, posts, page_name

    def page(self, thread: str, number: int) -> str:
        """The address of a page."""
        return thread if number == 1 else thread + self.page_name.format(number)

    def __call__(self, target: str) -> Answer:
        if target in ("/", "/?start=2"):
            return html_answer(self.listing(second=target != "/"))
        for n in range(self.threads):
            thread = f"/t/lever/{n + 1}/"
            if target == f"{thread}last/":
                return text_answer("", 302, Location=self.page(thread, -(-self.posts // SHOWN)))
            for number in range(1, -(-self.posts // SHOWN) + 1):
                if target == self.page(thread, number):
                    return html_answer(self.thread(thread, number))
        return text_answer("", 404)

    def listing(self, second: bool) -> str:
        half = self.threads // 2
        shown = range(half, self.threads) if second else range(half)
        threads = [f"/t/lever/{n + 1}/" for n in shown]
        links = "".join(
            f'<a href="{url}">Why?</a><a href="{self.page(url, 2)}">2</a><a href="{url}last/">last</a>'
            for url in threads
        )
        return ("" if second else '<link rel="next" href="/?start=2">') + links

    def thread(self, address: str, number: int) -> str:
        numbers = range(self.posts)[(number - 1) * SHOWN : number * SHOWN]
        around = f'<link rel="canonical" href="{self.page(address, number)}"><h1>Why does {address} lift?</h1>'
        if number > 1:
            around += f'<link rel="prev" href="{self.page(address, number - 1)}">'
        if numbers[-1] + 1 < self.posts:
            around += f'<a rel="next" href="{self.page(address, number + 1)}">next</a>'
        return around + "".join(flat_post(n) for n in numbers)


@pytest.mark.parametrize("page_name", ["?page={}", "page-{}", "{}/"])
def test_every_post_of_a_flat_board_is_there_once(tmp_path: Any, page_name: str) -> None:
    with serving(Board(4, 8, page_name)) as server:
        summary = crawl(server.url, tmp_path, "qapage")
        assert (summary["code"], summary["rejects"]) == (0, {})
        assert not [path for path in server.paths if path.endswith("/last/")]
        again = crawl(server.url, tmp_path, "qapage")
    assert (again["code"], sum(again["changes"].values())) == (0, 0)
    found = [record["body"] for record in records(tmp_path) if record["type"] == "post"]
    expected = {}
    for n in range(4):
        thread = f"t/lever/{n + 1}/"
        expected |= {(thread, "post", None): f"Why does /{thread} lift?\n\nSaid 0."}
        expected |= {(f"{thread}#post-{p}", "answer", thread): f"Said {p}." for p in range(1, 8)}
    assert {(post["post_id"], post["kind"], post["parent_id"]): post["text"] for post in found} == expected
    lessons = [record["body"]["lesson_id"] for record in records(tmp_path) if record["type"] == "lesson"]
    assert sorted(lessons) == [f"t/lever/{n + 1}/" for n in range(4)]


def titled(replies: str, author: str = "ada") -> str:
    """A topic whose own item has no text, as NodeBB marks it."""
    return f"""<div itemscope itemtype="https://schema.org/DiscussionForumPosting"><meta itemprop="headline"
        content="Why does a lever lift?"><meta itemprop="url" content="http://127.0.0.1/topic/1/lever">
        <meta itemprop="datePublished" content="2024-03-01T10:00:00.000Z"><div itemprop="author" itemscope
        itemtype="https://schema.org/Person"><meta itemprop="name" content="{author}"></div><ul>{replies}</ul></div>"""


def reply(number: int, author: str) -> str:
    return f"""<li itemprop="comment" itemscope itemtype="http://schema.org/Comment"><a id="{number}"></a><meta
        itemprop="datePublished" content="2024-03-01T10:0{number}:00.000Z"><div itemprop="author" itemscope
        itemtype="https://schema.org/Person"><meta itemprop="name" content="{author}"></div>
        <div itemprop="text"><p>Said {number}.</p></div><meta itemprop="upvoteCount" content="{number}"></li>"""


def read(html: str, *told: str) -> list[tuple[str, str | None, str, int | None]]:
    posts = ThreadPage(html, "http://127.0.0.1/topic/1/lever", *told).posts("x")
    return [(post["kind"], post["parent_id"], post["text"], post["votes"]) for post in posts]


def test_first_reply_of_a_bare_title_opens_the_thread_when_its_author_wrote_it() -> None:
    # Shown newest first: what opened the thread is what was said first.
    assert read(titled(reply(2, "ben") + reply(3, "ada") + reply(1, "ada"))) == [
        ("post", None, "Why does a lever lift?\n\nSaid 1.", 1),
        ("answer", "topic/1/lever", "Said 2.", 2),
        ("answer", "topic/1/lever", "Said 3.", 3),
    ]
    assert read(titled(reply(1, "ben"))) == [("post", None, "Said 1.", 1)]  # below an article
    later = read(titled(reply(4, "ada")), "http://127.0.0.1/topic/1/lever", "answer")
    assert later == [("answer", "topic/1/lever", "Said 4.", 4)]


def test_site_without_markup_is_not_blamed_on_a_few_walls(tmp_path: Any) -> None:
    pages = {"/": "<a href=/a>a</a><a href=/b>b</a><a href=/new>new</a>", "/a": "a", "/b": "b", "/login": "Log in"}

    def answer(path: str) -> Answer:
        if path == "/new":
            return text_answer("", 302, Location="/login")
        return html_answer(pages[path]) if path in pages else text_answer("", 404)

    with serving(answer) as server:
        (error,) = crawl(server.url, tmp_path, "qapage")["errors"]
    assert error.endswith("1 of 6 pages were not taken as login_wall; is it a site of the kind qapage?")
