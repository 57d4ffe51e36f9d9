"""Splits: which triples train, tune and test."""

from expectations.contract import Column, Table, TableRule

TABLE = Table(
    name="splits",
    meaning="One row for each triple: its part of the dataset.",
    key=("triple_id",),
    columns=(
        Column("triple_id", "text", "The triple."),
        Column("lesson_id", "text", "The lesson."),
        Column("cluster_id", "text", "The cluster."),
        Column("split", "text", "The part.", values=("train", "dev", "test")),
    ),
    table_rules=(
        TableRule(
            "no_lesson_in_two_splits", "no_leakage", ("lesson_id", "split"), meaning="A lesson stands in one part only."
        ),
        TableRule(
            "no_cluster_in_two_splits",
            "no_leakage",
            ("cluster_id", "split"),
            meaning="Near-duplicates stand in one part only.",
        ),
    ),
)
