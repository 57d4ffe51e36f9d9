"""Paraphrasing (KhanQ A.5): words without information go, and the tone becomes that of a text."""

import re
from collections.abc import Callable, Sequence

from transforms.triples.choices import delete_empty_option
from transforms.triples.cues import delete_quote_cues, delete_subjective_words
from transforms.triples.persons import capital_i, people_in_prompt, people_in_question, speaks_of_person
from transforms.triples.prompt_types import AUXILIARY
from transforms.triples.rewrites import Rule, sentence_case
from transforms.triples.spelling import fix_spelling
from transforms.triples.symbols import rewrite_symbols
from transforms.triples.talk import delete_conversation, delete_daily_terms
from transforms.triples.times import delete_times

_CONJUNCTION = re.compile(
    r"^(?:(?:so\b(?!\s+(?:that|far|called|much|many|to)\b)|also\b(?!\s+called\b)|(?:but|and|or|plus)\b|(?:first|second|third)(?:ly)?(?=,))[\s,]+)+",
    re.IGNORECASE,
)
_ASKED = re.compile(
    r"^i mean,?\s+|^(?:(?:can|could|would|will) (?:you|someone|anyone|somebody|anybody)(?: please| kindly)?"
    r" (?:explain|tell me|clarify|tell us|explain to me)"
    r"|(?:does|do) (?:you|anyone|someone|anybody|somebody) know"
    r"|(?:i (?:was|am)|i'm|just) wondering|i wonder|my question is|i want to know|i don['’]t (?:understand|get)"
    r"|please(?: explain| tell me)?)(?: to me)?[\s,:]+(?=(?:why|how|what|when|where|which)\b)"
    rf"|^(?:(?:i (?:was|am)|i['’]m|just) wondering|i wonder)[\s,:]+(?=(?:{AUXILIARY})\s)",
    re.IGNORECASE,
)
_HOW_I = re.compile(r"^how (?:can|do|would|could|should|will) (?:i|u) (?=(?!be\b|have\b|get\b)[a-z])", re.IGNORECASE)


def _deletes(pattern: re.Pattern[str], new: str = "") -> Callable[[str], str]:
    return lambda text: pattern.sub(new, text)


def delete_conjunctions(text: str) -> str:
    """KhanQ A.5, conjunctions at the beginning; what they joined may open with a daily term: `So basically`."""
    found = _CONJUNCTION.sub("", text)
    return text if found == text else delete_daily_terms(found)


def name_nobody(prompt: str, question: str) -> str:
    """KhanQ A.5, personal pronouns: `if I` becomes `if people`.

    Not where the person stays in the rest of the prompt or in the question: the two would no longer fit together.
    """
    prompt = capital_i(prompt)
    found = people_in_prompt(prompt)
    return prompt if found is None or people_in_question(capital_i(question), named=True) is None else found


def ask_nobody(question: str, prompt: str) -> str:
    """KhanQ A.5, personal pronouns: the same in the question, unless the edited prompt still speaks of a person."""
    question = capital_i(question)
    found = None if speaks_of_person(prompt) else people_in_question(question, named="people" in prompt)
    return sentence_case(found or question)


CLEANING: Sequence[Rule] = (
    ("symbols", rewrite_symbols),  # KhanQ A.5: symbols that will be garbled
    ("daily_terms", delete_daily_terms),  # KhanQ A.5: daily terms, also in front of conversation: `Okay, thanks!`
    ("conversation", delete_conversation),  # KhanQ A.5: conversation between questioner and answerer
    ("timestamp", delete_times),  # KhanQ A.5: timestamps
    ("spelling", fix_spelling),  # KhanQ A.5: grammar and spelling
    ("leading_conjunction", delete_conjunctions),  # KhanQ A.5: conjunctions at the beginning
)


def prompt_rules(question: str = "") -> Sequence[Rule]:
    """The rules for the prompt of this question."""
    return (
        *CLEANING,
        ("quote_cue", delete_quote_cues),  # KhanQ A.5: quote cues
        ("subjective", delete_subjective_words),  # KhanQ A.5: subjective prompt words
        ("personal_pronoun", lambda text: name_nobody(text, question)),  # KhanQ A.5: personal pronouns
        ("sentence_case", sentence_case),
    )


PROMPT_RULES = prompt_rules()
QUESTION_RULES: Sequence[Rule] = (
    *CLEANING,
    ("asked_of_someone", _deletes(_ASKED)),  # KhanQ A.5: conversation
    ("empty_option", delete_empty_option),  # KhanQ A.2: a choice without information
    ("personal_pronoun", _deletes(_HOW_I, "how to ")),  # KhanQ A.5: personal pronouns
    ("sentence_case", sentence_case),
)
