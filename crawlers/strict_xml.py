"""Parses XML that strangers wrote: no entities, no external files, no unlimited depth."""

import re

from lxml import etree

from crawlers.page import PageError

ENTITY = re.compile(rb"<!\s*(?:DOCTYPE|ENTITY)", re.IGNORECASE)
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


def sitemap_locations(body: bytes, origin: str) -> tuple[list[tuple[str, str | None]], list[str]]:
    """The pages of a sitemap with when each was last changed, and the sitemaps that it points to."""
    pages: list[tuple[str, str | None]] = []
    maps: list[str] = []
    for entry in parse_xml(body, origin).iter("{*}url", "{*}sitemap"):
        address = (entry.findtext("{*}loc") or "").strip()
        if address and etree.QName(entry).localname == "url":
            pages.append((address, (entry.findtext("{*}lastmod") or "").strip() or None))
        elif address:
            maps.append(address)
    return pages, maps
