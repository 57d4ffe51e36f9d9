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
        RowRule(
            "timestamp_is_no_time",
            "timestamp_seconds >= 0 and isfinite(timestamp_seconds)",
            "A cited time is in its video.",
        ),
    ),
    table_rules=(
        TableRule("lengths_as_before", "no_drift", ("text",), meaning="Questions are about as long as last time."),
        TableRule(
            "post_exists",
            "foreign_key",
            ("post_id",),
            ("posts", "post_id"),
            alike=("lesson_id",),
            meaning="Every question stands in a post, and is about the same lesson.",
        ),
        TableRule(
            "offsets_inside_post",
            "holds",
            ("post_id",),
            ("posts", "post_id"),
            expression="t.end_char <= length(o.text)",
            meaning="No question ends behind its post.",
        ),
    ),
)
