"""Records rebuilt from the archive alone, and what the archive holds."""

import gzip
from pathlib import Path

from toy import Forum, crawl, html_answer, json_answer, posts, records, serving, text_answer
from warcio.archiveiterator import ArchiveIterator


def test_nights_are_rebuilt_with_no_network(tmp_path: Path) -> None:
    forum = Forum(40, posts=7)
    with serving(forum) as server:
        crawl(server.url, tmp_path)
        forum.post(3, "3-1", "Edited?")
        forum.post(4, "4-0", None)
        forum.overrides["/t/5"] = lambda: text_answer("gone", 404)
        forum.activity[5] += 1
        forum.overrides["/t/6"] = lambda: text_answer("", 302, Location="/t/moved")
        forum.overrides["/t/moved"] = lambda: json_answer({"posts": [{"post_id": "m", "text": "Moved?"}]})
        forum.activity[6] += 1
        crawl(server.url, tmp_path)
        forum.post(7, "7-1", "Edited too?")
        forum.overrides["/t/8"] = lambda: text_answer("{", 200)
        forum.activity[8] += 1
        assert crawl(server.url, tmp_path)["code"] == 0
    before = (tmp_path / "records.jsonl").read_bytes()
    (tmp_path / "records.jsonl").unlink()
    server.forget()
    summary = crawl(server.url, tmp_path, from_raw=True)
    assert (summary["code"], server.asked) == (0, [])
    assert (tmp_path / "records.jsonl").read_bytes() == before
    crawl(server.url, tmp_path, from_raw=True, state=None, records=str(tmp_path / "other.jsonl"))
    assert (tmp_path / "other.jsonl").read_bytes() == before


def test_crawl_goes_on_after_a_replay(tmp_path: Path) -> None:
    forum = Forum(40)
    with serving(forum) as server:
        crawl(server.url, tmp_path)
        crawl(server.url, tmp_path, from_raw=True)
        forum.post(3, "3-1", "Edited?")
        server.forget()
        summary = crawl(server.url, tmp_path)
        assert (summary["crawl"], summary["changes"]["changed"], len(server.paths)) == (2, 1, 8 + 1 + 2)


def test_failed_crawl_is_not_what_a_replay_gives(tmp_path: Path) -> None:
    forum = Forum(10)
    with serving(forum) as server:
        crawl(server.url, tmp_path)
        before = (tmp_path / "records.jsonl").read_bytes()
        forum.threads.clear()
        assert crawl(server.url, tmp_path, options={"revisit": 1})["code"] == 1
    assert crawl(server.url, tmp_path, from_raw=True)["code"] == 0
    assert (tmp_path / "records.jsonl").read_bytes() == before


def test_replay_without_archive_says_so(tmp_path: Path) -> None:
    summary = crawl("http://127.0.0.1:1/", tmp_path, from_raw=True)
    assert summary["code"] == 1
    assert "no archive" in summary["errors"][0]


def test_archive_is_read_by_standard_tools_and_rotates(tmp_path: Path) -> None:
    with serving(Forum(40)) as server:
        crawl(server.url, tmp_path, options={"segment_bytes": 5000})
    files = sorted((tmp_path / "raw").iterdir())
    assert len(files) > 3
    kinds, addresses = [], set()
    for file in files:
        with file.open("rb") as stream:
            for record in ArchiveIterator(stream, check_digests="raise"):
                body = record.content_stream().read()
                kinds.append(record.rec_type)
                addresses.add(record.rec_headers.get_header("WARC-Target-URI"))
                if record.rec_type == "response" and record.http_headers.get_statuscode() == "200":
                    assert body.startswith(b"{")
    assert kinds.count("request") == kinds.count("response") == 50
    assert f"{server.url}t/39" in addresses
    assert f"{server.url}?page=7" in addresses
    assert f"{server.url}robots.txt" in addresses
    before = posts(tmp_path)
    assert crawl(server.url, tmp_path, from_raw=True)["code"] == 0
    assert posts(tmp_path) == before


def test_compressed_pages_are_archived_as_sent(tmp_path: Path) -> None:
    body = gzip.compress(b"<p>packed</p>")
    pages = {"/robots.txt": text_answer("", 404)}
    with serving(lambda path: pages.get(path) or html_answer(body, Content_Encoding="gzip")) as server:
        crawl(server.url, tmp_path, "plain", options={"wide": 1})
    assert body in gzip.decompress((tmp_path / "raw" / "crawl.warc.gz").read_bytes())
    before = records(tmp_path)
    crawl(server.url, tmp_path, "plain", options={"wide": 1}, from_raw=True)
    assert records(tmp_path) == before
    assert before[0]["body"]["text"] == "packed"


def test_secrets_are_sent_and_never_stored(tmp_path: Path) -> None:
    secret = "s3cr3t/t+ken"
    answer = json_answer({"posts": [{"post_id": "1", "text": "Why?"}]})
    with serving(lambda path: text_answer("", 404) if path == "/robots.txt" else answer) as server:
        assert crawl(server.url, tmp_path, "token", options={"token": secret})["code"] == 0
    assert secret.encode() in server.bodies[-1]
    assert server.paths[0].startswith("/api?wstoken=s3cr3t")
    for file in (path for path in tmp_path.rglob("*") if path.is_file()):
        data = file.read_bytes()
        assert b"s3cr3t" not in (gzip.decompress(data) if file.suffix == ".gz" else data)
    assert crawl(server.url, tmp_path, "token", from_raw=True)["code"] == 0
    assert posts(tmp_path) == {"1": "Why?"}


def test_rows_carry_verdict_and_time(tmp_path: Path) -> None:
    with serving(Forum(1)) as server:
        crawl(server.url, tmp_path)
    assert {record["verdict"] for record in records(tmp_path)} == {"no_robots_txt"}
    assert all(record["fetched_at"].endswith("+00:00") for record in records(tmp_path))
