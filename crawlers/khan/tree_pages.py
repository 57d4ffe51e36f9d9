"""The topic tree, whole or topic by topic, REST or GraphQL: which lessons there are."""

import json
import re
from collections.abc import Iterator
from typing import Any

from crawlers.khan import public_url
from crawlers.page import JsonPage, PageError, Record

LESSON_KINDS = {"video": "video", "article": "article"}
TOPIC_KINDS = ("topic", "domain", "course", "unit", "lesson")
MAX_NODES = 2_000_000
WHOLE = re.compile(r"/([a-z0-9-]{2,})/(?:[^/]+/)+[a-z]/[^/]+/?$")


class TreePage(JsonPage):
    """Any part of the tree: nodes with `kind` (GraphQL: `contentKind`, `__typename`) at any depth below one another."""

    def __init__(self, body: bytes | str, url: str) -> None:
        """Parse the document; a stored copy may be a JSON string that holds JSON."""
        super().__init__(body, url)
        if isinstance(self.data, str):
            super().__init__(self.data, url)
        if isinstance(self.data, dict) and self.data.get("errors") and not self.data.get("data"):
            raise PageError(f"{url}: {json.dumps(self.data['errors'])[:300]}", "graphql_error")

    def lessons(self) -> list[Record]:
        """Every video and article once, as a record without its text; see `lesson` for the rest of the keys."""
        found: dict[str, Record] = {}
        for node, above in self.nodes():
            if kind_of(node) in LESSON_KINDS:
                lesson = self.lesson(node, above)
                if lesson:
                    found.setdefault(lesson["record"]["lesson_id"], lesson)
        return list(found.values())

    def lesson(self, node: Record, above: list[Record]) -> Record | None:
        """What a node says of its lesson: the `record`, and what its pages are asked for by."""
        kind = LESSON_KINDS[kind_of(node)]
        address = first(node, "relative_url", "relativeUrl", "canonicalUrl", "defaultUrlPath", "url", "ka_url", "kaUrl")
        slug = slug_of(node)
        stated = first(node, "internal_id", "internalId", "content_id", "contentId", "id")
        lesson_id = stated or slug
        if not lesson_id:
            return None
        path = path_of(address)
        record = {
            "lesson_id": lesson_id,
            "kind": kind,
            "title": first(node, "translated_title", "translatedTitle", "title") or "",
            "url": public_url(address, self.url),
            "subject": first(node, "domain_slug", "domainSlug") or subject_of(above) or subject_in(path),
            "course": course_of(above),
            "language": first(node, "source_language", "sourceLanguage") or self.language,
            "license": license_name(first(node, "ka_user_license", "kaUserLicense")),
        }
        return {
            "record": record,
            "guessed": stated is None,  # its own page may know the id
            "slug": slug,
            "path": path or None,
            "youtube_id": first(node, "translated_youtube_id", "translatedYoutubeId", "youtube_id", "youtubeId"),
            "topic": slug_of(above[-1]) if above else None,
        }

    def open_topics(self) -> list[str]:
        """The slugs of topics that the page names without showing what is in them."""
        nodes = (node for node, above in self.nodes() if above and kind_of(node) == "topic" and "children" not in node)
        return list(dict.fromkeys(slug for slug in map(slug_of, nodes) if slug))

    @property
    def language(self) -> str | None:
        """The language of a topic's page."""
        return first(self.data, "source_language", "sourceLanguage") if isinstance(self.data, dict) else None

    def nodes(self) -> Iterator[tuple[Record, list[Record]]]:
        """All nodes in document order, each with the topics above it; with a stack instead of recursion."""
        stack: list[tuple[Any, list[Record]]] = [(self.data, [])]
        count = 0
        while stack:
            value, above = stack.pop()
            count += 1
            if count > MAX_NODES:
                raise PageError(f"{self.url}: more than {MAX_NODES} values", "too_many_nodes")
            if isinstance(value, list):
                stack.extend((entry, above) for entry in reversed(value) if isinstance(entry, dict | list))
            elif isinstance(value, dict):
                if kind_of(value):
                    yield value, above
                below = [*above, value] if kind_of(value) in TOPIC_KINDS else above
                inner = [entry for name, entry in value.items() if name not in ("parent", "parentTopic", "widgets")]
                stack.extend((entry, below) for entry in reversed(inner) if isinstance(entry, dict | list))


