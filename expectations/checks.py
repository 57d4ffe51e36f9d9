"""Checks: the journal of every table rule evaluated by the gate."""

from expectations.contract import Column, Table

TABLE = Table(
    name="checks",
    meaning="One row for each rule that the gate evaluated in a run.",
    key=("run_id", "table", "rule"),
    stored="journal",
    columns=(
        Column("run_id", "text", "The run."),
        Column("table", "text", "The table."),
        Column("rule", "text", "The rule."),
        Column("result", "text", "Outcome.", values=("passed", "failed", "broken", "accepted")),
        Column("severity", "text", "What a failure does.", values=("fail", "warn")),
        Column("observed", "text", "What was seen.", required=False),
        Column("rows_failing", "integer", "How many rows break the rule."),
    ),
)
