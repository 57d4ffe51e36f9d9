"""Signatures: MinHash sketches of each triple, from which clusters are joined (internal)."""

from expectations.contract import Column, Table, TableRule

TABLE = Table(
    name="signatures",
    meaning="One row for each triple: what tells near-duplicates of its question and of its context.",
    key=("triple_id",),
    columns=(
        Column("triple_id", "text", "The triple."),
        Column("lesson_id", "text", "The lesson."),
        Column("asked", "text", "Digest of the words of the question."),
        Column("question", "integers", "MinHash of the question; with its prompt where it is shorter than five words."),
        Column("context", "integers", "MinHash of the context."),
    ),
    table_rules=(
        TableRule(
            "triple_exists",
            "foreign_key",
            ("triple_id",),
            ("triples", "triple_id"),
            alike=("lesson_id",),
            meaning="Every row is of a triple, and names its lesson.",
        ),
        TableRule(
            "every_triple_signed",
            "complete",
            ("triple_id",),
            ("triples", "triple_id"),
            meaning="Every triple has its sketches.",
        ),
    ),
)
