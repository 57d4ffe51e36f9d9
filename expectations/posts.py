"""Posts: what people wrote in the forum."""

from expectations.contract import Column, RowRule, Table, TableRule, has_text

TABLE = Table(
    name="posts",
    meaning="One row for each forum post, with personal data scrubbed from its text.",
    key=("post_id",),
    columns=(
        Column("post_id", "text", "`<source>:<native id>`."),
        Column("source", "text", "Name of the source in the settings."),
        Column("lesson_id", "text", "The lesson that the post is about."),
        Column("thread_id", "text", "The thread: the id of its first post where the source has none."),
        Column("parent_id", "text", "The post that this one replies to.", required=False),
        Column("kind", "text", "Role of the post in its thread.", values=("question", "answer", "comment", "post")),
        Column(
            "author",
            "text",
            "Keyed pseudonym; null when the source names nobody.",
            required=False,
            pattern="u[0-9a-f]{16}",
        ),
        Column("author_role", "text", "Role of the author, such as student or instructor.", required=False),
        Column("created_at", "time", "When it was posted.", required=False),
        Column("votes", "integer", "Net votes; null when the source has none.", required=False),
        Column("accepted", "boolean", "Whether it is the accepted answer."),
        Column("text", "text", "Plain text."),
        Column("url", "text", "Address of the post.", required=False),
        Column("language", "text", "ISO 639-1 code of the post's language."),
        Column("license", "text", "Licence of the post; null when unknown.", required=False),
        Column("fetched_at", "time", "When this content was first archived; null for file sources.", required=False),
        Column(
            "verdict",
            "text",
            "Why the host allowed it to be fetched: allowed, no_robots_txt; null for files.",
            required=False,
        ),
    ),
    row_rules=(
        RowRule("empty_post", has_text("text"), "The post has text."),
        RowRule("id_of_another_source", "starts_with(post_id, source || ':')", "An id begins with its source."),
        RowRule("language_is_no_code", "regexp_full_match(language, '[a-z]{2}')", "A language is its code."),
    ),
    table_rules=(
        TableRule(
            "license_known", "known", ("license",), severity="warn", meaning="The licence of every post is known."
        ),
        TableRule("posts_present", "not_empty", severity="warn", meaning="There is at least one post."),
        TableRule(
            "authors_as_before",
            "no_drift",
            ("author",),
            meaning="About as many posts as last time name an author.",
        ),
        TableRule(
            "dates_as_before",
            "no_drift",
            ("created_at",),
            meaning="About as many posts as last time have a date.",
        ),
        TableRule(
            "lesson_exists",
            "foreign_key",
            ("lesson_id",),
            ("lessons", "lesson_id"),
            meaning="Every post belongs to a lesson.",
        ),
    ),
)
