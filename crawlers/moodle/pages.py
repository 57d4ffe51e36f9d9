"""The answers of Moodle's web services, parsed into records with native ids."""

import re
from datetime import UTC, datetime
from typing import NamedTuple
from urllib.parse import urljoin

from crawlers.article import lesson_record
from crawlers.html_text import html_to_text
from crawlers.page import JsonPage, Page, PageError, Record, titled

PAGE_LINK = re.compile(r"/mod/page/view\.php\?(?:[^\"'<>\s#]{0,100}&(?:amp;)?)?id=([0-9]{1,18})")
GONE = ("invalidrecord", "invaliddiscussionid", "cannotfinddiscussion")


class Module(NamedTuple):
    """An activity of a course: a page, a forum."""

    number: str  # of the course module, which stands in addresses
    kind: str
    instance: str  # of the page or forum itself
    section: str


class Listed(NamedTuple):
    """A discussion as its forum lists it."""

    discussion: str
    activity: str
    message: str


class ServicePage(JsonPage):
    """An answer of a web service; errors come with status 200."""

    def __init__(self, body: bytes, url: str, base: str, about: Record) -> None:
        super().__init__(body, url)
        self.base, self.about = base, about

    def check(self) -> None:
        """Raise what the service reports as an error."""
        if self.find("exception"):
            code, said = self.find("errorcode"), self.find("message")
            raise PageError(f"{self.url}: Moodle says {said or code}", f"moodle_{str(code)[:40]}")


class ContentsPage(ServicePage):
    """The sections of a course (`core_course_get_contents`)."""

    def modules(self) -> list[Module]:
        """The pages and forums, in the order of the course."""
        self.check()
        if not isinstance(self.data, list):
            raise PageError(f"{self.url}: no list of sections; has the site's interface changed?")
        return [
            Module(str(module.get("id")), str(module.get("modname")), str(module.get("instance")), str(section["id"]))
            for section in self.objects()
            if section.get("id") is not None
            for module in section.get("modules") or ()
            if isinstance(module, dict) and module.get("modname") in ("page", "forum")
        ]

    def lessons_of_forums(self) -> dict[str, str]:
        """The lesson of each forum: the page before it in its section, else the one after it, else the section."""
        modules = self.modules()
        found: dict[str, str] = {}
        for place, forum in enumerate(modules):
            if forum.kind != "forum":
                continue
            pages = [
                (other < place, -abs(other - place), module.number)
                for other, module in enumerate(modules)
                if module.kind == "page" and module.section == forum.section
            ]
            found[forum.number] = page_id(max(pages)[2]) if pages else section_id(forum.section)
        return found

    def pages(self) -> list[str]:
        """The numbers of the course's pages."""
        return [module.number for module in self.modules() if module.kind == "page"]

    def section_lessons(self, lesson_ids: set[str], course: str) -> list[Record]:
        """The sections that stand in for lessons, with their summaries."""
        url = urljoin(self.base, f"course/view.php?id={course}")
        return [
            lesson_record(
                section_id(str(section["id"])), str(section.get("name") or ""), url,
                plain(section.get("summary"), self.url), None, self.about,
            )
            for section in self.objects()
            if section.get("id") is not None and section_id(str(section["id"])) in lesson_ids
        ]  # fmt: skip


class PagesPage(ServicePage):
    """The pages of a course with their text (`mod_page_get_pages_by_courses`)."""

    def lessons(self) -> list[Record]:
        """The pages as lessons."""
        self.check()
        self.known("pages")
        return [
            lesson_record(
                page_id(str(page["coursemodule"])), str(page.get("name") or ""),
                urljoin(self.base, f"mod/page/view.php?id={page['coursemodule']}"),
                plain(page.get("content") or page.get("intro"), self.url), None, self.about,
            )
            for page in self.objects("pages")
            if page.get("coursemodule") is not None and page.get("visible") is not False
        ]  # fmt: skip


class ForumsPage(ServicePage):
    """The forums of a course (`mod_forum_get_forums_by_courses`)."""

    def forums(self) -> list[tuple[str, str, str]]:
        """Number of the forum, number of its course module, type."""
        self.check()
        if not isinstance(self.data, list):
            raise PageError(f"{self.url}: no list of forums; has the site's interface changed?")
        return [
            (str(forum["id"]), str(forum.get("cmid")), str(forum.get("type") or "general"))
            for forum in self.objects()
            if forum.get("id") is not None
        ]


