"""Wordings: what people made of each triple's text, and the types of the text that is published."""

from expectations.contract import Column, Table, TableRule
from expectations.splits import RANDOM
from expectations.triples import PROMPT_TYPES
from expectations.types import QUESTION_TYPES, REASONING_TYPES

TABLE = Table(
    name="wordings",
    meaning="One row for each triple: its text as edited by a person, and the types of the text that is published.",
    key=("triple_id",),
    columns=(
        Column("triple_id", "text", "The triple."),
        Column("lesson_id", "text", "The lesson."),
        Column("context", "text", "The context as edited; null where the draft stands.", required=False),
        Column("prompt", "text", "The prompt as edited; null where the draft stands.", required=False),
        Column("question", "text", "The question as edited; null where the draft stands.", required=False),
        Column("prompt_type", "text", "Form of the prompt (KhanQ 4.4).", values=PROMPT_TYPES),
        Column("question_type", "text", "Type of the question by its interrogative.", values=QUESTION_TYPES),
        Column("reasoning_type", "text", "Type of the question by its reasoning.", values=REASONING_TYPES),
    ),
    table_rules=(
        TableRule(
            "triple_exists",
            "foreign_key",
            ("triple_id",),
            ("triples", "triple_id"),
            alike=("lesson_id",),
            meaning="Every row is of a triple, and names its lesson.",
        ),
        TableRule(
            "every_triple_worded",
            "complete",
            ("triple_id",),
            ("triples", "triple_id"),
            meaning="Every triple has its wording.",
        ),
        TableRule(
            "no_text_in_two_splits",
            "no_shared_text",
            ("question", "context"),
            ("splits", "split"),
            warns_under=RANDOM,
            meaning="No question and no context, as published, stands in two parts; warns if `splits.method` is "
            "`random`.",
        ),
    ),
)
