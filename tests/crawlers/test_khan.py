"""Khan Academy: crawls of a small site on loopback."""

from pathlib import Path
from typing import Any

import pytest
from khan_site import Khan, cut, lessons, night, post, serving
from toy import Answer, crawl, html_answer, json_answer, posts, records, text_answer


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
    assert found["v100"]["captions"] == [{"start": 1.5, "end": 2.5, "text": "Pull the rope."}]
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
    assert lessons(tmp_path)["pulling"]["captions"] == [{"start": 1.5, "end": 2.5, "text": "Pull the rope."}]
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
        assert lessons(folder)["v100"]["captions"] == [{"start": 1.5, "end": 2.5, "text": "Pull the rope."}]


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
