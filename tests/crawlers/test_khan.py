"""Khan Academy: every page class by folders of input and expected output, and crawls of a small site on loopback."""

import io
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from toy import Answer, Handler, Site, crawl, html_answer, json_answer, posts, records, text_answer
from toy import serving as toy_serving

from crawlers.khan.discussion_pages import DiscussionPage
from crawlers.khan.lesson_pages import ArticlePage, ContentPage, TranscriptPage, WatchPage
from crawlers.khan.perseus import markdown_text, perseus_text
from crawlers.khan.tree_pages import TreePage
from crawlers.page import PageError

FOLDER = Path(__file__).parent / "pages" / "khan"
URL = "http://127.0.0.1:4321/fetched"
KNOWN = {"lesson_id": "one", "kind": "video", "title": "Old title", "license": None}


def parse_tree(text: str, name: str) -> Any:
    page = TreePage(text, URL)
    return {"lessons": page.lessons(), "open_topics": page.open_topics()}


def parse_lesson(text: str, name: str) -> Any:
    kinds: dict[str, Any] = {
        "article": ArticlePage, "transcript": TranscriptPage, "watch": WatchPage, "content": ContentPage,
    }  # fmt: skip
    known = KNOWN | {"kind": "article" if "article" in name else "video"}
    return kinds[name.partition("_")[0]](text, URL).lesson(known)


def parse_discussion(text: str, name: str) -> Any:
    below = ("q1", "q1") if name.startswith("replies") else (None, None)
    page = DiscussionPage(text, URL, *below)
    return {
        "posts": page.posts("one"), "unfinished": [list(post) for post in page.unfinished()],
        "cursor": page.cursor, "goes_on": page.goes_on(2), "has_answers": page.has_answers,
    }  # fmt: skip


PARSERS: dict[str, Callable[[str, str], Any]] = {
    "tree": parse_tree, "article": parse_lesson, "transcript": parse_lesson, "watch": parse_lesson,
    "content": parse_lesson, "feed": parse_discussion, "replies": parse_discussion,
}  # fmt: skip


@pytest.mark.parametrize("folder", sorted(FOLDER.iterdir()), ids=lambda folder: folder.name)
def test_page_gives_expected_records(folder: Path) -> None:
    (page,) = folder.glob("input.*")
    expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    assert PARSERS[folder.name.partition("_")[0]](page.read_text(encoding="utf-8"), folder.name) == expected


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


@pytest.mark.parametrize(
    ("generations", "api"),
    [(("rest",), "rest"), (("rest",), "auto"), (("graphql",), "graphql"), (("graphql",), "auto"), ((), "auto")],
)
def test_nothing_is_lost_in_either_generation(generations: tuple[str, ...], api: str, tmp_path: Path) -> None:
    khan = Khan(*generations)
    with serving(khan) as server:
        summary = night(server, tmp_path, api=api)
    assert (summary["code"], summary["rejects"], summary["refused"]) == (0, {}, {})
    assert posts(tmp_path) == khan.expected()
    assert len(posts(tmp_path)) == 50
    found = lessons(tmp_path)
    assert found["a200"]["text"] == "Why is rope strong?"
    assert found["v100"]["captions"] == [{"start": 1.5, "text": "Pull the rope."}]
    assert {lesson["course"] for lesson in found.values()} == {"Physics"}


def test_both_generations_give_the_same_records(tmp_path: Path) -> None:
    bodies = []
    for generation in ("rest", "graphql"):
        with serving(Khan(generation)) as server:
            night(server, tmp_path / generation, api=generation)
        bodies.append([record["body"] for record in records(tmp_path / generation)])
    assert bodies[0] == bodies[1]
    answer = next(body for body in bodies[0] if body.get("post_id") == "a200-q2-a1")
    assert (answer["kind"], answer["parent_id"], answer["thread_id"]) == ("answer", "a200-q2", "a200-q2")
    reply = next(body for body in bodies[0] if body.get("post_id") == "a200-q2-a1-r0")
    assert (reply["kind"], reply["parent_id"], reply["thread_id"]) == ("comment", "a200-q2-a1", "a200-q2")


