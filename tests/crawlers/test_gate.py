"""The gate, counted at the server: nothing but robots.txt is asked before it allows."""

import gzip
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from toy import Answer, Forum, crawl, html_answer, posts, serving, text_answer

FIRST = 12  # simultaneous first requests
QUICK = {"wide": FIRST, "robots_pause": 0.05}


def wide(robots: Answer | None, delay: float = 0.3) -> Any:
    """A site of single posts whose robots.txt comes late, so that all first requests wait for it together."""

    def answer(path: str) -> Answer | None:
        if path == "/robots.txt":
            time.sleep(delay)
            return robots
        return html_answer(f"<p>{path}</p>")

    return answer


def test_first_requests_all_wait_and_none_is_made(tmp_path: Path) -> None:
    with serving(wide(text_answer("User-agent: *\nDisallow: /"))) as server:
        summary = crawl(server.url, tmp_path, "plain", options=QUICK)
    assert [path for _, path, _ in server.asked] == ["/robots.txt"]
    assert (summary["code"], summary["refused"]) == (1, {"robots": FIRST})
    assert "robots.txt" in summary["errors"][0]
    assert not (tmp_path / "records.jsonl").exists()


def test_some_of_the_first_requests_are_forbidden(tmp_path: Path) -> None:
    rules = "User-agent: *\nDisallow: /p/1\nAllow: /p/10$"
    with serving(wide(text_answer(rules))) as server:
        summary = crawl(server.url, tmp_path, "plain", options=QUICK)
    assert sorted(server.paths) == sorted(f"/p/{n}" for n in (0, *range(2, 11)))
    assert summary["refused"] == {"robots": 2}
    assert [path for _, path, _ in server.asked].count("/robots.txt") == 1


@pytest.mark.parametrize("status", [401, 403, 404, 410])
def test_missing_robots_txt_allows(tmp_path: Path, status: int) -> None:
    with serving(wide(text_answer("User-agent: *\nDisallow: /", status), 0)) as server:
        summary = crawl(server.url, tmp_path, "plain", options=QUICK)
    assert (summary["code"], summary["pages"], len(server.paths)) == (0, FIRST, FIRST)


@pytest.mark.parametrize(
    "robots",
    [text_answer("", 503), text_answer("", 500), text_answer("", 503, Retry_After="120"), None],
    ids=["503", "500", "busy", "cut"],
)
def test_unreachable_robots_txt_forbids_and_ends_the_crawl(tmp_path: Path, robots: Answer | None) -> None:
    with serving(wide(robots)) as server:
        begun = time.monotonic()
        summary = crawl(server.url, tmp_path, "plain", options=QUICK)
    assert time.monotonic() - begun < 60
    assert server.paths == []
    assert (summary["code"], summary["reason"], summary["left"]) == (1, "robots_unreachable", FIRST)
    assert f"{server.url}robots.txt" in summary["errors"][0]


def test_silent_robots_txt_forbids_and_ends_the_crawl(tmp_path: Path) -> None:
    with serving(wide(text_answer(""), 5)) as server:
        summary = crawl(server.url, tmp_path, "plain", options=QUICK | {"robots_timeout": 0.5})
    assert (server.paths, summary["code"], summary["reason"]) == ([], 1, "robots_unreachable")
    assert "Timeout" in summary["errors"][0]


def test_robots_txt_that_is_asked_for_too_often_is_asked_for_again_and_then_allows(tmp_path: Path) -> None:
    answers = iter([text_answer("", 429, Retry_After="1"), text_answer("User-agent: *\nDisallow: /p/1")])
    site = wide(None, 0)
    with serving(lambda path: next(answers) if path == "/robots.txt" else site(path)) as server:
        assert crawl(server.url, tmp_path, "plain", options=QUICK)["refused"] == {"robots": 3}
    times = [at for at, path, _ in server.asked if path == "/robots.txt"]
    assert times[1] - times[0] >= 0.99
    with serving(wide(text_answer("", 429), 0)) as server:
        for _ in range(2):  # what it says is asked for again by the next crawl
            assert crawl(server.url, tmp_path / "2", "plain", options=QUICK)["code"] == 0
    assert [path for _, path, _ in server.asked].count("/robots.txt") == 4
    assert len(posts(tmp_path / "2")) == FIRST


def test_robots_txt_that_wants_a_long_rest_ends_the_crawl(tmp_path: Path) -> None:
    with serving(wide(text_answer("", 429, Retry_After="3600"), 0)) as server:
        summary = crawl(server.url, tmp_path, "plain", options=QUICK)
    assert (server.paths, summary["code"], summary["left"]) == ([], 1, FIRST)
    assert "left alone for 3600 seconds" in summary["errors"][0]


def test_reservations_are_not_looked_for_on_other_hosts(tmp_path: Path) -> None:
    with serving(lambda _: text_answer("")) as other, serving(lambda path: answers(path)) as server:
        moved = text_answer("", 302, Location=f"{other.url}tdmrep.json")

        def answers(path: str) -> Answer:
            return moved if "well-known" in path else html_answer("<p>x</p>")

        assert crawl(server.url, tmp_path, "plain", options={"wide": 1})["code"] == 0
    assert other.asked == []


def test_crawl_continues_when_robots_txt_is_back(tmp_path: Path) -> None:
    with serving(wide(text_answer("", 503), 0)) as server:
        assert crawl(server.url, tmp_path, "plain", options=QUICK)["code"] == 1
        server.answer = wide(text_answer("User-agent: *\nDisallow:"), 0)
        assert crawl(server.url, tmp_path, "plain", options=QUICK)["code"] == 0
    assert len(posts(tmp_path)) == FIRST


