"""Signatures: MinHash bands of each triple, from which clusters are joined (internal)."""

from expectations.contract import Column, Table

TABLE = Table(
    name="signatures",
    meaning="One row for each triple: the hashed bands of its question and of its context.",
    key=("triple_id",),
    columns=(
        Column("triple_id", "text", "The triple."),
        Column("lesson_id", "text", "The lesson."),
        Column("bands", "texts", "Triples that share a band are near-duplicates."),
    ),
)