@pytest.mark.parametrize("generation", ["rest", "graphql"])
def test_second_night_sees_edits_and_deletions(generation: str, tmp_path: Path) -> None:
    khan = Khan(generation)
    with serving(khan) as server:
        night(server, tmp_path, api=generation, trust_counts=False)
        first = {record["body"].get("post_id"): record["fetched_at"] for record in records(tmp_path)}
        quiet = night(server, tmp_path, api=generation, trust_counts=False)
        assert (quiet["changes"], quiet["unchanged_pages"]) == (dict.fromkeys(quiet["changes"], 0), quiet["pages"])
        khan.replies["v100-q4"][3]["content"] = "The last answer, edited?"
        khan.delete("v100-q3")  # with three answers and a reply
        khan.delete("a200-q4-a2")
        khan.feeds["a200", "QUESTION"][0]["appearsAsDeleted"] = True
        summary = night(server, tmp_path, api=generation, trust_counts=False)
        assert summary["changes"] == {"new": 0, "changed": 1, "removed": 7, "returned": 0}
    expected = khan.expected()
    del expected["a200-q0"]
    assert posts(tmp_path) == expected
    again = {record["body"].get("post_id"): record["fetched_at"] for record in records(tmp_path)}
    assert again["v100-q4-a3"] > first["v100-q4-a3"]
    assert again["v100-q4-a2"] == first["v100-q4-a2"]


def test_article_that_is_gone_takes_its_discussion_along(tmp_path: Path) -> None:
    khan = Khan("rest")
    with serving(khan) as server:
        night(server, tmp_path, api="rest", trust_counts=False)
        khan.overrides["/api/v1/articles/a200"] = lambda: text_answer("gone", 410)
        summary = night(server, tmp_path, api="rest", trust_counts=False, min_share=0)
    assert (summary["code"], summary["changes"]["removed"]) == (0, 26)
    assert list(lessons(tmp_path)) == ["v100"]
    assert all(name.startswith("v100") for name in posts(tmp_path))


def test_answers_that_are_only_shown_with_their_question_are_found_there(tmp_path: Path) -> None:
    for generation in ("rest", "graphql"):
        khan = Khan(generation)
        khan.without_answers = True
        with serving(khan) as server:
            night(server, tmp_path / generation, api=generation)
        assert posts(tmp_path / generation) == khan.expected()


@pytest.mark.parametrize("generation", ["rest", "graphql"])
def test_replies_that_are_known_by_their_other_key_are_found(generation: str, tmp_path: Path) -> None:
    khan = Khan(generation)
    khan.by_expand_key = True
    with serving(khan) as server:
        night(server, tmp_path, api=generation)
    assert posts(tmp_path) == khan.expected()


def test_ids_that_the_tree_does_not_tell_are_looked_up_by_topic(tmp_path: Path) -> None:
    khan = Khan("rest")
    khan.bare_tree = True
    nodes = [{"kind": "Article", "internal_id": "a200", "url": "https://www.khanacademy.org/science/physics/a/ropes"},
             {"kind": "Video", "internal_id": "v100", "url": "/science/physics/v/pulling"}]  # fmt: skip
    videos = [{"youtube_id": "abcdefghijk", "ka_url": "https://www.khanacademy.org/science/physics/v/pulling"}]
    khan.overrides["/api/v1/topic/physics"] = lambda: json_answer({"kind": "Topic", "children": nodes})
    khan.overrides["/api/v1/topic/physics/videos"] = lambda: json_answer(videos)
    with serving(khan) as server:
        night(server, tmp_path)
    assert lessons(tmp_path)["a200"]["text"] == "Why is rope strong?"
    assert lessons(tmp_path)["pulling"]["captions"] == [{"start": 1.5, "text": "Pull the rope."}]
    assert posts(tmp_path) == khan.expected()


def test_tree_that_tells_no_ids_is_enough(tmp_path: Path) -> None:
    khan = Khan("graphql")
    khan.bare_tree = True
    with serving(khan) as server:
        night(server, tmp_path)
    assert {name: lesson["title"] for name, lesson in lessons(tmp_path).items()} == {"a200": "Ropes", "v100": "Pulling"}
    assert posts(tmp_path) == khan.expected()


