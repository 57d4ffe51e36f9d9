"""The campus site and its crawl, from files to records."""

import http.client
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from warcio.archiveiterator import ArchiveIterator

from crawlers.campus.content import ContentError, read_campus
from crawlers.campus.site import serve

REPOSITORY = Path(__file__).resolve().parents[2]
BODY = "> Why *Rome*?\n\nTry `x`:\n\n```python\nif x:\n    y()\n```\n\n<script>alert(1)</script>"


def post(number: int, body: str, parent: int | None = None) -> dict[str, Any]:
    return {
        "id": number, "parent": parent, "kind": "answer" if parent else "question", "author": 'a"<b>',
        "role": "student", "created_at": "2024-10-09T02:25:31Z", "votes": 3, "accepted": bool(parent), "body": body,
    }  # fmt: skip


@pytest.fixture
def campus(tmp_path: Path) -> Path:
    """Two lessons; the first has twelve threads, so two pages."""
    folder = tmp_path / "campus"
    article, video = folder / "history" / "rome", folder / "physics" / "falling"
    for lesson, kind in ((article, "article"), (video, "video")):
        lesson.mkdir(parents=True)
        (lesson / "lesson.md").write_text(
            f"---\ntitle: On <{kind}>\ncourse: One\nkind: {kind}\n---\nA text: $1\\,000$.\n"
        )
    threads = [{"id": n, "posts": [post(n * 10, f"Why {n}?"), post(n * 10 + 1, BODY, n * 10)]} for n in range(1, 13)]
    (article / "threads.json").write_text(json.dumps(threads))
    quiz = {"id": "q1", "kind": "open", "text": "Is 3 < 5?", "options": [], "answer": None, "hint_seconds": None}
    (article / "quizzes.json").write_text(json.dumps([quiz]))
    (video / "captions.vtt").write_text("WEBVTT\n\n1\n00:00:01.200 --> 00:00:04.374\nLet's\nbegin.\n")
    return folder


def fetch(url: str, method: str = "GET", **headers: str) -> tuple[http.client.HTTPResponse, str]:
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.netloc, timeout=10)
    connection.request(method, f"{parts.path}?{parts.query}", headers=headers)
    response = connection.getresponse()
    body = response.read().decode()
    connection.close()
    return response, body


def crawl(url: str, folder: Path, **changes: Any) -> tuple[dict[str, Any], int]:
    records, warc = str(folder / "records.jsonl"), str(folder / "crawl.warc.gz")
    spec = {"kind": "campus", "name": "campus", "url": url, "records": records, "warc": warc} | changes
    command = [sys.executable, "-m", "crawlers.run"]
    done = subprocess.run(command, input=json.dumps(spec), capture_output=True, text=True, cwd=REPOSITORY, timeout=60)
    (line,) = done.stdout.splitlines()
    return json.loads(line), done.returncode


def read_records(folder: Path) -> list[dict[str, Any]]:
    lines = (folder / "records.jsonl").read_text(encoding="utf-8").splitlines()
    return [{key: value for key, value in json.loads(line).items() if key != "fetched_at"} for line in lines]


def test_crawl_gives_the_same_records_each_time(campus: Path, tmp_path: Path) -> None:
    for name in ("first", "second"):
        with serve(campus) as url:  # another port each time
            summary, code = crawl(url, tmp_path / name)
        known = {"finished": True, "reason": "finished", "pages": 6, "items": 27, "errors": []}
        assert {name: summary[name] for name in known} == known
        assert code == 0
    records = read_records(tmp_path / "first")
    assert records == read_records(tmp_path / "second")
    assert Counter(record["type"] for record in records) == {"lesson": 2, "post": 24, "quiz": 1}
    bodies = {record["body"].get("post_id") or record["body"]["lesson_id"]: record["body"] for record in records}
    text = "> Why Rome?\n\nTry `x`:\n\n```\nif x:\n    y()\n```\n\n<script>alert(1)</script>"
    assert (bodies["121"]["text"], bodies["121"]["author"]) == (text, 'a"<b>')
    assert bodies["121"]["url"] == "https://campus.example.org/lessons/history/rome/discussion?page=2#post-121"
    assert bodies["physics/falling"]["captions"] == [{"start": 1.2, "text": "Let's begin."}]
    lessons = {
        record["body"]["lesson_id"]: record["body"].get("text") for record in records if record["type"] == "lesson"
    }
    assert lessons == {"history/rome": "A text: $1\\,000$.", "physics/falling": None}


