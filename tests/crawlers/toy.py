"""A small JSON forum on loopback whose server counts every request and can be told to misbehave, and its source."""

import hashlib
import io
import json
import multiprocessing
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from multiprocessing import forkserver
from pathlib import Path
from threading import Lock, Thread
from time import monotonic
from typing import Any
from unittest.mock import patch
from urllib.parse import parse_qs, urljoin, urlsplit

from crawlers import run
from crawlers.page import JsonPage, Page
from crawlers.spider import SourceSpider
from crawlers.strict_xml import sitemap_locations

FORK = multiprocessing.get_context("forkserver")
FORK.set_forkserver_preload(["toy", "scrapy.core.downloader.handlers.http11", "crawlers.frontier"])
PER_PAGE = 5
ABOUT_THE_SITE = ("/robots.txt", "/.well-known/tdmrep.json")
Answer = tuple[int, dict[str, str], bytes]


class ToySpider(SourceSpider):
    """Listing pages, then threads of one or more pages."""

    def parse(self, response: Any) -> Iterator[Any]:
        page = JsonPage(response.body, response.url)
        yield from self.records("lesson", page.objects("lessons"))
        for thread in page.objects("threads"):
            yield self.thread(urljoin(response.url, thread["url"]), self.parse_thread, thread.get("activity"))
        for address in page.find("next") or []:
            yield self.listing(urljoin(response.url, address), self.parse)

    def parse_thread(self, response: Any) -> Iterator[Any]:
        page = JsonPage(response.body, response.url)
        yield from self.records("post", page.known("posts"))
        yield from self.requests((urljoin(response.url, url) for url in page.find("next") or []), self.parse_thread)


class PlainSpider(SourceSpider):
    """One page with many links, each an HTML page that is one post; `wide` has them all in the frontier at once."""

    secret_options = ("token",)

    def first(self) -> Iterator[Any]:
        if count := self.options.get("wide"):
            for number in range(count):
                yield self.request(urljoin(self.start_url, f"/p/{number}"), self.parse_post)
        else:
            yield from super().first()

    def parse(self, response: Any) -> Iterator[Any]:
        page = Page(response.text, response.url)
        yield from self.requests(page.links("a"), self.parse_post)
        yield from self.requests(page.links("link[rel=sitemap]"), self.parse_map)

    def parse_post(self, response: Any) -> Iterator[Any]:
        text = Page(response.text, response.url).one("p").get_text()
        yield from self.records("post", [{"post_id": urlsplit(response.url).path, "text": text}])

    def parse_map(self, response: Any) -> Iterator[Any]:
        pages, _ = sitemap_locations(response.body, response.url)
        yield from self.requests((url for url, _ in pages), self.parse_post)


class TokenSpider(SourceSpider):
    """Sends a secret in the address and in the body."""

    secret_options = ("token",)

    def first(self) -> Iterator[Any]:
        address = f"{self.start_url}api?wstoken={self.secret('token')}"
        yield self.request(address, self.parse, send={"token": self.secret("token")})

    def parse(self, response: Any) -> Iterator[Any]:
        yield from self.records("post", JsonPage(response.body, response.url).objects("posts"))


class Site(ThreadingHTTPServer):
    """Answers by a function from path to answer, and writes down what it was asked."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, answer: Callable[[str], Answer | None]) -> None:
        self.answer = answer
        self.asked: list[tuple[float, str, dict[str, str]]] = []
        self.bodies: list[bytes] = []
        self.lock = Lock()
        super().__init__(("127.0.0.1", 0), Handler)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/"

    @property
    def paths(self) -> list[str]:
        """What was asked for, robots.txt and tdmrep.json left out."""
        return [path for _, path, _ in self.asked if path not in ABOUT_THE_SITE]

    def times(self) -> list[float]:
        return [at for at, _, _ in self.asked]

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A crawler that hangs up (a page that is too large) is no error of the server."""

    def forget(self) -> None:
        self.asked.clear()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1
    server: Site

    def do_GET(self) -> None:
        with self.server.lock:
            self.server.asked.append((monotonic(), self.path, dict(self.headers)))
        self.server.bodies.append(self.rfile.read(int(self.headers.get("Content-Length") or 0)))
        answer = self.server.answer(self.path)
        if answer is None:  # the server hangs up
            self.close_connection = True
            return
        status, headers, body = answer
        tag = f'"{hashlib.sha256(body).hexdigest()[:16]}"'
        if headers.pop("tagged", "") and status == 200:
            if self.headers.get("If-None-Match") == tag:
                status, body = 304, b""
            headers["ETag"] = tag
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        if "Content-Length" not in headers and status != 304:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        try:
            self.wfile.write(body)
        except OSError:
            self.close_connection = True

    do_POST = do_GET

    def log_message(self, format: str, *args: object) -> None:
        """Stay silent."""


