"""Validations: what people who did not annotate say of finished triples."""

from expectations.contract import Column, Table

# KhanQ 3.3: the three things that the final validation asks of a triple.
STATEMENTS = {
    "carries": "The context carries what the question needs.",
    "constrains": "The prompt constrains the question.",
    "complete": "The question is complete and can be understood.",
}

TABLE = Table(
    name="validations",
    meaning="One row for each validation of a triple by a person; it counts while the triple's text is unchanged.",
    key=(),
    stored="annotations",
    columns=(
        Column("triple_id", "text", "The triple."),
        Column("shown", "text", "Digest of the context, prompt and question that were validated."),
        Column("annotator", "text", "Who validated it."),
        *(Column(name, "boolean", statement) for name, statement in STATEMENTS.items()),
        Column("round", "integer", "Round of validation.", required=False),
        Column("validated_at", "time", "When it was imported."),
    ),
)
