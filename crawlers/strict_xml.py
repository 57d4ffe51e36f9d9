"""Parses XML that strangers wrote: no entities, no external files, no unlimited depth."""

import re
import zlib

from lxml import etree

from crawlers.page import PageError

ENTITY = re.compile(rb"<!\s*(?:DOCTYPE|ENTITY)", re.IGNORECASE)
GZIP = b"\x1f\x8b"
MAX_UNPACKED = 50 * 1024 * 1024  # sitemaps.org: at most 50 MB
UTF16 = (b"\xff\xfe", b"\xfe\xff")


def parse_xml(body: bytes, origin: str) -> "etree._Element":
    """The root of a document; one that declares a document type is refused, for bombs are built from entities."""
    if ENTITY.search(body) or body.startswith(UTF16):  # UTF-16 would hide the declaration from the search
        raise PageError(f"{origin}: XML with a document type or in UTF-16 is refused", "xml_doctype")
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        return etree.fromstring(body, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise PageError(f"{origin}: not XML ({error})", "bad_xml") from error


def unpacked(body: bytes, origin: str) -> bytes:
    """The content of a gzip file, up to the size that a sitemap may have."""
    try:
        unpacker = zlib.decompressobj(31)
        content = unpacker.decompress(body, MAX_UNPACKED)
    except zlib.error as error:
        raise PageError(f"{origin}: not gzip ({error})", "bad_xml") from error
    if unpacker.unconsumed_tail:
        raise PageError(f"{origin}: more than {MAX_UNPACKED} bytes unpacked", "too_large")
    return content


def sitemap_locations(body: bytes, origin: str) -> tuple[list[tuple[str, str | None]], list[str]]:
    """The pages of a sitemap, packed or not, with when each was last changed, and the sitemaps that it points to."""
    if body.startswith(GZIP):
        body = unpacked(body, origin)
    pages: list[tuple[str, str | None]] = []
    maps: list[str] = []
    for entry in parse_xml(body, origin).iter("{*}url", "{*}sitemap"):
        address = (entry.findtext("{*}loc") or "").strip()
        if address and etree.QName(entry).localname == "url":
            pages.append((address, (entry.findtext("{*}lastmod") or "").strip() or None))
        elif address:
            maps.append(address)
    return pages, maps
