"""Runs: the journal of every run, failed ones too."""

from expectations.contract import Column, Table

TABLE = Table(
    name="runs",
    meaning="One row for each run of a flow.",
    key=("run_id",),
    stored="journal",
    columns=(
        Column("run_id", "text", "The run."),
        Column("flow", "text", "The flow."),
        Column("started_at", "time", "When it started."),
        Column("finished_at", "time", "When it ended."),
        Column("state", "text", "How it ended.", values=("done", "unchanged", "failed", "gated")),
        Column("snapshot_id", "text", "The snapshot that it published or confirmed.", required=False),
        Column("message", "text", "Why it failed.", required=False),
        Column("stages", "text", "Rows and seconds for each stage, as JSON."),
    ),
)
