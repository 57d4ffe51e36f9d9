"""From the questions of one post to prompts and questions, or to the reasons why not (KhanQ A.1, A.2, A.5)."""

from dataclasses import dataclass, replace
from typing import Any

from transforms.triples.content import WORD, content_words, says_nothing
from transforms.triples.off_subject import not_a_question, seeks_opinion
from transforms.triples.prompt_types import prompt_type
from transforms.triples.prompts import Draft, draft
from transforms.triples.pronouns import name_pronoun
from transforms.triples.question_filters import question_reason
from transforms.triples.rewrites import fold, rewrite
from transforms.triples.talk import cut_lead_in
from transforms.triples.wording import QUESTION_RULES, ask_nobody, prompt_rules

Row = dict[str, Any]
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
    # KhanQ A.2, choice question: the other options, each a question with the same prompt.
    others: tuple[str, ...] = ()
    # The prompt as it stands in the post: it tells which earlier questions became part of it.
    source: str = ""


def ask(text: str, start: int, end: int, speech_end: float | None, answered: frozenset[str] = frozenset()) -> Asked:
    """Split, filter and rewrite the question at these offsets of a post."""
    sentence = fold(text[start:end])
    if end > LONGEST_POST:
        return Asked(reason="no_prompt")
    if not_a_question(cut_lead_in(sentence)) or seeks_opinion(sentence):
        return Asked(reason="not_a_question")
    found = draft(text, start, end, answered)
    parts = found or Draft("", sentence, "")
    reason = question_reason(parts.prompt, parts.question, parts.prompt_type, speech_end)
    if reason or found is None:
        return Asked(reason=reason or "no_prompt")
    question, question_edits = rewrite(found.question, QUESTION_RULES)
    options = [rewrite(other, QUESTION_RULES)[0] for other in found.others]
    prompt, prompt_edits = rewrite(found.prompt, prompt_rules(" ".join((question, *options))))
    # One word limits nothing; `If so` does.
    if len(WORD.findall(prompt)) < 2 or not WORD.search(question):
        return Asked(reason="empty_after_editing")
    if question != found.question and not_a_question(question):
        return Asked(reason="not_a_question")
    if says_nothing(prompt):
        return Asked(reason="no_prompt")
    # The form is that of the edited prompt: without `At 1:20`, it may open as a question.
    asked, form = ask_nobody(question, prompt), prompt_type(prompt)
    named = name_pronoun(prompt, asked)
    later = [
        name for name, changed in (("personal_pronoun", asked != question), ("pronoun", named != asked)) if changed
    ]
    edits = (*found.edits, *prompt_edits, *question_edits, *later)
    others = tuple(name_pronoun(prompt, ask_nobody(option, prompt)) for option in options)
    return Asked(prompt, named, form, edits, others=others, source=found.prompt)


def ask_all(text: str, questions: list[Row], answers: list[str], speech_end: float | None) -> list[Asked]:
    """Every question of a post, in order; one that became part of a later question's prompt makes no triple.

    KhanQ A.2, consecutive questions: the earlier one is the prompt of the later one.
    """
    several = len(questions) > 1
    answered = frozenset().union(*map(content_words, answers)) if several else frozenset[str]()
    found = [ask(text, q["start_char"], q["end_char"], speech_end, answered) for q in questions]
    for later in range(len(found) - 1, 0, -1):
        if found[later].reason:
            continue
        for earlier in range(later):
            own = cut_lead_in(fold(text[questions[earlier]["start_char"] : questions[earlier]["end_char"]]))
            if found[earlier].reason is None and own.lower() in found[later].source.lower():
                found[earlier] = replace(
                    found[earlier], reason="prompt_of_later_question", detail=questions[later]["question_id"]
                )
    return found
