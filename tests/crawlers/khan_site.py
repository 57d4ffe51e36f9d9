"""A small Khan Academy on loopback, of either generation of its interface."""

import io
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from toy import Answer, Handler, Site, crawl, json_answer, records, text_answer
from toy import serving as toy_serving


class Khan:
    """A small Khan Academy: one course with an article and a video; either generation of its interface, or both."""

    def __init__(self, *generations: str) -> None:
        self.generations = generations or ("rest", "graphql")
        self.feeds: dict[tuple[str, str], list[dict[str, Any]]] = {}
        self.replies: dict[str, list[dict[str, Any]]] = {}
        self.overrides: dict[str, Callable[[], Answer | None]] = {}
        self.without_answers = False  # whether answers are only shown with their question
        self.by_expand_key = False  # whether replies are only known by the other key
        self.bare_tree = False  # whether the tree tells no ids
        self.article = "Why is **rope** strong? [[☃ image 1]]"
        for lesson in ("a200", "v100"):
            self.feeds[lesson, "QUESTION"] = [self.question(f"{lesson}-q{n}", answers=n) for n in range(5)]
            self.feeds[lesson, "COMMENT"] = [post(f"{lesson}-c{n}", "COMMENT", replies=n) for n in range(3)]
            for comment in self.feeds[lesson, "COMMENT"]:
                self.replies[comment["key"]] = [
                    post(f"{comment['key']}-r{n}", "REPLY") for n in range(comment["replyCount"])
                ]

    def question(self, key: str, answers: int) -> dict[str, Any]:
        """A question; all its answers are in `replies`, the first comes along."""
        self.replies[key] = [post(f"{key}-a{n}", "ANSWER", replies=n % 2, questionKey=key) for n in range(answers)]
        for answer in self.replies[key]:
            if answer["replyCount"]:
                self.replies[answer["key"]] = [post(f"{answer['key']}-r0", "REPLY")]
        return post(key, "QUESTION", answerCount=answers)

    def expected(self) -> dict[str, str]:
        """The text of every post."""
        everything = [*self.feeds.values(), *self.replies.values()]
        return {entry["key"]: entry["content"] for entries in everything for entry in entries}

    def delete(self, key: str) -> None:
        """Take a post out, with its answers when it is a question."""
        for entries in [*self.feeds.values(), *self.replies.values()]:
            for entry in entries:
                entry["answerCount"] -= any(answer["key"] == key for answer in self.replies.get(entry["key"], []))
            entries[:] = [entry for entry in entries if entry["key"] != key]
        for answer in self.replies.pop(key, []):
            self.replies.pop(answer["key"], None)

    def shown(self, entry: dict[str, Any], all_answers: bool = False) -> dict[str, Any]:
        """An item of a feed, with the first answer, or all of them when it is expanded."""
        if entry["feedbackType"] != "QUESTION":
            return entry
        return entry | {"answers": self.replies[entry["key"]][: None if all_answers else 1] or None}

    def __call__(self, target: str) -> Answer | None:
        address, _, body = target.partition("#")
        if target in self.overrides or address in self.overrides:
            return self.overrides.get(target, self.overrides.get(address, lambda: None))()
        parts = urlsplit(address)
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        generation = "graphql" if parts.path.startswith("/api/internal/graphql/") else "rest"
        if parts.path == "/api/v1/topictree":
            return json_answer({"kind": "Topic", "slug": "root", "children": [self.topic()]})
        if generation not in self.generations:
            return text_answer("no such page", 404)
        found = self.graphql(json.loads(body)) if generation == "graphql" else self.rest(parts.path, query)
        return text_answer("no such page", 404) if found is None else json_answer(found)

    def topic(self) -> dict[str, Any]:
        base = "/science/physics"
        children = [
            {"kind": "Article", "contentKind": "Article", "internal_id": "a200", "id": "a200", "slug": "ropes",
             "title": "Ropes", "relative_url": f"{base}/a/ropes", "canonicalUrl": f"{base}/a/ropes"},
            {"kind": "Video", "contentKind": "Video", "internal_id": "v100", "id": "v100", "slug": "pulling",
             "title": "Pulling", "relative_url": f"{base}/v/pulling", "youtube_id": "abcdefghijk"},
        ]  # fmt: skip
        if self.bare_tree:
            kept = ("kind", "slug", "relative_url")
            children = [{name: child[name] for name in kept} for child in children]
        return {"kind": "Topic", "slug": "science", "domain_slug": "science", "children": [
            {"kind": "Topic", "slug": "physics", "title": "Physics", "domain_slug": "science", "children": children}
        ]}  # fmt: skip

    def content(self) -> str:
        return json.dumps([{"content": self.article, "widgets": {}}])

    def subtitles(self) -> list[dict[str, Any]]:
        return [{"startTime": 1500, "endTime": 2500, "text": "Pull the rope.", "kaIsValid": True}]

    def rest(self, path: str, query: dict[str, str]) -> Any:
        limit, start = int(query.get("limit", 20)), int(query.get("page", 0)) * int(query.get("limit", 20))
        if path == "/api/v1/articles/a200":
            return {"translated_perseus_content": self.content(), "translated_title": "Ropes"}
        if path == "/api/internal/videos/abcdefghijk/transcript":
            return self.subtitles()
        if path.startswith("/api/internal/discussions/") and path.endswith("/replies"):
            found = self.answers(path.split("/")[4])
            return None if found is None else [restful(entry) for entry in found[start : start + limit]]
        names = {"/article/a200": "a200", "/video/pulling": "v100"}
        focus, _, feed = path.removeprefix("/api/internal/discussions").rpartition("/")
        if focus not in names or feed not in ("questions", "comments"):
            return None
        entries = self.feeds[names[focus], feed.upper().removesuffix("S")]
        if key := query.get("qa_expand_key"):
            entries = [entry for entry in entries if entry["expandKey"] == key]
            return {"feedback": [restful(self.shown(entry, True)) for entry in entries], "isComplete": False}
        shown = [restful(self.shown(entry)) for entry in entries[start : start + limit]]
        return {"feedback": [*shown, None], "cursor": None, "isComplete": start + limit >= len(entries)}

    def answers(self, key: str) -> list[dict[str, Any]] | None:
        entries = self.replies.get(key.removeprefix("x") if self.by_expand_key else key)
        if self.by_expand_key and not key.startswith("x"):
            return None
        asked = entries and entries[0]["feedbackType"] == "ANSWER"
        return None if self.without_answers and asked else entries

    def graphql(self, sent: dict[str, Any]) -> Any:
        given = sent["variables"]
        if sent["operationName"] == "ContentRouteCourseData":
            course = self.topic() | {"contentKind": "Course", "kind": None, "translatedTitle": "Physics"}
            return {"data": {"contentRoute": {"listedPathData": {"course": course}}}}
        if sent["operationName"] == "ContentForPath":
            article = {"id": "a200", "translatedTitle": "Ropes", "translatedPerseusContent": self.content()}
            video = {"id": "v100", "translatedTitle": "Pulling", "youtubeId": "x", "subtitles": self.subtitles()}
            content = {"/science/physics/a/ropes": article, "/science/physics/v/pulling": video}.get(given["path"])
            return {"data": {"contentRoute": {"listedPathData": content and {"content": content}}}}
        start, limit = int(given.get("cursor") or 0), given["limit"]
        if sent["operationName"] == "getFeedbackRepliesPage":
            entries = self.answers(given["postKey"]) or []
            return {"data": {"feedbackRepliesPaginated": cut([modern(entry) for entry in entries], start, limit)}}
        feed = self.feeds[given["topicId"], given["feedbackType"]]
        if key := given.get("qaExpandKey"):
            feed = [entry for entry in feed if entry["expandKey"] == key]
        shown = [modern(self.shown(entry, bool(given.get("qaExpandKey")))) for entry in feed]
        return {"data": {"feedback": cut(shown, start, limit)}}