def with_details(lessons: list[Record], found: list[Record]) -> list[Record]:
    """Lessons of the tree with what another list tells of the same ones, and what only that list has of their kind."""
    kind = lessons[0]["record"]["kind"]
    others = {id(entry): entry for entry in found if entry["record"]["kind"] == kind}
    by_name = {name: entry for entry in others.values() for name in (entry["slug"], entry["record"]["lesson_id"])}
    merged: list[Record] = []
    for lesson in lessons:
        same = by_name.get(lesson["record"]["lesson_id"]) or by_name.get(lesson["slug"])
        if same:
            others.pop(id(same), None)
            lesson = completed_by(lesson, same)
        merged.append(lesson)
    return merged + list(others.values())


def completed_by(lesson: Record, same: Record) -> Record:
    """A lesson with what another list tells of it; an id that the tree had to guess gives way to a stated one."""
    record = {key: value or same["record"][key] for key, value in lesson["record"].items()}
    if lesson["guessed"]:
        record["lesson_id"] = same["record"]["lesson_id"]
    return lesson | {
        "record": record,
        "guessed": lesson["guessed"] and same["guessed"],
        "youtube_id": lesson["youtube_id"] or same["youtube_id"],
        "path": lesson["path"] or same["path"],
    }


def kind_of(node: Record) -> str:
    """A node's kind in small letters, empty when it has none; lists of videos may leave it out."""
    said = first(node, "kind", "contentKind", "content_kind", "__typename")
    return (said or ("video" if first(node, "youtube_id", "youtubeId") else "")).lower()


def slug_of(node: Record) -> str | None:
    """The last part of a node's name: `v/adding-fractions` is the video `adding-fractions`."""
    found = first(node, "readable_id", "readableId", "slug", "node_slug", "nodeSlug")
    found = found or path_of(first(node, "relative_url", "relativeUrl", "canonicalUrl", "url", "ka_url", "id"))
    return found.rstrip("/").rpartition("/")[2] or None


def path_of(address: str | None) -> str:
    """The path of an address, without host and query."""
    rest = (address or "").partition("?")[0].partition("#")[0]
    if "://" in rest:
        rest = "/" + rest.partition("://")[2].partition("/")[2]
    return rest


def subject_of(above: list[Record]) -> str | None:
    """The slug of the domain: of a topic above that is one, else as the nearest topic above names it."""
    found = next((slug_of(node) for node in above if kind_of(node) == "domain"), None)
    named = (first(node, "domain_slug", "domainSlug") for node in reversed(above))
    return found or next((name for name in named if name), None)


def subject_in(path: str) -> str | None:
    """The slug of the domain in a whole address, `/domain/course/…/v/slug`; a shorter one need not have it."""
    found = WHOLE.match(path)
    return found[1] if found else None


def course_of(above: list[Record]) -> str | None:
    """The title of the course: of the node that says so, else of the first topic below root and domain."""
    domains = {None, "root", *(first(node, "domain_slug", "domainSlug") for node in above)}
    below = [node for node in above if kind_of(node) == "course"]
    below = below or [node for node in above if slug_of(node) not in domains and kind_of(node) != "domain"]
    return first(below[0], "translated_title", "translatedTitle", "title") if below else None


def license_name(code: str | None) -> str | None:
    """`cc-by-nc-sa` as it is usually written; other licences as the site names them."""
    return code.upper().replace("CC-", "CC ", 1) if code and code.lower().startswith("cc-") else code


def first(node: Record, *names: str) -> str | None:
    """The first of some fields that holds a text or a number."""
    for name in names:
        value = node.get(name)
        if isinstance(value, str | int) and not isinstance(value, bool) and str(value).strip():
            return str(value).strip()
    return None
