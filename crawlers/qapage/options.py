"""What a QAPage source is told, and which addresses it therefore visits."""

import re
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Self
from urllib.parse import parse_qsl, urljoin, urlsplit

from crawlers.options import Given
from crawlers.page import Record
from crawlers.spec import Spec, site

FOLLOW = ("auto", "always", "never")
LESSON = ("thread", "category")
FILES = re.compile(
    r"\.(?:jpe?g|png|gif|svg|webp|ico|css|js|json|xml|rss|atom|txt|pdf|zip|gz|7z|mp[34]|webm|woff2?|docx?|pptx?|xlsx?)$",
    re.IGNORECASE,
)
# Parts of forums that hold no threads; they are only left out when links are followed, and `include` brings them back.
NO_THREADS = frozenset(
    ("login", "logout", "signin", "sign_in", "signup", "sign_up", "register", "account", "accounts", "auth", "search",
     "edit", "share", "flag", "report", "print", "rss", "feed", "users", "user", "u", "members", "member", "profile",
     "profiles", "badges", "revisions", "history", "admin", "wp-admin", "wp-login.php", "cdn-cgi")
)  # fmt: skip
MAX_LENGTH, MAX_QUERY, MAX_REPEATS = 500, 4, 2  # beyond these an address was made by a program that never ends


@dataclass(frozen=True)
class Options:
    """The options of one source, and where it begins."""

    start: str
    sitemaps: list[str]
    follow: str
    include: list[str]
    exclude: list[str]
    by_category: bool
    about: Record
    digest: str

    @classmethod
    def read(cls, spec: Spec) -> Self:
        """Check the options of a source."""
        given = Given(spec)
        for name, known in (("follow", FOLLOW), ("lesson", LESSON)):
            if given.text(name) not in (None, *known):
                given.wrong(name, " or ".join(map(repr, known)))
        sitemaps = [given.text("sitemap") or ""] if isinstance(given.value("sitemap"), str) else given.texts("sitemap")
        sitemaps = [urljoin(spec.url, address) for address in sitemaps]
        if any(site(address) != site(spec.url) for address in sitemaps):
            given.wrong("sitemap", "an address on the site itself, or a list of them")
        options = cls(
            start=spec.url,
            sitemaps=sitemaps,
            follow=given.text("follow") or "auto",
            include=given.texts("include", 'a list of paths such as "/questions/*"'),
            exclude=given.texts("exclude", 'a list of paths such as "/questions/tagged/*"'),
            by_category=given.text("lesson") == "category",
            about={name: given.text(name) for name in ("license", "subject", "course")},
            digest=given.digest,
        )
        given.nothing_else()
        return options

    def wants(self, url: str) -> bool:
        """Whether a page is in the part of the site that the operator asked for."""
        try:
            parts = urlsplit(url)
        except ValueError:
            return False
        target = parts.path + (f"?{parts.query}" if parts.query else "")
        folder = urlsplit(self.start).path.rpartition("/")[0] + "/"
        if site(url) != site(self.start) or len(url) > 2 * MAX_LENGTH:
            return False
        if any(fnmatchcase(target, shape) for shape in self.exclude) or FILES.search(parts.path):
            return False
        if self.include:
            return any(fnmatchcase(target, shape) for shape in self.include)
        return (parts.path or "/").startswith(folder)

    def follows(self, url: str) -> bool:
        """Whether a link is worth a visit when nothing but links leads to threads."""
        if not self.wants(url):
            return False
        parts = urlsplit(url)
        steps = [step for step in parts.path.lower().split("/") if step]
        endless = len(url) > MAX_LENGTH or len(parse_qsl(parts.query)) > MAX_QUERY
        endless = endless or any(steps.count(step) > MAX_REPEATS for step in steps)
        return not endless and (bool(self.include) or NO_THREADS.isdisjoint(steps))
