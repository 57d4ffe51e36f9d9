"""Clusters: near-duplicate triples."""

from expectations.contract import Column, Table, TableRule

TABLE = Table(
    name="clusters",
    meaning="One row for each triple: the group of near-duplicates it belongs to.",
    key=("triple_id",),
    columns=(
        Column("triple_id", "text", "The triple."),
        Column("lesson_id", "text", "The lesson."),
        Column("cluster_id", "text", "Smallest `triple_id` of the group."),
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
            "every_triple_clustered",
            "complete",
            ("triple_id",),
            ("triples", "triple_id"),
            meaning="Every triple has its cluster.",
        ),
    ),
)
