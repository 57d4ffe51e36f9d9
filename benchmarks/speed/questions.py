"""How fast questions are extracted, from Arrow to Arrow on one core, beside NLTK's Punkt on the same posts."""

import random
import time
from pathlib import Path

import pyarrow as pa

from crawlers.campus.content import DEFAULT_FOLDER, read_campus
from expectations import table
from transforms import punkt
from transforms.questions import extract_questions

POSTS = 200_000
SHARE_ASKING = 0.36  # of LearningQ's posts; the rest hold no question mark
PARAMS = {"languages": ["en"], "splitter": "sentencex"}


def campus_texts(folder: Path = DEFAULT_FOLDER) -> list[str]:
    """The posts of the bundled campus."""
    return [
        post["body"] for lesson in read_campus(folder).values() for thread in lesson.threads for post in thread["posts"]
    ]


def posts_table(count: int = POSTS, share: float = SHARE_ASKING) -> pa.Table:
    """Campus posts, drawn at random and numbered so that no two are alike, of which this share asks."""
    texts, chance = campus_texts(), random.Random(1)
    asking, telling = [t for t in texts if "?" in t], [t for t in texts if "?" not in t]
    rows = []
    for number in range(count):
        text = chance.choice(asking if chance.random() < share else telling)
        rows.append(f"{text} [{number}]" if "?" not in text else text.replace("?", f" {number}?", 1))
    numbers = range(count)
    columns = {
        "post_id": [f"bench:{n}" for n in numbers],
        "source": ["bench"] * count,
        "lesson_id": [f"bench:lesson-{n % 2000}" for n in numbers],
        "thread_id": [f"bench:{n}" for n in numbers],
        "kind": ["post"] * count,
        "accepted": [False] * count,
        "text": rows,
        "language": ["en"] * count,
    }
    schema = table("posts").schema
    return pa.table([pa.array(columns.get(f.name, [None] * count), f.type) for f in schema], schema=schema)


def report() -> None:
    """Print posts per second, and the ratio to Punkt in the same run."""
    posts = posts_table()
    began = time.process_time()
    result = extract_questions({"posts": posts}, PARAMS)
    rate = len(posts) / (time.process_time() - began)
    some = posts["text"][:5000].to_pylist()
    punkt.find_questions("Warm up?", "en")
    began = time.process_time()
    for text in some:
        punkt.find_questions(text, "en")
    baseline = len(some) / (time.process_time() - began)
    busy = posts_table(50_000, share=1.0)
    built = time.process_time()
    extract_questions({"posts": busy}, PARAMS)
    all_ask = len(busy) / (time.process_time() - built)
    found = len(result.tables["questions"])
    print(f"questions: {rate:,.0f} posts/cpu-s, Arrow to Arrow ({found:,} questions in {len(posts):,} posts)")
    print(f"questions: {all_ask:,.0f} posts/cpu-s when every post holds a question mark")
    print(f"questions: NLTK Punkt {baseline:,.0f} posts/cpu-s, splitting only; ratio {rate / baseline:.1f}")


if __name__ == "__main__":
    report()
