"""Pages per second of a whole crawl (gate, archive, parsing, state) against a bare Scrapy spider that only downloads.

Both fetch the same pages on loopback with politeness off and are timed at the server; and does memory grow with pages?
"""

import asyncio
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import monotonic
from typing import Any
from urllib.request import urlopen

from scrapy import Request, Spider
from scrapy.crawler import AsyncCrawlerProcess

from crawlers import run
from crawlers.campus.content import Lesson
from crawlers.campus.render import discussion_page, index_page, lesson_page
from crawlers.page import JsonPage
from crawlers.spec import Spec
from crawlers.spider import SourceSpider

PROJECT = Path(__file__).resolve().parents[2]
PAGES, GROWN = 2000, 6000
ROUNDS = 3
TEXT = "Why does the ball fall faster when I let it go from higher up, if gravity is the same everywhere? "


class JsonSpider(SourceSpider):
    """A forum that speaks JSON: one listing, then one request a thread."""

    def parse(self, response: Any) -> Iterator[Any]:
        """Go to every thread."""
        for url in JsonPage(response.body, response.url).find("threads"):
            yield self.thread(response.urljoin(url), self.parse_thread)

    def parse_thread(self, response: Any) -> Iterator[Any]:
        """Keep the posts of a thread."""
        yield from self.records("post", JsonPage(response.body, response.url).objects("posts"))


class BareSpider(Spider):  # type: ignore[misc]  # mypy skips Scrapy, so its classes are Any
    """Downloads the pages and looks at nothing."""

    name = "bare"

    async def start(self) -> Any:
        """Every page of the site."""
        with urlopen(f"{self.url}paths") as answer:
            paths = json.load(answer)
        for path in paths:
            yield Request(self.url + path, callback=self.nothing)

    def nothing(self, response: Any) -> None:
        """Look at nothing."""


def json_site(count: int) -> dict[str, tuple[str, bytes]]:
    """A listing and so many threads of ten posts."""
    pages = {"": ("application/json", json.dumps({"threads": [f"/t/{n}" for n in range(count)]}).encode())}
    for n in range(count):
        posts = [
            {"post_id": f"{n}-{p}", "lesson_id": "one", "thread_id": str(n), "parent_id": None, "kind": "question",
             "author": f"learner{p}", "created_at": "2024-01-02T03:04:05Z", "votes": p, "text": TEXT * 3}
            for p in range(10)
        ]  # fmt: skip
        pages[f"t/{n}"] = ("application/json", json.dumps({"posts": posts}).encode())
    return pages


