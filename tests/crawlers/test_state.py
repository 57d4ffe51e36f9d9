"""What is committed when."""

import sqlite3
from pathlib import Path

from crawlers.keeping import Fetched, keep_page, written_record
from crawlers.link import Link
from crawlers.state import BATCH_PAGES, State

PAGE = Fetched("2024-01-02T03:04:05+00:00", "allowed")


def test_archive_is_synced_before_the_state_is_committed(tmp_path: Path) -> None:
    file = tmp_path / "state"
    state = State(file)
    state.begin([Link("/1", "parse")], 30)
    other = sqlite3.connect(file)
    seen_at_sync: list[int] = []
    state.before_commit = lambda: seen_at_sync.append(other.execute("SELECT count(*) FROM records").fetchone()[0])
    (row,) = state.next_rows(10)
    keep_page(state, row, PAGE, [written_record("post", {"post_id": 1})], [], 10)
    assert other.execute("SELECT count(*) FROM records").fetchone()[0] == 0
    state.commit()
    assert seen_at_sync == [0]
    assert other.execute("SELECT count(*) FROM records").fetchone()[0] == 1
    state.close()
    other.close()


def test_page_leaves_the_frontier_together_with_its_records(tmp_path: Path) -> None:
    state = State(tmp_path / "state")
    state.begin([Link(f"/{n}", "parse") for n in range(2 * BATCH_PAGES)], 30)
    rows = state.next_rows(2 * BATCH_PAGES)
    for row in rows:
        keep_page(state, row, PAGE, [written_record("post", {"post_id": row.link.url})], [], 10)
        state.pause()
        other = sqlite3.connect(tmp_path / "state")
        kept = other.execute("SELECT count(*) FROM records").fetchone()[0]
        assert kept + other.execute("SELECT count(*) FROM frontier WHERE status = 0").fetchone()[0] == 2 * BATCH_PAGES
        other.close()
    assert kept >= BATCH_PAGES
    state.rollback()  # as a kill would
    state.close()


def test_page_is_given_once_and_again_by_the_next_process(tmp_path: Path) -> None:
    links = [Link("/1", "parse"), Link("/1#top", "parse"), Link("/2", "parse", passing={"a": 1})]
    state = State(tmp_path / "state")
    assert state.begin(links, 30)
    assert [row.link.url for row in state.next_rows(10)] == ["/1", "/2"]
    assert state.next_rows(10) == []
    state.close()
    state = State(tmp_path / "state")
    assert not state.begin(links, 30)
    assert [row.link for row in state.next_rows(10)] == [links[0], links[2]]
    state.close()
