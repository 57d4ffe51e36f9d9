"""What a crawl may be asked to do."""

from pathlib import Path
from typing import Any

import pytest
from toy import crawl

from crawlers.spec import Spec, SpecError, is_loopback, site

SPEC = {"kind": "campus", "name": "c", "url": "https://example.org/", "records": "r", "warc": "w"}


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"url": ""}, "url"),
        ({"contact": "nobody"}, "contact"),
        ({"contact": "a@b.org\r\nX: y"}, "contact"),
        ({"colour": "red"}, "colour"),
        ({"limit": 0}, "limit"),
        ({"limit": True}, "limit"),
        ({"options": []}, "options"),
        ({"options": {"delay": -1}}, "delay"),
        ({"options": {"timeout": "long"}}, "timeout"),
        ({"options": {"reservations": "ignore"}}, "reservations"),
        ({"name": 3}, "name"),
    ],
)
def test_wrong_spec_is_named(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(SpecError, match=said):
        Spec.read(SPEC | changes).check_contact()


def test_host_that_is_not_loopback_needs_a_contact(tmp_path: Path) -> None:
    summary = crawl("https://forum.example.org/", tmp_path, "campus")
    assert (summary["code"], summary["reason"]) == (2, "bad spec")
    assert "contact" in summary["errors"][0]
    assert "quarry.toml" in summary["errors"][0]


def test_contact_is_in_the_user_agent() -> None:
    spec = Spec.read(SPEC | {"contact": "mailto:me@example.org"})
    spec.check_contact()
    assert spec.user_agent == "quarry-datasets/0.1 (+mailto:me@example.org)"


def test_loopback_is_this_machine_only() -> None:
    here = ("http://127.0.0.1:8/", "http://127.8.0.1/", "http://[::1]/", "http://localhost:1/", "http://a.localhost/")
    there = (
        "http://example.org/",
        "http://10.0.0.1/",
        "http://localhost.example.org/",
        "http://127.0.0.1.example.org/",
    )
    assert [is_loopback(url) for url in here + there] == [True] * 5 + [False] * 4


def test_site_is_host_and_port() -> None:
    assert site("http://www.example.org/a") == site("https://example.org:443/b")
    assert site("http://example.org:8080/") != site("http://example.org/")
    assert site("http://forum.example.org/") != site("http://example.org/")
    assert site("http://example.org:nonsense/") == ("", None)
