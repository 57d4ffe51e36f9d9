"""Quizzes: questions that instructors wrote."""

from expectations.contract import Column, RowRule, Table, TableRule, has_text

TABLE = Table(
    name="quizzes",
    meaning="One row for each question that an instructor attached to a lesson.",
    key=("quiz_id",),
    columns=(
        Column("quiz_id", "text", "`<source>:<native id>`."),
        Column("lesson_id", "text", "The lesson."),
        Column("kind", "text", "Form of the question.", values=("multiple_choice", "open")),
        Column("text", "text", "The question."),
        Column("options", "texts", "Choices of a multiple-choice question; empty for an open one."),
        Column("answer", "integer", "Index of the correct option, from 0.", required=False),
        Column("hint_seconds", "number", "Second of the video at which the answer is given.", required=False),
        Column("license", "text", "Licence of the quiz, else of its lesson; null when unknown.", required=False),
        Column("fetched_at", "time", "When this content was first archived; null for file sources.", required=False),
        Column(
            "verdict",
            "text",
            "Why the host allowed it to be fetched: allowed, no_robots_txt; null for files.",
            required=False,
        ),
    ),
    row_rules=(
        RowRule("empty_quiz", has_text("text"), "The question has text."),
        RowRule(
            "answer_outside_options",
            "answer is null or (answer >= 0 and answer < len(options))",
            "The correct option exists.",
        ),
        RowRule("missing_option", "list_count(options) = len(options)", "Every option is there."),
        RowRule("hint_is_no_time", "hint_seconds >= 0 and isfinite(hint_seconds)", "A hint is in its video."),
    ),
    table_rules=(
        TableRule(
            "lesson_exists",
            "foreign_key",
            ("lesson_id",),
            ("lessons", "lesson_id"),
            meaning="Every quiz belongs to a lesson.",
        ),
    ),
)
