"""A Moodle course on loopback, with web services and a token."""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from threading import local
from typing import Any
from urllib.parse import parse_qs

from toy import Answer, Handler, Site, json_answer, serving, text_answer

TOKEN = "0f1e2d3c4b5a69788796a5b4c3d2e1f0"


PER_PAGE = 50


class FormHandler(Handler):
    """Hands the form of a POST request to the thread that answers it."""

    form = local()

    def do_POST(self) -> None:
        body, stream = self.rfile.read(int(self.headers["Content-Length"])), self.rfile
        self.form.body, self.rfile = body, io.BytesIO(body)
        self.do_GET()
        self.rfile = stream


class Moodle:
    """Course 3: a section with the page 21 and the forum 31, and one with the forum 32 alone; 33, 34 are for news."""

    def __init__(self, discussions: int) -> None:
        self.pages = {21: "<p>Waves carry energy.</p>", 22: "<p>Sound is a wave.</p>"}
        self.discussions = {n: [self.post(n, 0), self.post(n, 1), self.post(n, 2)] for n in range(1, discussions + 1)}
        self.modified = dict.fromkeys(self.discussions, 1)
        self.echo = ""

    def post(self, discussion: int, number: int, **fields: Any) -> dict[str, Any]:
        post_id = discussion * 100 + number
        return {
            "id": post_id, "subject": f"Topic {discussion}", "message": f"<p>Why {post_id}?</p>",
            "author": {"id": 7 + number % 2, "fullname": "Ada L.", "isdeleted": False}, "discussionid": discussion,
            "hasparent": number > 0, "parentid": post_id - 1 if number else None, "timecreated": 1709290800 + number,
            "isdeleted": False, "isprivatereply": False,
        } | fields  # fmt: skip

    def __call__(self, path: str) -> Answer:
        if path != "/webservice/rest/server.php":
            return text_answer("", 404)
        asked = {name: values[0] for name, values in parse_qs(FormHandler.form.body.decode()).items()}
        if asked["wstoken"] != TOKEN:
            return json_answer({"exception": "moodle_exception", "errorcode": "invalidtoken", "message": "Bad token"})
        assert asked["moodlewsrestformat"] == "json"
        answer = getattr(self, asked["wsfunction"])(asked)
        return json_answer(answer) if answer is not None else json_answer(
            {"exception": "dml_missing_record_exception", "errorcode": "invalidrecord", "message": "No such record"}
        )  # fmt: skip

    def core_course_get_contents(self, asked: dict[str, str]) -> Any:
        def module(number: int, kind: str) -> dict[str, Any]:
            return {"id": number, "modname": kind, "instance": number + 900, "name": "x"}

        pages = [module(number, "page") for number in self.pages]
        alone = {"id": 6, "name": "Light", "summary": "<p>Light bends.</p>", "modules": [module(32, "forum")]}
        general = {"id": 4, "name": "General", "summary": "", "modules": [module(34, "forum")]}
        first = {"id": 5, "name": "Waves", "summary": "", "modules": [*pages, module(31, "forum"), module(33, "forum")]}
        return [general, first, alone]

    def mod_page_get_pages_by_courses(self, asked: dict[str, str]) -> Any:
        assert asked["courseids[0]"] == "3"
        return {
            "pages": [
                {"id": n + 900, "coursemodule": n, "name": f"Page {n}", "content": f"{html}{self.echo}"}
                for n, html in self.pages.items()
            ],
            "warnings": [],
        }

    def mod_forum_get_forums_by_courses(self, asked: dict[str, str]) -> Any:
        return [{"id": n + 900, "cmid": n, "type": "news" if n > 32 else "general"} for n in (31, 32, 33, 34)]

    def mod_forum_get_forum_discussions(self, asked: dict[str, str]) -> Any:
        assert asked["forumid"] in ("931", "932"), "nobody asked for news"
        start = int(asked["page"]) * PER_PAGE
        mine = [n for n in self.discussions if (n % 7 == 0) == (asked["forumid"] == "932")]
        shown = [
            {"id": n * 100, "discussion": n, "name": f"Topic {n}", "timemodified": self.modified[n],
             "numreplies": len(self.discussions[n]) - 1, "message": self.discussions[n][0]["message"]}
            for n in mine[start : start + PER_PAGE] if n != 3  # which this user may not see
        ]  # fmt: skip
        return {"discussions": shown, "warnings": []}

    def mod_forum_get_discussion_posts(self, asked: dict[str, str]) -> Any:
        found = self.discussions.get(int(asked["discussionid"]))
        return None if found is None else {"posts": found[::-1], "warnings": []}  # newest first


@contextmanager
def teaching(moodle: Moodle) -> Iterator[Site]:
    with serving(moodle) as server:
        server.RequestHandlerClass = FormHandler
        yield server
