"""Triples: (context, prompt, question), KhanQ's form."""

from expectations.contract import Column, RowRule, Table, TableRule, has_text
from expectations.types import QUESTION_TYPES, REASONING_TYPES

PROMPT_TYPES = ("condition", "preposition", "citation", "question")

TABLE = Table(
    name="triples",
    meaning="One row for each triple drafted from a question and its answers.",
    key=("triple_id",),
    columns=(
        Column("triple_id", "text", "Digest of question, answers and ordinal; it stays when other answers come or go."),
        Column("question_id", "text", "The question."),
        Column("lesson_id", "text", "The lesson."),
        Column("answer_post_ids", "texts", "The answers that make the context."),
        Column("context", "text", "An independent paragraph that carries what the question needs."),
        Column("prompt", "text", "What limits or introduces the question."),
        Column("question", "text", "The question that follows from the prompt."),
        Column("prompt_type", "text", "Form of the prompt (KhanQ 4.4).", values=PROMPT_TYPES),
        Column("reasoning_type", "text", "From `wordings`.", required=False, values=REASONING_TYPES, joined=True),
        Column("question_type", "text", "From `wordings`.", required=False, values=QUESTION_TYPES, joined=True),
        Column("edits", "texts", "The rewriting rules that touched the triple."),
        Column("title", "text", "Title of the lesson (KhanQ A.6), or else its address or native id."),
        Column("subject", "text", "Subject of the lesson.", required=False),
        Column("useful_score", "number", "Copied from `scores`.", required=False, joined=True),
        Column("split", "text", "Copied from `splits`.", required=False, values=("train", "dev", "test"), joined=True),
        Column("cluster_id", "text", "Copied from `clusters`.", required=False, joined=True),
        Column(
            "review", "text", "What a person decided.", values=("draft", "accepted", "edited", "rejected"), joined=True
        ),
        Column("license", "text", "Licence of the posts; null when unknown.", required=False),
        Column("source_version", "text", "Digest of the posts that it is drafted from."),
        Column("draft", "text", "Digest of the draft, which a review names.", joined=True),
    ),
    row_rules=(
        RowRule("empty_context", has_text("context"), "The context has text."),
        RowRule("empty_prompt", has_text("prompt"), "The prompt has text."),
        RowRule("empty_question", has_text("question"), "The question has text."),
        RowRule("empty_title", has_text("title"), "The title has text."),
        RowRule(
            "no_answer",
            "list_count(answer_post_ids) = len(answer_post_ids) and len(answer_post_ids) > 0",
            "Its answers are named.",
        ),
    ),
    table_rules=(
        TableRule(
            "license_known", "known", ("license",), severity="warn", meaning="The licence of every triple is known."
        ),
        TableRule(
            "prompt_types_as_before",
            "no_drift",
            ("prompt_type",),
            meaning="The forms of prompts are spread about as last time.",
        ),
        TableRule(
            "question_exists",
            "foreign_key",
            ("question_id",),
            ("questions", "question_id"),
            alike=("lesson_id",),
            meaning="Every triple is of a question, and names its lesson.",
        ),
        TableRule(
            "answer_exists",
            "foreign_key",
            ("answer_post_ids",),
            ("posts", "post_id"),
            meaning="Every answer of a triple is a post.",
        ),
        TableRule("triples_present", "not_empty", severity="warn", meaning="There is at least one triple."),
    ),
)
