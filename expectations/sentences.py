"""Sentences: lessons cut into the units that questions are aligned with."""

from expectations.contract import Column, RowRule, Table, TableRule, has_text

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
        RowRule("empty_sentence", has_text("text"), "The sentence has text."),
        RowRule(
            "start_is_no_time", "start_seconds >= 0 and isfinite(start_seconds)", "A sentence starts in its video."
        ),
        RowRule("end_is_no_time", "end_seconds >= 0 and isfinite(end_seconds)", "A sentence ends in its video."),
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
