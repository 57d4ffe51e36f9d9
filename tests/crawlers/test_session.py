"""Addresses with the number of the visit, as forums write them for visitors without cookies."""

import gzip
from itertools import count
from pathlib import Path

import pytest
from toy import Answer, crawl, html_answer, records, serving, text_answer

from crawlers.link import Link
from crawlers.replay import read_records
from crawlers.session import without_session

VISIT = "0f1e2d3c4b5a69788796a5b4c3d2e1f0"
SELECTORS = {"listing": "a.thread", "next": "a.next", "post": "div.post", "url": "a.link@href", "next_posts": "a.more"}


@pytest.mark.parametrize(
    ("address", "clean"),
    [
        (f"https://b.org/viewtopic.php?f=2&t=1&sid={VISIT}#p3", "https://b.org/viewtopic.php?f=2&t=1#p3"),
        (f"/viewtopic.php?sid={VISIT}&q=a%20b+c", "/viewtopic.php?q=a%20b+c"),
        ("https://b.org/?PHPSESSID=1", "https://b.org/"),
        ("https://b.org/t/1;jsessionid=A1.node0/posts?page=2", "https://b.org/t/1/posts?page=2"),
        (f"https://b.org/showthread.php?s={VISIT}&t=1", "https://b.org/showthread.php?t=1"),
    ],
)
def test_the_visit_goes(address: str, clean: str) -> None:
    assert without_session(address) == clean


@pytest.mark.parametrize(
    "address",
    [
        "https://b.org/?",
        "/article.pl?sid=24/05/01/1234",
        "/modules.php?sid=17&s=relays",
        "/t/1;x=2?a=1;b=2",
        "http://[",
    ],
)
def test_the_rest_stays_letter_by_letter(address: str) -> None:
    assert without_session(address) == address


class Board:
    """A forum that writes another number of the visit into every page, into the path of further pages."""

    def __init__(self) -> None:
        self.visits = count()

    def __call__(self, target: str) -> Answer:
        sid = f"visit{next(self.visits)}"
        pages = {
            "/": f'<a class="thread" href="view?t=1&sid={sid}">a</a><a class="next" href="/?page=2&sid={sid}">n</a>',
            "/?page=2": f'<a class="thread" href="view?t=1">a</a><a class="thread" href="view?t=2&sid={sid}">b</a>',
            "/view?t=2": f'<h1>Why?</h1><div class="post" id="3">Why?<a class="link" href="view?p=3&sid={sid}">#</a>',
            "/view?t=1": '<h1>How?</h1><div class="post" id="1">How?</div>'
            f'<a class="more" href="/view;jsessionid={sid}?t=1&p=2">m</a>',
            "/view?t=1&p=2": '<div class="post" id="2">So.</div>',
        }  # fmt: skip
        return html_answer(pages[target]) if target in pages else text_answer("", 404)


def test_a_thread_is_one_however_it_is_linked(tmp_path: Path) -> None:
    with serving(Board()) as server:
        first = crawl(server.url, tmp_path, "html", options=SELECTORS)
        assert sorted(server.paths) == ["/", "/?page=2", "/view?t=1", "/view?t=1&p=2", "/view?t=2"]
        second = crawl(server.url, tmp_path, "html", options=SELECTORS | {"revisit": 1})
    assert (first["code"], first["items"], first["rejects"]) == (0, 5, {})
    assert not any(second["changes"].values())
    bodies = [record["body"] for record in records(tmp_path)]
    assert [body["lesson_id"] for body in bodies] == ["/view?t=1", "/view?t=2", "/view?t=1", "/view?t=1", "/view?t=2"]
    assert "sid=" not in (tmp_path / "records.jsonl").read_text()


def test_an_archive_with_such_addresses_gives_each_thread_once(tmp_path: Path) -> None:
    with serving(Board()) as server:
        for visit in ("a", "b"):
            assert crawl(server.url, tmp_path, "html", options=SELECTORS | {"revisit": 1})["code"] == 0
            for segment in (tmp_path / "raw").glob("*.warc.gz"):
                with_visit(segment, "/view?t=1", f"/view?t=1&sid={visit}")
    before = (tmp_path / "records.jsonl").read_bytes()
    summary = crawl("http://127.0.0.1:1/", tmp_path, "html", options=SELECTORS, from_raw=True)
    assert (summary["code"], summary["items"]) == (0, 5)
    after = (tmp_path / "records.jsonl").read_bytes()
    assert after.replace(b"http://127.0.0.1:1/", server.url.encode()) == before


def with_visit(segment: Path, old: str, new: str) -> None:
    """Write an archive as it was when addresses were asked for with the number of the visit."""
    data, parts = segment.read_bytes(), []
    for record in read_records(segment):
        member = gzip.decompress(data[record.offset : record.end])
        if record.fields.get("Quarry-Page") == Link(old, "").key:
            member = member.replace(Link(old, "").key.encode(), Link(new, "").key.encode())
            member = member.replace(f"{old}\r\n".encode(), f"{new}\r\n".encode())
        parts.append(gzip.compress(member, mtime=0))
    segment.write_bytes(b"".join(parts))