def post(key: str, kind: str, replies: int = 0, **more: Any) -> dict[str, Any]:
    """A post as GraphQL has it."""
    return {
        "key": key, "feedbackType": kind, "content": f"Is {key} a rope?", "date": "2019-01-02T03:04:05Z",
        "sumVotesIncremented": 2, "permalink": f"/science/physics?qa_expand_key={key}", "replyCount": replies,
        "expandKey": f"x{key}",
        "author": {"kaid": f"kaid_{len(key)}"}, "answerCount": 0, "lastAnswerDate": None,
    } | more  # fmt: skip


def modern(entry: dict[str, Any]) -> dict[str, Any]:
    """An item of GraphQL, where an answer does not name its question."""
    answers = entry.get("answers")
    return {name: value for name, value in entry.items() if name != "questionKey"} | {
        "answers": [modern(answer) for answer in answers] if answers else answers
    }


def restful(entry: dict[str, Any]) -> dict[str, Any]:
    """The same item in REST."""
    answers = [restful(answer) for answer in entry.get("answers") or []]
    kind, author = entry["feedbackType"].lower(), entry["author"]["kaid"]
    return entry | {"type": kind, "authorKaid": author, "author": None, "feedbackType": None, "answers": answers}


def cut(entries: list[Any], start: int, limit: int) -> dict[str, Any]:
    """A page of a list, as GraphQL gives it: null instead of an empty list."""
    end = start + limit >= len(entries)
    return {"feedback": entries[start : start + limit] or None, "isComplete": end, "cursor": str(start + limit)}


class Posting(Handler):
    """Puts what is posted behind the path, for the site to see."""

    def do_POST(self) -> None:
        sent = self.rfile.read(int(self.headers["Content-Length"]))
        stream, self.rfile = self.rfile, io.BufferedReader(io.BytesIO(sent))  # type: ignore[arg-type]
        self.path += "#" + sent.decode()
        try:
            self.do_GET()
        finally:
            self.rfile = stream


@contextmanager
def serving(khan: Khan) -> Iterator[Site]:
    with toy_serving(khan) as server:
        server.RequestHandlerClass = Posting
        yield server


def night(server: Site, folder: Path, **options: Any) -> dict[str, Any]:
    """One crawl, in small pages."""
    server.forget()
    return crawl(server.url, folder, "khan", options={"page_size": 2, "revisit": 0} | options)


def lessons(folder: Path) -> dict[str, dict[str, Any]]:
    found = [record["body"] for record in records(folder) if record["type"] == "lesson"]
    return {body["lesson_id"]: body for body in found}
