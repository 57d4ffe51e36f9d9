"""A generated corpus of any size, for measuring speed: the campus' own posts, varied so that no two are equal."""

import json
import random
from pathlib import Path

from crawlers.campus.content import read_campus
from flows.settings import CAMPUS

PER_LESSON = 120


def write(folder: Path, posts: int, seed: int = 1) -> None:
    """Write lessons.jsonl and posts.jsonl with about this many posts."""
    folder.mkdir(parents=True, exist_ok=True)
    chance = random.Random(seed)
    lessons, threads = _campus()
    count = 0
    with (folder / "lessons.jsonl").open("w") as lesson_file, (folder / "posts.jsonl").open("w") as post_file:
        for number in range(posts // PER_LESSON + 1):
            if count >= posts:
                break
            text, captions = lessons[number % len(lessons)]
            row = {"lesson_id": number, "title": f"Lesson {number}", "text": text, "captions": captions}
            lesson_file.write(json.dumps(row) + "\n")
            for position in range(min(PER_LESSON, posts - count)):
                asked, answered = chance.choice(threads)
                thread = position - position % 3
                kind = "question" if position % 3 == 0 else "answer"
                said = asked if kind == "question" else answered
                post = {
                    "post_id": f"{number}-{position}",
                    "lesson_id": number,
                    "thread_id": f"{number}-{thread}",
                    "parent_id": None if kind == "question" else f"{number}-{thread}",
                    "kind": kind,
                    "author": f"person {chance.randrange(5000)}",
                    "text": f"{said} Variant {chance.randrange(10**9)}." if kind == "answer" else said,
                }
                post_file.write(json.dumps(post) + "\n")
                count += 1


def edit(folder: Path, share: float) -> None:
    """Add one post to this share of the lessons, spread evenly: a night."""
    lessons = sum(1 for _ in (folder / "lessons.jsonl").open())
    step = max(int(1 / share), 1)
    with (folder / "posts.jsonl").open("a") as file:
        for number in range(0, lessons, step):
            post = {"post_id": f"new-{number}", "lesson_id": number, "text": f"What is new in lesson {number} today?"}
            file.write(json.dumps(post) + "\n")


def _campus() -> tuple[list[tuple[str, list[dict[str, object]]]], list[tuple[str, str]]]:
    """Texts or captions of the campus' lessons, and pairs of a question and an answer from its threads."""
    lessons, pairs = [], []
    for lesson in read_campus(CAMPUS).values():
        lessons.append((lesson.body, [{"start": c.start, "text": c.text} for c in lesson.captions]))
        posts = [post for thread in lesson.threads for post in thread["posts"]]
        texts = {post["id"]: post["body"] for post in posts}
        pairs += [(texts[p["parent"]], p["body"]) for p in posts if p["kind"] == "answer" and p["parent"] in texts]
    return lessons, pairs
