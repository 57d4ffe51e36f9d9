"""Finds what a page or host says against text and data mining: `noai`, `tdm-reservation`, Content-Usage."""

import json
import re
import zlib
from collections.abc import Iterable
from typing import Any

from crawlers.robots import NO_TRAINING, match_length, normal, target

SEARCHED_BYTES = 64 * 1024  # meta elements stand at the beginning of a page
META = re.compile(rb"<meta\b([^<>]{1,2000})>", re.IGNORECASE)
ATTRIBUTE = re.compile(rb"""([a-z-]{1,40})\s{0,9}=\s{0,9}(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.IGNORECASE)
NO_AI = re.compile(r"(?:^|[\s,:])noai(?:$|[\s,])", re.IGNORECASE)


def reservation(headers: Any, body: bytes) -> str | None:
    """What a response says against mining, None when it says nothing; headers are Scrapy's, the body is as sent."""
    if any(NO_AI.search(value) for value in values(headers, "X-Robots-Tag")):
        return "X-Robots-Tag: noai"
    if any(value.strip() == "1" for value in values(headers, "tdm-reservation")):
        return "tdm-reservation: 1"
    if any(
        NO_TRAINING.search(value) for name in ("Content-Usage", "Content-Signal") for value in values(headers, name)
    ):
        return "Content-Usage: not for training"
    if b"html" in (headers.get("Content-Type") or b"").lower():
        return meta_reservation(beginning(headers, body))
    return None


def values(headers: Any, name: str) -> Iterable[str]:
    """All values of a header as text."""
    return (value.decode("latin-1") for value in headers.getlist(name))


def beginning(headers: Any, body: bytes) -> bytes:
    """The first bytes of a page, unpacked as far as needed."""
    encoding = (headers.get("Content-Encoding") or b"").strip().lower()
    if encoding not in (b"gzip", b"x-gzip", b"deflate"):
        return body[:SEARCHED_BYTES]
    try:
        return zlib.decompressobj(47).decompress(body, SEARCHED_BYTES)  # 47: zlib or gzip, as the data says
    except zlib.error:
        return b""


def meta_reservation(html: bytes) -> str | None:
    """What the meta elements of a page say against mining."""
    for element in META.finditer(html):
        found = {
            name.lower(): (double or single or bare).decode("latin-1")
            for name, double, single, bare in ATTRIBUTE.findall(element.group(1))
        }
        name, content = found.get(b"name", "").lower(), found.get(b"content", "")
        if name in ("robots", "quarry-datasets") and NO_AI.search(content):
            return "meta robots: noai"
        if name == "tdm-reservation" and content.strip() == "1":
            return "meta tdm-reservation: 1"
    return None


def tdm_locations(body: bytes) -> list[str]:
    """The reserved paths of a `/.well-known/tdmrep.json`; what is not in that form reserves nothing."""
    try:
        entries = json.loads(body)
    except (ValueError, RecursionError):
        return []
    return [
        normal(str(entry.get("location", "/")))
        for entry in (entries if isinstance(entries, list) else [])
        if isinstance(entry, dict) and str(entry.get("tdm-reservation")) == "1"
    ]


def tdm_reserved(locations: list[str], url: str) -> bool:
    """Whether an address is among the reserved paths."""
    return any(match_length(location, target(url)) is not None for location in locations)
