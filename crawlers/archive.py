"""Archives what went over the wire as WARC, so that parsing can be repeated without crawling again."""

from http import HTTPStatus
from io import BytesIO
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlsplit

from scrapy import signals
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

# Secrets do not belong in an archive; the body is stored unchunked, so its length is written anew.
DROPPED = frozenset(
    (b"cookie", b"set-cookie", b"authorization", b"proxy-authorization", b"transfer-encoding", b"content-length")
)


class WarcMiddleware:
    """A downloader middleware below decompression and redirects, so that it sees every response as it came."""

    def __init__(self, path: Path) -> None:
        """Begin a new archive; one file holds one crawl."""
        path.parent.mkdir(parents=True, exist_ok=True)
        self.file = path.open("wb")
        self.writer = WARCWriter(self.file, gzip=True, warc_version="1.1")
        self.writer.write_record(self.writer.create_warcinfo_record(path.name, {"software": "quarry-datasets"}))

    @classmethod
    def from_crawler(cls, crawler: Any) -> Self:
        """Make the middleware for a crawl, with the path from its settings."""
        middleware = cls(Path(crawler.settings["QUARRY_WARC"]))
        crawler.signals.connect(middleware.close, signal=signals.spider_closed)
        return middleware

    def process_response(self, request: Any, response: Any) -> Any:
        """Write the request and its response as two records, each a gzip member of its own."""
        asked = self.writer.create_warc_record(
            request.url, "request", payload=BytesIO(request.body), http_headers=request_head(request)
        )
        answered = self.writer.create_warc_record(
            request.url, "response", payload=BytesIO(response.body), http_headers=response_head(response)
        )
        self.writer.write_request_response_pair(asked, answered)
        self.file.flush()
        return response

    def close(self) -> None:
        """End the archive."""
        self.file.close()


def request_head(request: Any) -> Any:
    """The request line and headers as sent."""
    parts = urlsplit(request.url)
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    headers = [("Host", parts.netloc.rpartition("@")[2]), *kept(request.headers)]
    return StatusAndHeaders(f"{request.method} {target} HTTP/1.1", headers, is_http_request=True)


def response_head(response: Any) -> Any:
    """The status line and headers as received, with the length of the stored body."""
    known = {status.value: status.phrase for status in HTTPStatus}
    headers = [*kept(response.headers), ("Content-Length", str(len(response.body)))]
    status = f"{response.status} {known.get(response.status, 'Unknown')}"
    return StatusAndHeaders(status, headers, protocol=response.protocol or "HTTP/1.1")


def kept(headers: Any) -> list[tuple[str, str]]:
    """The headers that may be archived."""
    return [
        (name.decode("latin-1"), value.decode("latin-1"))
        for name, values in headers.items()
        if name.lower() not in DROPPED and name.lower() != b"host"
        for value in values
    ]
