"""KhanQ A.2: every bullet and special case splits a post of our own."""

import pytest

from transforms.triples.clauses import split_leading, split_trailing
from transforms.triples.prompts import Draft, draft


def drafted(before: str, question: str, after: str = "", answered: frozenset[str] = frozenset()) -> Draft | None:
    return draft(before + question + after, len(before), len(before) + len(question), answered)


@pytest.mark.parametrize(
    ("before", "question", "prompt", "rest", "kind"),
    [
        # conditional clause + question
        ("", "If snow is white, why is ice clear?", "If snow is white", "why is ice clear?", "condition"),
        ("", "When snow melts then what does it become?", "When snow melts", "then what does it become?", "condition"),
        ("", "If the kettle whistles is it hot?", "If the kettle whistles", "is it hot?", "condition"),
        ("", "What happens if the kettle runs dry?", "If the kettle runs dry", "What happens?", "condition"),
        (
            "",
            "If the kettle whistles does the water boil?",
            "If the kettle whistles",
            "does the water boil?",
            "condition",
        ),
        (
            "",
            "Tea is hot, so if it cools does it turn bitter?",
            "Tea is hot, so if it cools",
            "does it turn bitter?",
            "citation",
        ),
        (
            "",
            "Why is it that when tea cools it turns bitter?",
            "When tea cools",
            "Why is it that it turns bitter?",
            "condition",
        ),
        ("", "When tea cools does your cup crack?", "When tea cools", "does your cup crack?", "condition"),
        ("", "How come if tea cools, sugar sinks?", "If tea cools", "How come sugar sinks?", "condition"),
        # the last letters of `demand` and `gas` are no words
        ("", "What happens to demand if tea is dear?", "If tea is dear", "What happens to demand?", "condition"),
        ("", "What happens to a gas when it is cooled?", "When it is cooled", "What happens to a gas?", "condition"),
        (
            "",
            "Why is the tea cold when the pot moves to the right?",
            "When the pot moves to the right",
            "Why is the tea cold?",
            "condition",
        ),
        ("", "First if tea cools why is it bitter?", "First if tea cools", "why is it bitter?", "condition"),
        (
            "",
            "If the kettle whistles when would tea cool?",
            "If the kettle whistles",
            "when would tea cool?",
            "condition",
        ),
        # prepositional phrase + question
        ("", "During winter why dont fish freeze?", "During winter", "why dont fish freeze?", "preposition"),
        ("", "Without tides would the sea be still?", "Without tides", "would the sea be still?", "preposition"),
        ("", "In winter, does sap rise?", "In winter", "does sap rise?", "preposition"),
        ("", "Does sap rise the same way in all trees?", "In all trees", "Does sap rise the same way?", "preposition"),
        # quotation of the lesson
        (
            "The second section says bark is dead. ",
            "Why does bark heal?",
            "The second section says bark is dead.",
            "Why does bark heal?",
            "citation",
        ),
        # the learner's own knowledge
        (
            "I know that bark is dead. ",
            "Why does it heal?",
            "I know that bark is dead.",
            "Why does it heal?",
            "citation",
        ),
        # preceding declarative sentences
        ("Trees have rings. ", "Which ring is oldest?", "Trees have rings.", "Which ring is oldest?", "citation"),
        ("Trees have rings, ", "Which ring is oldest?", "Trees have rings", "Which ring is oldest?", "citation"),
        # consecutive questions
        (
            "",
            "isn't there sap in the root and if so how does it rise?",
            "isn't there sap in the root and if so",
            "how does it rise?",
            "question",
        ),
        ("Is bark alive? ", "If so why does it peel?", "Is bark alive? If so", "why does it peel?", "question"),
        ("Is bark alive? ", "If so, how does it grow?", "Is bark alive? If so", "how does it grow?", "question"),
        (
            "",
            "What is bark for, does it breathe at night?",
            "What is bark for",
            "does it breathe at night?",
            "question",
        ),
    ],
)
def test_bullets(before: str, question: str, prompt: str, rest: str, kind: str) -> None:
    found = drafted(before, question)
    if before.endswith(", "):  # the extraction gives the whole sentence
        found = drafted("", before + question)
    assert found is not None
    assert (found.prompt, found.question, found.prompt_type) == (prompt, rest, kind)


def test_several_prompts_become_one_and_a_reason_behind_comes_first() -> None:
    found = drafted("Bark is dead. ", "As it still heals, how does it grow?", " Because I saw a scar close")
    assert found is not None
    assert found.prompt == "Because I saw a scar close, Bark is dead. As it still heals"


def test_a_choice_in_two_sentences_is_two_questions_with_one_prompt() -> None:
    found = drafted("In winter, does sap rise? ", "Or does it stay in the root?")
    assert found == Draft("In winter", "does it stay in the root?", "preposition", ("choice",))


def test_the_other_option_without_a_prompt_follows_from_the_first() -> None:
    found = drafted("Does sap rise? ", "Or does it stay in the root?")
    assert found is not None
    assert (found.prompt, found.prompt_type) == ("Does sap rise?", "question")


def test_a_chain_of_options_does_not_recurse() -> None:
    chain = "Or does it rise? " * 1_000
    assert drafted(chain, "Or does it fall?") is not None


