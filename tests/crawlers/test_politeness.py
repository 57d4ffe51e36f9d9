"""Pace, back-off and the contact, counted at the server."""

import asyncio
import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from itertools import pairwise
from pathlib import Path
from threading import Lock
from types import SimpleNamespace

import pytest
from toy import ABOUT_THE_SITE, Answer, Forum, crawl, html_answer, posts, serving, text_answer

from crawlers.gate import Gate, Refused
from crawlers.politeness import MAX_BACK_OFFS, retry_seconds
from crawlers.spec import Spec


class Busy:
    """A site that answers so many pages with 429, then is well."""

    def __init__(self, refusals: int, status: int = 429, **headers: str) -> None:
        self.refusals, self.status, self.headers, self.lock = refusals, status, headers, Lock()

    def __call__(self, path: str) -> Answer:
        if path in ABOUT_THE_SITE:
            return text_answer("", 404)
        time.sleep(0.05)  # so that the first requests are under way together
        with self.lock:
            self.refusals -= 1
            return text_answer("busy", self.status, **self.headers) if self.refusals >= 0 else html_answer("<p>x</p>")


@pytest.mark.parametrize("status", [429, 503])
def test_burst_of_refusals_is_one_back_off(tmp_path: Path, status: int) -> None:
    with serving(Busy(8, status, Retry_After="2")) as server:
        begun = time.monotonic()
        summary = crawl(server.url, tmp_path, "plain", options={"wide": 12})
    assert (summary["code"], len(posts(tmp_path)), summary["rejects"]) == (0, 12, {})
    times = server.times()
    pauses = [later - earlier for earlier, later in pairwise(times)]
    assert len([pause for pause in pauses if pause > 1.5]) == 1  # one, though eight were refused
    assert time.monotonic() - begun < 10


def test_without_retry_after_the_pause_doubles(tmp_path: Path) -> None:
    with serving(Busy(2)) as server:
        assert crawl(server.url, tmp_path, "plain", options={"wide": 1})["code"] == 0
    times = server.times()[2:]
    first, second = times[1] - times[0], times[2] - times[1]
    assert 0.9 < first < 1.9 < second < 3.5


def test_long_retry_after_ends_the_crawl_which_continues_later(tmp_path: Path) -> None:
    with serving(Busy(8, Retry_After="86400")) as server:
        summary = crawl(server.url, tmp_path, "plain", options={"wide": 12})
        assert (summary["code"], summary["reason"], summary["left"]) == (1, "host_busy", 8)
        assert "86400" in summary["errors"][0]
        assert crawl(server.url, tmp_path, "plain", options={"wide": 12})["code"] == 0
    assert len(posts(tmp_path)) == 12


def test_polite_crawl_asks_one_at_a_time(tmp_path: Path) -> None:
    under_way, most = 0, 0
    lock = Lock()

    def answer(path: str) -> Answer:
        nonlocal under_way, most
        with lock:
            under_way += 1
            most = max(most, under_way)
        time.sleep(0.1)
        with lock:
            under_way -= 1
        return html_answer("<p>x</p>") if path != "/robots.txt" else text_answer("", 404)

    with serving(answer) as server:
        assert crawl(server.url, tmp_path, "plain", options={"wide": 6, "delay": 0.05})["code"] == 0
    assert most == 1
    times = server.times()
    # Each answer takes 0.1 s, so the pause grows from 0.05 s to twice that: the host rests as long as it works.
    assert times[-1] - times[-2] >= 0.19


@pytest.mark.parametrize("always", [{3}, {8, 9}], ids=["one", "the last two"])
def test_page_that_is_always_busy_is_rejected_and_the_rest_kept(tmp_path: Path, always: set[int]) -> None:
    forum = Forum(10)
    forum.overrides = {f"/t/{thread}": lambda: text_answer("busy", 503, Retry_After="0") for thread in always}
    with serving(forum) as server:
        summary = crawl(server.url, tmp_path, options={"delay": 0.01})
        assert max(server.paths.count(path) for path in forum.overrides) <= MAX_BACK_OFFS + 1
        assert (summary["code"], summary["rejects"]) == (0, {"http_503": len(always)})
        assert len(posts(tmp_path)) == 3 * (10 - len(always))
        forum.overrides.clear()
        assert crawl(server.url, tmp_path)["code"] == 0
    assert len(posts(tmp_path)) == 30


def test_host_that_is_still_busy_after_many_back_offs_ends_the_crawl(tmp_path: Path) -> None:
    with serving(Busy(10**6, Retry_After="0")) as server:
        summary = crawl(server.url, tmp_path, "plain", options={"wide": 40, "delay": 0.01})
    assert (summary["code"], summary["reason"]) == (1, "host_busy")
    assert f"still busy after {MAX_BACK_OFFS} pauses" in summary["errors"][0]
    assert len(server.paths) <= 2 * MAX_BACK_OFFS


def test_retry_after_is_a_number_or_a_date() -> None:
    later = format_datetime(datetime.now(UTC) + timedelta(seconds=90), usegmt=True)
    assert retry_seconds("120") == 120
    assert 80 < (retry_seconds(later) or 0) <= 90
    assert retry_seconds("Wed, 21 Oct 2015 07:28:00 GMT") == 0
    assert [retry_seconds(text) for text in (None, "", "soon", "²", "-1")] == [None] * 5


def test_other_hosts_are_asked_once_a_second_and_only_with_a_contact() -> None:
    def gate(**changes: str) -> Gate:
        spec = Spec.read({"kind": "k", "name": "n", "url": "http://127.0.0.1/", "records": "r", "warc": "w"} | changes)
        return Gate(SimpleNamespace(spider=SimpleNamespace(spec=spec)))

    async def ask() -> None:
        assert gate().host("http://127.0.0.1:8/").delay == 0
        assert gate(contact="a@example.org").host("https://forum.example.org/").delay == 1
        with pytest.raises(Refused, match="no contact"):
            gate().host("https://forum.example.org/")

    asyncio.run(ask())
