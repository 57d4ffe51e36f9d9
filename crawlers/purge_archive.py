"""Writes the files of an archive anew without what is purged; all other members stay as they are, byte for byte."""

import base64
import gzip
import hashlib
import os
import zlib
from collections.abc import Iterator
from pathlib import Path

from crawlers.archive import LEVEL, SUFFIX
from crawlers.purge_pages import Search
from crawlers.redact import DISTINCT, overwritten
from crawlers.replay import Stored, http_parts, read_records

NAMES = ("Quarry-Crawl", "Quarry-Page", "WARC-Target-URI")
Member = tuple[int, int, bytes | None]  # where it starts and ends, and what to write in its place


def rewrite_segment(segment: Path, search: Search) -> int:
    """Write a file anew if it holds what is purged, all or nothing; how many responses were changed."""
    found = list(members(segment, search))
    changed = sum(fresh is not None for _, _, fresh in found)
    if not changed and sum(end - start for start, end, _ in found) == segment.stat().st_size:
        return 0
    # What is damaged, as by a kill at the end, is read by nobody; it may hold anything and is left out.
    part = segment.with_name(segment.name.removesuffix(SUFFIX) + ".part")
    with segment.open("rb") as old, part.open("wb") as new:
        for start, end, fresh in found:
            old.seek(start)
            new.write(old.read(end - start) if fresh is None else fresh)
        new.flush()
        os.fsync(new.fileno())
    part.replace(segment)
    return changed


def members(segment: Path, search: Search) -> Iterator[Member]:
    """All whole members of a file."""
    redacted = {offset for file, offset in search.redacted if file == str(segment)}
    pages = {page_of(record) for record in read_records(segment) if record.offset in redacted}
    for record in read_records(segment):
        yield record.offset, record.end, fresh_member(segment, record, search, pages)


def page_of(record: Stored) -> tuple[str, ...]:
    """What a replay knows a response by; of several the last counts."""
    return tuple(record.fields.get(name, "") for name in NAMES)


def fresh_member(segment: Path, record: Stored, search: Search, pages: set[tuple[str, ...]]) -> bytes | None:
    """The member to write in place of a response that holds what is purged."""
    if record.fields.get("WARC-Type") != "response":
        return None
    place = (str(segment), record.offset)
    if place in search.redacted:
        return member(record, search.redacted[place])
    if place in search.examined:
        return None
    # No replay reads records from it, so nothing else has to be kept: an error page, or one that was fetched again.
    old = unpacked(record)
    fresh = overwritten(old, "utf-8", search.texts, 1 if page_of(record) in pages else DISTINCT)
    return member(record, fresh) if fresh != old else None


def unpacked(record: Stored) -> bytes:
    """The body of a response without its compression."""
    _, headers, body = http_parts(record.block)
    coding = (headers.get("Content-Encoding") or b"").strip().lower()
    try:
        if coding in (b"gzip", b"x-gzip"):
            return gzip.decompress(body)
        if coding == b"deflate":
            return zlib.decompress(body, zlib.MAX_WBITS if body[:1] == b"\x78" else -zlib.MAX_WBITS)
    except (OSError, EOFError, zlib.error):
        return b""  # damaged: nobody can read it, and nobody can tell what it holds
    return bytes(body)


def member(record: Stored, body: bytes) -> bytes:
    """A response with another body, as a gzip member."""
    head = record.block.partition(b"\r\n\r\n")[0].split(b"\r\n")
    dropped = (b"content-length", b"content-encoding")
    lines = [line for line in head if line.partition(b":")[0].lower() not in dropped]
    block = b"\r\n".join([*lines, b"Content-Length: %d" % len(body), b"", b""]) + body
    digest = base64.b32encode(hashlib.sha1(body, usedforsecurity=False).digest()).decode()
    fields = record.fields | {
        "WARC-Payload-Digest": f"sha1:{digest}", "Content-Length": str(len(block)), "Quarry-Redacted": "true",
    }  # fmt: skip
    text = "WARC/1.1\r\n" + "".join(f"{name}: {value}\r\n" for name, value in fields.items()) + "\r\n"
    return gzip.compress(text.encode() + block + b"\r\n\r\n", LEVEL, mtime=0)
