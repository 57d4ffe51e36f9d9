"""Servers that misbehave, each in its own way: counted and rejected with a reason, never a hang, never a crash."""

import gzip
import json
import time
import zlib
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from toy import Answer, Forum, crawl, html_answer, json_answer, posts, records, serving, text_answer

MEGABYTE = 1024 * 1024
BOMB = (
    b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY a "ha">'
    + b"".join(b'<!ENTITY a%d "%s">' % (n, b"&a%s;" % (str(n - 1).encode() if n else b"") * 10) for n in range(30))
    + b"]><urlset><url><loc>&a29;</loc></url></urlset>"
)


def slow() -> Answer:
    time.sleep(3)
    return json_answer({"posts": []})


def json_page(body: bytes, **headers: str) -> Answer:
    return 200, {"Content-Type": "application/json"} | {k.replace("_", "-"): v for k, v in headers.items()}, body


JSON_PAGES: dict[str, Any] = {
    "bad_json": lambda: json_page(b'{"posts": [{"post_id": "x", "te'),
    "cut_off": lambda: json_page(b'{"posts": []}', Content_Length="5000", Connection="close"),
    "login_wall": lambda: text_answer("", 302, Location="/users/sign_in"),
    "html_instead_of_json": lambda: html_answer("<html><p>Please log in</p>"),
    "redirect_loop": lambda: text_answer("", 302, Location="/circle"),
    "too_large": lambda: json_page(b'{"posts": []}' + b" " * (50 * MEGABYTE)),
    "wrong_encoding": lambda: json_page('{"posts": [{"post_id": "x", "text": "é"}]}'.encode("latin-1")),
    "nested_too_deeply": lambda: json_page(b"[" * 200_000),
    "no_connection": lambda: None,
    "timeout": slow,
    "unexpected_page": lambda: json_page(b'{"articles": []}'),
    "parser_failed": lambda: json_page(b'{"posts": [{"post_id": "x", "score": NaN}]}'),
    "http_403": lambda: text_answer("no", 403),
    "http_500": lambda: text_answer("oops", 500),
    "http_404": lambda: text_answer("none", 404),
}