def test_archive_holds_every_exchange(campus: Path, tmp_path: Path) -> None:
    with serve(campus) as url:
        crawl(url, tmp_path)
    with (tmp_path / "crawl.warc.gz").open("rb") as file:
        found = [(r.rec_type, r.rec_headers.get_header("WARC-Target-URI"), r.content_stream().read())
                 for r in ArchiveIterator(file)]  # fmt: skip
    assert Counter(kind for kind, _, _ in found) == {"warcinfo": 1, "request": 8, "response": 8, "metadata": 1}
    bodies = {address: body for kind, address, body in found if kind == "response"}
    assert b"Disallow: /private/" in bodies[f"{url}robots.txt"]
    assert b"post-121" in bodies[f"{url}lessons/history/rome/discussion?page=2"]


def test_failed_crawl_writes_no_records(campus: Path, tmp_path: Path) -> None:
    with serve(campus) as url:
        summary, code = crawl(f"{url}nowhere", tmp_path)
    assert (summary["finished"], summary["errors"], code) == (False, [f"{url}nowhere: HTTP status 404"], 1)
    assert not (tmp_path / "records.jsonl").exists()


def test_unknown_kind_is_named(tmp_path: Path) -> None:
    summary, code = crawl("http://127.0.0.1:1/", tmp_path, kind="usenet")
    assert (summary["reason"], code) == ("bad spec", 2)
    assert "usenet" in summary["errors"][0]


def test_known_page_is_not_sent_again(campus: Path) -> None:
    with serve(campus) as url:
        first, _ = fetch(url)
        tag = first.headers["ETag"]
        again, body = fetch(url, **{"If-None-Match": f'"other", {tag}'})
        other, _ = fetch(url, **{"If-None-Match": '"other"'})
        head, nothing = fetch(url, "HEAD")
    assert (first.status, again.status, body, other.status) == (200, 304, "", 200)
    assert tag.startswith('"')
    assert (head.status, head.headers["ETag"], nothing) == (200, tag, "")


def test_what_people_wrote_is_escaped(campus: Path) -> None:
    with serve(campus) as url:
        _, discussion = fetch(f"{url}lessons/history/rome/discussion")
        _, lesson = fetch(f"{url}lessons/history/rome")
        missing, page = fetch(f"{url}<script>")
    assert "&lt;script&gt;alert(1)" in discussion
    assert all("<script" not in html for html in (discussion, lesson, page))
    assert "On &lt;article&gt;" in lesson
    assert missing.status == 404


@pytest.mark.parametrize("page", ["0", "3", "-1", "x", "", "9" * 5000, "²"])
def test_page_that_does_not_exist_is_404(campus: Path, page: str) -> None:
    with serve(campus) as url:
        response, _ = fetch(f"{url}lessons/history/rome/discussion?page={page.replace('²', '%C2%B2')}")
    assert response.status == 404


def test_sitemap_lists_pages_that_exist(campus: Path) -> None:
    with serve(campus) as url:
        _, text = fetch(f"{url}sitemap.xml")
        addresses = [part.partition("</loc>")[0] for part in text.split("<loc>")[1:]]
        statuses = {address: fetch(address)[0].status for address in addresses}
    assert len(statuses) == 6
    assert set(statuses.values()) == {200}


def test_folder_without_lessons_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ContentError, match=r"lesson\.md"):
        read_campus(tmp_path)


def test_site_on_another_port_is_the_same_site(campus: Path, tmp_path: Path) -> None:
    state = {"state": str(tmp_path / "state")}
    with serve(campus) as url:
        assert crawl(url, tmp_path, **state)[0]["pages"] == 6
    first = (tmp_path / "records.jsonl").read_bytes()
    with serve(campus) as url:
        quiet, _ = crawl(url, tmp_path, **state)
    assert quiet["unchanged_pages"] == quiet["pages"] <= 4  # the index, and one lesson that is revisited
    assert (tmp_path / "records.jsonl").read_bytes() == first
    (campus / "history" / "rome" / "lesson.md").write_text(
        "---\ntitle: New\ncourse: One\nkind: article\n---\nEdited.\n"
    )
    threads = json.loads((campus / "history" / "rome" / "threads.json").read_text())
    (campus / "history" / "rome" / "threads.json").write_text(json.dumps(threads[1:]))
    with serve(campus) as url:
        edited, _ = crawl(url, tmp_path, **state)
    # The post of the twelfth thread moves from the second page to the first, and its address with it.
    assert edited["changes"] == {"new": 0, "changed": 3, "removed": 2, "returned": 0}
    before = (tmp_path / "records.jsonl").read_bytes()
    replayed, code = crawl("http://127.0.0.1:9/", tmp_path, from_raw=True, **state)
    assert (code, replayed["finished"]) == (0, True)
    assert (tmp_path / "records.jsonl").read_bytes() == before
