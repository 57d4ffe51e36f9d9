"""Records that leave the raw archive, and everything else that stays."""

import gzip
import io
import json
import os
import sqlite3
import sys
from pathlib import Path
from typing import Any

import toy
from test_discourse import Discourse
from toy import Answer, Forum, crawl, html_answer, json_answer, posts, records, serving, text_answer
from warcio.archiveiterator import ArchiveIterator

from crawlers import purge, run
from crawlers.purge_pages import named
from crawlers.redact import Redaction, matches, overwrite, text_of

SECRET = "My neighbour Zebulon Quince of Marrow Lane taught me this; is he right?"
EDITED = "Somebody whom I must not name taught me this over the garden fence; is that right?"


def work(order: str, out: str, kill_at: str | None) -> None:
    sys.stdin = io.StringIO(order)
    os.dup2(os.open(out, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), sys.stdout.fileno())
    run.KINDS.update(toy=toy.ToySpider, plain=toy.PlainSpider)
    if kill_at:
        setattr(purge, kill_at, lambda *_: os._exit(9))
    code = purge.main()
    sys.stdout.flush()
    os._exit(code)


def purge_from(folder: Path, *entries: str, kind: str = "toy", kill_at: str | None = None, code: int = 0) -> Any:
    spec = {"kind": kind, "name": "toy", "url": "http://127.0.0.1:1/", "records": str(folder / "records.jsonl"),
            "warc": str(folder / "raw" / "crawl.warc.gz"), "state": str(folder / "state")}  # fmt: skip
    order = json.dumps({"spec": spec, "entries": entries})
    process = toy.FORK.Process(target=work, args=(order, str(folder / "purge.json"), kill_at))
    process.start()
    process.join(60)
    assert process.exitcode == code
    return json.loads((folder / "purge.json").read_text()) if code == 0 else None


def everything(folder: Path) -> str:
    """All that the raw folder holds, unpacked."""
    found = []
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        data = path.read_bytes()
        found.append(gzip.decompress(data) if path.name.endswith(".gz") else data)
    return b"\n".join(found).decode("utf-8", "replace")


def members(folder: Path) -> list[tuple[str, str]]:
    found = []
    for path in sorted((folder / "raw").glob("*.warc.gz")):
        with path.open("rb") as stream:
            for record in ArchiveIterator(stream, check_digests="raise"):
                record.content_stream().read()
                found.append((record.rec_type, record.rec_headers.get_header("WARC-Record-ID")))
    return found


def nights(folder: Path) -> tuple[Any, str]:
    """Three crawls of a forum, in which one post is written, edited, and quoted by another."""
    forum = Forum(12, posts=7)
    forum.threads[3]["3-1"] = SECRET
    with serving(forum) as server:
        crawl(server.url, folder)
        forum.post(3, "3-1", EDITED)
        forum.post(4, "4-2", f"Somebody wrote: {EDITED} I say no.")
        crawl(server.url, folder)
        forum.post(5, "5-1", "Why is it otherwise now?")
        assert crawl(server.url, folder)["code"] == 0
    return forum, server.url


def test_a_post_leaves_archive_state_and_records(tmp_path: Path) -> None:
    nights(tmp_path)
    before, wires = posts(tmp_path), members(tmp_path)
    assert "Zebulon" in everything(tmp_path)
    assert purge_from(tmp_path, "toy:3-1") == {"records": 1, "responses": 2}
    left = everything(tmp_path)
    for word in ("Zebulon", "Quince", "Marrow", '"3-1"'):
        assert word not in left
    assert members(tmp_path) == wires
    del before["3-1"]
    assert posts(tmp_path) == before
    assert before["4-2"].startswith("Somebody wrote: Somebody whom I")  # that is another one's post


def test_a_replay_gives_everything_else(tmp_path: Path) -> None:
    nights(tmp_path)
    purge_from(tmp_path, "toy:3-1")
    before = (tmp_path / "records.jsonl").read_bytes()
    summary = crawl("http://127.0.0.1:1/", tmp_path, from_raw=True)
    assert (summary["code"], summary["rejects"]) == (0, {})
    assert (tmp_path / "records.jsonl").read_bytes() == before


def test_a_quiet_night_does_not_bring_it_back(tmp_path: Path) -> None:
    forum, _ = nights(tmp_path)
    purge_from(tmp_path, "toy:3-1")
    with serving(forum) as server:
        summary = crawl(server.url, tmp_path)
    assert (summary["code"], summary["changes"]["new"]) == (0, 0)
    assert "3-1" not in posts(tmp_path)