@pytest.fixture(scope="module")
def rejects(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """One crawl of a forum with one thread for each kind of bad page and one good thread: addresses by reason."""
    folder = tmp_path_factory.mktemp("bad")
    forum = Forum(len(JSON_PAGES) + 1)
    forum.overrides = {f"/t/{n}": answer for n, answer in enumerate(JSON_PAGES.values(), 1)}
    forum.overrides["/circle"] = lambda: text_answer("", 302, Location="/circle2")
    forum.overrides["/circle2"] = lambda: text_answer("", 302, Location="/circle")
    forum.overrides["/users/sign_in"] = lambda: html_answer("<form>")
    with serving(forum) as server:
        summary = crawl(server.url, folder, options={"max_rejected": 1, "timeout": 1})
    assert (summary["code"], summary["left"]) == (0, 0)
    assert sorted(posts(folder)) == ["0-0", "0-1", "0-2"]
    found: dict[str, list[str]] = {}
    for entry in summary["rejected"]:
        found.setdefault(entry["reason"], []).append(entry["url"].removeprefix(server.url))
        assert entry["detail"]
    assert sum(summary["rejects"].values()) == len(JSON_PAGES)
    return found


@pytest.mark.parametrize(("number", "reason"), enumerate(JSON_PAGES, 1), ids=list(JSON_PAGES))
def test_bad_page_is_rejected_with_its_reason(rejects: dict[str, list[str]], number: int, reason: str) -> None:
    assert rejects[reason] == [f"t/{number}"]


CYRILLIC = "Почему маятник замедляется в конце движения, если сила тяжести не меняется?"
TEXT = b"<p>" + b"".join(b"%d squared is %d. " % (n, n * n) for n in range(200)) + b"</p>"
PACKED = gzip.compress(TEXT)
HTML_PAGES: dict[str, Any] = {
    "/bomb.xml": lambda: (200, {"Content-Type": "application/xml"}, BOMB),
    "/deep": lambda: html_answer("<div>" * 100_000 + "<p>deep</p>"),
    "/latin": lambda: html_answer("<p>caf\xe9</p>".encode("latin-1")),
    "/packed": lambda: html_answer(gzip.compress(b" " * (50 * MEGABYTE)), Content_Encoding="gzip"),
    "/packed-and-cut": lambda: html_answer(PACKED[:-40], Content_Encoding="gzip"),
    "/deflated-and-cut": lambda: html_answer(zlib.compress(TEXT)[:-10], Content_Encoding="deflate"),
    "/whole": lambda: html_answer(PACKED, Content_Encoding="gzip"),
    "/parts": lambda: html_answer(gzip.compress(TEXT[:9]) + gzip.compress(TEXT[9:]), Content_Encoding="gzip"),
    "/raw": lambda: html_answer(zlib.compress(TEXT, wbits=-15), Content_Encoding="deflate"),
    "/badly-packed": lambda: html_answer(b"no gzip at all", Content_Encoding="gzip"),
    "/away": lambda: text_answer("", 302, Location="http://example.invalid/"),
    "/picture": lambda: (200, {"Content-Type": "image/png"}, b"\x89PNG\r\n\x1a\n" + b"\0" * 100),
    "/many": lambda: html_answer("<b>" * 5_000_000),
    "/empty": lambda: html_answer(""),
    "/charset": lambda: (200, {"Content-Type": "text/html; charset=nonsense"}, b"<p>fine</p>"),
    "/undeclared": lambda: (
        200,
        {"Content-Type": "text/html"},
        "<p>O\xf9 est pass\xe9e l\u2019\xe9nergie, d\xe9j\xe0?</p>".encode("cp1252"),
    ),
    "/cyrillic": lambda: (200, {"Content-Type": "text/html"}, f"<p>{CYRILLIC}</p>".encode("cp1251")),
    "/one-byte": lambda: html_answer("<p>na\u00efve \u2116\u00a01 \U0001f600".encode()[:-1] + b"</p>"),
    "/chinese": lambda: (
        200,
        {"Content-Type": "text/html; charset=gbk"},
        "<p>\u4e3a\u4ec0\u4e48".encode("gbk") + b"\xff</p>",
    ),
    "/robots.txt": lambda: text_answer("", 404),
}
FRONT = "".join(f'<a href="{path}">x</a>' for path in HTML_PAGES if path not in ("/bomb.xml", "/robots.txt"))
LEAVING = '<a href="http://example.invalid/a">x</a><a href="mailto:a@b.c">x</a><a href="http://[bad">x</a>'


def test_bad_html_is_rejected_and_the_rest_kept(tmp_path: Path) -> None:
    front = html_answer(f'<link rel="sitemap" href="/bomb.xml">{FRONT}{LEAVING}')
    with serving(lambda path: HTML_PAGES[path]() if path in HTML_PAGES else front) as server:
        summary = crawl(server.url, tmp_path, "plain", options={"max_rejected": 1})
    reasons = {entry["url"].removeprefix(server.url): entry["reason"] for entry in summary["rejected"]}
    assert summary["code"] == 0
    paths = ("bomb.xml", "latin", "packed", "away", "picture", "many", "empty")
    assert {path: reasons.get(path) for path in paths} == {
        "bomb.xml": "xml_doctype", "latin": None, "packed": "too_large", "away": "refused/offsite",
        "picture": "not_text", "many": "too_many_tags", "empty": "unexpected_page",
    }  # fmt: skip
    cut = ("badly-packed", "packed-and-cut", "deflated-and-cut")
    assert [reasons.get(path) for path in cut] == ["badly_packed", "cut_off", "cut_off"]
    assert summary["repaired_pages"] == 5  # and kept
    assert summary["refused"]["offsite_links"] == 2  # the third is no address at all
    found = posts(tmp_path)
    assert found.pop("/deep", "deep") == "deep"  # read or rejected, but in either case done with
    assert {found.pop(path) for path in ("/whole", "/parts", "/raw")} == {TEXT[3:-4].decode()}
    assert found == {
        "/latin": "café", "/charset": "fine", "/one-byte": "naïve №\u00a01 \ufffd", "/chinese": "为什么\ufffd",
        "/undeclared": "Où est passée l’énergie, déjà?", "/cyrillic": CYRILLIC,
    }  # fmt: skip


@pytest.mark.parametrize("charset", ["iso-8859-1", "windows-1252", "utf-8", "utf-16"])
def test_json_in_the_encoding_that_it_declares(tmp_path: Path, charset: str) -> None:
    forum = Forum(2)
    text = "Pourquoi « ça » gèle?"
    body = json.dumps({"posts": [{"post_id": "x", "text": text}]}, ensure_ascii=False)
    forum.overrides["/t/1"] = lambda: json_page(
        body.encode(charset), Content_Type=f"application/json; charset={charset}"
    )
    with serving(forum) as server:
        summary = crawl(server.url, tmp_path)
    assert (summary["rejects"], summary["repaired_pages"], posts(tmp_path)["x"]) == ({}, 0, text)


def test_cursor_that_never_ends_is_cut(tmp_path: Path) -> None:
    cursors = count()

    def answer(path: str) -> Answer:
        if path == "/robots.txt":
            return text_answer("", 404)
        return json_answer({"posts": [{"post_id": "same", "text": "Why?"}], "threads": [{"url": "/t/1", "activity": 1}],
                            "next": [f"{path.partition('?')[0]}?cursor={next(cursors)}"]})  # fmt: skip

    with serving(answer) as server:
        summary = crawl(server.url, tmp_path)
    assert (summary["code"], summary["rejects"]) == (0, {"endless_listing": 2})
    assert len(server.paths) < 30
    assert posts(tmp_path) == {"same": "Why?"}


def test_cursor_that_invents_posts_is_cut_by_its_length(tmp_path: Path) -> None:
    numbers = count()

    def answer(path: str) -> Answer:
        if path == "/robots.txt":
            return text_answer("", 404)
        if path == "/":
            return json_answer({"threads": [{"url": "/t/1", "activity": 1}]})
        number = next(numbers)
        return json_answer({"posts": [{"post_id": number, "text": "Why?"}], "next": [f"/t/1?cursor={number}"]})

    with serving(answer) as server:
        summary = crawl(server.url, tmp_path, options={"max_hops": 25})
    assert (summary["code"], summary["rejects"], len(posts(tmp_path))) == (0, {"endless_listing": 1}, 26)


def test_half_of_a_surrogate_pair_can_be_written(tmp_path: Path) -> None:
    forum = Forum(1)
    forum.threads[0]["0-0"] = "half \ud83d of it"
    with serving(forum) as server:
        assert crawl(server.url, tmp_path)["code"] == 0
    assert posts(tmp_path)["0-0"] == "half \ufffd of it"


def test_half_of_a_surrogate_pair_in_ids_addresses_and_marks_ends_no_crawl(tmp_path: Path) -> None:
    forum = Forum(3)
    threads = [{"url": f"/t/{name}", "activity": "half \ud83d"} for name in (0, "\ud83d", "bad", 2)]
    forum.overrides["/"] = lambda: json_answer({"threads": threads})
    forum.overrides["/t/bad"] = lambda: json_answer({"posts": [{"post_id": "\udc00", "text": "Why?"}]})
    with serving(forum) as server:
        summary = crawl(server.url, tmp_path)
    assert (summary["code"], summary["left"], summary["rejects"]) == (0, 0, {"http_404": 1})
    assert sorted(posts(tmp_path)) == ["0-0", "0-1", "0-2", "2-0", "2-1", "2-2", "\ufffd"]


def test_thread_about_logging_in_is_no_login_wall(tmp_path: Path) -> None:
    forum = Forum(4)
    found = json_answer({"posts": [{"post_id": "x", "text": "Why can I not log in?"}]})
    walls = {1: "/users/sign_in", 2: "/wp-login.php?next=/t/2", 3: "/t/3/login"}
    for thread, address in {0: "/t/0/cannot-log-in-today", **walls}.items():
        forum.overrides[f"/t/{thread}"] = partial(text_answer, "", 302, Location=address)
        forum.overrides[address] = lambda: found
    with serving(forum) as server:
        summary = crawl(server.url, tmp_path, options={"max_rejected": 1})
    assert (summary["rejects"], list(posts(tmp_path))) == ({"login_wall": 3}, ["x"])


def test_page_that_takes_too_long_to_parse_is_rejected(tmp_path: Path) -> None:
    page = html_answer("".join(f"<p>{n}</p>" for n in range(80_000)))
    short = html_answer("<p>short</p>")
    pages = {"/robots.txt": text_answer("", 404), "/p/1": page}
    with serving(lambda path: pages.get(path) or short) as server:
        summary = crawl(server.url, tmp_path, "plain", options={"wide": 4, "parse_seconds": 0.2})
    assert (summary["rejects"], summary["rejected"][0]["url"]) == ({"too_slow_to_parse": 1}, f"{server.url}p/1")


def test_host_that_goes_down_ends_the_crawl_which_continues_later(tmp_path: Path) -> None:
    forum = Forum(40)
    forum.overrides = {f"/t/{n}": lambda: None for n in range(40)}
    with serving(forum) as server:
        summary = crawl(server.url, tmp_path)
        assert (summary["code"], summary["reason"]) == (1, "host_down")
        forum.overrides.clear()
        assert crawl(server.url, tmp_path)["code"] == 0
    assert len(posts(tmp_path)) == 120


def test_pages_that_come_damaged_do_not_count_as_a_host_that_is_down(tmp_path: Path) -> None:
    forum = Forum(40)
    damaged = html_answer(b"no gzip at all", Content_Encoding="gzip")
    forum.overrides = {f"/t/{n}": lambda: damaged for n in range(12)}
    with serving(forum) as server:
        summary = crawl(server.url, tmp_path)
    assert (summary["code"], summary["rejects"], len(posts(tmp_path))) == (0, {"badly_packed": 12}, 84)


def test_site_of_another_layout_fails(tmp_path: Path) -> None:
    forum = Forum(6)
    forum.overrides = {f"/t/{n}": lambda: html_answer("<p>We have moved to a new design!") for n in range(6)}
    with serving(forum) as server:
        summary = crawl(server.url, tmp_path)
    assert summary["code"] == 1
    assert "6 of 8 pages were rejected, most as html_instead_of_json" in summary["errors"][0]


def test_memory_of_records_is_on_disk(tmp_path: Path) -> None:
    """Two pages of one crawl that disagree about a record give the same result whichever comes first."""
    texts = iter(("short", "the longer text", "the longer text", "short"))
    for name in ("one", "two"):
        versions = {"/t/0": next(texts), "/t/1": next(texts)}
        forum = Forum(2)
        forum.overrides = {
            path: lambda text=text: json_answer({"posts": [{"post_id": "same", "text": text}]})
            for path, text in versions.items()
        }
        with serving(forum) as server:
            crawl(server.url, tmp_path / name)
    first, second = ([r["body"] for r in records(tmp_path / name)] for name in ("one", "two"))
    assert json.dumps(first) == json.dumps(second)
    assert first[-1]["text"] == "the longer text"
