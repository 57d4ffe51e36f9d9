"""A Discourse forum in the shape of its JSON interface, crawled over loopback."""

import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from toy import Answer, crawl, html_answer, json_answer, posts, records, serving, text_answer

from crawlers.discourse.pages import Parents, PostsPage, Topic, TopicListPage, TopicPage

FOLDER = Path(__file__).parent / "pages" / "discourse"
URL = "https://forum.example.org/fetched.json"
BASE = "https://forum.example.org/"
SHOWN, LISTED = 20, 30


def parse_listing(body: bytes) -> Any:
    page = TopicListPage(body, URL)
    return {"topics": [list(topic) for topic in page.topics()], "next": page.next_urls()}


def parse_topic(body: bytes) -> Any:
    page = TopicPage(body, URL, BASE, frozenset({"tutors"}), {"license": "CC BY 4.0", "course": "Mechanics"})
    lesson_id, parents = f"topic/{page.topic_id}", Parents()
    topic = page.topic(lesson_id, page.opened_by_staff())
    return {
        "lesson": page.lesson(lesson_id, page.opened_by_staff()),
        "link": page.lesson_link("https://school.example.org/"),
        "posts": page.posts(topic, parents),
        "parents": parents,
        "missing": page.missing(),
    }


def parse_posts(body: bytes) -> Any:
    page = PostsPage(body, URL, BASE, frozenset(), {})
    topic = Topic("7", "springs", "Springs", "topic/7", "70", False)
    return page.posts(topic, {"2": ["71", 1]})


PARSERS = {"listing": parse_listing, "topic": parse_topic, "posts": parse_posts}


@pytest.mark.parametrize("folder", sorted(FOLDER.iterdir()), ids=lambda folder: folder.name)
def test_page_gives_expected_records(folder: Path) -> None:
    expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    assert PARSERS[folder.name.partition("_")[0]]((folder / "input.json").read_bytes()) == expected


class Discourse:
    """Topics of 20 posts a page in listings of 30; category 5 is physics, and staff writes what `staff` wrote."""

    def __init__(self, topics: dict[int, list[str]], category: int = 5) -> None:
        self.topics = {
            number: [self.post(number * 1000 + n, n + 1, text) for n, text in enumerate(texts)]
            for number, texts in topics.items()
        }
        self.category = dict.fromkeys(topics, category)
        self.bumped = dict.fromkeys(topics, 1)
        self.gone: set[int] = set()
        self.pages: dict[str, str] = {}

    def post(self, post_id: int, number: int, text: str, **fields: Any) -> dict[str, Any]:
        return {
            "id": post_id, "post_number": number, "post_type": 1, "username": "ada", "cooked": f"<p>{text}</p>",
            "created_at": "2024-03-01T10:00:00.000Z", "reply_to_post_number": None, "reply_count": 1,
            "actions_summary": [{"id": 2, "count": number}], "hidden": False, "deleted_at": None,
            "moderator": False, "admin": False, "staff": False,
        } | fields  # fmt: skip

    def listing(self, path: str, numbers: list[int], page: int) -> Answer:
        shown = numbers[page * LISTED : (page + 1) * LISTED]
        topics = [
            {"id": n, "title": f"Topic {n}", "category_id": self.category[n], "posts_count": len(self.topics[n]),
             "bumped_at": f"2024-03-01T10:00:{self.bumped[n]:02d}Z", "archetype": "regular", "views": page}
            for n in shown
        ]  # fmt: skip
        found: dict[str, Any] = {"topics": topics}
        if len(numbers) > (page + 1) * LISTED:
            found["more_topics_url"] = f"{path.removesuffix('.json')}?page={page + 1}"
        return json_answer({"topic_list": found})

    def __call__(self, target: str) -> Answer:
        parts = urlsplit(target)
        query = parse_qs(parts.query)
        names = parts.path.strip("/").split("/")
        page = int(query.get("page", ["0"])[0])
        if parts.path in self.pages:
            return html_answer(self.pages[parts.path])
        if parts.path == "/latest.json":
            return self.listing(parts.path, list(self.topics), page)
        if names[0] == "c" and parts.path.endswith("/l/latest.json"):
            return self.listing(parts.path, [n for n in self.topics if self.category[n] == int(names[-3])], page)
        number = int(names[1].removesuffix(".json")) if names[0] == "t" else -1
        if number not in self.topics or number in self.gone:
            return text_answer("{}", 404)
        found = self.topics[number]
        if names[-1] == "posts.json":
            asked = {int(post_id) for post_id in query["post_ids[]"]}
            assert len(asked) <= SHOWN
            return json_answer({"post_stream": {"posts": [post for post in found if post["id"] in asked]}})
        stream = {"posts": found[:SHOWN], "stream": [post["id"] for post in found]}
        return json_answer({"id": number, "title": f"Topic {number}", "slug": f"s-{number}", "post_stream": stream})


def bodies(folder: Path, kind: str) -> dict[str, dict[str, Any]]:
    return {str(record["body"][f"{kind}_id"]): record["body"] for record in records(folder) if record["type"] == kind}


