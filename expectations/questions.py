"""Questions: the question sentences of posts."""

from expectations.contract import Column, RowRule, Table, TableRule

TABLE = Table(
    name="questions",
    meaning="One row for each question sentence found in a post of any kind.",
    key=("question_id",),
    columns=(
        Column("question_id", "text", "Digest of post, normalised text and occurrence."),
        Column("post_id", "text", "The post that asks it."),
        Column("lesson_id", "text", "The lesson."),
        Column("question_no", "integer", "Position among the questions of the post, from 0."),
        Column("text", "text", "The sentence, white space folded."),
        Column("start_char", "integer", "Where it starts in `posts.text`."),
        Column("end_char", "integer", "Where it ends in `posts.text` (exclusive)."),
        Column("timestamp_seconds", "number", "Time of the video that it cites.", required=False),
    ),
    row_rules=(
        RowRule("no_question_mark", "regexp_matches(text, '[?？؟❓❔⁇⁈⁉]')", "The sentence has a question mark."),
        RowRule("bad_offsets", "start_char >= 0 and end_char > start_char", "The offsets enclose text."),
    ),
    table_rules=(
        TableRule("questions_not_shrunk", "not_shrunk", meaning="No source has far fewer questions than it had."),
        TableRule(
            "questions_not_fewer",
            "not_fewer",
            severity="warn",
            meaning="No source has a fifth fewer questions than it had.",
        ),
        TableRule("lengths_as_before", "no_drift", ("text",), meaning="Questions are about as long as last time."),
        TableRule(
            "post_exists",
            "foreign_key",
            ("post_id",),
            ("posts", "post_id"),
            alike=("lesson_id",),
            meaning="Every question stands in a post, and is about the same lesson.",
        ),
    ),
)
