"""Threads of any site by schema.org: crawls of a site on loopback."""

from pathlib import Path

import pytest
from qapage_site import FOLDER, Site, forum, html, sitemap, thread, unsigned
from toy import Answer, crawl, html_answer, posts, records, serving, text_answer


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


def test_title_below_which_nobody_wrote_is_no_lesson(tmp_path: Path) -> None:
    known = {"@type": "DiscussionForumPosting", "text": "Hello all", "author": "ann", "datePublished": "2024-01-01"}
    reply = {"@type": "Comment", "text": "Hi, what is it?", "author": "ben", "datePublished": "2024-01-02"}
    site = Site()
    site.show("/", '<a href="/q/1">1</a><a href="/q/2">2</a>')
    site.show("/q/1", html(known | {"headline": "Hello all", "url": "/q/1"}))
    site.show("/q/2", html(known | {"headline": "Hello all", "url": "/q/2", "comment": reply}))
    with serving(site) as server:
        crawl(server.url, tmp_path, "qapage", options={"follow": "always"})
    kinds = sorted((record["type"], record["body"].get("lesson_id")) for record in records(tmp_path))
    assert kinds == [("lesson", "q/2"), ("post", "q/2"), ("reject", None), ("reject", None)]


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
