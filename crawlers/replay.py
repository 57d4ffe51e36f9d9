"""Answers a crawl's requests from its archive, so that records are rebuilt with no network."""

import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from scrapy.core.downloader.handlers.base import BaseDownloadHandler
from scrapy.exceptions import IgnoreRequest
from scrapy.http import Headers
from scrapy.responsetypes import responsetypes

from crawlers.archive import segments
from crawlers.link import Link
from crawlers.session import without_session
from crawlers.spec import absolute, relative
from crawlers.state import State

CHUNK = 256 * 1024
MEMBER = b"\x1f\x8b\x08\0\0\0\0\0"  # how a gzip member of ours begins: no name, no time


class NotArchived(IgnoreRequest):  # type: ignore[misc]  # mypy skips Scrapy, so its classes are Any
    """The archive has no answer to a request: it was refused or failed when it was made, or it is new."""


class Stored(NamedTuple):
    """A record of a WARC file, and where its gzip member begins and ends."""

    offset: int
    end: int
    fields: dict[str, str]
    block: bytes


class ArchiveHandler(BaseDownloadHandler):  # type: ignore[misc]
    """A download handler that never opens a connection."""

    async def download_request(self, request: Any) -> Any:
        """The response that this crawl had, for this page, from this address."""
        spider = self.crawler.spider
        found = spider.state.db.execute(
            "SELECT file, offset, site FROM archived WHERE crawl = ? AND page = ? AND url = ?",
            (spider.state.crawl, request.meta["row"].key, place_of(request.url, spider.start_url)),
        ).fetchone()
        if found is None:
            raise NotArchived(f"{request.url} is not in the archive")
        record = next(read_records(Path(found[0]), found[1]))
        status, headers, body = http_parts(record.block)
        request.meta["fetched_at"] = record.fields["WARC-Date"]
        request.meta["verdict"] = record.fields.get("Quarry-Verdict", "")
        if "Quarry-Refused" in record.fields:
            request.meta["reserved"] = record.fields["Quarry-Refused"]
        if "Location" in headers:  # to where the site was then
            place = relative(headers["Location"].decode("latin-1"), found[2])
            headers["Location"] = absolute(place, spider.start_url) if place.startswith("/") else place
        kind = responsetypes.from_args(headers=headers, url=request.url, body=body)
        return kind(request.url, status=status, headers=headers, body=body)


def index_archive(state: State, path: Path) -> tuple[list[int], int]:
    """Note where every response is; the numbers of the crawls, and of the last that was accepted (0: none)."""
    crawls: set[int] = set()
    accepted = 0
    keys: dict[str, str] = {}  # of pages that were archived when addresses still had the number of the visit
    for file in segments(path):
        place = ""
        for record in read_records(file):
            place = record.fields.get("Quarry-Site", place)
            crawl = int(record.fields.get("Quarry-Crawl", 0))
            if record.fields.get("Quarry-Accepted"):
                accepted = max(accepted, crawl)
            if record.fields.get("WARC-Type") == "response" and crawl:
                crawls.add(crawl)
                key, asked = record.fields["Quarry-Page"], relative(record.fields["WARC-Target-URI"], place)
                url = place_of(record.fields["WARC-Target-URI"], place)
                if asked != url and Link(asked, "").key == key:
                    keys[key] = Link(url, "").key
                values = (crawl, keys.get(key, key), url, str(file), record.offset, place)
                # The last answer counts: the ones before it were retried, or fetched by a process that was killed.
                state.db.execute("INSERT OR REPLACE INTO archived VALUES (?, ?, ?, ?, ?, ?)", values)
    state.commit()
    return sorted(crawls), accepted


def place_of(url: str, base: str) -> str:
    """What a response is known by beside its page."""
    return without_session(relative(url, base))


def last_crawl(path: Path) -> int:
    """The number of the last crawl in an archive, 0 when there is none."""
    first = (next(read_records(file), None) for file in segments(path))
    return max((int(record.fields.get("Quarry-Crawl", 0)) for record in first if record), default=0)


def read_records(path: Path, offset: int = 0) -> Iterator[Stored]:
    """The records of a WARC file from an offset on, each one a gzip member; one that is damaged hides only itself."""
    with path.open("rb") as file:
        file.seek(offset)
        data = b""
        while data := data or file.read(CHUNK):
            unpacker = zlib.decompressobj(31)
            pieces: list[bytes] = []
            end = offset
            try:
                while data and not unpacker.eof:
                    pieces.append(unpacker.decompress(data))
                    end += len(data) - len(unpacker.unused_data)
                    data = unpacker.unused_data or (b"" if unpacker.eof else file.read(CHUNK))
            except zlib.error:
                end = offset
            if end > offset and unpacker.eof:
                yield parse_record(offset, end, b"".join(pieces))
                offset = end
                continue
            following = find_member(file, offset + 1)
            if following is None:  # a kill cut the last one off
                return
            offset, data = following, b""
            file.seek(offset)


def find_member(file: BinaryIO, offset: int) -> int | None:
    """Where the next gzip member begins."""
    file.seek(offset)
    before = b""
    while chunk := file.read(CHUNK):
        found = (before + chunk).find(MEMBER)
        if found >= 0:
            return offset - len(before) + found
        offset += len(chunk)
        before = (before + chunk)[1 - len(MEMBER) :]
    return None


def parse_record(offset: int, end: int, data: bytes) -> Stored:
    """The fields and the block of a record."""
    head, _, rest = data.partition(b"\r\n\r\n")
    lines = (line.partition(": ") for line in head.decode("utf-8", "replace").split("\r\n")[1:])
    fields = {name: value for name, _, value in lines}
    return Stored(offset, end, fields, rest[: int(fields.get("Content-Length", 0))])


def http_parts(block: bytes) -> tuple[int, Any, bytes]:
    """Status, headers and body of an archived response."""
    head, _, body = block.partition(b"\r\n\r\n")
    line, *lines = head.split(b"\r\n")
    headers = Headers()
    for name, _, value in (line.partition(b": ") for line in lines):
        headers.appendlist(name, value)
    return int(line.split(b" ")[1]), headers, body
