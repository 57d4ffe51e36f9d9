"""Reviews: what people decided about drafted triples."""

from expectations.contract import Column, Table

VERDICTS = ("accepted", "edited", "rejected")

TABLE = Table(
    name="reviews",
    meaning="One row for each verdict on a triple; the last counts while draft (or, if edited, posts) stay.",
    key=(),
    stored="annotations",
    columns=(
        Column("triple_id", "text", "The triple."),
        Column("lesson_id", "text", "The lesson of the triple.", required=False),
        Column("draft", "text", "Digest of the draft that was reviewed."),
        Column("source_version", "text", "What the draft was made from, as in `triples`.", required=False),
        Column("verdict", "text", "What was decided.", values=VERDICTS),
        Column("context", "text", "The context as edited.", required=False),
        Column("prompt", "text", "The prompt as edited.", required=False),
        Column("question", "text", "The question as edited.", required=False),
        Column("annotator", "text", "Who reviewed it.", required=False),
        Column("round", "integer", "Round of review.", required=False),
        Column("reviewed_at", "time", "When it was imported."),
    ),
)
