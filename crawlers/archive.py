"""Archives what went over the wire as WARC, so that parsing can be repeated without crawling again.

Every record is a gzip member of its own. Files are only ever added to while the process that began them lives: a crawl
that continues begins a new file, so a member that a kill cut off is the last of its file and hides nothing.
"""

import base64
import gzip
import hashlib
import os
import re
import uuid
from collections.abc import Callable
from datetime import UTC, datetime
from http import HTTPStatus
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlsplit

from crawlers.gate import KNOWN
from crawlers.reservations import reservation

# Secrets do not belong in an archive; the body is stored unchunked, so its length is written anew.
DROPPED = frozenset(
    (b"cookie", b"set-cookie", b"authorization", b"proxy-authorization", b"transfer-encoding", b"content-length")
)
PHRASES = {status.value: status.phrase for status in HTTPStatus}
SUFFIX = ".warc.gz"
Conceal = Callable[[bytes], bytes]
LEVEL = 1  # of compression: a crawl that waits for zlib is slower than the disk it saves is worth


class Archive:
    """The WARC files of one source, open for one process."""

    def __init__(self, path: Path, crawl: int, url: str, replace: bool, segment_bytes: int) -> None:
        """Begin a file: the one named, or the next of its series when it exists and may not be replaced."""
        self.path, self.crawl, self.url, self.segment_bytes = path, crawl, url, segment_bytes
        path.parent.mkdir(parents=True, exist_ok=True)
        if replace:
            for old in segments(path):
                old.unlink()
        self.unsynced = False
        self.begin()

    def begin(self) -> None:
        """Begin the next file of the series, with what it belongs to."""
        existing = segments(self.path)
        self.segment = numbered(self.path, 1 + max(map(number, existing))) if existing else self.path
        self.file = self.segment.open("xb")
        about = "software: quarry-datasets\r\nformat: WARC File Format 1.1\r\n"
        fields = {"WARC-Filename": self.segment.name, "Quarry-Crawl": str(self.crawl), "Quarry-Site": self.url}
        self.write("warcinfo", "application/warc-fields", about.encode(), fields)

    def write(self, kind: str, content: str, block: bytes, fields: dict[str, str]) -> str:
        """Write one record and give its id."""
        record_id = f"<urn:uuid:{uuid.uuid4()}>"
        given = {"WARC-Date": now(), **fields}
        head = "".join(f"{name}: {value}\r\n" for name, value in given.items())
        text = (
            f"WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Record-ID: {record_id}\r\n{head}"
            f"Content-Type: {content}\r\nContent-Length: {len(block)}\r\n\r\n"
        )
        self.file.write(gzip.compress(text.encode() + block + b"\r\n\r\n", LEVEL, mtime=0))
        self.unsynced = True
        return record_id

    def exchange(self, request: Any, response: Any, page: str, fields: dict[str, str], conceal: Conceal) -> None:
        """Write a request and its response; the page that they belong to is named for replay."""
        address = conceal(request.url.encode()).decode()
        common = {"WARC-Target-URI": address, "Quarry-Crawl": str(self.crawl), "Quarry-Page": page} | fields
        body = b"" if "Quarry-Refused" in fields else conceal(response.body)
        digest = base64.b32encode(hashlib.sha1(body, usedforsecurity=False).digest()).decode()
        answer = common | {"WARC-Payload-Digest": f"sha1:{digest}"}
        block = conceal(response_head(response, body)) + body
        answered = self.write("response", "application/http;msgtype=response", block, answer)
        block = conceal(request_head(request) + request.body)
        asked = common | {"WARC-Concurrent-To": answered}
        self.write("request", "application/http;msgtype=request", block, asked)
        if self.file.tell() > self.segment_bytes:
            self.end()
            self.begin()

    def accept(self) -> None:
        """Mark the crawl as the one whose records are published."""
        block = f"quarry-crawl: {self.crawl}\r\nquarry-accepted: true\r\n".encode()
        fields = {"WARC-Target-URI": self.url, "Quarry-Crawl": str(self.crawl), "Quarry-Accepted": "true"}
        self.write("metadata", "application/warc-fields", block, fields)
        self.sync()

    def sync(self) -> None:
        """Make everything so far last."""
        if self.unsynced:
            self.file.flush()
            os.fsync(self.file.fileno())
            self.unsynced = False

    def end(self) -> None:
        """End the file."""
        self.sync()
        self.file.close()


