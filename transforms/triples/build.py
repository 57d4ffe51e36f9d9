"""Draft triples from every question and its answers (KhanQ section 3 and Appendix A)."""

from collections import defaultdict
from itertools import groupby, product
from typing import Any

from transforms.digest import digest
from transforms.privacy import scrub
from transforms.result import Ledger, Params, Result, Tables
from transforms.triples.asking import LONGEST_POST, Asked, ask_all
from transforms.triples.dictionary import Vocabulary
from transforms.triples.gates import kept_out
from transforms.triples.pairing import make_contexts

Row = dict[str, Any]
_OF_LESSON = ["lesson_id", "title", "url", "subject", "text"]


def _answers(posts: list[Row]) -> dict[tuple[str, str], list[Row]]:
    """The answers to each post of a lesson, oldest first; one that names no post of it answers the thread's first."""
    known = {(p["lesson_id"], p["post_id"]) for p in posts}
    opening: dict[tuple[str, str], str] = {}
    for post in posts:
        if post["kind"] in ("question", "post"):
            opening.setdefault((post["lesson_id"], post["thread_id"]), post["post_id"])
    found: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for post in posts:
        if post["kind"] == "answer":
            lesson_id, parent = post["lesson_id"], post["parent_id"]
            if (lesson_id, parent) not in known:
                parent = opening.get((lesson_id, post["thread_id"]))
            if parent is not None:
                found[lesson_id, parent].append(post)
    return found


def _ends(inputs: Tables) -> dict[str, float]:
    """The second at which the last sentence of each lesson has been spoken, for lessons with times."""
    rows = inputs["sentences"].group_by("lesson_id").aggregate([("end_seconds", "max")]).to_pylist()
    return {row["lesson_id"]: row["end_seconds_max"] for row in rows if row["end_seconds_max"] is not None}


def build_triples(inputs: Tables, params: Params, model: object = None) -> Result:
    """Input: questions, posts, lessons, sentences. Output: triples.

    A unit is a pair of question and answer; a question without an answer, or asked inside an answer, is one unit.

    Rejects: `not_asked_first`, `no_answer`; for the question `not_a_question`, `no_prompt`, `needs_calculation`,
    `cites_missing_media`, `definition`, `prompt_of_later_question`, `empty_after_editing`; for the pair
    `not_understood`, `answer_too_short`, `answer_not_standalone`, `answer_does_not_answer`,
    `answer_needs_background`, `same_answer` (merged). If the settings ask for it, `not_useful` and `no_span`.
    """
    ledger = Ledger("triples")
    columns = ["post_id", "lesson_id", "thread_id", "parent_id", "kind", "created_at", "text", "license", "language"]
    order = [("created_at", "ascending"), ("post_id", "ascending")]
    posts = inputs["posts"].select(columns).sort_by(order).to_pylist()
    by_id = {(p["lesson_id"], p["post_id"]): p for p in posts}
    answers, ends, gated = _answers(posts), _ends(inputs), kept_out(inputs, params)
    lessons = {row["lesson_id"]: row for row in inputs["lessons"].select(_OF_LESSON).to_pylist()}
    order = [(name, "ascending") for name in ("lesson_id", "post_id", "start_char", "question_id")]
    rows = inputs["questions"].sort_by(order).to_pylist()
    for (lesson_id, post_id), group in groupby(rows, key=lambda row: (row["lesson_id"], row["post_id"])):
        questions, post = list(group), by_id.get((lesson_id, post_id))
        replies = answers.get((lesson_id, post_id), [])
        if post is None or post["kind"] not in ("question", "post") or not replies:
            reason = "no_answer" if post and post["kind"] in ("question", "post") else "not_asked_first"
            for question in questions:
                ledger.reject(lesson_id, question["question_id"], reason, detail=post_id, text=question["text"])
            continue
        found = ask_all(post["text"], questions, [r["text"][:LONGEST_POST] for r in replies], ends.get(lesson_id))
        for question, asked in zip(questions, found, strict=True):
            if why := asked.reason or gated.get(question["question_id"]):
                for reply in replies:
                    detail = asked.detail or reply["post_id"]
                    ledger.reject(lesson_id, question["question_id"], why, detail=detail, text=question["text"])
            else:
                _pair(ledger, question, post, replies, asked, lessons.get(lesson_id, {}), params["min_context_words"])
    return ledger.result("triples")


def _pair(
    ledger: Ledger, question: Row, post: Row, replies: list[Row], asked: Asked, lesson: Row, minimum: int
) -> None:
    """Write one triple for each context of a question, and a reject for each answer that makes none.

    A choice is two questions with one prompt (KhanQ A.2): each has every context, and the pair counts once.
    """
    lesson_id, question_id = question["lesson_id"], question["question_id"]
    title = lesson.get("title") or ""
    options = (asked.question, *asked.others)
    found = make_contexts(replies, question["text"], " ".join((asked.prompt, *options, title)), minimum)
    triple_ids = []
    vocabulary = Vocabulary(f"{title} {lesson.get('text') or ''}", [p["text"] for p in (post, *replies)])
    correct = vocabulary.correct if post["language"] == "en" else str
    for (number, option), context in product(enumerate(options), found.kept):
        ids = [answer["post_id"] for answer in context.answers]
        # Named by its answers, not by their rank: a review stays when another answer comes or goes.
        triple_ids.append(digest("triple", question_id, ids, number))
        # The question stays as it was asked: the annotators left words in theirs that no rule is sure of.
        said, prompt = correct(context.text), correct(asked.prompt)
        spelling = () if (said, prompt) == (context.text, asked.prompt) else ("spelling",)
        licenses = {p["license"] for p in (post, *context.answers)}
        ledger.add(
            "triples",
            {
                "triple_id": triple_ids[-1],
                "question_id": question_id,
                "lesson_id": lesson_id,
                "answer_post_ids": ids,
                "context": said,
                "prompt": prompt,
                "question": option,
                "prompt_type": asked.prompt_type,
                "edits": list(dict.fromkeys((*asked.edits, *context.edits, *spelling))),
                # KhanQ A.6: what identifies the origin: a lesson without a title has its address, or else its own id.
                "title": title.strip() or scrub(lesson.get("url") or lesson_id.partition(":")[2]),
                "subject": lesson.get("subject"),
                "license": licenses.pop() if len(licenses) == 1 else None,
                "source_version": digest(post["text"], [answer["text"] for answer in context.answers]),
            },
        )
    for context in found.kept:
        ledger.keep(lesson_id, len(context.answers))
    for answer, reason in found.dropped:
        ledger.reject(lesson_id, question_id, reason, detail=answer["post_id"], text=answer["text"][:500])
    for answer, ordinal in found.merged:
        kept = triple_ids[ordinal]
        text = answer["text"][:500]
        ledger.reject(lesson_id, question_id, "same_answer", detail=answer["post_id"], text=text, merged_into=kept)