def test_transcript_on_the_page_is_taken_when_there_is_no_other(tmp_path: Path) -> None:
    khan = Khan("rest")
    watched = '<ul itemprop="transcript"><li>0:04</li><li>Pull it.</li></ul>'
    khan.overrides = {
        "/api/internal/videos/abcdefghijk/transcript": lambda: json_answer([]),
        "/science/physics/v/pulling": lambda: html_answer(watched),
    }
    with serving(khan) as server:
        assert night(server, tmp_path)["rejects"] == {}
        assert lessons(tmp_path)["v100"]["captions"] == [{"start": 4.0, "text": "Pull it."}]
        del khan.overrides["/science/physics/v/pulling"]
        night(server, tmp_path)
    assert lessons(tmp_path)["v100"]["captions"] == []  # a lesson all the same
    assert posts(tmp_path) == khan.expected()


def test_trusted_counts_save_the_pages_of_unchanged_answers(tmp_path: Path) -> None:
    khan = Khan("rest")
    with serving(khan) as server:
        night(server, tmp_path, api="rest")
        assert posts(tmp_path) == khan.expected()
        night(server, tmp_path, api="rest")
        assert not [path for path in server.paths if "/replies" in path]
        khan.delete("v100-q4-a1")
        summary = night(server, tmp_path, api="rest")
        asked = {path.split("/")[4] for path in server.paths if "/replies" in path}
        assert "v100-q4" in asked
        assert not [key for key in asked if key.startswith("a200")]
        assert summary["changes"]["removed"] == 2
    assert posts(tmp_path) == khan.expected()


def test_configured_topics_are_found_in_either_generation(tmp_path: Path) -> None:
    listed = [
        {"kind": "Article", "internal_id": "a200", "title": "Ropes", "url": "https://www.khanacademy.org/science/physics/a/ropes"},
        {"kind": "Video", "internal_id": "v100", "title": "Pulling", "url": "https://www.khanacademy.org/science/physics/v/pulling"},
    ]  # fmt: skip
    below = {"kind": "Topic", "slug": "tension", "title": "Tension", "children": listed}
    above = {"kind": "Topic", "slug": "physics", "title": "Physics", "children": [{"kind": "Topic", "id": "tension"}]}
    videos = [{"youtube_id": "abcdefghijk", "ka_url": "https://www.khanacademy.org/science/physics/v/pulling"}]
    khan = Khan("rest")
    khan.overrides = {
        "/api/v1/topic/physics": lambda: json_answer(above), "/api/v1/topic/tension": lambda: json_answer(below),
        "/api/v1/topic/tension/videos": lambda: json_answer(videos),
    }  # fmt: skip
    for site, folder in ((khan, tmp_path / "rest"), (Khan("graphql"), tmp_path / "graphql")):
        with serving(site) as server:
            assert night(server, folder, topics=["science/physics"])["code"] == 0
        assert posts(folder) == site.expected()
        assert lessons(folder)["v100"]["captions"] == [{"start": 1.5, "text": "Pull the rope."}]


def test_changed_interface_is_counted_and_removes_nothing(tmp_path: Path) -> None:
    khan = Khan("graphql")
    with serving(khan) as server:
        night(server, tmp_path, api="graphql")
        before = posts(tmp_path)
        khan.graphql = lambda _: {"errors": [{"message": "not safelisted"}], "data": None}  # type: ignore[method-assign]
        summary = night(server, tmp_path, api="graphql", max_rejected=1)
    assert summary["rejects"] == {"graphql_error": 2}
    assert (summary["changes"]["removed"], posts(tmp_path)) == (0, before)


@pytest.mark.parametrize("generation", ["rest", "graphql"])
def test_null_in_place_of_posts_removes_none(generation: str, tmp_path: Path) -> None:
    khan = Khan(generation)
    nothing = {"rest": {"feedback": None, "isComplete": True}, "graphql": {"data": {"feedback": None}}}[generation]
    address = {"rest": "/api/internal/discussions/video/pulling/questions", "graphql": "feedbackQuery"}[generation]
    whole = khan.__call__
    with serving(khan) as server:
        night(server, tmp_path, api=generation, trust_counts=False)
        for later in (False, True):  # all pages, or those after the first alone

            def answer(path: str, later: bool = later) -> Answer | None:
                further = '"cursor": "' in path or ("page=" in path and "page=0" not in path)
                asked = address in path and ("v100" in path or generation == "rest")
                return json_answer(nothing) if asked and (further or not later) else whole(path)

            server.answer = answer
            summary = night(server, tmp_path, api=generation, trust_counts=False)
            assert (set(summary["rejects"]), summary["changes"]["removed"]) == ({"no_posts"}, 0)
            assert posts(tmp_path) == khan.expected()


