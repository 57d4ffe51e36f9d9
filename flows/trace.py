"""Follow one record through every table: a post, a lesson, a question, a quiz, a triple, or an address."""

from typing import Any

import duckdb

from flows.errors import ConfigError

Rows = list[dict[str, Any]]

# Each query may use the ids that the ones before it found; `$posts` and the others are lists.
_STEPS: tuple[tuple[str, str], ...] = (
    ("lessons", "select lesson_id, kind, title, url, language, lesson_version from lessons "
                "where list_contains($lessons, lesson_id)"),
    ("posts", "select post_id, lesson_id, thread_id, parent_id, kind, votes, text from posts "
              "where list_contains($posts, post_id)"),
    ("quizzes", "select quiz_id, lesson_id, text from quizzes where list_contains($quizzes, quiz_id)"),
    ("questions", "select question_id, post_id, question_no, text, timestamp_seconds from questions "
                  "where list_contains($questions, question_id)"),
    ("scores", "select question_id, useful_score, useful, model_id from scores "
               "where list_contains($questions, question_id)"),
    ("types", "select question_id, question_type, reasoning_type, deep from types "
              "where list_contains($questions, question_id)"),
    ("spans", "select question_id, first_sentence, last_sentence, cosine, anchor, text from spans "
              "where list_contains($questions, question_id)"),
    ("quiz_spans", "select quiz_id, first_sentence, last_sentence, cosine, anchor, text from quiz_spans "
                   "where list_contains($quizzes, quiz_id)"),
    ("triples", "select triple_id, question_id, answer_post_ids, context, prompt, question, split, review from triples "
                "where list_contains($questions, question_id) or list_has_any(answer_post_ids, $posts)"),
    ("rejects", "select stage, record_id, reason, detail, merged_into, text from rejects "
                "where list_contains(list_concat($posts, $questions, $quizzes, $given), record_id) "
                "or list_contains(list_concat($posts, $given), detail)"),
)  # fmt: skip


def trace(connection: duckdb.DuckDBPyConnection, wanted: str, removed: Rows | None = None) -> list[tuple[str, Rows]]:
    """The rows of each table that belong to a record, and its tombstone; an error when nothing knows it."""
    ids = _ids(connection, wanted)
    found = []
    for table, query in _STEPS:
        used = {name: value for name, value in ids.items() if f"${name}" in query}
        cursor = connection.execute(query + " order by all", used)
        names = [column[0] for column in cursor.description]
        rows = [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
        if rows:
            found.append((table, rows))
    if removed:
        found.append(("removed", removed))
    if not found:
        raise ConfigError(
            f"nothing is known about {wanted!r}: give an id or an address from the tables, or check `--at`"
        )
    return found


def _ids(connection: duckdb.DuckDBPyConnection, wanted: str) -> dict[str, list[str]]:
    def query(sql: str, *arguments: Any) -> list[str]:
        return [row[0] for row in connection.execute(sql, list(arguments)).fetchall()]

    matches = "{0} = $1 or ends_with({0}, ':' || $1)"  # an id as in the tables, or as in the source
    lessons = query(f"select lesson_id from lessons where {matches.format('lesson_id')} or url = $1", wanted)
    posts = query(f"select post_id from posts where {matches.format('post_id')} or url = $1", wanted)
    quizzes = query(f"select quiz_id from quizzes where {matches.format('quiz_id')}", wanted)
    questions = query(
        "select question_id from questions where question_id = $1 or list_contains($2, post_id) "
        "union select question_id from triples where triple_id = $1",
        wanted, posts,
    )  # fmt: skip
    if questions and not posts:
        posts = query("select distinct post_id from questions where list_contains($1, question_id)", questions)
    if not lessons:
        lessons = query(
            "select lesson_id from posts where list_contains($1, post_id) "
            "union select lesson_id from quizzes where list_contains($2, quiz_id)",
            posts, quizzes,
        )  # fmt: skip
    given = [wanted, *query(f"select distinct record_id from rejects where {matches.format('record_id')}", wanted)]
    return {"given": given, "lessons": lessons, "posts": posts, "quizzes": quizzes, "questions": questions}