class ArchiveMiddleware:
    """A downloader middleware below decompression and redirects, so that it sees every response as it came."""

    def __init__(self, crawler: Any) -> None:
        """Archive the responses of this crawl."""
        self.spider = crawler.spider
        self.archive: Archive | None = crawler.spider.archive

    @classmethod
    def from_crawler(cls, crawler: Any) -> Self:
        """Make the middleware for a crawl."""
        return cls(crawler)

    def process_response(self, request: Any, response: Any) -> Any:
        """Write the exchange; of a page whose owner reserves it, only that it was refused."""
        at = now()
        meta = request.meta
        meta["fetched_at"] = at
        fields = {"WARC-Date": at, "Quarry-Verdict": meta.get("verdict", "")}
        counts = self.spider.state.counts
        if KNOWN in response.flags:
            fields["Quarry-Known"] = "true"  # it was asked for, and archived, before
        else:
            counts[f"status/{response.status}"] += 1
            counts["bytes"] += len(response.body)
        if "row" in meta and 200 <= response.status < 300:
            reserved = reservation(response.headers, response.body)
            if reserved and self.spider.spec.tuning.reservations == "honour":
                meta["reserved"] = fields["Quarry-Refused"] = reserved
            elif reserved:
                counts["reserved"] += 1
        if self.archive:
            page = meta["row"].key if "row" in meta else "-"
            try:
                self.archive.exchange(request, response, page, fields, self.spider.conceal)
            except Exception as error:  # such as a full disk: what cannot be archived must not be kept
                self.spider.stop("archive_failed", f"the archive cannot be written: {error}")
        return response


def now() -> str:
    """The time, as WARC 1.1 writes it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def segments(path: Path) -> list[Path]:
    """The files of a series, in the order in which they were written."""
    pattern = re.compile(re.escape(path.name.removesuffix(SUFFIX)) + r"(?:-[0-9]{5,})?" + re.escape(SUFFIX))
    found = [file for file in path.parent.glob("*" + SUFFIX) if pattern.fullmatch(file.name)]
    return sorted(found, key=number)


def numbered(path: Path, count: int) -> Path:
    """A later file of a series."""
    return path.with_name(f"{path.name.removesuffix(SUFFIX)}-{count:05d}{SUFFIX}")


def number(path: Path) -> int:
    """The place of a file in its series; the first has no number in its name."""
    found = re.search(r"-([0-9]{5,})$", path.name.removesuffix(SUFFIX))
    return int(found.group(1)) if found else 0


def request_head(request: Any) -> bytes:
    """The request line and headers as sent."""
    parts = urlsplit(request.url)
    place = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    host = parts.netloc.rpartition("@")[2]
    return f"{request.method} {place} HTTP/1.1\r\nHost: {host}\r\n".encode() + kept(request.headers) + b"\r\n"


def response_head(response: Any, body: bytes) -> bytes:
    """The status line and headers as received, with the length of the stored body."""
    line = f"{response.protocol or 'HTTP/1.1'} {response.status} {PHRASES.get(response.status, 'Unknown')}\r\n"
    return line.encode() + kept(response.headers) + f"Content-Length: {len(body)}\r\n\r\n".encode()


def kept(headers: Any) -> bytes:
    """The headers that may be archived."""
    return b"".join(
        name + b": " + value + b"\r\n"
        for name, values in headers.items()
        if name.lower() not in DROPPED and name.lower() != b"host"
        for value in values
    )
