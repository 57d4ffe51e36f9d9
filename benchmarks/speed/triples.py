"""How many question-answer pairs a second become drafts, beside the mere splitting of their text into sentences."""

import time
from concurrent.futures import ProcessPoolExecutor
from itertools import islice, product
from typing import Any

import pyarrow as pa

from expectations import table
from transforms.questions import extract_questions
from transforms.result import Tables
from transforms.sentences import split
from transforms.triples.build import build_triples

Row = dict[str, Any]
THREADS = 4_000
PARAMS = {"min_context_words": 16, "languages": ["en"]}

_OPENINGS = (
    "If {a} is heavier than {b}, ",
    "I know that {a} is heavier than {b}. ",
    "Hello! At night, ",
    "Is {a} heavier than {b}? If so, ",
    "",
)
_QUESTIONS = ("why does {b} sink?", "how can I tell {a} from {b}?", "does {a} float on {b} or not?", "what is {a}?")
_ANSWERS = (
    "Yes, {a} is heavier than {b}, because its grains lie closer to each other. When they are stirred together, {b}"
    " stays above and {a} goes down, which takes a minute or two. In a shaken jar the order may turn around, since the"
    " small grains of {a} slip below the large ones of {b}. Hope this helps!",
    "They are the same.",
    "{a} and {b} differ in size more than in weight, so one has to weigh equal volumes of both. See"
    " https://example.org/weights for a table. Do you have a scale at home?",
)
_THINGS = ("sand", "salt", "chalk", "flour", "gravel", "amber", "pumice", "clay")


def threads(count: int) -> list[tuple[str, list[str]]]:
    """Threads of our own making: half of their pairs end as triples, half under many reasons."""
    found = []
    pairs = ((a, b) for a, b in product(_THINGS, _THINGS) if a != b)
    kinds = list(product(_OPENINGS, _QUESTIONS, pairs))
    for number in range(count):
        opening, question, (a, b) = kinds[number % len(kinds)]
        answers = islice((_ANSWERS[(number + i) % len(_ANSWERS)] for i in range(2)), 2)
        found.append(((opening + question).format(a=a, b=b), [answer.format(a=a, b=b) for answer in answers]))
    return found


def kept_threads(count: int) -> list[tuple[str, list[str]]]:
    """Threads of which every pair becomes a triple, the most work there is."""
    pairs = [(a, b) for a, b in product(_THINGS, _THINGS) if a != b]
    chosen = [pairs[number % len(pairs)] for number in range(count)]
    return [((_OPENINGS[0] + _QUESTIONS[0]).format(a=a, b=b), [_ANSWERS[0].format(a=a, b=b)]) for a, b in chosen]


def tables(posts: list[tuple[str, list[str]]]) -> Tables:
    """The tables that the stage reads, each thread in a lesson of its own."""
    rows: list[Row] = []
    blank = {f.name: None if f.nullable else "" for f in table("posts").schema} | {"accepted": False, "language": "en"}
    for number, (question, answers) in enumerate(posts):
        name = f"s:{number:06}"
        base = {**blank, "lesson_id": name, "thread_id": name}
        rows.append({**base, "post_id": name, "kind": "question", "text": question})
        for i, answer in enumerate(answers):
            rows.append({**base, "post_id": f"{name}-{i}", "parent_id": name, "kind": "answer", "text": answer})
    empty = {name: table(name).empty() for name in ("lessons", "sentences")}
    found = {"posts": pa.Table.from_pylist(rows, schema=table("posts").schema), **empty}
    return {**found, "questions": extract_questions(found, PARAMS).tables["questions"]}


def _pairs(inputs: Tables) -> int:
    """Build, and count the pairs; questions inside answers are none."""
    result = build_triples(inputs, PARAMS)
    units = sum(units.rows_in for units in result.units.values())
    return units - list(result.rejects["reason"].to_pylist()).count("not_asked_first")


def report() -> None:
    """Print pairs a second on one core and on two, and the ratio to splitting the same text into sentences."""
    posts = threads(THREADS)
    inputs = tables(posts)
    _pairs(inputs)  # load what is loaded on first use
    begin = time.process_time()
    pairs = _pairs(inputs)
    one = time.process_time() - begin
    begin = time.process_time()
    for question, answers in posts:
        for text in (question, *answers):
            split(text)
    baseline = time.process_time() - begin
    inputs = tables(kept_threads(THREADS))
    begin = time.process_time()
    kept = _pairs(inputs) / (time.process_time() - begin)
    halves = [tables(posts[: THREADS // 2]), tables(posts[THREADS // 2 :])]
    with ProcessPoolExecutor(2) as pool:
        list(pool.map(_pairs, halves))  # start the processes
        begin = time.perf_counter()
        both = sum(pool.map(_pairs, halves))
        two = time.perf_counter() - begin
    print(f"triples: {pairs:,} pairs, {pairs / one:,.0f} per CPU second; {both / two:,.0f} a second by 2 processes")
    print(f"triples: {kept:,.0f} pairs per CPU second when every pair is kept")
    print(f"triples: {one / baseline:.1f} times the time of splitting the same text into sentences")