class DiscussionsPage(ServicePage):
    """A page of a forum's discussions (`mod_forum_get_forum_discussions`)."""

    def discussions(self) -> list[Listed]:
        """The discussions; `id` is the first post's, `discussion` the discussion's own."""
        self.check()
        self.known("discussions")
        return [
            Listed(
                str(entry["discussion"]),
                f"{entry.get('timemodified')} {entry.get('numreplies')} {entry.get('name')}",
                str(entry.get("message") or ""),
            )
            for entry in self.objects("discussions")
            if entry.get("discussion") is not None
        ]

    def has_more(self) -> bool:
        """Whether to ask for the next page: a page may be short, since what the user may not see is left out."""
        return bool(self.objects("discussions") or self.objects("warnings"))


class DiscussionPage(ServicePage):
    """All posts of a discussion (`mod_forum_get_discussion_posts`)."""

    def is_gone(self) -> bool:
        """Whether the discussion was deleted, which Moodle reports as an error; one that may not be seen was not."""
        said = str(self.find("message") or "")
        return bool(self.find("exception")) and (
            self.find("errorcode") in GONE or said.startswith("Unable to find discussion")
        )

    def demand_posts(self) -> None:
        """A discussion that is there has posts, though they may all be deleted."""
        if not self.is_gone() and self.find("posts") == []:
            raise PageError(f"{self.url}: a discussion without posts", "no_posts")

    def posts(self, discussion: str, lesson_id: str, forum_type: str, staff: frozenset[str]) -> list[Record]:
        """The posts, oldest first, without deleted and private ones."""
        if self.is_gone():
            return []
        self.check()
        self.known("posts")
        posts = [post for post in self.objects("posts") if post.get("id") is not None]
        first = {str(post["id"]) for post in posts if not post.get("parentid")}
        return [
            self.record(post, discussion, lesson_id, first, forum_type, staff)
            for post in sorted(posts, key=lambda post: (post.get("timecreated") or 0, str(post["id"])))
            if not post.get("isdeleted") and not post.get("isprivatereply")
        ]

    def record(
        self, post: Record, discussion: str, lesson_id: str, first: set[str], forum_type: str, staff: frozenset[str]
    ) -> Record:
        """One post."""
        given = post.get("author")
        author: Record = given if isinstance(given, dict) else {}
        post_id, parent = str(post["id"]), post.get("parentid")
        subject = None if parent else post.get("subject")  # most learners ask in the subject
        opening = "post" if forum_type in ("single", "news", "blog") else "question"
        return {
            "post_id": post_id,
            "lesson_id": lesson_id,
            "thread_id": discussion,
            "parent_id": str(parent) if parent else None,
            "kind": opening if not parent else "answer" if str(parent) in first else "comment",
            "author": str(author["id"]) if author.get("id") else author.get("fullname"),
            "author_names": [author["fullname"]] if isinstance(author.get("fullname"), str) else [],
            "author_role": "instructor" if str(author.get("id")) in staff else None,
            "created_at": epoch(post.get("timecreated")),
            "votes": None,
            "accepted": False,
            "text": titled(subject, plain(post.get("message"), self.url)),
            "url": urljoin(self.base, f"mod/forum/discuss.php?d={discussion}#p{post_id}"),
            "license": self.about.get("license"),
        }  # fmt: skip


def page_id(number: str) -> str:
    """The lesson of a page."""
    return f"page/{number}"


def section_id(number: str) -> str:
    """The lesson of a section."""
    return f"section/{number}"


def linked_page(message: str, pages: list[str]) -> str | None:
    """The page of the course that a message links to first."""
    return next((number for number in PAGE_LINK.findall(message) if number in pages), None)


def plain(html: object, url: str) -> str:
    """The plain text of some HTML."""
    return html_to_text(Page(html, url).soup) if isinstance(html, str) else ""


def epoch(seconds: object) -> str | None:
    """A time from epoch seconds, in UTC."""
    if isinstance(seconds, bool) or not isinstance(seconds, int) or not 0 < seconds < 2**35:
        return None
    return datetime.fromtimestamp(seconds, UTC).isoformat()
