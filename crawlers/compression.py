"""Unpacks pages, and refuses those that end too early: half a page looks as if the other half had been deleted."""

import zlib
from typing import Any

from scrapy.downloadermiddlewares.httpcompression import HttpCompressionMiddleware
from scrapy.exceptions import IgnoreRequest, ResponseDataLossError

GZIP = b"\x1f\x8b"
GZIP_BITS, ZLIB_BITS, RAW_BITS = 31, 15, -15


class Decompression(HttpCompressionMiddleware):  # type: ignore[misc]  # mypy skips Scrapy, so its classes are Any
    """Unpacks what we ask for, gzip and deflate; Scrapy's own takes as much as it gets of a damaged page."""

    @staticmethod
    def _decode(body: bytes, encoding: bytes, max_size: int) -> Any:
        if encoding in (b"gzip", b"x-gzip"):
            return unpacked(body, GZIP_BITS, max_size)
        if encoding == b"deflate":  # some servers leave out the header of zlib
            return unpacked(body, ZLIB_BITS if is_zlib(body) else RAW_BITS, max_size)
        return HttpCompressionMiddleware._decode(body, encoding, max_size)


def is_zlib(body: bytes) -> bool:
    """Whether packed data begins with the header of zlib (RFC 1950 2.2)."""
    return len(body) > 1 and body[0] & 15 == zlib.DEFLATED and int.from_bytes(body[:2], "big") % 31 == 0


def unpacked(body: bytes, bits: int, max_size: int) -> bytes:
    """All of a packed page, in one part or, as gzip may be, in several."""
    pieces: list[bytes] = []
    left = max_size
    while body:
        unpacker = zlib.decompressobj(bits)
        pieces.append(unpacker.decompress(body, left + 1))
        left -= len(pieces[-1])
        if left < 0:
            raise IgnoreRequest(f"the page is larger than DOWNLOAD_MAXSIZE ({max_size} bytes)")
        if not unpacker.eof:
            raise ResponseDataLossError("the packed page ends too early")
        body = unpacker.unused_data if bits == GZIP_BITS and unpacker.unused_data.startswith(GZIP) else b""
    return b"".join(pieces)
