"""What `quarry serve` answers to monitoring and to browsers: /health, and the pages in the home's `reports/`."""

import base64
import hmac
import json
import mimetypes
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from flows.explanations import explained
from flows.status import status
from flows.store.home import Home, write_text

_REPORTS = "/reports/"
_SHOWN = ("snapshot", "age", "age_seconds", "last_run", "problem")


@contextmanager
def answering(
    home: Home, host: str, port: int, parts: Callable[[], dict[str, bool]], url: str | None
) -> Iterator[None]:
    """Answer until the block ends; runs learn from a file in the home where the reports are to be found."""

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            path = unquote(urlsplit(self.path).path)
            if path == "/health":
                found = health(parts())
                self._send(200 if found["well"] else 503, "application/json", json.dumps(found).encode())
            elif path.startswith(_REPORTS) and not _may_read(self.headers.get("Authorization")):
                self._send(401, "text/plain", b"a password is needed", {"WWW-Authenticate": 'Basic realm="Quarry"'})
            elif path.startswith(_REPORTS) and (page := report(home, path.removeprefix(_REPORTS))):
                self._send(200, mimetypes.guess_type(page.name)[0] or "text/plain", page.read_bytes())
            else:
                self._send(404, "text/plain", b"there is /health, and /reports/quality/index.html after a first build")

        do_HEAD = do_GET  # which some monitoring asks

        def _send(self, status: int, kind: str, body: bytes, more: dict[str, str] | None = None) -> None:
            self.send_response(status)
            encoding = "; charset=utf-8" if kind.startswith("text/") else ""
            length = str(len(body))
            headers = {"Content-Type": kind + encoding, "Content-Length": length, "X-Content-Type-Options": "nosniff"}
            for name, value in (headers | (more or {})).items():
                self.send_header(name, value)
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Stay quiet."""

    server = ThreadingHTTPServer((host, port), Answer)
    write_text(_mark(home), url or f"http://{host}:{port}{_REPORTS}")
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()


def health(parts: dict[str, bool]) -> dict[str, Any]:
    """Whether every part runs and the home can be read, and what is current."""
    found: dict[str, Any] = dict(parts)
    try:
        look = status()
        found |= {name: look[name] for name in _SHOWN}
    except Exception as problem:  # whatever it is, monitoring must hear of it
        found["problem"] = explained(problem)
    return {**found, "well": all(parts.values()) and not found["problem"]}


def report(home: Home, name: str) -> Path | None:
    """A page of the reports, if that is what the name stands for; nothing outside of them, no list of a folder."""
    reports = (home / "reports").resolve()
    try:
        path = reports / name.lstrip("/")
        path = (path / "index.html" if path.is_dir() else path).resolve()
        return path if path.is_relative_to(reports) and path.is_file() else None
    except (OSError, ValueError):  # a name that no file can have
        return None


def reports_url(home: Home) -> str | None:
    """Where `quarry serve` shows the reports of this home, if it ever did."""
    try:
        return _mark(home).read_text(encoding="utf-8").strip() or None
    except OSError:
        return None


def _may_read(authorization: str | None) -> bool:
    """Reports quote posts, so whoever protects Prefect's UI by a password protects them by the same."""
    password = os.environ.get("PREFECT_SERVER_API_AUTH_STRING")
    expected = "Basic " + base64.b64encode((password or "").encode()).decode()
    return not password or hmac.compare_digest(expected.encode(), (authorization or "").encode())


def _mark(home: Home) -> Path:
    return home / "prefect" / "reports"
