"""Draft triples from every question and its answers (KhanQ section 3 and Appendix A)."""

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from transforms.digest import digest
from transforms.result import Ledger, Params, Result, Tables
from transforms.triples.answer_filters import answer_reason, contradict
from transforms.triples.contexts import make_context
from transforms.triples.prompts import Draft, draft
from transforms.triples.question_filters import not_a_question, not_understood, question_reason
from transforms.triples.rewrites import PROMPT_RULES, QUESTION_RULES, rewrite, tidy

Row = dict[str, Any]
# What is read of one post: no prompt or paragraph that a person would keep is longer.
_LONGEST_POST = 20_000
_JOINABLE = ("answer_too_short", "answer_not_standalone")


@dataclass(frozen=True)
class Asked:
    """A question after A.1, A.2 and A.5: its parts, or the reason why it makes no triple."""

    prompt: str = ""
    question: str = ""
    prompt_type: str = ""
    edits: tuple[str, ...] = ()
    reason: str | None = None


def ask(text: str, start: int, end: int, last_start: float | None) -> Asked:
    """Split, filter and rewrite the question at these offsets of a post."""
    if end > _LONGEST_POST:
        return Asked(reason="no_prompt")
    sentence = text[start:end]
    if not_a_question(tidy(sentence)):
        return Asked(reason="not_a_question")
    found = draft(text, start, end)
    parts = found or Draft("", tidy(sentence), "")
    reason = question_reason(parts.prompt, parts.question, parts.prompt_type, last_start)
    if reason or found is None:
        return Asked(reason=reason or "no_prompt")
    prompt, prompt_edits = rewrite(found.prompt, PROMPT_RULES)
    question, question_edits = rewrite(found.question, QUESTION_RULES)
    if not any(c.isalnum() for c in prompt) or not any(c.isalnum() for c in question):
        return Asked(reason="empty_after_editing")
    return Asked(prompt, question, found.prompt_type, (*prompt_edits, *question_edits))


def _answers(posts: list[Row]) -> dict[str, list[Row]]:
    """The answers to each post, oldest first; those that name no known parent answer the thread's first post."""
    known = {p["post_id"] for p in posts}
    opening: dict[tuple[str, str], str] = {}
    for post in posts:
        if post["kind"] in ("question", "post"):
            opening.setdefault((post["lesson_id"], post["thread_id"]), post["post_id"])
    found: dict[str, list[Row]] = defaultdict(list)
    for post in posts:
        if post["kind"] == "answer":
            parent = post["parent_id"] if post["parent_id"] in known else None
            parent = parent or opening.get((post["lesson_id"], post["thread_id"]))
            if parent is not None:
                found[parent].append(post)
    return found


def _last_starts(inputs: Tables) -> dict[str, float]:
    """When the last sentence of each lesson starts, for lessons with times."""
    grouped = inputs["sentences"].group_by("lesson_id").aggregate([("start_seconds", "max")])
    pairs = zip(grouped["lesson_id"].to_pylist(), grouped["start_seconds_max"].to_pylist(), strict=True)
    return {lesson_id: seconds for lesson_id, seconds in pairs if seconds is not None}


