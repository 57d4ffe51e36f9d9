"""What people are asked to label next, as JSON lines and as tasks for Label Studio."""

from collections import Counter
from typing import Any

import duckdb

from expectations.reviews import VERDICTS
from expectations.types import REASONING_TYPES
from expectations.validations import STATEMENTS
from flows.labels import imported_rows
from flows.store import catalog, snapshots
from flows.store.home import Home
from flows.store.json_lines import read_stored
from transforms.review_quality import (
    AnnotatorQuality,
    Review,
    Validation,
    ValidationQuality,
    annotators_quality,
    validation_quality,
)
from transforms.usefulness.agreement import most_uncertain_first
from transforms.usefulness.tokens import normalise

Row = dict[str, Any]

_CHOICES = """<View>
  <Text name="text" value="$text"/>
  <Choices name="label" toName="text" choice="single-radio" required="true">{choices}</Choices>
</View>
"""


def _choices(values: tuple[str, ...]) -> str:
    return "".join(f'<Choice value="{value}"/>' for value in values)


_EDITED = "".join(
    f'  <Header value="{name}"/>\n'
    f'  <TextArea name="{name}" toName="original" value="${name}" rows="4" maxSubmissions="1" editable="true"/>\n'
    for name in ("context", "prompt", "question")
)
_YES_NO = f'toName="context" choice="single-radio" required="true">{_choices(("yes", "no"))}'
_STATEMENTS = "".join(
    f'  <Header value="{statement}"/>\n  <Choices name="{name}" {_YES_NO}</Choices>\n'
    for name, statement in STATEMENTS.items()
)
# Label Studio's labelling configuration for each task.
CONFIGURATION = {
    "usefulness": _CHOICES.format(choices=_choices(("useful", "not useful"))),
    "reasoning_type": _CHOICES.format(choices=_choices(REASONING_TYPES)),
    "triples": f"""<View>
  <Header value="$title"/>
  <Text name="original" value="$original"/>
{_EDITED}  <Choices name="verdict" toName="original" required="true">{_choices(VERDICTS)}</Choices>
</View>
""",
    "validation": f"""<View>
  <Header value="Context"/>
  <Text name="context" value="$context"/>
  <Header value="Prompt"/>
  <Text name="prompt" value="$prompt"/>
  <Header value="Question"/>
  <Text name="question" value="$question"/>
{_STATEMENTS}</View>
""",
}
# The text of a triple as it stands: the draft's, or as edited.
_SHOWN = "md5(context || chr(10) || prompt || chr(10) || question)"


def drafts(home: Home) -> dict[str, Row]:
    """The draft of every current triple, by its id: its digest, what it was made from, and its text."""
    return _by_triple(
        home, "select triple_id, lesson_id, draft, source_version, context, prompt, question from triples"
    )


def shown(home: Home) -> dict[str, Row]:
    """Digest of the text of every current triple, by its id."""
    return _by_triple(home, f"select triple_id, {_SHOWN} as shown from triples")


def _by_triple(home: Home, query: str) -> dict[str, Row]:
    with duckdb.connect(str(catalog.ensure(home)), read_only=True) as connection:
        return {row["triple_id"]: row for row in _rows(connection, query)}


def quality(home: Home, assigned: int | None = None) -> tuple[list[AnnotatorQuality], ValidationQuality]:
    """KhanQ 3.3: the gate and the spot check of each annotator, and the final validation of the current triples."""
    snapshots.current(home)
    with duckdb.connect(str(catalog.ensure(home)), read_only=True) as connection:
        query = f"select triple_id, draft, {_SHOWN} from triples where review <> 'rejected'"
        current = {triple: (draft, text) for triple, draft, text in connection.execute(query).fetchall()}
    reviews = [
        Review(row["triple_id"], row["draft"], row.get("annotator") or "unnamed", row["verdict"],
               (row.get("context"), row.get("prompt"), row.get("question")), row["reviewed_at"])
        for row in _reviews(home)
    ]  # fmt: skip
    validations = [
        Validation(row["triple_id"], current[row["triple_id"]][0], row["annotator"],
                   *(row[name] for name in STATEMENTS))
        for row in sorted(_validations(home), key=lambda row: row["validated_at"])
        if row["triple_id"] in current and row["shown"] == current[row["triple_id"]][1]
    ]  # fmt: skip
    return annotators_quality(reviews, validations, assigned), validation_quality(reviews, validations)


def opinions(home: Home, task: str) -> list[Row]:
    """What each annotator said of each record of a task: `record_id`, `text`, `annotator` and `label`."""
    if task == "triples":
        return [
            {**r, "record_id": r["triple_id"], "text": r["triple_id"], "label": r["verdict"]} for r in _reviews(home)
        ]
    if task == "validation":
        return [{**r, "record_id": r["triple_id"], "text": r["triple_id"],
                 "label": "pass" if all(r[name] for name in STATEMENTS) else "fail"}
                for r in _validations(home)]  # fmt: skip
    return imported_rows(home, task)


def _reviews(home: Home) -> list[Row]:
    return read_stored(home / "annotations" / "reviews.jsonl")


def _validations(home: Home) -> list[Row]:
    return read_stored(home / "annotations" / "validations.jsonl")


def export(home: Home, task: str, limit: int) -> list[Row]:
    """Questions that nobody labelled yet, the most uncertain first; drafted triples; or triples to validate."""
    snapshots.current(home)
    with duckdb.connect(str(catalog.ensure(home)), read_only=True) as connection:
        if task == "triples":
            return _rows(connection, """
                select t.triple_id, t.draft, t.title, t.context, t.prompt, t.question, p.text as original
                from triples t join questions q on q.question_id = t.question_id join posts p on p.post_id = q.post_id
                where t.review = 'draft' order by md5(t.triple_id) limit $limit
            """, limit=limit)  # fmt: skip
        if task == "validation":
            # What people kept comes first; those with the fewest answers before others.
            finished = _rows(connection, f"""
                select triple_id, {_SHOWN} as shown, review, title, context, prompt, question from triples
                where review <> 'rejected' order by md5(triple_id)
            """)  # fmt: skip
            given = Counter((row["triple_id"], row["shown"]) for row in _validations(home))
            finished.sort(key=lambda row: (row["review"] == "draft", given[row["triple_id"], row["shown"]]))
            return finished[:limit]
        found = _rows(connection, """
            select q.question_id as record_id, q.text, q.lesson_id, s.useful_score, y.reasoning_type
            from questions q
            join scores s on s.question_id = q.question_id
            join types y on y.question_id = q.question_id
            order by q.question_id
        """)  # fmt: skip
    # A question that is asked about several lessons is one to label.
    rows = {normalise(row["text"]): row for row in found}
    known = {normalise(row["text"]) for row in imported_rows(home, task)}
    order = most_uncertain_first({text: row["useful_score"] for text, row in rows.items()}, known)
    return [rows[text] for text in order[:limit]]


def label_studio_tasks(rows: list[Row]) -> list[Row]:
    """Rows in the form that Label Studio imports."""
    return [{"data": row} for row in rows]


def _rows(connection: duckdb.DuckDBPyConnection, query: str, **arguments: Any) -> list[Row]:
    cursor = connection.execute(query, arguments)
    names = [column[0] for column in cursor.description]
    return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
