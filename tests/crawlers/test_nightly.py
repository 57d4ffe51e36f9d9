"""What a crawl costs and changes when it is run again and again."""

import time
from functools import partial
from itertools import count
from pathlib import Path

import pytest
from toy import Answer, Forum, crawl, json_answer, posts, records, serving, text_answer

THREADS = 45  # nine listing pages; a thirtieth is two


def test_quiet_night_costs_the_listings_and_a_thirtieth_of_the_threads(tmp_path: Path) -> None:
    with serving(Forum(THREADS)) as server:
        crawl(server.url, tmp_path)
        before = (tmp_path / "records.jsonl").read_bytes()
        visited: set[str] = set()
        for _ in range(3):
            server.forget()
            summary = crawl(server.url, tmp_path)
            threads = [path for path in server.paths if path.startswith("/t/")]
            assert sorted(set(server.paths) - set(threads)) == ["/", *(f"/?page={n}" for n in range(1, 9))]
            assert (len(server.paths), len(threads), summary["unchanged_pages"]) == (11, 2, 11)
            assert not visited & set(threads)  # the revisit rolls on
            visited |= set(threads)
            assert all("If-None-Match" in headers for _, path, headers in server.asked if path != "/robots.txt")
    assert (tmp_path / "records.jsonl").read_bytes() == before  # with the old fetched_at


def test_edit_is_a_new_version_and_the_way_back_is_the_old_one(tmp_path: Path) -> None:
    forum = Forum(3)
    with serving(forum) as server:
        crawl(server.url, tmp_path, options={"revisit": 0})
        first = {record["body"]["post_id"]: record for record in records(tmp_path) if record["type"] == "post"}
        forum.post(1, "1-1", "What changed?")
        forum.post(1, "1-9", "A new one?")
        server.forget()
        summary = crawl(server.url, tmp_path, options={"revisit": 0})
        assert server.paths == ["/", "/t/1"]
        assert summary["changes"] == {"new": 1, "changed": 1, "removed": 0, "returned": 0}
        assert posts(tmp_path)["1-1"] == "What changed?"
        forum.post(1, "1-1", "Why is 1 so?")
        edited = next(r for r in records(tmp_path) if r["body"].get("post_id") == "1-1")
        assert edited["fetched_at"] > first["1-1"]["fetched_at"]
        crawl(server.url, tmp_path, options={"revisit": 0})
    again = {record["body"]["post_id"]: record for record in records(tmp_path) if record["type"] == "post"}
    assert again["1-1"] == first["1-1"]  # with the time at which this content was first archived


def test_post_that_its_thread_no_longer_shows_is_removed(tmp_path: Path) -> None:
    forum = Forum(3, posts=12)  # three pages a thread: when a post goes, others move to the page before
    with serving(forum) as server:
        crawl(server.url, tmp_path)
        forum.post(2, "2-0", None)
        forum.post(2, "2-1", None)
        summary = crawl(server.url, tmp_path)
    assert summary["changes"] == {"new": 0, "changed": 0, "removed": 2, "returned": 0}
    assert posts(tmp_path) == {name: text for thread in forum.threads.values() for name, text in thread.items()}


def test_thread_that_is_gone_is_removed_when_it_is_visited(tmp_path: Path) -> None:
    forum = Forum(3, posts=7)
    with serving(forum) as server:
        crawl(server.url, tmp_path)
        forum.overrides["/t/1"] = lambda: text_answer("gone", 410)
        forum.unlisted.add(1)
        assert len(posts(tmp_path)) == 21
        summary = crawl(server.url, tmp_path, options={"revisit": 1})
        assert (summary["code"], summary["gone_pages"], summary["changes"]["removed"]) == (0, 1, 7)
        assert not [name for name in posts(tmp_path) if name.startswith("1-")]
        del forum.overrides["/t/1"]
        forum.unlisted.clear()
        assert crawl(server.url, tmp_path)["changes"]["returned"] == 7
    assert len(posts(tmp_path)) == 21


def test_absence_from_the_listing_removes_nothing(tmp_path: Path) -> None:
    forum = Forum(6)
    with serving(forum) as server:
        crawl(server.url, tmp_path)
        forum.unlisted |= {0, 1}
        for _ in range(2):
            assert crawl(server.url, tmp_path)["changes"]["removed"] == 0
    assert len(posts(tmp_path)) == 18


def test_record_that_only_the_listing_showed_stays(tmp_path: Path) -> None:
    forum = Forum(2)
    with serving(forum) as server:
        crawl(server.url, tmp_path)
        forum.overrides["/"] = lambda: json_answer({"threads": [{"url": "/t/0", "activity": 1}]})
        assert crawl(server.url, tmp_path)["changes"]["removed"] == 0
    assert [record["body"]["lesson_id"] for record in records(tmp_path) if record["type"] == "lesson"] == ["one"]


@pytest.mark.parametrize("status", [404, 410])
def test_crawl_whose_first_page_is_gone_fails_and_removes_nothing(tmp_path: Path, status: int) -> None:
    forum = Forum(2)
    with serving(forum) as server:
        crawl(server.url, tmp_path)
        before = records(tmp_path)
        forum.overrides["/"] = lambda: text_answer("nothing here", status)
        summary = crawl(server.url, tmp_path)
        assert (summary["code"], summary["errors"]) == (1, [f"{server.url}: HTTP status {status}"])
        forum.overrides.clear()
        assert crawl(server.url, tmp_path)["changes"] == {"new": 0, "changed": 0, "removed": 0, "returned": 0}
    assert records(tmp_path) == before