def test_nothing_is_lost_over_many_pages(tmp_path: Path) -> None:
    forum = Discourse({n: ["Why?", "Because."] for n in range(1, 70)} | {99: [f"Post {n}?" for n in range(850)]})
    with serving(forum) as server:
        summary = crawl(server.url, tmp_path, "discourse")
        listed = [path for path in server.paths if path.startswith("/latest")]
        assert len(server.paths) == len(set(server.paths))
    assert (summary["code"], summary["rejects"], len(listed)) == (0, {}, 3)
    found = posts(tmp_path)
    assert len(found) == 69 * 2 + 850
    assert {found[str(99_000 + n)].rpartition("\n")[2] for n in range(850)} == {f"Post {n}?" for n in range(850)}
    assert set(bodies(tmp_path, "lesson")) == {f"topic/{n}" for n in (*range(1, 70), 99)}


def test_category_of_an_older_forum(tmp_path: Path) -> None:
    forum = Discourse({n: ["Why?", "Because."] for n in range(1, 35)})

    def answer(target: str) -> Answer:
        if target.startswith("/c/waves/5.json"):
            status, headers, body = forum(target.replace("/c/waves/5.json", "/c/waves/5/l/latest.json"))
            return status, headers, body.replace(b"/l/latest", b"")
        return text_answer("", 404) if target.startswith("/c/") else forum(target)

    with serving(answer) as server:
        summary = crawl(server.url, tmp_path, "discourse", options={"categories": ["waves/5"]})
        missing = crawl(server.url, tmp_path / "2", "discourse", options={"categories": ["waves/6"]})
    assert (summary["code"], len(posts(tmp_path))) == (0, 68)
    assert missing["code"] == 1


def test_answers_votes_roles_and_parents(tmp_path: Path) -> None:
    forum = Discourse({1: ["Why?", *["Because."] * 44]})
    topic = forum.topics[1]
    topic[1] |= {"accepted_answer": True, "moderator": True}
    topic[2] |= {"post_type": 3}
    topic[3] |= {"hidden": True}
    topic[24] |= {"reply_to_post_number": 2}
    topic[43] |= {"reply_to_post_number": 25}
    with serving(forum) as server:
        crawl(server.url, tmp_path, "discourse", options={"license": "CC BY-SA 4.0"})
        base = server.url
    found = bodies(tmp_path, "post")
    assert len(found) == 43
    assert (found["1000"]["kind"], found["1000"]["text"]) == ("question", "Topic 1\n\nWhy?")
    answer = found["1001"]
    assert answer == {
        "post_id": "1001", "lesson_id": "topic/1", "thread_id": "1", "parent_id": "1000", "kind": "answer",
        "author": "ada", "author_names": [], "author_role": "staff", "created_at": "2024-03-01T10:00:00.000Z",
        "votes": 2, "accepted": True, "text": "Because.", "url": f"{base}t/s-1/1/2", "license": "CC BY-SA 4.0",
    }  # fmt: skip
    assert [found[name]["parent_id"] for name in ("1024", "1043", "1044")] == ["1001", "1024", "1000"]
    assert [found[name]["kind"] for name in ("1024", "1043", "1044")] == ["comment", "comment", "answer"]


def test_second_night_brings_the_edit_and_the_tombstones(tmp_path: Path) -> None:
    forum = Discourse({n: [f"Why {n}?", *["Because."] * 30] for n in range(1, 6)})
    with serving(forum) as server:
        crawl(server.url, tmp_path, "discourse")
        server.forget()
        quiet = crawl(server.url, tmp_path, "discourse", options={"revisit": 0})
        assert (server.paths, quiet["changes"]["changed"]) == (["/latest.json"], 0)
        forum.topics[2][30]["cooked"] = "<p>Because of friction.</p>"
        forum.bumped[2] += 1
        del forum.topics[3][25]
        forum.topics[4][1]["user_deleted"] = True
        forum.bumped[4] += 1
        forum.gone.add(5)
        forum.bumped[5] += 1
        changes = crawl(server.url, tmp_path, "discourse")["changes"]
    found = posts(tmp_path)
    assert (changes["changed"], changes["removed"], changes["new"]) == (1, 1 + 1 + 31 + 1, 0)
    assert found["2030"] == "Because of friction."
    assert not {"3025", "4001", "5000"} & set(found)
    assert "topic/5" not in bodies(tmp_path, "lesson")
    before = (tmp_path / "records.jsonl").read_bytes()
    assert crawl(server.url, tmp_path, "discourse", from_raw=True)["code"] == 0
    assert (tmp_path / "records.jsonl").read_bytes() == before