class Forum:
    """The content of a toy forum: one lesson, threads with posts; robots.txt as given."""

    def __init__(self, threads: int, posts: int = 3, robots: Answer | None = None) -> None:
        self.threads = {n: {f"{n}-{p}": f"Why is {p} so?" for p in range(posts)} for n in range(threads)}
        self.activity = dict.fromkeys(self.threads, 1)
        self.unlisted: set[int] = set()
        self.robots = robots or text_answer("", 404)
        self.overrides: dict[str, Callable[[], Answer | None]] = {}

    def __call__(self, target: str) -> Answer | None:
        if target in self.overrides:
            return self.overrides[target]()
        parts = urlsplit(target)
        number = int(parse_qs(parts.query).get("page", ["0"])[0])
        if parts.path == "/robots.txt":
            return self.robots
        if parts.path == "/":
            listed = [n for n in self.threads if n not in self.unlisted]
            shown = listed[number * PER_PAGE : (number + 1) * PER_PAGE]
            more = [f"/?page={number + 1}"] if len(listed) > (number + 1) * PER_PAGE else []
            threads = [{"url": f"/t/{n}", "activity": self.activity[n]} for n in shown]
            return json_answer({"lessons": [{"lesson_id": "one", "text": "x"}], "threads": threads, "next": more})
        name = parts.path.removeprefix("/t/")
        if parts.path.startswith("/t/") and name.isdigit() and int(name) in self.threads:
            posts = list(self.threads[int(name)].items())
            shown_posts = posts[number * PER_PAGE : (number + 1) * PER_PAGE]
            more = [f"/t/{name}?page={number + 1}"] if len(posts) > (number + 1) * PER_PAGE else []
            bodies = [{"post_id": post, "thread_id": name, "text": text} for post, text in shown_posts]
            return json_answer({"posts": bodies, "next": more})
        return text_answer("no such page", 404)

    def post(self, thread: int, name: str, text: str | None) -> None:
        """Write, edit or (None) delete a post, which the listing shows as activity."""
        if text is None:
            del self.threads[thread][name]
        else:
            self.threads[thread][name] = text
        self.activity[thread] += 1


def json_answer(data: object, status: int = 200, **headers: str) -> Answer:
    return status, {"Content-Type": "application/json", "tagged": "yes"} | headers, json.dumps(data).encode()


def text_answer(text: str, status: int = 200, **headers: str) -> Answer:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return status, {"Content-Type": "text/plain; charset=utf-8"} | named, text.encode()


def html_answer(html: str | bytes, status: int = 200, **headers: str) -> Answer:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    body = html.encode() if isinstance(html, str) else html
    return status, {"Content-Type": "text/html; charset=utf-8"} | named, body


@contextmanager
def serving(answer: Callable[[str], Answer | None]) -> Iterator[Site]:
    with Site(answer) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


class Running:
    """A crawl in a process of its own, made from one that has imported everything."""

    def __init__(self, spec: dict[str, Any], folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        with patch.dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path)):  # or it preloads nothing
            forkserver.ensure_running()
        self.out, self.err = folder / "out.txt", folder / "err.txt"
        self.process = FORK.Process(target=work, args=(json.dumps(spec), str(self.out), str(self.err)))
        self.process.start()

    def kill(self) -> None:
        self.process.kill()
        self.process.join()

    def terminate(self) -> None:
        self.process.terminate()

    def finish(self) -> dict[str, Any]:
        """The summary, with the exit code and the log."""
        self.process.join(120)
        log = self.err.read_text()
        assert "Traceback" not in log, log
        return json.loads(self.out.read_text()) | {"code": self.process.exitcode, "log": log}


def work(spec: str, out: str, err: str) -> None:
    """The life of a crawl's process."""
    for stream, path in ((sys.stdout, out), (sys.stderr, err)):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), stream.fileno())
    sys.stdin = io.StringIO(spec)
    run.KINDS.update(toy=ToySpider, plain=PlainSpider, token=TokenSpider)
    code = run.main()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def begin(url: str, folder: Path, kind: str = "toy", **changes: Any) -> Running:
    """Begin a crawl, with state unless that is changed to None."""
    spec = {
        "kind": kind, "name": "toy", "url": url, "records": str(folder / "records.jsonl"),
        "warc": str(folder / "raw" / "crawl.warc.gz"), "state": str(folder / "state"),
    } | changes  # fmt: skip
    return Running({name: value for name, value in spec.items() if value is not None}, folder)


def crawl(url: str, folder: Path, kind: str = "toy", **changes: Any) -> dict[str, Any]:
    """Crawl to the end."""
    return begin(url, folder, kind, **changes).finish()


def records(folder: Path) -> list[dict[str, Any]]:
    lines = (folder / "records.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def posts(folder: Path) -> dict[str, str]:
    """The text of every post by its id; a post that is there twice fails."""
    found = [record["body"] for record in records(folder) if record["type"] == "post"]
    doubled = [name for name, count in Counter(body["post_id"] for body in found).items() if count > 1]
    assert not doubled
    return {body["post_id"]: body["text"] for body in found}
