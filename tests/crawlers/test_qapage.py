"""Threads of any site by schema.org: pages in `pages/qapage/`, and crawls of a site on loopback."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import pytest
from toy import Answer, crawl, html_answer, posts, records, serving, text_answer

from crawlers.page import PageError
from crawlers.qapage.addresses import continues
from crawlers.qapage.lessons import declared_lesson, lesson
from crawlers.qapage.pages import ThreadPage
from crawlers.qapage.values import integer, license_name

FOLDER = Path(__file__).parent / "pages" / "qapage"
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


def thread(number: int, **changes: Any) -> dict[str, Any]:
    """A QAPage as JSON-LD."""
    answer = {
        "@type": "Answer", "text": f"Because of {number}.", "url": f"/q/{number}#a1", "upvoteCount": number,
        "dateCreated": "2024-05-06T08:00:00Z", "author": {"@type": "Person", "name": "ben"},
    }  # fmt: skip
    question = {
        "@type": "Question", "name": f"Why is {number} so?", "text": "I wonder.", "url": f"/q/{number}",
        "dateCreated": "2024-05-06T07:00:00Z", "author": {"@type": "Person", "name": "ann"}, "acceptedAnswer": answer,
    }  # fmt: skip
    return {"@context": "https://schema.org", "@type": "QAPage", "mainEntity": question | changes}


def html(data: Any, body: str = "") -> str:
    return (
        f'<html><head><script type="application/ld+json">{json.dumps(data)}</script></head><body>{body}</body></html>'
    )


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


SITEMAPS = "http://www.sitemaps.org/schemas/sitemap/0.9"
NOTHING = text_answer("nothing here", 404)


def sitemap(base: str, pages: dict[str, str | None], kind: str = "url") -> Answer:
    entries = "".join(
        f"<{kind}><loc>{base}{path}</loc>{f'<lastmod>{mark}</lastmod>' if mark else ''}</{kind}>"
        for path, mark in pages.items()
    )
    root = "sitemapindex" if kind == "sitemap" else "urlset"
    body = f'<?xml version="1.0" encoding="UTF-8"?><{root} xmlns="{SITEMAPS}">{entries}</{root}>'
    return 200, {"Content-Type": "application/xml", "tagged": "yes"}, body.encode()


class Site:
    """Pages by path; the ones that need to know the address of the server are functions of it."""

    def __init__(self, **pages: str) -> None:
        self.base = ""
        self.pages: dict[str, Callable[[], Answer]] = {"/robots.txt": lambda: NOTHING}
        for path, page in pages.items():
            self.show(path, page)

    def show(self, path: str, page: str) -> None:
        self.pages[path] = lambda: html_answer(page, tagged="yes")

    def __call__(self, target: str) -> Answer:
        return self.pages.get(target, lambda: NOTHING)()


def page_two() -> str:
    more = [
        {
            "@type": "Answer",
            "text": f"More {n}",
            "url": f"/q/1?page=2#a{n}",
            "author": "cy",
            "dateCreated": "2024-06-01",
        }
        for n in (2, 3)
    ]
    return html(thread(1, suggestedAnswer=more, acceptedAnswer=None, text="cut …"))


def forum() -> Site:
    """Ten threads, one of two pages, behind an index of sitemaps that robots.txt names."""
    site = Site()
    marks: dict[str, str | None] = {f"q/{n}": f"2024-05-{n + 10}" for n in range(1, 11)}
    marks |= {"faq": None, "about": None, "logo.png": None}
    site.pages["/robots.txt"] = lambda: text_answer(
        f"User-agent: *\nDisallow: /private\nSitemap: {site.base}maps/all.xml"
    )
    site.pages["/maps/all.xml"] = lambda: sitemap(
        site.base, {"maps/threads.xml": None, "maps/gone.xml": None}, "sitemap"
    )
    site.pages["/maps/threads.xml"] = lambda: sitemap(site.base, marks)
    for number in range(1, 11):
        site.show(f"/q/{number}", html(thread(number), '<a href="/users/ann">ann</a>'))
    site.show("/q/1", html(thread(1), '<a rel="next" href="/q/1?page=2">next</a>'))
    site.show("/q/1?page=2", page_two())
    site.show("/faq", (FOLDER / "faq" / "input.html").read_text())
    site.show("/about", "<h1>About us</h1>")
    return site


def test_forum_is_crawled_from_its_sitemaps(tmp_path: Path) -> None:
    site = forum()
    with serving(site) as server:
        site.base = server.url
        summary = crawl(server.url, tmp_path, "qapage", options={"license": "CC BY 4.0", "course": "Physics"})
        assert summary["finished"], summary
        found = posts(tmp_path)
        assert len(found) == 22  # ten questions, ten answers, two on the second page
        assert found["q/1"] == "Why is 1 so?\n\nI wonder."
        assert found["q/1#a3"] == "More 3"
        assert summary["refused"] == {"faq_page": 1}
        assert "/logo.png" not in server.paths
        assert "/users/ann" not in server.paths
        bodies = {(r["type"], r["body"].get("post_id") or r["body"]["lesson_id"]): r["body"] for r in records(tmp_path)}
        answer = bodies["post", "q/4#a1"]
        assert (answer["kind"], answer["votes"], answer["accepted"]) == ("answer", 4, True)
        assert (answer["parent_id"], answer["lesson_id"], answer["license"]) == ("q/4", "q/4", "CC BY 4.0")
        assert bodies["lesson", "q/4"]["course"] == "Physics"

        server.forget()
        site.show("/q/10", html(thread(10, name="Why is ten so?")))
        quiet = crawl(server.url, tmp_path, "qapage", options={"license": "CC BY 4.0", "course": "Physics"})
        assert quiet["changes"] == {"new": 0, "changed": 0, "removed": 0, "returned": 0}
        assert "/q/10" not in server.paths  # its mark in the sitemap is the same
        assert len([path for path in server.paths if path.startswith("/q/")]) <= 2  # one thirtieth, and its second page

        again = crawl(server.url, tmp_path / "again", "qapage", options={"license": "CC BY 4.0", "course": "Physics"},
                      from_raw=True, warc=str(tmp_path / "raw" / "crawl.warc.gz"))  # fmt: skip
        assert again["finished"], again
    assert (tmp_path / "again" / "records.jsonl").read_bytes() == (tmp_path / "records.jsonl").read_bytes()


def test_without_a_sitemap_links_are_followed(tmp_path: Path) -> None:
    site = Site()
    front = "".join(
        f'<a href="{path}">x</a>' for path in ("/list?page=1", "/login", "/users/1", "/a/a/a/b", "/pic.jpg")
    )
    site.show("/", front)
    for number in range(1, 15):  # deeper than a chain of pages without records may be
        links = f'<a href="/q/{number}">q</a><a href="/list?page={number + 1}">n</a><a href="/" rel="nofollow">f</a>'
        site.show(f"/list?page={number}", links)
        site.show(f"/q/{number}", html(thread(number), '<a href="/q/99">related</a>'))
    site.show("/q/2", (FOLDER / "faq" / "input.html").read_text())
    with serving(site) as server:
        site.pages["/sitemap.xml"] = lambda: html_answer("<h1>There is no such page<br></h1>")
        summary = crawl(server.url, tmp_path, "qapage")
        asked = server.paths
    assert summary["finished"], summary
    assert {name for name in posts(tmp_path) if "#" not in name} == {f"q/{n}" for n in range(1, 15) if n != 2}
    assert not {"/login", "/users/1", "/pic.jpg", "/a/a/a/b", "/q/99"} & set(asked)
    assert summary["rejects"]["bad_xml"] == 1
    assert summary["refused"] == {"faq_page": 1}


def test_site_whose_links_never_end_is_left(tmp_path: Path) -> None:
    site = Site()
    site.show("/q/1", html(thread(1)))

    def answer(target: str) -> Answer:
        month = int(target.partition("=")[2] or 0)
        calendar = "".join(f'<a href="/calendar?month={month * 2 + n}">n</a>' for n in (1, 2))
        endless = target == "/" or target.startswith("/calendar")
        return html_answer(f'{calendar}<a href="/q/1">q</a>') if endless else site(target)

    with serving(answer) as server:
        summary = crawl(server.url, tmp_path, "qapage", options={"max_hops": 30})
    assert (summary["code"], len(posts(tmp_path))) == (0, 2)
    assert summary["rejects"]["endless_site"] > 1
    assert len(server.paths) < 100


def test_lesson_that_a_thread_declares_is_fetched(tmp_path: Path) -> None:
    site = Site()
    for number in (1, 2):
        about = {"@type": "Article", "url": "/lessons/optics"}
        site.show(f"/q/{number}", html(thread(number, about=about)))
    site.show("/lessons/optics", "<html><body><main><h1>Optics</h1><p>Light bends.</p></main></body></html>")
    site.show("/", '<a href="/q/1">1</a><a href="/q/2">2</a>')
    with serving(site) as server:
        summary = crawl(server.url, tmp_path, "qapage", options={"follow": "always"})
        assert server.paths.count("/lessons/optics") == 1
    assert summary["finished"], summary
    bodies = [record["body"] for record in records(tmp_path)]
    assert [body["title"] for body in bodies if "title" in body] == ["Optics"]
    assert {body["lesson_id"] for body in bodies} == {"lessons/optics"}


@pytest.mark.parametrize("follow", ["never", "always"])
def test_page_of_the_server_in_place_of_a_thread_removes_nothing(tmp_path: Path, follow: str) -> None:
    site = Site()
    numbers = range(1, 5)
    for number in numbers:
        site.show(f"/q/{number}", html(thread(number)))
    site.show("/", "".join(f'<a href="/q/{number}">q</a>' for number in numbers))
    paths: dict[str, str | None] = dict.fromkeys([f"q/{number}" for number in numbers], "2024-05-01")
    site.pages["/sitemap.xml"] = lambda: sitemap(site.base, paths if follow == "never" else {})
    with serving(site) as server:
        site.base = server.url
        crawl(server.url, tmp_path, "qapage", options={"follow": follow})
        before = (tmp_path / "records.jsonl").read_bytes()
        paths["q/2"] = "2024-06-01"
        for page in ("<h1>Just a moment...</h1>Checking your browser", (FOLDER / "faq" / "input.html").read_text()):
            site.show("/q/2", page)
            summary = crawl(server.url, tmp_path, "qapage", options={"follow": follow, "revisit": 0})
            assert (summary["code"], summary["rejects"], summary["changes"]["removed"]) == (0, {"no_thread": 1}, 0)
            assert (tmp_path / "records.jsonl").read_bytes() == before
        assert crawl(server.url, tmp_path, "qapage", from_raw=True, options={"follow": follow})["code"] == 0
        assert (tmp_path / "records.jsonl").read_bytes() == before
        site.show("/q/2", html(thread(2, acceptedAnswer=None)))  # well again: it was never taken whole, so it is asked
        again = crawl(server.url, tmp_path, "qapage", options={"follow": follow, "revisit": 0})
        assert (again["rejects"], again["changes"]["removed"]) == ({}, 1)


def unsigned(number: int, *names: str) -> str:
    """A thread with answers that nobody signed."""
    answers = [{"@type": "Answer", "text": f"{name}.", "dateCreated": "2024-05-06"} for name in names]
    return html(thread(number, suggestedAnswer=answers))


def test_what_cannot_be_taken_is_a_record_of_its_page(tmp_path: Path) -> None:
    site = Site()
    marks: dict[str, str | None] = dict.fromkeys(("q/1", "q/2", "bad", "unsigned"), "2024-05-01")
    site.pages["/sitemap.xml"] = lambda: sitemap(site.base, marks)
    site.show("/q/1", unsigned(1, "a", "b"))
    site.show("/q/2", unsigned(2, "c"))
    site.show("/bad", html(thread(3)).replace("}}}", "}}"))
    site.show("/unsigned", html(thread(3, author=[])))

    def rejects() -> list[tuple[str, str]]:
        bodies = [record["body"] for record in records(tmp_path) if record["type"] == "reject"]
        assert len({body["reject_id"] for body in bodies}) == len(bodies)
        return sorted((body["reason"], body["url"].removeprefix(server.url)) for body in bodies)

    with serving(site) as server:
        site.base = server.url
        options = {"revisit": 0, "max_rejected": 0}
        first = crawl(server.url, tmp_path, "qapage", options=options)
        assert (first["code"], first["items"], first["changes"]["new"]) == (0, 6, 6)
        assert first["rejects"] == {"bad_json_ld": 1, "no_author": 4}
        assert {entry["reason"] for entry in first["rejected"]} == {"bad_json_ld", "no_author"}
        assert rejects() == [("bad_json_ld", "bad"), ("no_author", "q/1"), ("no_author", "q/1"), ("no_author", "q/2"),
                             ("no_author", "unsigned")]  # fmt: skip
        quiet = crawl(server.url, tmp_path, "qapage", options=options)
        assert (quiet["rejects"], len(rejects())) == ({}, 5)
        marks |= dict.fromkeys(marks, "2024-06-01")
        site.show("/q/1", unsigned(1, "b"))  # read again: one of two is left
        site.pages["/q/2"] = lambda: text_answer("gone", 410)  # its reject leaves with it
        site.show("/bad", html(thread(3)))
        site.show("/unsigned", "<p>")
        second = crawl(server.url, tmp_path, "qapage", options=options)
        assert second["changes"] == {"new": 3, "changed": 0, "removed": 3, "returned": 0}
        assert rejects() == [("no_author", "q/1")]
        site.show("/bad", html(thread(3, author=[])))  # a thread that is known stays
        marks["bad"] = "2024-07-01"
        del marks["q/2"]
        third = crawl(server.url, tmp_path, "qapage", options=options | {"max_rejected": 1})
        assert (third["rejects"], third["changes"]["removed"], len(rejects())) == ({"no_author": 1}, 0, 1)
        before = (tmp_path / "records.jsonl").read_bytes()
        assert crawl(server.url, tmp_path, "qapage", from_raw=True)["code"] == 0
    assert (tmp_path / "records.jsonl").read_bytes() == before


def test_bad_pages_are_counted_and_the_rest_is_kept(tmp_path: Path) -> None:
    site = Site()
    paths = ["q/1", "q/2", "bad", "unsigned", "deep", "bomb"]
    site.pages["/sitemap.xml"] = lambda: sitemap(site.base, dict.fromkeys(paths))
    for number in (1, 2, 3):
        site.show(f"/q/{number}", html(thread(number)))
    site.show("/bad", html(thread(3)).replace("}}}", "}}"))
    site.show("/unsigned", html(thread(3, author=[])))
    site.show("/deep", '<script type="application/ld+json">' + '{"@type":"QAPage","mainEntity":' * 5000 + "</script>")
    site.show("/bomb", "<p>" * 250_000)
    with serving(site) as server:
        site.base = server.url
        summary = crawl(server.url, tmp_path, "qapage", options={"max_rejected": 0.9})
    assert summary["finished"], summary
    assert set(summary["rejects"]) == {"bad_json_ld", "no_author", "nested_too_deeply", "too_many_tags"}
    assert set(posts(tmp_path)) == {"q/1", "q/1#a1", "q/2", "q/2#a1"}


def test_part_of_a_site_is_taken_and_options_are_checked(tmp_path: Path) -> None:
    site = Site()
    site.pages["/sitemap.xml"] = lambda: sitemap(site.base, {"q/1": None, "q/2": None, "blog/3": None})
    for path in ("q/1", "q/2", "blog/3"):
        site.show(f"/{path}", html(thread(int(path[-1]))))
    with serving(site) as server:
        site.base = server.url
        crawl(server.url, tmp_path, "qapage", options={"include": ["/q/*"], "exclude": ["/q/2"]})
        assert [path for path in server.paths if path != "/sitemap.xml"] == ["/q/1"]
        wrong = crawl(server.url, tmp_path / "wrong", "qapage", options={"includes": ["/q/*"]})
    assert wrong["code"] == 2
    assert "includes" in wrong["errors"][0]
