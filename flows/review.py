"""What people are asked to label next, as JSON lines and as tasks for Label Studio."""

from typing import Any

import duckdb

from expectations.reviews import VERDICTS
from expectations.types import REASONING_TYPES
from flows.labels import imported_rows
from flows.store import catalog, snapshots
from flows.store.home import Home
from transforms.usefulness.agreement import most_uncertain_first

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
}


def drafts(home: Home) -> dict[str, str]:
    """The draft of every current triple, by its id."""
    with duckdb.connect(str(catalog.ensure(home)), read_only=True) as connection:
        return dict(connection.execute("select triple_id, draft from triples").fetchall())


def export(home: Home, task: str, limit: int) -> list[Row]:
    """Questions that nobody labelled yet, the most uncertain first; or triples that nobody reviewed yet."""
    snapshots.current(home)
    with duckdb.connect(str(catalog.ensure(home)), read_only=True) as connection:
        if task == "triples":
            return _rows(connection, """
                select t.triple_id, t.draft, t.title, t.context, t.prompt, t.question, p.text as original
                from triples t join questions q on q.question_id = t.question_id join posts p on p.post_id = q.post_id
                where t.review = 'draft' order by md5(t.triple_id) limit $limit
            """, limit=limit)  # fmt: skip
        found = _rows(connection, """
            select q.question_id as record_id, q.text, q.lesson_id, s.useful_score, y.reasoning_type
            from questions q
            join scores s on s.question_id = q.question_id
            join types y on y.question_id = q.question_id
        """)  # fmt: skip
    known = {row["text"] for row in imported_rows(home, task)}
    rows = {row["record_id"]: row for row in found if row["text"] not in known}
    order = most_uncertain_first({name: row["useful_score"] for name, row in rows.items()})
    return [rows[name] for name in order[:limit]]


def label_studio_tasks(rows: list[Row]) -> list[Row]:
    """Rows in the form that Label Studio imports."""
    return [{"data": row} for row in rows]


def _rows(connection: duckdb.DuckDBPyConnection, query: str, **arguments: Any) -> list[Row]:
    cursor = connection.execute(query, arguments)
    names = [column[0] for column in cursor.description]
    return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