def test_page_that_two_threads_lead_to_is_kept_whichever_comes_first(tmp_path: Path) -> None:
    forum = Forum(2)
    waiting = {"/t/0": 0.0, "/t/1": 0.3, "/shared": 0.6}

    def thread(path: str) -> Answer:
        time.sleep(waiting[path])
        onward = ["/shared"] if path != "/shared" else []
        return json_answer({"posts": [{"post_id": path, "text": "Why?"}], "next": onward})

    forum.overrides |= {path: partial(thread, path) for path in waiting}
    with serving(forum) as server:
        crawl(server.url, tmp_path, options={"revisit": 1})
        for _ in range(2):
            waiting["/t/0"], waiting["/t/1"] = waiting["/t/1"], waiting["/t/0"]
            summary = crawl(server.url, tmp_path, options={"revisit": 1})
            assert (summary["changes"]["removed"], summary["rejects"]) == (0, {})
    assert sorted(posts(tmp_path)) == ["/shared", "/t/0", "/t/1"]


def test_failed_page_of_a_thread_removes_nothing_and_is_asked_for_again(tmp_path: Path) -> None:
    forum = Forum(3, posts=12)
    with serving(forum) as server:
        crawl(server.url, tmp_path)
        forum.post(2, "2-0", None)
        forum.overrides["/t/2?page=1"] = lambda: text_answer("oops", 500)
        summary = crawl(server.url, tmp_path, options={"revisit": 0})
        assert (summary["code"], summary["rejects"], summary["changes"]["removed"]) == (0, {"http_500": 1}, 0)
        assert len(posts(tmp_path)) == 36
        forum.overrides.clear()
        assert crawl(server.url, tmp_path, options={"revisit": 0})["changes"]["removed"] == 1
    assert len(posts(tmp_path)) == 35


def test_thread_whose_pages_never_end_keeps_what_lay_behind(tmp_path: Path) -> None:
    forum = Forum(3, posts=12)
    cursors = count()

    def circle() -> Answer:
        shown = [{"post_id": name, "thread_id": "2", "text": forum.threads[2][name]} for name in ("2-0", "2-1")]
        return json_answer({"posts": shown, "next": [f"/t/2?cursor={next(cursors)}"]})

    with serving(lambda path: circle() if broken and path.startswith("/t/2") else forum(path)) as server:
        broken = False
        crawl(server.url, tmp_path)
        broken = True
        forum.activity[2] += 1
        summary = crawl(server.url, tmp_path, options={"revisit": 0})
        assert (summary["code"], summary["rejects"], summary["changes"]["removed"]) == (0, {"endless_listing": 1}, 0)
        assert len(posts(tmp_path)) == 36
        before = (tmp_path / "records.jsonl").read_bytes()
        assert crawl(server.url, tmp_path, from_raw=True)["code"] == 0
        assert (tmp_path / "records.jsonl").read_bytes() == before
        broken = False
        del forum.threads[2]["2-11"]
        assert crawl(server.url, tmp_path, options={"revisit": 0})["changes"]["removed"] == 1  # it was never whole


def test_crawl_that_yields_far_less_fails_and_leaves_the_records(tmp_path: Path) -> None:
    forum = Forum(10)
    with serving(forum) as server:
        crawl(server.url, tmp_path)
        before = (tmp_path / "records.jsonl").read_bytes()
        whole = dict(forum.threads)
        for number in range(6):
            del forum.threads[number]
            forum.overrides[f"/t/{number}"] = lambda: text_answer("gone", 404)
        for _ in range(2):  # the second night is compared with the last good one too
            summary = crawl(server.url, tmp_path, options={"revisit": 1})
            assert (summary["code"], summary["reason"]) == (1, "failed")
            assert "12 post records instead of 30" in summary["errors"][0]
            assert (tmp_path / "records.jsonl").read_bytes() == before
        forum.threads, forum.overrides = whole, {}
        assert crawl(server.url, tmp_path)["code"] == 0
        assert (tmp_path / "records.jsonl").read_bytes() == before
        for number in range(6):
            del forum.threads[number]
        assert crawl(server.url, tmp_path, options={"revisit": 1, "min_share": 0})["code"] == 0
    assert len(posts(tmp_path)) == 12


def test_listing_that_lost_its_threads_fails(tmp_path: Path) -> None:
    forum = Forum(10)
    with serving(forum) as server:
        crawl(server.url, tmp_path)
        forum.unlisted |= set(range(10))
        summary = crawl(server.url, tmp_path, options={"revisit": 0})
    assert (summary["code"], len(posts(tmp_path))) == (1, 30)


def test_crawl_without_state_is_compared_with_the_records_it_would_replace(tmp_path: Path) -> None:
    forum = Forum(10)
    with serving(forum) as server:
        assert crawl(server.url, tmp_path, state=None)["code"] == 0
        for number in range(6):
            del forum.threads[number]
        assert crawl(server.url, tmp_path, state=None)["code"] == 1
    assert len(posts(tmp_path)) == 30


def test_limit_and_dry_run(tmp_path: Path) -> None:
    with serving(Forum(12)) as server:
        dry = crawl(server.url, tmp_path, dry_run=True)
        assert sorted(server.paths) == ["/", "/?page=1", "/?page=2"]
        assert dry["would_fetch"] == [f"{server.url}t/{n}" for n in range(12)]
        assert not [
            file for file in tmp_path.rglob("*") if file.is_file() and file.suffix != ".txt" and file.name != "lock"
        ]
        server.forget()
        some = crawl(server.url, tmp_path, limit=4)
        assert (some["code"], some["reason"], len(server.paths)) == (0, "limit", 4)
        assert crawl(server.url, tmp_path)["code"] == 0
        assert len(server.paths) == len(set(server.paths)) == 15  # none was asked for twice
    assert len(posts(tmp_path)) == 36
