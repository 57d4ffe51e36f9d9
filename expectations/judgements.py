"""Judgements: human ratings of generated questions."""

from expectations.contract import Column, Table

TABLE = Table(
    name="judgements",
    meaning="One row for each rating of a generated question by one criterion.",
    key=(),
    stored="annotations",
    columns=(
        Column("task", "text", "The evaluation task."),
        Column("system", "text", "The generator."),
        Column("item_id", "text", "The input that the question was generated from."),
        Column("question_no", "integer", "Position among the questions of the item."),
        Column("rater", "text", "Who rated it."),
        Column("criterion", "text", "What was rated."),
        Column("rank", "integer", "The rank given; 1 is best."),
        Column("guideline", "text", "Version of the guideline.", required=False),
        Column("round", "integer", "Round of rating.", required=False),
    ),
)
