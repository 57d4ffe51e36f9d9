"""Spans: the sentences of the lesson that a question or a quiz is about."""

from dataclasses import replace

from expectations.contract import Column, RowRule, Table, TableRule

_OF_EVERY_SPAN = (
    *(
        TableRule(
            f"{column}_exists",
            "foreign_key",
            ("lesson_id", column),
            ("sentences", "sentence_no"),
            meaning=f"The {column.replace('_', ' ')} of every span is one of its lesson.",
        )
        for column in ("first_sentence", "last_sentence")
    ),
    TableRule(
        "limit_as_set",
        "holds",
        ("over_limit",),
        expression="t.over_limit = (t.words > $given)",
        given=("settings", "alignment", "max_words"),
        meaning="Whether a span is over the limit is told by `alignment.max_words`.",
    ),
)

TABLE = Table(
    name="spans",
    meaning="One row for each question that has a source: a run of sentences of its lesson.",
    key=("question_id",),
    columns=(
        Column("question_id", "text", "The question."),
        Column("lesson_id", "text", "The lesson."),
        Column("first_sentence", "integer", "`sentence_no` of the first sentence."),
        Column("last_sentence", "integer", "`sentence_no` of the last sentence (inclusive)."),
        Column("text", "text", "The sentences, joined by a space."),
        Column("words", "integer", "Number of words in the text."),
        Column("over_limit", "boolean", "Whether it has more words than `alignment.max_words`."),
        Column("cosine", "number", "Similarity of question and span, 0 to 1, rounded to 6 decimals."),
        Column("anchor", "text", "How the starting sentence was found.", values=("timestamp", "similarity")),
        Column("start_sentence", "integer", "`sentence_no` of the sentence from which the span was grown."),
        Column("confidence", "number", "How sure that start is: 1 for a cited time, else its lead over the others."),
    ),
    row_rules=(
        RowRule("span_backwards", "last_sentence >= first_sentence", "A span ends at or after its start."),
        RowRule(
            "start_outside_span",
            "start_sentence between least(first_sentence, last_sentence) and greatest(first_sentence, last_sentence)",
            "A span holds the sentence from which it was grown.",
        ),
        RowRule("cosine_outside_range", "cosine between 0 and 1", "A similarity lies in 0 to 1."),
        RowRule("negative_words", "words >= 0", "No span has fewer words than none."),
        RowRule("confidence_outside_range", "confidence between 0 and 1", "A confidence lies in 0 to 1."),
    ),
    table_rules=(
        TableRule(
            "lesson_exists",
            "foreign_key",
            ("lesson_id",),
            ("lessons", "lesson_id"),
            meaning="The lesson of every span exists.",
        ),
        TableRule(
            "similarity_as_before",
            "no_drift",
            ("cosine",),
            meaning="Spans are about as similar to their questions as last time.",
        ),
        TableRule(
            "question_exists",
            "foreign_key",
            ("question_id",),
            ("questions", "question_id"),
            alike=("lesson_id",),
            meaning="Every span is of a question, and in its lesson.",
        ),
        *_OF_EVERY_SPAN,
    ),
)

QUIZ_TABLE = replace(
    TABLE,
    name="quiz_spans",
    meaning="One row for each quiz that has a source: a run of sentences of its lesson.",
    key=("quiz_id",),
    columns=(Column("quiz_id", "text", "The quiz."), *TABLE.columns[1:]),
    table_rules=(
        TableRule(
            "quiz_exists",
            "foreign_key",
            ("quiz_id",),
            ("quizzes", "quiz_id"),
            alike=("lesson_id",),
            meaning="Every span is of a quiz, and in its lesson.",
        ),
        *_OF_EVERY_SPAN,
    ),
)
