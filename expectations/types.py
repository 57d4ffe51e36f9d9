"""Types: suggestions of what kind of question each one is."""

from expectations.contract import Column, RowRule, Table, TableRule

REASONING_TYPES = (
    "verification", "disjunction", "concept", "extent", "example",
    "comparison", "cause", "consequence", "procedural", "judgmental",
)  # fmt: skip
QUESTION_TYPES = ("who", "where", "when", "which", "what", "why", "how many", "how", "yes/no", "other")
BLOOM_LEVELS = ("remembering", "understanding", "applying", "analyzing", "evaluating", "creating")

TABLE = Table(
    name="types",
    meaning="One row for each question: its types, all of them suggestions.",
    key=("question_id",),
    columns=(
        Column("question_id", "text", "The question."),
        Column("lesson_id", "text", "The lesson."),
        Column("question_type", "text", "By interrogative, after QG-STEC 2010.", values=QUESTION_TYPES),
        Column("reasoning_type", "text", "One of the ten types of Cao & Wang (2021).", values=REASONING_TYPES),
        Column("deep", "boolean", "Cause, consequence or procedural (KhanQ 4.3)."),
        Column("bloom_levels", "texts", "Levels of Bloom's revised taxonomy that may apply."),
    ),
    row_rules=(
        RowRule(
            "unknown_bloom_level",
            f"list_count(bloom_levels) = len(bloom_levels) and list_has_all({list(BLOOM_LEVELS)}, bloom_levels)",
            "Every level is one of Bloom's.",
        ),
    ),
    table_rules=(
        TableRule(
            "question_exists",
            "foreign_key",
            ("question_id",),
            ("questions", "question_id"),
            alike=("lesson_id",),
            meaning="Every row is of a question, and names its lesson.",
        ),
        TableRule(
            "every_question_typed",
            "complete",
            ("question_id",),
            ("questions", "question_id"),
            meaning="Every question has its types.",
        ),
    ),
)
