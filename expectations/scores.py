"""Scores: how useful for learning each question is."""

from expectations.contract import Column, RowRule, Table, TableRule

TABLE = Table(
    name="scores",
    meaning="One row for each question: the classifier's probability that it is useful for learning.",
    key=("question_id",),
    columns=(
        Column("question_id", "text", "The question."),
        Column("lesson_id", "text", "The lesson."),
        Column("useful_score", "number", "Probability from 0 to 1, rounded to 6 decimals."),
        Column("useful", "boolean", "`useful_score >= usefulness.threshold`.", joined=True),
        Column("model_id", "text", "The model in `models/`."),
    ),
    row_rules=(RowRule("score_outside_range", "useful_score between 0 and 1", "A score is a probability."),),
    table_rules=(
        TableRule(
            "usefulness_as_before",
            "no_drift",
            ("useful_score",),
            meaning="By the same model, about as many questions are useful as last time.",
        ),
        TableRule(
            "question_exists",
            "foreign_key",
            ("question_id",),
            ("questions", "question_id"),
            alike=("lesson_id",),
            meaning="Every score is of a question, and names its lesson.",
        ),
        TableRule(
            "every_question_scored",
            "complete",
            ("question_id",),
            ("questions", "question_id"),
            meaning="Every question has a score.",
        ),
        TableRule(
            "scored_by_its_model",
            "holds",
            ("model_id",),
            expression="t.model_id = $given",
            given=("models", "usefulness", "id"),
            meaning="Every score is by the model that the snapshot names.",
        ),
    ),
)
