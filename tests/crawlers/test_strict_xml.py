"""Sitemaps, and XML that is built to harm."""

import gzip

import pytest

from crawlers.page import PageError
from crawlers.strict_xml import parse_xml, sitemap_locations

MAP = b"""<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc> https://example.org/a?b=1&amp;c=2 </loc><lastmod>2024-01-02</lastmod></url><url><loc>https://example.org/d</loc></url>
<url><loc/></url></urlset>"""


def test_sitemap_gives_addresses_with_dates() -> None:
    expected = [("https://example.org/a?b=1&c=2", "2024-01-02"), ("https://example.org/d", None)]
    assert sitemap_locations(MAP, "sitemap.xml") == (expected, [])


def test_packed_sitemap_is_read_and_a_bomb_is_not() -> None:
    assert sitemap_locations(gzip.compress(MAP), "s") == sitemap_locations(MAP, "s")
    for body, reason in ((gzip.compress(b" " * 60_000_000), "too_large"), (b"\x1f\x8bnonsense", "bad_xml")):
        with pytest.raises(PageError) as caught:
            sitemap_locations(body, "s")
        assert caught.value.reason == reason


def test_index_of_sitemaps_gives_sitemaps() -> None:
    body = b"<sitemapindex><sitemap><loc>https://example.org/1.xml</loc></sitemap></sitemapindex>"
    assert sitemap_locations(body, "sitemap.xml") == ([], ["https://example.org/1.xml"])


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b'<!DOCTYPE a [<!ENTITY a "b">]><a>&a;</a>', "xml_doctype"),
        (b'<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>', "xml_doctype"),
        ('<?xml version="1.0"?><!DOCTYPE a><a/>'.encode("utf-16"), "xml_doctype"),
        (b"<a>" * 100_000, "bad_xml"),
        (b"", "bad_xml"),
        (b"<html><p>Sign in", "bad_xml"),
    ],
)
def test_harmful_xml_is_refused(body: bytes, reason: str) -> None:
    with pytest.raises(PageError) as caught:
        parse_xml(body, "sitemap.xml")
    assert caught.value.reason == reason
