"""What pages say against mining."""

import gzip

import pytest
from scrapy.http import Headers

from crawlers.reservations import reservation, tdm_locations, tdm_reserved

HTML = {"Content-Type": "text/html"}


@pytest.mark.parametrize(
    ("headers", "body", "expected"),
    [
        ({"X-Robots-Tag": "noai"}, b"", "X-Robots-Tag: noai"),
        ({"X-Robots-Tag": "noindex, noai"}, b"", "X-Robots-Tag: noai"),
        ({"X-Robots-Tag": "otherbot: noai, nofollow"}, b"", "X-Robots-Tag: noai"),
        ({"X-Robots-Tag": "noindex, noaic"}, b"", None),
        ({"TDM-Reservation": "1"}, b"", "tdm-reservation: 1"),
        ({"TDM-Reservation": "0"}, b"", None),
        ({"Content-Usage": "train-ai=n"}, b"", "Content-Usage: not for training"),
        (HTML, b'<META CONTENT="noindex,NoAI" name="Robots">', "meta robots: noai"),
        (HTML, b"<meta name=tdm-reservation content=1>", "meta tdm-reservation: 1"),
        (HTML, b"<meta name='tdm-reservation' content='0'><p>noai</p>", None),
        ({"Content-Type": "text/plain"}, b'<meta name="robots" content="noai">', None),
        (
            HTML | {"Content-Encoding": "gzip"},
            gzip.compress(b'<meta name="robots" content="noai">', mtime=0),
            "meta robots: noai",
        ),
        (HTML | {"Content-Encoding": "gzip"}, b"not gzip", None),
    ],
)
def test_reservation_is_found(headers: dict[str, str], body: bytes, expected: str | None) -> None:
    assert reservation(Headers(headers), body) == expected


def test_hostile_markup_is_searched_in_little_time() -> None:
    for body in (b"<meta " * 20_000, b"<meta a=" + b"b=" * 50_000, b"<meta " + b"a " * 50_000):
        assert reservation(Headers(HTML), body) is None


def test_tdmrep_reserves_paths() -> None:
    locations = tdm_locations(
        b'[{"location": "/a/*.html", "tdm-reservation": 1}, {"location": "/b", "tdm-reservation": 0}]'
    )
    assert tdm_reserved(locations, "https://example.org/a/x.html")
    assert not tdm_reserved(locations, "https://example.org/b")
    assert tdm_locations(b"<html>") == tdm_locations(b"{}") == tdm_locations(b"[1]") == []