def test_what_one_page_hands_on_to_another_is_purged_too(tmp_path: Path) -> None:
    """A lesson of TED-Ed is read from its page and handed on to its captions, which make it a record."""
    pages = {
        f"/lessons/{name}": html_answer(f'<article><h1>{title}</h1><track src="/{name}.vtt"></article>')
        for name, title in (("fence", "How Zebulon Quince met Marrow"), ("gate", "How a gate hangs straight"))
    }
    listed = "".join(f'<a href="{path}">x</a>' for path in pages)
    captions = "WEBVTT\n\n00:01.000 --> 00:02.000\n"
    site = pages | {
        "/lessons.html?direction=desc&page=1&sort=featured-position": html_answer(f"<p id=lessons-grid>{listed}</p>"),
        "/fence.vtt": text_answer(f"{captions}Zebulon walks along the garden fence."),
        "/gate.vtt": text_answer(f"{captions}A gate is heavy on one side."),
    }
    with serving(lambda path: site.get(path) or text_answer("", 404)) as server:
        assert crawl(server.url, tmp_path, "teded")["items"] == 2
        assert purge_from(tmp_path, "toy:fence", kind="teded")["records"] == 1
        left = everything(tmp_path)
        assert "Zebulon" not in left
        assert "How a gate hangs" in left
        before = (tmp_path / "records.jsonl").read_bytes()
        summary = crawl(server.url, tmp_path, "teded", options={"revisit": 1})
        assert (summary["code"], summary["items"]) == (0, 1)
    assert (tmp_path / "records.jsonl").read_bytes() == before


def test_killed_in_the_middle_and_run_again(tmp_path: Path) -> None:
    for number, step in enumerate(("rewrite_segment", "filter_records", "clean_state")):
        folder = tmp_path / str(number)
        nights(folder)
        purge_from(folder, "toy:3-1", kill_at=step, code=9)
        purge_from(folder, "toy:3-1")
        assert "Zebulon" not in everything(folder)
        assert '"3-1"' not in everything(folder)
        assert len(posts(folder)) == 12 * 7 - 1
        assert purge_from(folder, "toy:3-1") == {"records": 0, "responses": 0}


def test_what_a_killed_crawl_left_is_searched_too(tmp_path: Path) -> None:
    nights(tmp_path)
    last = tmp_path / "raw" / "crawl-00002.warc.gz"
    whole = last.read_bytes()
    cut_off = gzip.compress(f"WARC/1.1 {SECRET}".encode())[:-9]
    last.write_bytes(whole + cut_off)
    (tmp_path / "records.jsonl.part").write_text(SECRET)
    purge_from(tmp_path, "toy:3-1")
    assert last.read_bytes() == whole
    assert "Zebulon" not in everything(tmp_path)


def test_nothing_is_touched_when_nothing_is_named(tmp_path: Path) -> None:
    nights(tmp_path)
    files = [path for path in tmp_path.rglob("*") if path.suffix in (".gz", ".jsonl")]
    before = {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in files}
    assert purge_from(tmp_path, "toy:no-such", "other:3-1") == {"records": 0, "responses": 0}
    assert {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in files} == before


def test_the_author_s_names_go_with_the_post(tmp_path: Path) -> None:
    forum = Discourse({1: ["Why does a gate hang straight?", "It has a weight on the other side.", "Thanks."]})
    forum.topics[1][1] |= {"username": "zq17", "name": "Zebulon Quince"}
    with serving(forum) as server:
        crawl(server.url, tmp_path, "discourse")
    assert "Zebulon" in (tmp_path / "records.jsonl").read_text()
    purge_from(tmp_path, "toy:1001", kind="discourse")
    assert set(posts(tmp_path)) == {"1000", "1002"}
    assert not [word for word in ("Zebulon", "Quince", "zq17") if word in everything(tmp_path)]
    assert crawl("http://127.0.0.1:1/", tmp_path, "discourse", from_raw=True)["code"] == 0
    assert "Quince" not in everything(tmp_path)


def test_a_lesson_takes_its_posts_along(tmp_path: Path) -> None:
    def answer(path: str) -> Answer:
        if path == "/robots.txt":
            return text_answer("", 404)
        if path == "/":
            lessons = [{"lesson_id": name, "text": f"About {name} and everything that belongs to it."} for name in "ab"]
            return json_answer({"lessons": lessons, "threads": [{"url": "/t/1"}]})
        bodies = [{"post_id": f"{name}1", "lesson_id": name, "text": f"Why is {name} so very odd?"} for name in "ab"]
        return json_answer({"posts": bodies})

    with serving(answer) as server:
        crawl(server.url, tmp_path)
    assert purge_from(tmp_path, "toy:a")["records"] == 2
    assert [r["body"]["lesson_id"] for r in records(tmp_path)] == ["b", "b"]
    assert "About a and" not in everything(tmp_path)
    assert "Why is a so" not in everything(tmp_path)
    assert "Why is b so" in everything(tmp_path)


