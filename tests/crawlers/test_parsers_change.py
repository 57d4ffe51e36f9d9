"""A state that other parsers filled is rebuilt from the archive before the next crawl."""

import sqlite3
from pathlib import Path

from toy import Forum, crawl, posts, serving

from crawlers.crawl import parser_digest
from crawlers.run import KINDS


def change(folder: Path, statement: str) -> None:
    state = sqlite3.connect(folder / "state" / "crawl.sqlite3")
    with state:
        state.execute(statement)
    state.close()


def test_records_of_old_parsers_are_made_anew_without_asking_the_site(tmp_path: Path) -> None:
    with serving(Forum(40)) as server:
        crawl(server.url, tmp_path)
        right = posts(tmp_path)
        # As if the parser had read every post wrongly, and had been mended since.
        change(
            tmp_path, "UPDATE records SET body = json_set(body, '$.text', 'wrong'), digest = 'x' WHERE type = 'post'"
        )
        change(tmp_path, "UPDATE facts SET value = 'older' WHERE name = 'code'")
        server.forget()
        summary = crawl(server.url, tmp_path)
        assert (summary["code"], len(server.paths)) == (0, 8 + 2)
    assert posts(tmp_path) == right


def test_state_that_new_settings_cannot_rebuild_is_begun_anew(tmp_path: Path) -> None:
    forum = Forum(3)
    forum.overrides["/other"] = lambda: forum("/")
    with serving(forum) as server:
        crawl(server.url, tmp_path)
        right = posts(tmp_path)
        change(tmp_path, "UPDATE facts SET value = 'older' WHERE name = 'code'")
        assert crawl(f"{server.url}other", tmp_path)["code"] == 0
        assert posts(tmp_path) == right
        assert crawl(f"{server.url}other", tmp_path, from_raw=True)["code"] == 0
    assert posts(tmp_path) == right


def test_state_of_another_layout_is_rebuilt(tmp_path: Path) -> None:
    with serving(Forum(3)) as server:
        crawl(server.url, tmp_path)
        right = posts(tmp_path)
        change(tmp_path, "PRAGMA user_version = 99")
        assert crawl(server.url, tmp_path)["code"] == 0
        assert posts(tmp_path) == right
        change(tmp_path, "PRAGMA user_version = 99")
        (tmp_path / "raw" / "crawl.warc.gz").unlink()
        (tmp_path / "raw" / "crawl-00001.warc.gz").unlink()
        summary = crawl(server.url, tmp_path)
    assert summary["code"] == 1
    assert "no archive" in summary["errors"][0]


def test_digest_covers_the_parsers_of_a_source() -> None:
    assert parser_digest(KINDS["campus"]) == parser_digest(KINDS["campus"])
    assert parser_digest(KINDS["campus"]) != parser_digest(type("Other", (KINDS["campus"],), {"__module__": __name__}))
