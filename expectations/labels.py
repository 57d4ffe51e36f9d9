"""Labels: what annotators said about records."""

from expectations.contract import Column, Table

TABLE = Table(
    name="labels",
    meaning="One row for each label that an annotator gave.",
    key=(),
    stored="annotations",
    columns=(
        Column("task", "text", "What was labelled, such as usefulness."),
        Column("record_id", "text", "Digest of the task and the text, or the id of the record."),
        Column("text", "text", "The labelled text."),
        Column("annotator", "text", "Who labelled it.", required=False),
        Column("label", "text", "The label."),
        Column("guideline", "text", "Version of the guideline.", required=False),
        Column("round", "integer", "Round of annotation.", required=False),
        Column("labelled_at", "time", "When it was labelled.", required=False),
    ),
)