def test_robots_txt_is_followed_through_redirects_and_login_page_is_none(tmp_path: Path) -> None:
    hops = {f"/r{n}": text_answer("", 302, Location=f"/r{n + 1}") for n in range(4)}
    rules = {"/robots.txt": text_answer("", 301, Location="/r0"), "/r4": text_answer("User-agent: *\nDisallow: /p/1")}
    site = hops | rules
    with serving(lambda path: site.get(path) or html_answer("<p>x</p>")) as server:
        assert crawl(server.url, tmp_path, "plain", options={"wide": 3})["refused"] == {"robots": 1}
    with serving(wide(html_answer("<html>User-agent: *\nDisallow: /"), 0)) as server:
        assert crawl(server.url, tmp_path / "2", "plain", options={"wide": 3})["pages"] == 3


@pytest.mark.parametrize("kind", ["text/html; charset=utf-8", "application/octet-stream", ""])
def test_rules_are_rules_whatever_the_server_calls_them(tmp_path: Path, kind: str) -> None:
    rules = (200, {"Content-Type": kind}, b"User-agent: *\nDisallow: /\n")
    with serving(wide(rules)) as server:
        summary = crawl(server.url, tmp_path, "plain", options=QUICK)
    assert (summary["pages"], server.paths, summary["refused"]) == (0, [], {"robots": FIRST})


def test_robots_txt_is_asked_once_a_day(tmp_path: Path) -> None:
    with serving(Forum(2, robots=text_answer("User-agent: *\nDisallow: /x"))) as server:
        for _ in range(2):
            assert crawl(server.url, tmp_path)["code"] == 0
    assert [path for _, path, _ in server.asked].count("/robots.txt") == 1


def test_crawl_delay_is_kept_between_all_requests(tmp_path: Path) -> None:
    with serving(wide(text_answer("User-agent: *\nCrawl-delay: 0.4"), 0)) as server:
        assert crawl(server.url, tmp_path, "plain", options={"wide": 5})["code"] == 0
    times = server.times()
    assert len(times) == 7
    # A busy machine may see one request late, which shortens the next gap: the sum is what a host feels.
    assert times[-1] - times[0] >= 6 * 0.4 - 0.1
    assert min(later - earlier for earlier, later in pairwise(times)) >= 0.2


def test_crawl_delay_beyond_reason_ends_the_crawl(tmp_path: Path) -> None:
    with serving(wide(text_answer("User-agent: *\nCrawl-delay: 86400"), 0)) as server:
        summary = crawl(server.url, tmp_path, "plain", options={"wide": 5})
    assert (server.paths, summary["code"], summary["reason"]) == ([], 1, "host_busy")
    assert "86400" in summary["errors"][0]


def test_reserved_pages_are_refused_and_not_archived(tmp_path: Path) -> None:
    pages = {
        "/p/0": html_answer("<p>secret</p>", X_Robots_Tag="noai"),
        "/p/1": html_answer('<meta name="robots" content="noai"><p>secret</p>'),
        "/p/2": html_answer("<p>secret</p>", tdm_reservation="1"),
        "/robots.txt": text_answer("", 404),
    }
    with serving(lambda path: pages.get(path) or html_answer("<p>open</p>")) as server:
        summary = crawl(server.url, tmp_path, "plain", options={"wide": 4})
        recorded = crawl(server.url, tmp_path / "2", "plain", options={"wide": 4, "reservations": "record"})
    assert summary["refused"] == {"reserved": 3}
    assert (recorded["code"], len(posts(tmp_path / "2"))) == (0, 4)
    raw = (tmp_path / "raw" / "crawl.warc.gz").read_bytes()
    assert b"open" in gzip.decompress(raw)
    assert b"secret" not in gzip.decompress(raw)


def test_tdmrep_and_agents_of_trainers_are_honoured(tmp_path: Path) -> None:
    pages = {
        "/robots.txt": text_answer("User-agent: CCBot\nDisallow: /p/1"),
        "/.well-known/tdmrep.json": text_answer('[{"location": "/p/2", "tdm-reservation": 1}]'),
    }
    with serving(lambda path: pages.get(path) or html_answer("<p>open</p>")) as server:
        summary = crawl(server.url, tmp_path, "plain", options={"wide": 4})
        assert crawl(server.url, tmp_path / "2", "plain", options={"wide": 4, "tdmrep": False})["pages"] == 3
    assert summary["refused"] == {"reserved": 2}
    assert [path for _, path, _ in server.asked[:2]] == ["/robots.txt", "/.well-known/tdmrep.json"]
    assert sorted(server.paths) == sorted(["/p/0", "/p/3", "/p/0", "/p/2", "/p/3"])


def test_crawl_of_which_all_threads_are_refused_says_so(tmp_path: Path) -> None:
    pages = {
        "/robots.txt": text_answer("User-agent: CCBot\nDisallow: /p/"),
        "/": html_answer('<a href="/p/1">x</a><a href="/p/2">x</a>'),
    }
    with serving(lambda path: pages.get(path) or text_answer("", 404)) as server:
        summary = crawl(server.url, tmp_path, "plain")
    assert summary["code"] == 1
    assert summary["errors"] == [f"{server.url}: not one record was found; 2 pages were not taken as refused/reserved"]