def test_answer_without_the_posts_that_were_asked_for_removes_none(tmp_path: Path) -> None:
    forum = Discourse({n: [f"Why {n}?", *["Because."] * 30] for n in (1, 2)})
    empty = False

    def answer(target: str) -> Answer:
        if empty and target.startswith("/t/2/posts.json"):
            return json_answer({"post_stream": {"posts": []}, "id": 2})
        return forum(target)

    with serving(answer) as server:
        crawl(server.url, tmp_path, "discourse")
        empty = True
        forum.bumped[2] += 1
        summary = crawl(server.url, tmp_path, "discourse", options={"revisit": 0})
        assert (summary["rejects"], summary["changes"]["removed"], len(posts(tmp_path))) == ({"no_posts": 1}, 0, 62)


def test_first_post_by_staff_is_the_lesson(tmp_path: Path) -> None:
    forum = Discourse({1: ["A spring pulls back.", "Why does it?", "It stores energy."], 2: ["Why?"]})
    forum.topics[1][0] |= {"primary_group_name": "tutors"}
    forum.topics[1][2] |= {"reply_to_post_number": 2}
    with serving(forum) as server:
        crawl(server.url, tmp_path, "discourse", options={"staff": ["tutors"]})
    lessons, found = bodies(tmp_path, "lesson"), bodies(tmp_path, "post")
    assert {name: lesson["text"] for name, lesson in lessons.items()} == {
        "topic/1": "A spring pulls back.", "topic/2": "",
    }  # fmt: skip
    assert {name: (post["kind"], post["parent_id"]) for name, post in found.items()} == {
        "1001": ("post", None), "1002": ("answer", "1001"), "2000": ("question", None),
    }  # fmt: skip


def test_maps_say_which_lesson_a_topic_belongs_to(tmp_path: Path) -> None:
    school = Discourse({})
    school.pages = {
        "/lessons/springs": "<h1>Springs</h1><article><p>Hooke found a law.</p></article>"
        '<a rel="license" href="/by">CC BY 4.0</a>',
        "/lessons/waves": "<title>Waves</title><body><nav>Menu</nav><p>Waves carry energy.</p></body>",
    }
    forum = Discourse({1: ["Why?"], 2: ["How?"], 3: ["What?"], 4: ["A lesson."], 5: ["Where?"], 6: ["When?"]})
    forum.category |= {3: 8, 4: 9, 5: 9, 6: 7}
    with serving(school) as lessons_server, serving(forum) as server:
        lessons = f"{lessons_server.url}lessons/"
        forum.topics[1][0]["cooked"] = f'<p>Why? See <a href="{lessons}waves#top">there</a> and <a href="/x">x</a></p>'
        options = {
            "categories": {"physics/5": "basics", "physics/sub/8": f"{lessons}springs", "c/9": 4, "open/7": "rest"},
            "topics": {"2": f"{lessons}waves"},
        }
        summary = crawl(server.url, tmp_path, "discourse", options=options)
        assert sorted(lessons_server.paths) == ["/lessons/springs", "/lessons/waves"]
        tied = {name: post["lesson_id"] for name, post in bodies(tmp_path, "post").items()}
        assert tied == {
            "1000": "basics", "2000": f"{lessons}waves", "3000": f"{lessons}springs", "5000": "topic/4", "6000": "rest",
        }  # fmt: skip
        linked = {"categories": ["physics/5"], "lesson_links": lessons}
        again = crawl(server.url, tmp_path / "linked", "discourse", options=linked)
        changed = crawl(server.url, tmp_path, "discourse", options=linked | {"min_share": 0})
    assert (summary["code"], again["code"], changed["code"]) == (0, 0, 0)
    found = bodies(tmp_path / "linked", "lesson")
    assert {name: lesson["text"] for name, lesson in found.items()} == {
        f"{lessons}waves": "Waves carry energy.", "topic/2": "",
    }  # fmt: skip
    assert bodies(tmp_path, "post")["1000"]["lesson_id"] == f"{lessons}waves"  # other options: read again


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"categories": "physics/5"}, "categories"),
        ({"categories": ["physics"]}, "categories"),
        ({"categories": {"physics/5": None}}, "categories"),
        ({"topics": {"springs": "x"}}, "topics"),
        ({"topics": {"1": "https://school.example.org/springs"}}, "topics.*contact"),
        ({"lesson_links": "lessons"}, "lesson_links"),
        ({"lesson_text": "p["}, "lesson_text"),
        ({"staff": "tutors"}, "staff"),
        ({"license": 4}, "license"),
        ({"categorys": []}, "categorys"),
    ],
)
def test_wrong_options_are_named(tmp_path: Path, options: dict[str, Any], said: str) -> None:
    summary = crawl("http://127.0.0.1:9/", tmp_path, "discourse", options=options)
    assert (summary["code"], summary["reason"]) == (2, "bad spec")
    assert re.search(said, summary["errors"][0]), summary["errors"]


def test_what_is_no_discourse_says_so(tmp_path: Path) -> None:
    with serving(lambda path: text_answer("", 404) if path == "/robots.txt" else html_answer("<p>Hi</p>")) as server:
        summary = crawl(server.url, tmp_path, "discourse")
    assert (summary["code"], summary["rejects"]) == (1, {"html_instead_of_json": 1})
