"""A site of threads with schema.org markup, for crawls on loopback."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from toy import Answer, html_answer, text_answer

FOLDER = Path(__file__).parent / "pages" / "qapage"


def thread(number: int, **changes: Any) -> dict[str, Any]:
    """A QAPage as JSON-LD."""
    answer = {
        "@type": "Answer", "text": f"Because of {number}.", "url": f"/q/{number}#a1", "upvoteCount": number,
        "dateCreated": "2024-05-06T08:00:00Z", "author": {"@type": "Person", "name": "ben"},
    }  # fmt: skip
    question = {
        "@type": "Question", "name": f"Why is {number} so?", "text": "I wonder.", "url": f"/q/{number}",
        "dateCreated": "2024-05-06T07:00:00Z", "author": {"@type": "Person", "name": "ann"}, "acceptedAnswer": answer,
    }  # fmt: skip
    return {"@context": "https://schema.org", "@type": "QAPage", "mainEntity": question | changes}


def html(data: Any, body: str = "") -> str:
    return (
        f'<html><head><script type="application/ld+json">{json.dumps(data)}</script></head><body>{body}</body></html>'
    )


SITEMAPS = "http://www.sitemaps.org/schemas/sitemap/0.9"


NOTHING = text_answer("nothing here", 404)


def sitemap(base: str, pages: dict[str, str | None], kind: str = "url") -> Answer:
    entries = "".join(
        f"<{kind}><loc>{base}{path}</loc>{f'<lastmod>{mark}</lastmod>' if mark else ''}</{kind}>"
        for path, mark in pages.items()
    )
    root = "sitemapindex" if kind == "sitemap" else "urlset"
    body = f'<?xml version="1.0" encoding="UTF-8"?><{root} xmlns="{SITEMAPS}">{entries}</{root}>'
    return 200, {"Content-Type": "application/xml", "tagged": "yes"}, body.encode()


class Site:
    """Pages by path; the ones that need to know the address of the server are functions of it."""

    def __init__(self, **pages: str) -> None:
        self.base = ""
        self.pages: dict[str, Callable[[], Answer]] = {"/robots.txt": lambda: NOTHING}
        for path, page in pages.items():
            self.show(path, page)

    def show(self, path: str, page: str) -> None:
        self.pages[path] = lambda: html_answer(page, tagged="yes")

    def __call__(self, target: str) -> Answer:
        return self.pages.get(target, lambda: NOTHING)()


def page_two() -> str:
    more = [
        {
            "@type": "Answer",
            "text": f"More {n}",
            "url": f"/q/1?page=2#a{n}",
            "author": "cy",
            "dateCreated": "2024-06-01",
        }
        for n in (2, 3)
    ]
    return html(thread(1, suggestedAnswer=more, acceptedAnswer=None, text="cut …"))


def forum() -> Site:
    """Ten threads, one of two pages, behind an index of sitemaps that robots.txt names."""
    site = Site()
    marks: dict[str, str | None] = {f"q/{n}": f"2024-05-{n + 10}" for n in range(1, 11)}
    marks |= {"faq": None, "about": None, "logo.png": None}
    site.pages["/robots.txt"] = lambda: text_answer(
        f"User-agent: *\nDisallow: /private\nSitemap: {site.base}maps/all.xml"
    )
    site.pages["/maps/all.xml"] = lambda: sitemap(
        site.base, {"maps/threads.xml": None, "maps/gone.xml": None}, "sitemap"
    )
    site.pages["/maps/threads.xml"] = lambda: sitemap(site.base, marks)
    for number in range(1, 11):
        site.show(f"/q/{number}", html(thread(number), '<a href="/users/ann">ann</a>'))
    site.show("/q/1", html(thread(1), '<a rel="next" href="/q/1?page=2">next</a>'))
    site.show("/q/1?page=2", page_two())
    site.show("/faq", (FOLDER / "faq" / "input.html").read_text())
    site.show("/about", "<h1>About us</h1>")
    return site


def unsigned(number: int, *names: str) -> str:
    """A thread with answers that nobody signed."""
    answers = [{"@type": "Answer", "text": f"{name}.", "dateCreated": "2024-05-06"} for name in names]
    return html(thread(number, suggestedAnswer=answers))
