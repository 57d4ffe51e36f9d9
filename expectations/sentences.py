"""Sentences: lessons cut into the units that questions are aligned with."""

from expectations.contract import Column, RowRule, Table, TableRule

TABLE = Table(
    name="sentences",
    meaning="One row for each sentence of a lesson, in reading order.",
    key=("lesson_id", "sentence_no"),
    columns=(
        Column("lesson_id", "text", "The lesson."),
        Column("sentence_no", "integer", "Position in the lesson, from 0."),
        Column("text", "text", "The sentence."),
        Column(
            "start_seconds",
            "number",
            "When it begins to be spoken; null for articles and captions without times.",
            required=False,
        ),
        Column(
            "end_seconds", "number", "When it has been spoken, before any silence; null like the start.", required=False
        ),
    ),
    row_rules=(
        RowRule("empty_sentence", "length(trim(text)) > 0", "The sentence has text."),
        RowRule("negative_start", "coalesce(start_seconds, 0) >= 0", "A sentence does not start before its video."),
    ),
    table_rules=(
        TableRule(
            "lesson_exists",
            "foreign_key",
            ("lesson_id",),
            ("lessons", "lesson_id"),
            meaning="Every sentence belongs to a lesson.",
        ),
    ),
)