def html_site(count: int) -> dict[str, tuple[str, bytes]]:
    """The campus site with half as many lessons, each with a page of discussion."""
    lessons = [
        Lesson("physics", f"falling-{n}", "Falling", "Mechanics", "article", TEXT * 10, (), threads(n), ())
        for n in range(count // 2)
    ]
    pages = {"": index_page(lessons)}
    for lesson in lessons:
        pages[f"lessons/{lesson.lesson_id}"] = lesson_page(lesson)
        pages[f"lessons/{lesson.lesson_id}/discussion"] = discussion_page(lesson, 1)
    return {path: ("text/html; charset=utf-8", html.encode()) for path, html in pages.items()}


def microdata_site(count: int) -> dict[str, tuple[str, bytes]]:
    """A sitemap and so many questions of ten answers as schema.org microdata, for `qapage`."""
    entries = "".join(f"<url><loc>BASEq/{n}</loc></url>" for n in range(count))
    pages = {"sitemap.xml": ("application/xml", f"<urlset>{entries}</urlset>".encode())}
    for n in range(count):
        posts = "".join(
            f'<div id="a{p}" itemprop="suggestedAnswer" itemscope itemtype="https://schema.org/Answer">'
            f'<span itemprop="author" itemscope itemtype="https://schema.org/Person"><b itemprop="name">u{p}</b></span>'
            f'<time itemprop="dateCreated" datetime="2024-01-02T03:04:05Z"></time><i itemprop="upvoteCount">{p}</i>'
            f'<div itemprop="text"><p>{TEXT * 2}</p></div></div>'
            for p in range(10)
        )
        text = (
            '<html><body itemscope itemtype="https://schema.org/QAPage"><div itemprop="mainEntity" itemscope '
            f'itemtype="https://schema.org/Question"><h1 itemprop="name">Why is {n} so?</h1>'
            f'<p itemprop="text">{TEXT}</p><b itemprop="author">ann</b>'
            '<time itemprop="dateCreated" datetime="2024-01-02T03:04:05Z"></time>'
            f"{posts}</div></body></html>"
        )
        pages[f"q/{n}"] = ("text/html; charset=utf-8", text.encode())
    return pages


def threads(number: int) -> tuple[dict[str, Any], ...]:
    """Five questions with an answer each."""

    def post(name: str, parent: str | None) -> dict[str, Any]:
        return {
            "id": name,
            "parent": parent,
            "kind": "answer" if parent else "question",
            "author": "learner",
            "role": "student",
            "created_at": "2024-01-02T03:04:05Z",
            "votes": 3,
            "accepted": False,
            "body": TEXT * 2,
        }

    return tuple(
        {"id": f"{number}-{t}", "posts": [post(f"{number}-{t}-0", None), post(f"{number}-{t}-1", f"{number}-{t}-0")]}
        for t in range(5)
    )  # fmt: skip


def serve(kind: str, count: int) -> None:
    """Serve a site from memory until the process ends; `/took` gives pages and seconds since it was last asked."""
    pages = {"json": json_site, "html": html_site, "qapage": microdata_site}[kind](count)
    answers: dict[str, bytes] = {}
    answers["/paths"] = answer("application/json", json.dumps(list(pages)).encode())
    asked: list[float] = []

    class Protocol(asyncio.Protocol):
        def connection_made(self, transport: Any) -> None:
            self.transport = transport

        def data_received(self, data: bytes) -> None:
            path = data.split(b" ", 2)[1].decode()
            if path == "/took":
                body = json.dumps([len(asked), asked[-1] - asked[0] if asked else 0]).encode()
                asked.clear()
                self.transport.write(answer("application/json", body))
                return
            if path not in ("/robots.txt", "/.well-known/tdmrep.json", "/paths"):
                asked.append(monotonic())
            self.transport.write(answers.get(path) or answer("text/plain", b"", "404 Not Found"))

    async def forever() -> None:
        server = await asyncio.get_running_loop().create_server(Protocol, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        for path, (form, body) in pages.items():
            answers[f"/{path}"] = answer(form, body.replace(b"BASE", f"http://127.0.0.1:{port}/".encode()))
        print(port, flush=True)
        await server.serve_forever()

    asyncio.run(forever())


def answer(kind: str, body: bytes, status: str = "200 OK") -> bytes:
    """A whole response."""
    return f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body


def bare(url: str) -> None:
    """Download everything, and keep nothing."""
    process = AsyncCrawlerProcess({"LOG_LEVEL": "WARNING", "TELNETCONSOLE_ENABLED": False, "ROBOTSTXT_OBEY": False})
    process.crawl(BareSpider, url=url)
    process.start()


def ours(kind: str, url: str, folder: str) -> None:
    """Crawl everything."""
    run.KINDS["json"] = JsonSpider
    spec = {"kind": {"html": "campus"}.get(kind, kind), "name": kind, "url": url}
    spec |= {"records": f"{folder}/records.jsonl", "warc": f"{folder}/crawl.warc.gz", "state": f"{folder}/state"}
    summary = run.crawl(Spec.read(spec))
    assert summary["finished"], summary
    peak = re.search(r"VmHWM:\s+([0-9]+)", Path("/proc/self/status").read_text())  # ru_maxrss counts the parent's too
    print(int(peak[1]) // 1024 if peak else 0)


def child(*arguments: str) -> str:
    """Run a part of this file in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.speed.crawling", *arguments]
    environment = os.environ | {"PYTHONPATH": str(PROJECT)}
    return subprocess.run(command, check=True, capture_output=True, text=True, cwd=PROJECT, env=environment).stdout


def measure(kind: str, count: int, rounds: int) -> tuple[float, float, int]:
    """Pages per second of the bare spider and of ours, the best of some rounds each, and our memory in MB."""
    command = [sys.executable, "-m", "benchmarks.speed.crawling", "serve", kind, str(count)]
    environment = os.environ | {"PYTHONPATH": str(PROJECT)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=PROJECT, env=environment) as server:
        assert server.stdout
        url = f"http://127.0.0.1:{int(server.stdout.readline())}/"
        best = {"bare": 0.0, "ours": 0.0}
        memory = 0
        try:
            for _ in range(rounds):
                for name in best:
                    with tempfile.TemporaryDirectory() as folder:
                        out = child(name, url) if name == "bare" else child(name, kind, url, folder)
                    memory = int(out) if out else memory
                    with urlopen(f"{url}took") as answered:
                        pages, seconds = json.load(answered)
                    best[name] = max(best[name], pages / seconds)
        finally:
            server.kill()
    return best["bare"], best["ours"], memory


def report() -> None:
    """Print the figures."""
    for kind, goal in (("json", 60), ("html", 40)):
        plain, whole, _ = measure(kind, PAGES, ROUNDS)
        print(f"crawling {kind}: bare Scrapy {plain:.0f} pages/s, Quarry {whole:.0f} pages/s, "
              f"{whole / plain:.0%} (goal {goal}%)")  # fmt: skip
    plain, whole, _ = measure("qapage", PAGES // 4, 2)
    print(f"crawling microdata: bare Scrapy {plain:.0f} pages/s, Quarry {whole:.0f} pages/s, {whole / plain:.0%}")
    small, large = measure("json", PAGES, 1)[2], measure("json", GROWN, 1)[2]
    print(f"crawling memory: {small} MB for {PAGES} pages, {large} MB for {GROWN} pages")


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["serve", kind, count]:
            serve(kind, int(count))
        case ["bare", url]:
            bare(url)
        case ["ours", kind, url, folder]:
            ours(kind, url, folder)
        case _:
            report()