def test_page_after_a_promise_of_more_is_not_null(tmp_path: Path) -> None:
    khan = Khan("graphql")
    whole = khan.__call__
    with serving(khan) as server:
        server.answer = lambda path: (
            json_answer({"data": {"feedback": None}}) if '"cursor"' in path and "QUESTION" in path else whole(path)
        )
        summary = night(server, tmp_path, api="graphql", trust_counts=False)
    assert summary["rejects"] == {"no_posts": 2}  # one for each lesson: it is asked for again the next night


@pytest.mark.parametrize(
    ("path", "above", "subject"),
    [
        ("/video/free-fall", {"domain_slug": "science"}, "science"),
        ("/a/inertia", {}, None),
        ("/video/free-fall", {}, None),
        ("/science/physics/v/free-fall", {}, "science"),
        ("/a/v/free-fall", {}, None),
    ],
)
def test_subject_is_the_domain_and_no_other_word_of_the_address(
    path: str, above: dict[str, str], subject: str | None
) -> None:
    video = {"kind": "Video", "id": "v1", "title": "Free fall", "relative_url": path}
    forces = {"kind": "Topic", "slug": "forces", "children": [video]}
    tree = {
        "kind": "Topic",
        "slug": "root",
        "children": [{"kind": "Topic", "slug": "physics", "children": [forces]} | above],
    }
    (lesson,) = TreePage(json.dumps(tree), URL).lessons()
    assert lesson["record"]["subject"] == subject


def test_cursor_that_never_ends_is_cut(tmp_path: Path) -> None:
    khan = Khan("graphql")
    seen: list[int] = []

    def endless() -> Answer:
        seen.append(1)
        return json_answer({"data": {"feedback": cut([post("q", "COMMENT")] * 2, 0, 1) | {"cursor": str(len(seen))}}})

    khan.overrides["/api/internal/graphql/feedbackQuery"] = endless
    with serving(khan) as server:
        summary = night(server, tmp_path, api="graphql", feeds=["comments"])
    assert (summary["code"], summary["rejects"]) == (0, {"endless_listing": 2})
    assert len(seen) < 50


def test_archive_gives_the_same_records_again(tmp_path: Path) -> None:
    with serving(Khan()) as server:
        night(server, tmp_path)
    before = (tmp_path / "records.jsonl").read_bytes()
    replayed = crawl("http://127.0.0.1:9/", tmp_path, "khan", options={"page_size": 2}, from_raw=True)
    assert (replayed["code"], (tmp_path / "records.jsonl").read_bytes()) == (0, before)


@pytest.mark.parametrize(
    "options", [{"api": "soap"}, {"feeds": ["likes"]}, {"topics": "math"}, {"page_size": 0}, {"topic": []}]
)
def test_option_that_cannot_be_done_is_named(options: dict[str, Any], tmp_path: Path) -> None:
    summary = crawl("http://127.0.0.1:9/", tmp_path, "khan", options=options)
    assert summary["code"] == 2
    assert next(iter(options)) in summary["errors"][0]


def test_page_of_another_layout_says_what_is_missing() -> None:
    with pytest.raises(PageError, match="translated_perseus_content"):
        ArticlePage("{}", URL).lesson(KNOWN)
    with pytest.raises(PageError, match="key"):
        DiscussionPage('[{"content": "Why?"}]', URL).posts("one")
    for body in ('{"message": "moved"}', '"text"', '{"feedback": {}}'):
        with pytest.raises(PageError):
            DiscussionPage(body, URL)
    with pytest.raises(PageError) as caught:
        perseus_text("[{", URL)
    assert caught.value.reason == "bad_json"


HOSTILE = (
    "$",
    "\\$",
    "*",
    "**",
    "_",
    "[",
    "![",
    "](",
    "`",
    "```",
    "#",
    "# ",
    "<a",
    "[[☃ ",
    "&",
    "a*",
    " _x",
    "- ",
    "$\\",
)


@pytest.mark.parametrize("piece", HOSTILE)
def test_hostile_markdown_takes_linear_time(piece: str) -> None:
    text = piece * (200_000 // len(piece))
    assert len(markdown_text(text)) <= len(text)  # quadratic patterns would take minutes here
