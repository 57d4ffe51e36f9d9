"""robots.txt, by the examples of RFC 9309 and against hostile files."""

import pytest

from crawlers.robots import MAX_BYTES, Robots, match_length

AGENT = "quarry-datasets"


@pytest.mark.parametrize(
    ("text", "path", "allowed"),
    [
        ("User-agent: *\nDisallow: /", "/a", False),
        ("User-agent: *\nDisallow:", "/a", True),
        ("User-agent: *\nDisallow: /\n", "/robots.txt", True),
        ("User-agent: other\nDisallow: /", "/a", True),
        ("user-agent: Quarry-Datasets/2.0\ndisallow: /a", "/a/b", False),
        ("User-agent: *\nDisallow: /\n\nUser-agent: quarry-datasets\nDisallow: /b", "/a", True),
        ("User-agent: x\nUser-agent: quarry-datasets\nDisallow: /b", "/b", False),
        ("User-agent: quarry-datasets\nDisallow: /a\nUser-agent: *\nUser-agent: quarry-datasets\nAllow:", "/a", False),
        ("User-agent: *\nAllow: /a/b\nDisallow: /a", "/a/b/c", True),
        ("User-agent: *\nDisallow: /a\nAllow: /a", "/a", True),
        ("User-agent: *\nDisallow: /*.gif$", "/x/y.gif", False),
        ("User-agent: *\nDisallow: /*.gif$", "/x/y.gif?z", True),
        ("User-agent: *\nDisallow: /a$", "/a", False),
        ("User-agent: *\nDisallow: /a$", "/ab", True),
        ("User-agent: *\nDisallow: /*a*b$", "/b-a-b", False),
        ("User-agent: *\nDisallow: /ab*ab$", "/ab", True),
        ("User-agent: *\nDisallow: /?q=", "/?q=1", False),
        ("User-agent: *\nDisallow: /é", "/%C3%A9", False),
        ("User-agent: *\nDisallow: /%7Ejoe", "/~joe", False),
        ("User-agent: *\nDisallow: /a%2Fb", "/a/b", True),
        ("\ufeffUser-agent: *\nDisallow: /a # a comment", "/a", False),
        ("User-agent: *\nSitemap: /s\nUser-agent: quarry-datasets\nDisallow: /a", "/a", False),
        ("Disallow: /a\nnonsense\n: :\n", "/a", True),
        ("User-agent: *\r\nDisallow: /a\r\n", "/a", False),
    ],
)  # fmt: skip
def test_rules_allow_and_forbid(text: str, path: str, allowed: bool) -> None:
    assert Robots(text, AGENT).allows(f"https://example.org{path}") is allowed


def test_crawl_delay_of_the_own_group_counts() -> None:
    text = "User-agent: *\nCrawl-delay: 7\n\nUser-agent: quarry-datasets\nCrawl-delay: 2.5\nDisallow: /x"
    assert Robots(text, AGENT).delay == 2.5
    assert Robots(text, "other").delay == 7
    assert Robots("User-agent: *\nCrawl-delay: never", AGENT).delay is None


@pytest.mark.parametrize(
    ("text", "reserved"),
    [
        ("User-agent: GPTBot\nDisallow: /", True),
        ("User-agent: GPTBot\nDisallow: /private", False),
        ("User-agent: *\nContent-Signal: search=yes, ai-train=no\nAllow: /", True),
        ("User-agent: *\nContent-Usage: train-ai=n", True),
        ("User-agent: *\nContent-Usage: /b train-ai=n", False),
        ("User-agent: *\nContent-Signal: search=yes,ai-train=yes", False),
        ("User-agent: Googlebot\nDisallow: /", False),
    ],
)
def test_opt_outs_from_training_are_found(text: str, reserved: bool) -> None:
    assert (Robots(text, AGENT).reserves("https://example.org/a") is not None) is reserved
    assert Robots(text, AGENT).allows("https://example.org/a")


def test_hostile_patterns_are_matched_in_little_time() -> None:
    assert match_length("/" + "*a" * 5000 + "b$", "/" + "a" * 100_000) is None
    long = "User-agent: *\n" + "Disallow: /" + "*a" * (MAX_BYTES // 2) + "b$\n"
    assert Robots(long, AGENT).allows("https://example.org/" + "a" * 2000)