@pytest.mark.parametrize(
    "question",
    [
        "Why is ice clear?",
        "What is ice, and why is it clear?",
        "Ice is clear, isn't it?",
        "Why?",
        "Just curious, why is ice clear?",
        "In what way does ice melt?",
        "By how much does ice shrink, and why does it float?",
        "Do they stir the ice so when it melts it is sweet?",
        "In the winter the lake is frozen?",
    ],
)
def test_no_prompt(question: str) -> None:
    assert drafted("", question) is None


def test_chat_before_the_question_is_cut_and_recorded() -> None:
    found = drafted("", "I'm confused. Ice is water... but why is it clear?")
    assert found is not None
    assert found.edits == ("conversation",)
    assert found.prompt == "Ice is water"


def test_code_and_quoted_lines_are_no_prompt() -> None:
    assert drafted("> Ice is clear.\n", "Why is it clear?") is None
    assert drafted("What is the use of ```x = 1```\n", "Why is it there?") is None


def test_a_comma_inside_brackets_is_no_boundary() -> None:
    sentence = "Do glaciers move (that is, do they slide at night)?"
    assert split_leading(sentence) == ("", sentence)


def test_the_last_capital_behind_a_comma_wins() -> None:
    assert split_leading("If ice, which is water, melts, Which part goes first?") == (
        "If ice, which is water, melts",
        "Which part goes first?",
    )


def test_a_relative_clause_is_no_question() -> None:
    assert split_leading("ice is light, which would make it float, why does it sink?") == (
        "ice is light, which would make it float",
        "why does it sink?",
    )


def test_a_trailing_clause_that_is_an_object_stays() -> None:
    for sentence in ("Do you know if ice melts at night?", "How do I tell when ice melts at night?"):
        assert split_trailing(sentence)[0] in ("", "When ice melts at night")
    assert split_trailing("Do we know if ice melts at night?") == ("", "Do we know if ice melts at night?")


def test_a_sentence_without_end_makes_no_draft() -> None:
    assert drafted("Ice is clear. ", "why " * 1_000 + "?") is None


def test_a_clause_inside_the_question_is_its_prompt() -> None:
    assert split_leading("But why, if ice is light, does it sink?") == ("if ice is light", "But why does it sink?")
    assert split_leading("Why, you ask, does it sink?")[0] == ""


def test_a_questioning_phrase_is_no_prompt() -> None:
    for sentence in (
        "In what sense, then, does ice have a colour?",
        "For what reason must ice float, i.e. what would go wrong if it sank?",
    ):
        assert split_leading(sentence) == ("", sentence)


def test_a_word_alone_is_no_question() -> None:
    assert split_leading("Do bees use this, and if yes, how?") == ("", "Do bees use this, and if yes, how?")


def test_other_clauses_than_if_limit_a_question_from_behind() -> None:
    assert split_trailing("Why does ice float even though it is solid?") == (
        "Even though it is solid",
        "Why does ice float?",
    )
    assert split_trailing("How old is ice, given that nobody saw it form?") == (
        "Given that nobody saw it form",
        "How old is ice?",
    )
    assert split_trailing("Does ice melt even if it is cold?")[0] == "Even if it is cold"


def test_a_phrase_behind_two_options_stays_with_the_second() -> None:
    sentence = "Is this ice clear, or is it the only clear one among all others?"
    assert split_trailing(sentence) == ("", sentence)


def test_the_first_of_two_options_may_begin_without_a_comma() -> None:
    assert split_leading("When ice melts at night does it sink, or does it float?") == (
        "When ice melts at night",
        "does it sink, or does it float?",
    )


@pytest.mark.parametrize(
    ("question", "prompt", "rest"),
    [
        ("What happens to sap if roots freeze?", "If roots freeze", "What happens to sap?"),
        ("Is ice still clear when it cracks?", "When it cracks", "Is ice still clear?"),
        ("Does sap rise more slowly at night?", "At night", "Does sap rise more slowly?"),
    ],
)
def test_a_short_clause_behind_the_question_limits_it(question: str, prompt: str, rest: str) -> None:
    assert split_trailing(question) == (prompt, rest)


@pytest.mark.parametrize(
    "question",
    [
        "How does sap rise in winter, if at all possible?",
        "Does bark heal, if you don't mind?",
        "What determines if sap rises at night?",
    ],
)
def test_a_clause_that_asks_nicely_or_is_an_object_is_no_prompt(question: str) -> None:
    assert split_trailing(question) == ("", question)


def test_the_statement_behind_the_question_is_its_prompt() -> None:
    found = drafted("", "Why does bark heal?", " Most people say that bark is dead. Thanks!")
    assert found is not None
    assert (found.prompt, found.prompt_type) == ("Most people say that bark is dead.", "citation")
    before = drafted("Trees have rings. ", "Why does bark heal?", " Most people say that bark is dead.")
    assert before is not None
    assert before.prompt == "Trees have rings."


def test_behind_an_understood_part_the_clause_limits_the_question() -> None:
    found = drafted("I understand the chemical part. ", "Why does bark heal when it is cut?")
    assert found is not None
    assert (found.prompt, found.question) == ("When it is cut", "Why does bark heal?")
