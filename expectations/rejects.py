"""Rejects: every row that was dropped or merged, with its reason."""

from expectations.contract import Column, Table, TableRule

TABLE = Table(
    name="rejects",
    meaning="One row for each record that a stage did not keep, and why.",
    key=(),
    columns=(
        Column("stage", "text", "The stage that dropped it."),
        Column("record_id", "text", "Id of the record."),
        Column("lesson_id", "text", "The lesson; `<source>:?` when it could not be told."),
        Column("reason", "text", "What is wrong with the record.", pattern="[a-z0-9][a-z0-9_/-]*"),
        Column("detail", "text", "What a person needs to understand the reason.", required=False),
        Column("merged_into", "text", "The kept record that stands for this one.", required=False),
        Column("text", "text", "The record's text, scrubbed of personal data.", required=False),
    ),
    table_rules=(
        TableRule(
            "every_row_accounted_for",
            "accounting",
            meaning="For each stage, rows in are rows kept, merged or rejected, and all of these are there.",
        ),
    ),
)
