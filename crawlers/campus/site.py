"""Serves a campus folder as a small web site on loopback."""

import argparse
import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import parse_qs, unquote, urlsplit

from crawlers.campus.content import DEFAULT_FOLDER, ContentError, Lesson, read_campus
from crawlers.campus.render import discussion_page, index_page, lesson_page, missing_page, page_count

HTML = "text/html; charset=utf-8"


class CampusServer(ThreadingHTTPServer):
    """A loopback server that holds the content of one campus."""

    daemon_threads = True

    def __init__(self, folder: Path, port: int = 0) -> None:
        """Read the folder and listen, on a free port unless one is given."""
        self.lessons = read_campus(folder)
        super().__init__(("127.0.0.1", port), CampusHandler)

    @property
    def url(self) -> str:
        """The address of the course index."""
        return f"http://127.0.0.1:{self.server_port}/"


class CampusHandler(BaseHTTPRequestHandler):
    """Answers GET and HEAD with pages, each with a strong ETag."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1
    timeout = 30
    server: CampusServer

    def do_GET(self) -> None:
        """Answer with a page, or with 304 when the client has it already."""
        status, content_type, text = answer(self.server.lessons, self.server.url, self.path)
        body = text.encode()
        tag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
        if status is HTTPStatus.OK and matches(self.headers.get("If-None-Match"), tag):
            self.send_response(HTTPStatus.NOT_MODIFIED)
            self.send_header("ETag", tag)
            self.end_headers()
            return
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(body)))
        if status is HTTPStatus.OK:
            self.send_header("ETag", tag)
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    do_HEAD = do_GET

    def log_message(self, format: str, *args: object) -> None:
        """Stay silent: the crawler keeps the record of what was fetched."""


def answer(lessons: dict[str, Lesson], base: str, target: str) -> tuple[HTTPStatus, str, str]:
    """Status, content type and text for a request target."""
    parts = urlsplit(target if target.startswith("http") else "//campus/" + target.lstrip("/"))
    path = unquote(parts.path)
    if path == "/":
        return HTTPStatus.OK, HTML, index_page(lessons.values())
    if path == "/robots.txt":
        text = f"User-agent: *\nDisallow: /private/\nSitemap: {base}sitemap.xml\n"
        return HTTPStatus.OK, "text/plain; charset=utf-8", text
    if path == "/sitemap.xml":
        return HTTPStatus.OK, "application/xml; charset=utf-8", sitemap(lessons, base)
    lesson_id = path.removeprefix("/lessons/")
    if path.startswith("/lessons/") and lesson_id in lessons:
        return HTTPStatus.OK, HTML, lesson_page(lessons[lesson_id])
    lesson = lessons.get(lesson_id.removesuffix("/discussion"))
    if path.startswith("/lessons/") and lesson:
        number = page_number(parts.query)
        if 1 <= number <= page_count(lesson):
            return HTTPStatus.OK, HTML, discussion_page(lesson, number)
    return HTTPStatus.NOT_FOUND, HTML, missing_page(path)


def page_number(query: str) -> int:
    """The page that a query asks for: 1 when it does not say, 0 when it makes no sense."""
    text = parse_qs(query, keep_blank_values=True).get("page", ["1"])[-1]
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0


def sitemap(lessons: dict[str, Lesson], base: str) -> str:
    """The addresses of all pages."""
    paths = [""]
    for lesson in lessons.values():
        address = f"lessons/{lesson.lesson_id}"
        paths += [address, f"{address}/discussion"]
        paths += [f"{address}/discussion?page={number}" for number in range(2, page_count(lesson) + 1)]
    entries = "".join(f"<url><loc>{escape(base + path)}</loc></url>\n" for path in paths)
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{entries}</urlset>\n'
    )


def matches(condition: str | None, tag: str) -> bool:
    """Whether an If-None-Match header names this tag (RFC 9110 13.1.2, weak comparison)."""
    named = [part.strip().removeprefix("W/") for part in (condition or "").split(",")]
    return tag in named or named == ["*"]


@contextmanager
def serve(folder: Path = DEFAULT_FOLDER) -> Iterator[str]:
    """Serve a campus folder on a free port while the block runs, and give its address."""
    with CampusServer(folder) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        thread.start()
        try:
            yield server.url
        finally:
            server.shutdown()
            thread.join()


def main() -> None:
    """Serve until Ctrl-C."""
    parser = argparse.ArgumentParser(prog="python -m crawlers.campus.site", description=__doc__)
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--folder", type=Path, default=DEFAULT_FOLDER)
    options = parser.parse_args()
    try:
        server = CampusServer(options.folder, options.port)
    except (ContentError, OSError) as error:
        parser.exit(1, f"{error}\n")
    with server:
        print(f"Campus at {server.url} (Ctrl-C ends it)", flush=True)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            print()


if __name__ == "__main__":
    main()
