"""From the questions of one post to prompts and questions, or to the reasons why not (KhanQ A.1, A.2, A.5)."""

from dataclasses import dataclass, replace
from typing import Any

from transforms.triples.following import WORD, content_words
from transforms.triples.prompt_types import prompt_type
from transforms.triples.prompts import Draft, draft
from transforms.triples.pronouns import name_pronoun
from transforms.triples.question_filters import not_a_question, question_reason
from transforms.triples.rewrites import fold, rewrite
from transforms.triples.wording import PROMPT_RULES, QUESTION_RULES

Row = dict[str, Any]
Times = tuple[float, float] | None
# What is read of one post: no prompt or paragraph that a person would keep is longer.
LONGEST_POST = 20_000


@dataclass(frozen=True)
class Asked:
    """A question after A.1, A.2 and A.5: its parts, or the reason why it makes no triple."""

    prompt: str = ""
    question: str = ""
    prompt_type: str = ""
    edits: tuple[str, ...] = ()
    reason: str | None = None
    detail: str | None = None
    # The prompt as it stands in the post: it tells which earlier questions became part of it.
    source: str = ""


def ask(text: str, start: int, end: int, times: Times, answered: frozenset[str] = frozenset()) -> Asked:
    """Split, filter and rewrite the question at these offsets of a post."""
    sentence = fold(text[start:end])
    if end > LONGEST_POST:
        return Asked(reason="no_prompt")
    if not_a_question(sentence):
        return Asked(reason="not_a_question")
    found = draft(text, start, end, answered)
    parts = found or Draft("", sentence, "")
    reason = question_reason(parts.prompt, parts.question, parts.prompt_type, times)
    if reason or found is None:
        return Asked(reason=reason or "no_prompt")
    prompt, prompt_edits = rewrite(found.prompt, PROMPT_RULES)
    question, question_edits = rewrite(found.question, QUESTION_RULES)
    # One word limits nothing; `If so` does.
    if len(WORD.findall(prompt)) < 2 or not WORD.search(question):
        return Asked(reason="empty_after_editing")
    # The form is that of the edited prompt: without `At 1:20`, it may open as a question.
    named, form = name_pronoun(prompt, question), prompt_type(prompt)
    edits = (*found.edits, *prompt_edits, *question_edits, *(("pronoun",) if named != question else ()))
    return Asked(prompt, named, form, edits, source=found.prompt)


def ask_all(text: str, questions: list[Row], answers: list[str], times: Times) -> list[Asked]:
    """Every question of a post, in order; one that became part of a later question's prompt makes no triple.

    KhanQ A.2, consecutive questions: the earlier one is the prompt of the later one.
    """
    several = len(questions) > 1
    answered = frozenset().union(*map(content_words, answers)) if several else frozenset[str]()
    found = [ask(text, q["start_char"], q["end_char"], times, answered) for q in questions]
    for later in range(len(found) - 1, 0, -1):
        if found[later].reason:
            continue
        for earlier in range(later):
            own = fold(text[questions[earlier]["start_char"] : questions[earlier]["end_char"]])
            if found[earlier].reason is None and own in found[later].source:
                found[earlier] = replace(
                    found[earlier], reason="prompt_of_later_question", detail=questions[later]["question_id"]
                )
    return found
