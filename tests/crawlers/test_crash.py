"""A crawl that is killed at any moment continues where it was: no post lost, none doubled."""

import sqlite3
import time
from pathlib import Path

import pytest
from toy import Answer, Forum, begin, crawl, posts, records, serving

from crawlers.replay import read_records

THREADS, POSTS = 60, 7


class SlowForum(Forum):
    """A forum that takes a moment for each page, so that a kill finds the crawl at work."""

    seconds = 0.02

    def __call__(self, target: str) -> Answer | None:
        time.sleep(self.seconds)
        return super().__call__(target)


@pytest.mark.parametrize("moments", [[3, 40, 41], [110, 20]], ids=["early", "late"])
def test_killed_crawl_continues_where_it_was(tmp_path: Path, moments: list[int]) -> None:
    forum = SlowForum(THREADS, POSTS)
    with serving(forum) as server:
        for moment in moments:
            process = begin(server.url, tmp_path)
            asked = len(server.asked)
            while len(server.asked) < asked + moment:
                time.sleep(0.001)
            process.kill()
        summary = crawl(server.url, tmp_path)
        assert (summary["code"], summary["crawl"], summary["left"]) == (0, 1, 0)
        expected = {name: text for thread in forum.threads.values() for name, text in thread.items()}
        assert posts(tmp_path) == expected
        whole = THREADS * 2 + THREADS // 5
        assert len(set(server.paths)) == whole
        assert summary["pages"] < whole or moments[0] < 100  # what was committed is not asked for again
        before = (tmp_path / "records.jsonl").read_bytes()
    assert crawl(server.url, tmp_path, from_raw=True)["code"] == 0
    assert (tmp_path / "records.jsonl").read_bytes() == before


def test_kill_between_records_and_state_publishes_again(tmp_path: Path) -> None:
    with serving(Forum(3)) as server:
        crawl(server.url, tmp_path)
        before = (tmp_path / "records.jsonl").read_bytes()
        with sqlite3.connect(tmp_path / "state" / "crawl.sqlite3") as state:
            state.execute("UPDATE facts SET value = 'crawling' WHERE name = 'phase'")
        state.close()
        server.forget()
        assert crawl(server.url, tmp_path)["code"] == 0
    assert server.asked == []
    assert (tmp_path / "records.jsonl").read_bytes() == before


def test_member_that_was_cut_off_hides_nothing(tmp_path: Path) -> None:
    with serving(Forum(3)) as server:
        crawl(server.url, tmp_path)
        file = tmp_path / "raw" / "crawl.warc.gz"
        whole = [record.fields["WARC-Record-ID"] for record in read_records(file)]
        with file.open("ab") as archive:
            archive.write(file.read_bytes()[:100])
        assert [record.fields["WARC-Record-ID"] for record in read_records(file)] == whole
        crawl(server.url, tmp_path)
        assert sorted(path.name for path in file.parent.iterdir()) == ["crawl-00001.warc.gz", "crawl.warc.gz"]
        before = (tmp_path / "records.jsonl").read_bytes()
    assert crawl(server.url, tmp_path, from_raw=True)["code"] == 0
    assert (tmp_path / "records.jsonl").read_bytes() == before


def test_damage_in_the_middle_of_the_archive_hides_one_response(tmp_path: Path) -> None:
    with serving(Forum(9)) as server:
        crawl(server.url, tmp_path)
    before = posts(tmp_path)
    file = tmp_path / "raw" / "crawl.warc.gz"
    whole = list(read_records(file))
    hit = next(record for record in whole if record.fields.get("WARC-Target-URI", "").endswith("/t/4"))
    content = bytearray(file.read_bytes())
    content[hit.offset + 40] ^= 0xFF
    file.write_bytes(content)
    assert [record.offset for record in read_records(file)] == [r.offset for r in whole if r.offset != hit.offset]
    assert crawl(server.url, tmp_path, from_raw=True)["code"] == 0
    assert posts(tmp_path) == {name: text for name, text in before.items() if not name.startswith("4-")}


def test_night_whose_mark_was_cut_off_is_rebuilt_all_the_same(tmp_path: Path) -> None:
    forum = Forum(9)
    with serving(forum) as server:
        crawl(server.url, tmp_path)
        forum.post(3, "3-1", "Edited?")
        forum.post(4, "4-1", None)
        crawl(server.url, tmp_path)
    before = (tmp_path / "records.jsonl").read_bytes()
    last = tmp_path / "raw" / "crawl-00001.warc.gz"
    last.write_bytes(last.read_bytes()[:-20])
    for _ in range(2):
        assert crawl(server.url, tmp_path, from_raw=True)["code"] == 0
        assert (tmp_path / "records.jsonl").read_bytes() == before


def test_two_crawls_of_one_source_do_not_meet(tmp_path: Path) -> None:
    forum = SlowForum(10)
    forum.seconds = 0.5
    with serving(forum) as server:
        process = begin(server.url, tmp_path)
        while not server.asked:
            time.sleep(0.01)
        summary = crawl(server.url, tmp_path)
        assert process.finish()["finished"]
    assert summary["code"] == 1
    assert "another crawl" in summary["errors"][0]


def test_crawl_ended_by_a_signal_says_so_and_continues(tmp_path: Path) -> None:
    with serving(SlowForum(THREADS)) as server:
        process = begin(server.url, tmp_path)
        while len(server.asked) < 10:
            time.sleep(0.01)
        process.terminate()
        stopped = process.finish()
        assert (stopped["code"], stopped["reason"]) == (1, "stopped")
        assert crawl(server.url, tmp_path)["code"] == 0
    assert len(records(tmp_path)) == THREADS * 3 + 1


def test_a_state_that_cannot_be_used_is_said_in_words(tmp_path: Path) -> None:
    with serving(Forum(3)) as server:
        (tmp_path / "state").mkdir()
        (tmp_path / "state" / "crawl.sqlite3").write_bytes(b"no database, but long enough to be taken for one" * 100)
        summary = crawl(server.url, tmp_path)
    assert (summary["code"], server.asked) == (1, [])
    assert "its state cannot be kept (file is not a database): is the disk full" in summary["errors"][0]
