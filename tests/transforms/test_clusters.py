"""Near-duplicates are found, linked through others, and kept in one part of the dataset."""

import random
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from expectations import table
from transforms.clusters import cluster_triples, sign_triples
from transforms.near_duplicates import alike, sketch
from transforms.splits import split_triples
from transforms.wordings import PARTS, word_triples

EDITS = pa.schema([(name, pa.string()) for name in ("triple_id", "draft", "source_version", *PARTS)]).empty_table()

QUESTION = "Why does the water on the far side of the earth rise twice every single day"
CONTEXT = (
    "The pull of the moon gets weaker with distance, so the solid earth is drawn away from the water on the far side, "
    "which stays behind as a second bulge while the earth turns below both of them once a day."
)


def are_alike(one: str, other: str) -> bool:
    return bool(list(alike(np.array([sketch(one), sketch(other)], dtype=np.uint64))))


def changed(text: str, seed: int) -> str:
    words = text.split()
    words[random.Random(seed).randrange(len(words))] = "zebra"
    return " ".join(words)


@pytest.mark.parametrize("seed", range(5))
def test_one_word_replaced_leaves_a_near_duplicate(seed: int) -> None:
    assert are_alike(QUESTION, changed(QUESTION, seed))
    assert are_alike(CONTEXT, changed(changed(CONTEXT, seed), seed + 1))


@pytest.mark.parametrize(
    "other", [QUESTION.upper() + "?!", CONTEXT + " That is all that one has to know about it.", QUESTION + " and night"]
)
def test_case_marks_and_a_sentence_more_change_little(other: str) -> None:
    assert are_alike(QUESTION if other.lower().startswith("why") else CONTEXT, other)


def test_one_form_about_different_things_is_no_near_duplicate() -> None:
    assert not are_alike("What is the role of zinc in the coat of iron?", "What is the role of salt in the water?")
    assert not are_alike("Why is the sky blue?", "How does rust form?")


def test_texts_without_words_are_alike_only_when_equal() -> None:
    assert are_alike("???", "???")
    assert not are_alike("???", "")


def triples(*rows: tuple[str, str, str, str]) -> pa.Table:
    """Triples as (lesson, prompt, question, context)."""
    common: dict[str, Any] = {
        "answer_post_ids": [],
        "prompt_type": "citation",
        "edits": [],
        "title": "",
        "source_version": "",
    }
    return pa.Table.from_pylist(
        [
            {**common, "triple_id": f"t{number}", "question_id": f"q{number}", "lesson_id": lesson, "prompt": prompt,
             "question": question, "context": context}
            for number, (lesson, prompt, question, context) in enumerate(rows)
        ],
        schema=table("triples").schema,
    )  # fmt: skip


def splits(rows: pa.Table, method: str = "lesson") -> dict[str, dict[str, Any]]:
    wordings = word_triples({"triples": rows, "edits": EDITS}, {}).tables["wordings"]
    signatures = sign_triples({"triples": rows, "wordings": wordings}, {}).tables["signatures"]
    clusters = cluster_triples({"signatures": signatures}, {}).tables["clusters"]
    found = split_triples({"clusters": clusters}, {"method": method, "shares": (0.5, 0.25, 0.25)}).tables["splits"]
    return {row["triple_id"]: row for row in found.to_pylist()}


def test_lessons_that_share_a_question_or_a_context_stand_in_one_part() -> None:
    """Forty lessons, each with a variant of one question: no two parts may hold it."""
    rows = [(f"l{n}", "Tides come.", changed(QUESTION, n), f"{n} {changed(CONTEXT[::-1], n)}") for n in range(40)]
    rows += [(f"m{n}", "It rains.", f"Is number {n} a {n * n}?", changed(CONTEXT, n)) for n in range(40)]
    found = splits(triples(*rows))
    for group in ("l", "m"):
        assert len({row["cluster_id"] for row in found.values() if row["lesson_id"][0] == group}) == 1
        assert len({row["split"] for row in found.values() if row["lesson_id"][0] == group}) == 1


def test_a_short_question_is_compared_with_its_prompt() -> None:
    rows = [(f"l{n}", prompt, question, f"a{n} b{n} c{n}") for n, (prompt, question) in enumerate(
        (("Iron rusts in water.", "Why is that?"), ("The sky is blue at noon.", "Why's that?"),
         ("Iron rusts in the water.", "Why is that so?")))]  # fmt: skip
    found = splits(triples(*rows))
    assert found["t0"]["cluster_id"] == found["t2"]["cluster_id"] != found["t1"]["cluster_id"]


def test_equal_questions_stand_in_one_part_however_short() -> None:
    rows = [(f"l{n}", f"Number {n} is {n * n}", "What happens" + "?" * (n % 3), f"{n} {n + 1}") for n in range(20)]
    assert len({row["split"] for row in splits(triples(*rows)).values()}) == 1


def test_the_random_method_divides_by_triple() -> None:
    rows = [("one", "It rains.", f"Is number {n} a {n * n}?", f"{n} {n + 1} {n + 2}") for n in range(40)]
    assert {row["split"] for row in splits(triples(*rows)).values()} != {
        row["split"] for row in splits(triples(*rows), "random").values()
    }