def build_triples(inputs: Tables, params: Params, model: object = None) -> Result:
    """Input: questions, posts, lessons, sentences. Output: triples.

    A unit is a pair of question and answer; a question without an answer, or asked inside an answer, is one unit.

    Rejects: `not_asked_first`, `no_answer`; for the question `not_a_question`, `no_prompt`, `needs_calculation`,
    `cites_missing_media`, `definition`, `empty_after_editing`; for the pair `not_understood`, `answer_too_short`,
    `answer_not_standalone`, `answer_does_not_answer`, `answer_needs_background`.
    """
    ledger = Ledger("triples")
    columns = ["post_id", "lesson_id", "thread_id", "parent_id", "kind", "created_at", "text", "license"]
    order = [("created_at", "ascending"), ("post_id", "ascending")]
    posts = inputs["posts"].select(columns).sort_by(order).to_pylist()
    by_id = {p["post_id"]: p for p in posts}
    answers, last_starts = _answers(posts), _last_starts(inputs)
    lessons = {row["lesson_id"]: row for row in inputs["lessons"].select(["lesson_id", "title", "subject"]).to_pylist()}
    order = [("lesson_id", "ascending"), ("post_id", "ascending"), ("start_char", "ascending"), ("question_id", "ascending")]
    for question in inputs["questions"].sort_by(order).to_pylist():
        lesson_id, question_id = question["lesson_id"], question["question_id"]
        post = by_id.get(question["post_id"])
        replies = answers.get(question["post_id"], [])
        if post is None or post["kind"] not in ("question", "post"):
            ledger.reject(lesson_id, question_id, "not_asked_first", detail=question["post_id"], text=question["text"])
            continue
        if not replies:
            ledger.reject(lesson_id, question_id, "no_answer", text=question["text"])
            continue
        text = post["text"][:_LONGEST_POST]
        asked = ask(text, question["start_char"], question["end_char"], last_starts.get(lesson_id))
        if asked.reason:
            for reply in replies:
                ledger.reject(lesson_id, question_id, asked.reason, detail=reply["post_id"], text=question["text"])
            continue
        _pair(ledger, question, post, replies, asked, lessons.get(lesson_id, {}), params["min_context_words"])
    return ledger.result("triples")


def _pair(
    ledger: Ledger, question: Row, post: Row, replies: list[Row], asked: Asked, lesson: Row, minimum: int
) -> None:
    """Keep each answer that makes a context; try the short and leaning ones joined."""
    topic = f"{asked.prompt} {asked.question} {lesson.get('title', '')}"
    kept: list[tuple[list[Row], str, list[str]]] = []
    joinable: list[tuple[Row, str, list[str], str]] = []
    for reply in replies:
        answer = reply["text"][:_LONGEST_POST]
        context, edits = make_context(answer)
        reason = "not_understood" if not_understood(answer) else answer_reason(answer, context, topic, minimum)
        if reason is None:
            kept.append(([reply], context, edits))
        elif reason in _JOINABLE:
            joinable.append((reply, context, edits, reason))
        else:
            _drop(ledger, question, reply, reason)
    if joinable:
        context = " ".join(c for _, c, _, _ in joinable)
        whole = " ".join(r["text"][:_LONGEST_POST] for r, _, _, _ in joinable)
        fits = len(joinable) > 1 and not contradict([r["text"] for r, _, _, _ in joinable])
        if fits and answer_reason(whole, context, topic, minimum) is None:
            kept.append(([r for r, _, _, _ in joinable], context, [e for _, _, es, _ in joinable for e in es] + ["joined"]))
        else:
            for reply, _, _, reason in joinable:
                _drop(ledger, question, reply, reason)
    for ordinal, (sources, context, edits) in enumerate(kept):
        ids = [s["post_id"] for s in sources]
        licenses = {p["license"] for p in (post, *sources)}
        ledger.add(
            "triples",
            {
                "triple_id": digest("triple", question["question_id"], ids, ordinal),
                "question_id": question["question_id"],
                "lesson_id": question["lesson_id"],
                "answer_post_ids": ids,
                "context": context,
                "prompt": asked.prompt,
                "question": asked.question,
                "prompt_type": asked.prompt_type,
                "edits": list(dict.fromkeys((*asked.edits, *edits))),
                "title": lesson.get("title") or "",
                "subject": lesson.get("subject"),
                "license": licenses.pop() if len(licenses) == 1 else None,
            },
        )
        ledger.keep(question["lesson_id"], len(sources))


def _drop(ledger: Ledger, question: Row, reply: Row, reason: str) -> None:
    ledger.reject(question["lesson_id"], question["question_id"], reason, detail=reply["post_id"], text=reply["text"][:500])
