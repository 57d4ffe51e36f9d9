"""Splits: which triples train, tune and test."""

from expectations.contract import Column, Table, TableRule

# Who asks for LearningQ's random split asks for its leaks, too.
RANDOM = ("splits", "method", "random")

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
            "triple_exists",
            "foreign_key",
            ("triple_id",),
            ("clusters", "triple_id"),
            alike=("lesson_id", "cluster_id"),
            meaning="Every row is of a triple, and names its lesson and its cluster.",
        ),
        TableRule(
            "every_triple_split",
            "complete",
            ("triple_id",),
            ("triples", "triple_id"),
            meaning="Every triple has its part.",
        ),
        TableRule(
            "no_lesson_in_two_splits",
            "no_leakage",
            ("lesson_id", "split"),
            warns_under=RANDOM,
            meaning="A lesson stands in one part only; warns if `splits.method` is `random`.",
        ),
        TableRule(
            "no_cluster_in_two_splits",
            "no_leakage",
            ("cluster_id", "split"),
            warns_under=RANDOM,
            meaning="Near-duplicates stand in one part only; warns if `splits.method` is `random`.",
        ),
    ),
)
