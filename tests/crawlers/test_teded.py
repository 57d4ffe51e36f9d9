"""TED-Ed: every page class by folders of input and expected output, and crawls of a small site on loopback."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from toy import Answer, Site, crawl, html_answer, records, serving, text_answer

from crawlers.page import PageError
from crawlers.teded.lesson_pages import LessonPage, spoken, with_captions
from crawlers.teded.list_pages import ListPage
from crawlers.teded.quiz_pages import ReviewPage, ThinkPage

FOLDER = Path(__file__).parent / "pages" / "teded"
URL = "http://127.0.0.1:4321/lessons"


def parse_list(html: str, name: str) -> Any:
    page = ListPage(html, f"{URL}.html?direction=desc&page=7" if "2024" in name else f"{URL}?page=1")
    return {"lessons": [list(lesson) for lesson in page.lessons()], "next": page.next_urls()}


def parse_lesson(html: str, name: str) -> Any:
    page = LessonPage(html, f"{URL}/how-moss-drinks")
    return {
        "lesson": page.lesson("Biology"), "youtube_id": page.youtube_id, "captions": page.caption_urls,
        "review": page.review_urls, "is_old": page.is_old,
    }  # fmt: skip


def parse_think(html: str, name: str) -> Any:
    page = ThinkPage(html, f"{URL}/how-moss-drinks/think?question_number=3")
    return None if page.is_end else {"quiz": page.quiz("how-moss-drinks"), "next": page.next_urls()}


def parse_review(html: str, name: str) -> Any:
    return ReviewPage(html, f"{URL}/how-moss-drinks/review_open").quizzes("how-moss-drinks")


PARSERS: dict[str, Callable[[str, str], Any]] = {
    "list": parse_list, "lesson": parse_lesson, "think": parse_think, "review": parse_review,
}  # fmt: skip


@pytest.mark.parametrize("folder", sorted(FOLDER.iterdir()), ids=lambda folder: folder.name)
def test_page_gives_expected_records(folder: Path) -> None:
    expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    html = (folder / "input.html").read_text(encoding="utf-8")
    assert PARSERS[folder.name.partition("_")[0]](html, folder.name) == expected


class TedEd:
    """A small TED-Ed in the markup of 2024 or 2017: lessons with captions and questions."""

    def __init__(self, year: int, lessons: int = 5) -> None:
        self.year = year
        self.questions: dict[str, list[dict[str, Any]]] = {f"lesson-{n}": [] for n in range(lessons)}
        for number, asked in enumerate(self.questions.values()):
            asked += [{"text": f"Which {n}?", "options": ["One", "Two", "Six"], "answer": n % 3} for n in range(number)]
            asked.append({"text": "How would you know?", "options": [], "answer": None})
        self.nonce = 0  # pages of a real site are never twice the same

    def __call__(self, target: str) -> Answer | None:
        self.nonce += 1
        parts = urlsplit(target)
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        steps = parts.path.strip("/").split("/")
        if steps == ["lessons.html" if self.year == 2024 else "lessons"]:
            return self.listing(int(query.get("page", 1)))
        if steps[0] == "captions" and len(steps) == 2:
            return text_answer(
                f"WEBVTT\n\n00:01.000 --> 00:02.000\nAbout {steps[1]}.\n\n00:03.000 --> 00:04.000\n(Music)\n"
            )
        slug = steps[1] if len(steps) > 1 and steps[0] == "lessons" else ""
        if slug not in self.questions:
            return text_answer("no such page", 404)
        if len(steps) == 2:
            return self.lesson(slug)
        if steps[2] == "think" and self.year == 2024:
            return self.think(slug, int(query["question_number"]))
        return self.review(slug) if steps[2] == "review_open" and self.year == 2017 else text_answer("", 404)

    def page(self, content: str) -> Answer:
        return html_answer(
            f'<html><meta name="csrf" content="{self.nonce}"><main id="main-content">{content}</main></html>'
        )

    def listing(self, number: int) -> Answer:
        slugs = list(self.questions)[(number - 1) * 2 : number * 2]
        if self.year == 2024:
            cards = "".join(f'<a href="/lessons/{slug}">{slug}</a>' for slug in slugs)
            return self.page(f'<div id="lessons-grid">{cards}</div>')
        cards = "".join(f'<div class="video-text"><a href="/lessons/{slug}">{slug}</a></div>' for slug in slugs)
        last = -(-len(self.questions) // 2)
        return self.page(f'{cards}<li class="last next"><a href="/lessons?page={last}">Last</a></li>')

    def lesson(self, slug: str) -> Answer:
        video = f"https://www.youtube.com/embed/{slug:_<11}?rel=0"
        if self.year == 2024:
            frame = f'<iframe data-ui--youtube-video-target="frame" src="{video}"></iframe>'
            return self.page(f"<article><h1>About {slug}</h1>{frame}</article>")
        think = '<a id="think-link" href="#">Think</a>' if self.questions[slug] else ""
        return self.page(f'<h1>About {slug}</h1><iframe id="playerContainer" src="{video}"></iframe>{think}')

    def think(self, slug: str, number: int) -> Answer:
        if number > len(self.questions[slug]):
            return self.page("<p>Question not found</p>")
        asked = self.questions[slug][number - 1]
        if not asked["options"]:
            return self.page(f'<div class="w-full max-w-lg"><h2>{asked["text"]}</h2></div>')
        labels = "".join(
            f'<label class="cursor-pointer"><span class="rounded-full {"bg-correct-green" * (n == asked["answer"])}">'
            f'{"ABC"[n]}</span><div class="leading-6">{text}</div></label>'
            for n, text in enumerate(asked["options"])
        )
        return self.page(f'<legend>{asked["text"]}</legend>{labels}<button data-seconds="{number * 10}">Hint</button>')

    def review(self, slug: str) -> Answer:
        blocks = []
        for position, asked in enumerate(self.questions[slug]):
            if asked["options"]:
                options = "".join(
                    f'<div class="clearfix a answer {"correct" * (n == asked["answer"])}"><b>{"ABC"[n]}</b>{text}</div>'
                    for n, text in enumerate(asked["options"])
                )
                inner = (
                    f'<div class="question scroll uiScroll text-ultralight"><h4>{asked["text"]}</h4>{options}</div>'
                    f'<button class="btnWhite vid" data-seconds="{(position + 1) * 10}">Hint</button>'
                )
            else:
                inner = f'<div class="panel-response"><div><h5>{asked["text"]}</h5></div></div>'
            blocks.append(f'<div data-position="{position}">{inner}</div>')
        return self.page("".join(blocks))


def night(server: Site, folder: Path, **options: Any) -> dict[str, Any]:
    captions = {"captions": f"{server.url}captions/{{youtube_id}}", "license": "CC BY-NC-ND 4.0", "revisit": 0}
    return crawl(server.url, folder, "teded", options=captions | options)


def found(folder: Path, kind: str) -> dict[str, dict[str, Any]]:
    bodies = [record["body"] for record in records(folder) if record["type"] == kind]
    named = {body[f"{kind}_id"]: body for body in bodies}
    assert len(named) == len(bodies)
    return named


@pytest.mark.parametrize("year", [2024, 2017])
def test_nothing_is_lost(year: int, tmp_path: Path) -> None:
    site = TedEd(year)
    with serving(site) as server:
        summary = night(server, tmp_path)
    assert (summary["code"], summary["rejects"], summary["refused"]) == (0, {}, {})
    lessons, quizzes = found(tmp_path, "lesson"), found(tmp_path, "quiz")
    assert list(lessons) == list(site.questions)
    assert lessons["lesson-3"]["captions"] == [{"start": 1.0, "end": 2.0, "text": "About lesson-3___."}]
    assert (lessons["lesson-3"]["license"], lessons["lesson-3"]["kind"]) == ("CC BY-NC-ND 4.0", "video")
    assert len(quizzes) == 15
    for slug, asked in site.questions.items():
        for number, question in enumerate(asked, 1):
            quiz = quizzes[f"{slug}/{number}"]
            assert {name: quiz[name] for name in question} == question
            assert quiz["hint_seconds"] == (number * 10 if question["options"] else None)
            assert quiz["kind"] == ("multiple_choice" if question["options"] else "open")


def test_both_generations_give_the_same_records(tmp_path: Path) -> None:
    bodies = []
    for year in (2024, 2017):
        with serving(TedEd(year)) as server:
            night(server, tmp_path / str(year))
        bodies.append([record["body"] for record in records(tmp_path / str(year))])
    assert bodies[0] == bodies[1]


@pytest.mark.parametrize("year", [2024, 2017])
def test_second_night_sees_edits_and_deletions(year: int, tmp_path: Path) -> None:
    site = TedEd(year)
    with serving(site) as server:
        night(server, tmp_path)
        before = (tmp_path / "records.jsonl").read_bytes()
        server.forget()
        quiet = night(server, tmp_path)
        assert quiet["changes"] == {"new": 0, "changed": 0, "removed": 0, "returned": 0}
        assert [path for path in server.paths if "/lessons/" in path] == []
        assert night(server, tmp_path, revisit=1)["changes"] == quiet["changes"]
        assert (tmp_path / "records.jsonl").read_bytes() == before  # captions too, though the lesson's page was new
        site.questions["lesson-4"][1]["options"][2] = "Seven"
        site.questions["lesson-3"].pop()
        del site.questions["lesson-2"]  # with three questions
        site.questions["lesson-9"] = []
        summary = night(server, tmp_path, revisit=1)
        assert summary["changes"] == {"new": 1, "changed": 1, "removed": 5, "returned": 0}
    quizzes = found(tmp_path, "quiz")
    assert quizzes["lesson-4/2"]["options"] == ["One", "Two", "Seven"]
    assert "lesson-3/4" not in quizzes
    assert "lesson-2" not in found(tmp_path, "lesson")


def test_licence_that_is_given_later_reaches_known_lessons(tmp_path: Path) -> None:
    with serving(TedEd(2024, 2)) as server:
        for license in ("CC BY-NC-ND 4.0", "CC BY 4.0"):
            night(server, tmp_path, license=license)
            assert {lesson["license"] for lesson in found(tmp_path, "lesson").values()} == {license}


def test_lesson_whose_captions_are_gone_is_a_lesson_without_them(tmp_path: Path) -> None:
    with serving(TedEd(2024, 2)) as server:
        assert night(server, tmp_path, captions=f"{server.url}nowhere/{{youtube_id}}.vtt")["code"] == 0
    assert {lesson.get("captions") for lesson in found(tmp_path, "lesson").values()} == {None}
    assert len(found(tmp_path, "quiz")) == 3


def test_captions_may_be_on_another_host(tmp_path: Path) -> None:
    with serving(TedEd(2024, 2)) as server, serving(TedEd(2024)) as other:
        night(server, tmp_path, captions=f"{other.url}captions/{{youtube_id}}")
        assert sorted(other.paths) == ["/captions/lesson-0___", "/captions/lesson-1___"]
        assert next(path for _, path, _ in other.asked) == "/robots.txt"
    assert all(lesson["captions"] for lesson in found(tmp_path, "lesson").values())


def test_question_of_another_layout_is_counted_and_removes_nothing(tmp_path: Path) -> None:
    site = TedEd(2024)
    with serving(site) as server:
        night(server, tmp_path)
        before = found(tmp_path, "quiz")
        site.think = lambda slug, number: site.page("<h2>Something new</h2>")  # type: ignore[method-assign]  # noqa: ARG005
        summary = night(server, tmp_path, revisit=1)
    assert summary["rejects"] == {"unexpected_page": 5}
    assert (found(tmp_path, "quiz"), summary["changes"]["removed"]) == (before, 0)


def test_questions_that_never_end_are_cut(tmp_path: Path) -> None:
    site = TedEd(2024, 1)
    question = site.page('<div class="w-full max-w-lg"><h2>Why?</h2></div>')
    site.think = lambda slug, number: question  # type: ignore[method-assign]  # noqa: ARG005
    with serving(site) as server:
        summary = night(server, tmp_path)
    assert (summary["rejects"], len(found(tmp_path, "quiz"))) == ({"endless_listing": 1}, 49)


def test_archive_gives_the_same_records_again(tmp_path: Path) -> None:
    with serving(TedEd(2017)) as server:
        night(server, tmp_path)
        captions = f"{server.url}captions/{{youtube_id}}"
    before = (tmp_path / "records.jsonl").read_bytes()
    options = {"captions": captions, "license": "CC BY-NC-ND 4.0"}
    replayed = crawl(server.url, tmp_path, "teded", options=options, from_raw=True)
    assert (replayed["code"], (tmp_path / "records.jsonl").read_bytes()) == (0, before)


def test_captions_without_a_place_for_the_video_are_refused(tmp_path: Path) -> None:
    summary = crawl("http://127.0.0.1:9/", tmp_path, "teded", options={"captions": "https://captions.example.org/"})
    assert (summary["code"], "youtube_id" in summary["errors"][0]) == (2, True)


def test_page_of_another_layout_says_what_is_missing() -> None:
    with pytest.raises(PageError, match="title"):
        LessonPage("<p>Under maintenance</p>", URL).lesson(None)
    for page in (ReviewPage("<p>None</p>", URL), ReviewPage('<div data-position="0"><p>New</p></div>', URL)):
        with pytest.raises(PageError, match="layout"):
            page.quizzes("one")
    with pytest.raises(PageError, match="leading-6"):
        ThinkPage('<legend>Why?</legend><label class="cursor-pointer">A</label>', URL).quiz("one")


def test_transcript_holds_only_what_is_spoken() -> None:
    assert spoken("Translator: Ann\nReviewer: Ben\n\nA bang (Explosion) wakes\n(Music)\nher (and us).") == (
        "A bang wakes\nher (and us)."
    )
    assert with_captions({"text": "kept"}, "no captions here", URL) == {"text": "kept"}
    hostile = "(A" * 100_000 + "Translator" * 10_000
    assert len(spoken(hostile)) == len(hostile)