def test_a_page_that_cannot_be_cut_is_overwritten(tmp_path: Path) -> None:
    page = f'<title>Post</title><meta name="description" content="{SECRET[:60]}"><p>{SECRET.replace("of", "<b>of</b>")}'
    pages = {"/robots.txt": text_answer("", 404), "/p/1": html_answer("<p>Another post</p>")}
    packed = gzip.compress(page.encode())
    with serving(lambda path: pages.get(path) or html_answer(packed, Content_Encoding="gzip")) as server:
        crawl(server.url, tmp_path, "plain", options={"wide": 2})
    assert posts(tmp_path)["/p/0"] == SECRET
    purge_from(tmp_path, "toy:/p/0", kind="plain")
    assert posts(tmp_path) == {"/p/1": "Another post"}
    left = everything(tmp_path)
    for word in ("Zebulon", "Marrow", "neighbour"):
        assert word not in left
    members(tmp_path)


def test_texts_are_found_in_every_dress() -> None:
    text = text_of("Why is the café so far away from \\frac12 home, Mina?")
    page = '<p title="Why is the caf&eacute; so far away">Why is <b>the</b> caf\u00e9 so far away from \\frac12 home'
    for dressed in (page, json.dumps({"a": page}), json.dumps({"a": json.dumps([page])})):
        left = overwrite(dressed, list(matches(dressed, {text})))
        assert "far" not in left
        assert "caf" not in left
        assert left.startswith(("<p title=", "{"))


def test_hostile_pages_are_searched_in_linear_time() -> None:
    text = text_of("why is the sky so blue today")
    for piece in ("<", "&", "\\", "<a ", "&#1", "why is the ", '\\"<p>'):
        assert list(matches(piece * 30_000, {text})) == []


def test_words_that_others_need_are_kept() -> None:
    page = b"<p>one two three four five six</p><q>one two three four five six</q>"
    redaction = Redaction(
        page,
        "utf-8",
        {text_of("one two three four five six")},
        lambda body: b"<q>one two three four" in body and b"six</q>" in body and b"five" in body.partition(b"<q>")[2],
    )
    redaction.mask(4)
    assert redaction.body == b"<p>x x x x x x</p><q>one two three four five six</q>"


def test_names_are_those_of_the_dataset() -> None:
    body = {"post_id": 7, "lesson_id": "a", "url": "https://example.org/t/7"}
    for entry in ("toy:7", "toy:a", "https://example.org/t/7"):
        assert named(frozenset([entry]), "toy", "post", body)
    for entry in ("other:7", "7", "https://example.org/t/"):
        assert not named(frozenset([entry]), "toy", "post", body)


def test_a_reject_goes_without_taking_words_along(tmp_path: Path) -> None:
    """Nothing is known of such a post but its address; the words that say what is wrong are the crawl's own."""
    answers = [
        {"@type": "Answer", "text": "The question has no author and no date.", "url": f"/q/1#a{n}"} for n in (1, 2)
    ]
    known = {"author": "ann", "dateCreated": "2024-05-06"}
    question = {"@type": "Question", "name": "Why?", "text": "Who asks for an author, and why?", "url": "/q/1", **known}
    data = {
        "@type": "QAPage",
        "mainEntity": question | {"suggestedAnswer": [*answers, answers[0] | known | {"url": "#b"}]},
    }
    page = html_answer(f'<script type="application/ld+json">{json.dumps(data)}</script>')
    pages = {"/": html_answer('<a href="/q/1">q</a>'), "/q/1": page}
    with serving(lambda path: pages.get(path) or text_answer("", 404)) as server:
        assert crawl(server.url, tmp_path, "qapage", options={"follow": "always"})["rejects"]["no_author"] == 2
    before, wires = posts(tmp_path), everything(tmp_path / "raw")
    assert purge_from(tmp_path, f"{server.url}q/1#a1", kind="qapage") == {"records": 1, "responses": 0}
    assert [r["body"]["url"] for r in records(tmp_path) if r["type"] == "reject"] == [f"{server.url}q/1#a2"]
    assert (posts(tmp_path), everything(tmp_path / "raw")) == (before, wires)


def test_the_state_keeps_no_deleted_row(tmp_path: Path) -> None:
    nights(tmp_path)
    purge_from(tmp_path, "toy:3-1")
    with sqlite3.connect(tmp_path / "state" / "crawl.sqlite3") as database:
        assert database.execute("PRAGMA freelist_count").fetchone() == (0,)
        (accepted,) = database.execute("SELECT value FROM facts WHERE name = 'accepted'").fetchone()
    assert json.loads(accepted)["post"] == 12 * 7 - 1
