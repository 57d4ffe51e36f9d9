"""Reads a dump: once for what belongs where, once for the posts, then the comments."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from crawlers.page import REJECT, PageError, Record, reject
from crawlers.spec import SpecError, Tuning
from crawlers.stackexchange import pages
from crawlers.stackexchange.dump import Row, rows, site_name, tables
from crawlers.stackexchange.places import ACCEPTED, MAX_ID, SHOWN, Places


def read_stackexchange(path: Path, options: dict[str, Any]) -> Iterator[Record]:
    """The lessons and posts of a dump; `site` is its address, `comments = false` leaves comments out."""
    check(options)
    for entry in markup(path, options):
        body = entry["body"]
        try:
            yield {"type": entry["type"], "body": pages.with_text(body)}
        except PageError as error:
            yield rejected(str(body.get("post_id") or body["lesson_id"]), error, body["url"])


def rejected(place: str, error: PageError, url: str | None = None) -> Record:
    """What stands for a row that cannot be taken."""
    return {"type": REJECT, "body": reject(place, error.reason, str(error), url)}


def check(options: dict[str, Any]) -> None:
    """Refuse options that mean nothing."""
    unknown = sorted(set(options) - {"site", "comments", *Tuning.__dataclass_fields__})
    if unknown:
        raise SpecError(f"stackexchange has no options {', '.join(unknown)}; known are comments, site")
    if not isinstance(options.get("site", ""), str) or not isinstance(options.get("comments", True), bool):
        raise SpecError("stackexchange: the option site must be an address, comments must be true or false")


def markup(path: Path, options: dict[str, Any]) -> Iterator[Record]:
    """The records of a dump with their HTML as it is: streamed, in memory that grows with the tags alone."""
    with tables(path) as found:
        reading = Reading(found, pages.Site(options.get("site") or site_name(path)))
        try:
            yield from reading.lessons()
            yield from reading.posts()
            if options.get("comments", True):
                yield from reading.comments()
        finally:
            reading.places.close()


class Tag:
    """A tag: how many questions have it, and its two wiki pages."""

    def __init__(self, name: str, number: int, count: int = 0) -> None:
        """A tag of which no page has been read."""
        self.name, self.number, self.count = name, number, count
        self.pages: dict[str, Row] = {}
        self.has_wiki = self.used = False


class Reading:
    """One reading of one dump."""

    def __init__(self, found: dict[str, Path], site: pages.Site) -> None:
        """Read the tags; everything else comes when it is asked for."""
        self.found, self.site = found, site
        self.places = Places()
        self.tags: dict[str, Tag] = {}
        self.by_number: list[Tag] = []
        self.wikis: dict[int, Tag] = {}  # by the id of the post that holds the page
        for row in rows(found["Tags"]) if "Tags" in found else ():
            if not row.get("TagName"):
                continue
            tag = self.tag(row["TagName"])
            tag.count = pages.integer(row, "Count") or 0
            for post in (pages.integer(row, "WikiPostId"), pages.integer(row, "ExcerptPostId")):
                if post:
                    self.wikis[post] = tag
                    tag.has_wiki = True

    def tag(self, name: str) -> Tag:
        """A tag by its name, known from now on."""
        if name not in self.tags:
            self.tags[name] = Tag(name, len(self.by_number))
            self.by_number.append(self.tags[name])
        return self.tags[name]

    def lesson_of(self, question: Row) -> Tag:
        """The rarest of a question's tags, which says most about it, among those with a wiki if there are any.

        Tags as common as each other are taken as they are listed.
        """
        named = [self.tag(name) for name in pages.tags_of(question)] or [self.tag(pages.NO_TAG)]
        return min(named, key=lambda tag: (not tag.has_wiki, tag.count))

    def lessons(self) -> Iterator[Record]:
        """Read which question is about which tag, and give the tags that have a wiki or a question."""
        for row in rows(self.found["Posts"]):
            kind = row.get("PostTypeId")
            if kind == pages.QUESTION:
                try:
                    self.place(row)
                except PageError:
                    continue  # counted when the posts are read
            elif kind in (pages.WIKI, pages.EXCERPT) and (tag := self.wikis.get(pages.integer(row, "Id") or 0)):
                kept = {name: row[name] for name in ("Body", "CreationDate", "ContentLicense") if name in row}
                tag.pages[kind] = kept
        for tag in self.by_number:
            wiki, excerpt = tag.pages.pop(pages.WIKI, None), tag.pages.pop(pages.EXCERPT, None)
            if tag.used or wiki or excerpt:
                yield {"type": "lesson", "body": pages.lesson(tag.name, self.site, wiki, excerpt)}

    def place(self, question: Row) -> None:
        """Note the lesson of a question, and which answer it accepts."""
        tag = self.lesson_of(question)
        post = pages.number(question, "Id")
        tag.used = True
        self.places.put(post, post, tag.number)
        answer = pages.integer(question, "AcceptedAnswerId") or 0
        if 0 < answer < MAX_ID and self.places.get(answer) is None:
            self.places.put(answer, post, tag.number, ACCEPTED)

    def posts(self) -> Iterator[Record]:
        """The questions and answers."""
        for place, row in enumerate(rows(self.found["Posts"]), 1):
            if row.get("PostTypeId") in (pages.WIKI, pages.EXCERPT):
                continue
            try:
                yield {"type": "post", "body": self.post(row)}
            except PageError as error:
                yield rejected(f"Posts {place}", error)

    def post(self, row: Row) -> Record:
        """One question or answer."""
        kind = row.get("PostTypeId")
        if kind not in (pages.QUESTION, pages.ANSWER):
            raise PageError(f"row {row.get('Id')!r}: a post of type {kind!r}", "neither_question_nor_answer")
        post = pages.number(row, "Id")
        thread = post if kind == pages.QUESTION else pages.number(row, "ParentId")
        place = self.places.get(thread)
        if place is None or place[0] != thread:
            raise PageError(f"row {post}: its question {thread} is not in the dump", "no_question")
        known = self.places.get(post)
        accepted = kind == pages.ANSWER and known is not None and known[0] == thread and bool(known[2] & ACCEPTED)
        self.places.put(post, thread, place[1], SHOWN | (ACCEPTED if accepted else 0))
        return pages.post(row, post, self.site, self.by_number[place[1]].name, thread, accepted)

    def comments(self) -> Iterator[Record]:
        """The comments on posts that were given."""
        for place, row in enumerate(rows(self.found["Comments"]) if "Comments" in self.found else (), 1):
            try:
                yield {"type": "post", "body": self.comment(row)}
            except PageError as error:
                yield rejected(f"Comments {place}", error)

    def comment(self, row: Row) -> Record:
        """One comment."""
        number, post = pages.number(row, "Id"), pages.number(row, "PostId")
        place = self.places.get(post)
        if place is None or not place[2] & SHOWN:
            raise PageError(f"comment {number}: its post is not in the dump", "no_post")
        return pages.comment(row, number, post, self.site, self.by_number[place[1]].name, place[0])
