"""Lessons: the texts that learners ask about."""

from expectations.contract import Column, RowRule, Table, TableRule

TABLE = Table(
    name="lessons",
    meaning="One row for each lesson: an article, a video with its captions, or another page.",
    key=("lesson_id",),
    columns=(
        Column("lesson_id", "text", "`<source>:<native id>`."),
        Column("source", "text", "Name of the source in the settings."),
        Column("kind", "text", "What the lesson is.", values=("article", "video", "page")),
        Column("title", "text", "Title as shown to learners; empty when the source has none."),
        Column("url", "text", "Address of the lesson.", required=False),
        Column("subject", "text", "Subject, such as physics.", required=False),
        Column("course", "text", "Course that the lesson belongs to.", required=False),
        Column("language", "text", "ISO 639-1 code of the text's language."),
        Column("license", "text", "Licence of the lesson; null when unknown.", required=False),
        Column("text", "text", "Plain text; the captions joined for a video; may be empty."),
        Column(
            "captions",
            "captions",
            "Captions with their seconds, in order of their start; null without times.",
            required=False,
        ),
        Column("fetched_at", "time", "When this content was first archived; null for file sources.", required=False),
        Column(
            "verdict",
            "text",
            "Why the host allowed it to be fetched: allowed, no_robots_txt; null for files.",
            required=False,
        ),
        Column("lesson_version", "text", "Digest of the lesson with its posts and quizzes."),
    ),
    row_rules=(
        RowRule("lesson_without_id", "length(lesson_id) > length(source) + 1", "The native id is not empty."),
        RowRule("id_of_another_source", "starts_with(lesson_id, source || ':')", "An id begins with its source."),
        RowRule("language_is_no_code", "regexp_full_match(language, '[a-z]{2}')", "A language is its code."),
    ),
    table_rules=(
        TableRule(
            "license_known", "known", ("license",), severity="warn", meaning="The licence of every lesson is known."
        ),
        TableRule("lessons_present", "not_empty", severity="warn", meaning="There is at least one lesson."),
    ),
)
