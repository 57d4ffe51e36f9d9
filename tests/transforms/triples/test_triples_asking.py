"""The questions of one post together (KhanQ A.1, A.2, A.5)."""

import re

import pytest

from transforms.triples.asking import Asked, ask_all


def asked(text: str, *answers: str) -> list[Asked]:
    found = re.finditer(r"(?!\s)[^.?!]*\w[^.?!]*\?", text)
    rows = [{"start_char": m.start(), "end_char": m.end(), "question_id": f"q{i}"} for i, m in enumerate(found)]
    return ask_all(text, rows, list(answers), None)


def test_parts_and_edits() -> None:
    (found,) = asked("Okay, I know that sails are cloth. So how can I dry them?")
    assert (found.prompt, found.question, found.prompt_type) == ("Sails are cloth.", "How to dry them?", "citation")
    assert found.edits == (
        "daily_terms", "subjective", "sentence_case", "leading_conjunction", "personal_pronoun", "sentence_case",
    )  # fmt: skip


def test_the_earlier_question_becomes_the_prompt_of_the_later_one() -> None:
    first, second = asked("If sails are wet, do they tear? Why do they tear at the seam?")
    assert (first.reason, first.detail) == ("prompt_of_later_question", "q1")
    assert second.reason is None
    assert second.prompt == "If sails are wet, do they tear?"


def test_a_chain_ends_in_one_question() -> None:
    found = asked("Do sails tear? When do they tear? Why do they tear at the seam?")
    assert [f.reason for f in found] == ["no_prompt", "prompt_of_later_question", None]
    assert found[2].prompt == "Do sails tear? When do they tear?"


def test_the_earlier_question_stands_when_the_later_one_is_dropped() -> None:
    first, second = asked("If sails are wet, do they tear? Does that make sense?")
    assert first.reason is None
    assert second.reason == "not_a_question"


def test_both_options_of_a_choice_stand() -> None:
    first, second = asked("In rain, do sails tear? Or do they stretch?")
    assert (first.prompt, first.question) == ("In rain", "Do sails tear?")
    assert (second.prompt, second.question) == ("In rain", "Do they stretch?")


def test_the_option_without_information_goes() -> None:
    first, second = asked("In rain, do sails tear? Or not?")
    assert first.reason is None
    assert second.reason == "not_a_question"


def test_the_form_is_that_of_the_edited_prompt() -> None:
    (_, found) = asked("At 1:10 she said that wet sails tear. Do sails tear in rain? Why do sails tear in rain?")
    assert found.prompt_type == "question"


def test_an_option_without_a_clause_is_no_question() -> None:
    first, second = asked("In rain, do sails tear? Or behind it?")
    assert (first.prompt, first.question) == ("In rain", "Do sails tear?")
    assert second.reason == "not_a_question"


def test_a_choice_under_a_clause_is_two_questions() -> None:
    (found,) = asked("When it rains, do sails tear, or do they stretch, or is it something else?")
    assert (found.prompt, found.question, found.others) == ("When it rains", "Do sails tear?", ("Do they stretch?",))
    assert "choice" in found.edits


def test_a_choice_behind_a_statement_stays_whole() -> None:
    (found,) = asked("Sails are cloth. Do they tear or do they stretch?")
    assert (found.question, found.others) == ("Do they tear or do they stretch?", ())


@pytest.mark.parametrize(
    ("post", "prompt", "question"),
    [
        ("Okay so I was wondering, if sails are cloth, why do they hold?", "If sails are cloth", "Why do they hold?"),
        ("Let me know if I'm wrong but sails are cloth. Do they tear?", "Sails are cloth.", "Do they tear?"),
        ("I'm confused because the book says sails are cloth. Do they tear?", "Sails are cloth.", "Do they tear?"),
        ("I get why sails tear. What I don't get is, if wind is soft, why do ropes tear?",
         "Sails tear. If wind is soft", "Why do ropes tear?"),
        ("Even though I'm ten, if sails tear do they mend them?", "If sails tear", "Do they mend them?"),
        ("Do sails tear? Can you help me? If so, why do ropes hold?", "Do sails tear? If so", "Why do ropes hold?"),
        ("I have been reading a lot. Sails are cloth. Do they tear?", "Sails are cloth.", "Do they tear?"),
    ],
)  # fmt: skip
def test_talk_that_leads_up_to_a_question_is_no_prompt(post: str, prompt: str, question: str) -> None:
    found = asked(post)[-1]
    assert (found.prompt, found.question) == (prompt, question)


def test_who_asks_becomes_anybody_in_both_parts() -> None:
    (found,) = asked("If i hoist my sail, do I need wind or does my arm do?")
    assert (found.prompt, found.question, found.others) == (
        "If people hoist their sail", "Do people need wind?", ("Does their arm do?",),
    )  # fmt: skip
    assert found.edits.count("personal_pronoun") == 2


@pytest.mark.parametrize(
    "post",
    [
        "If I am a sailor, do I need wind?",
        "I have a sail. Does my sail need wind?",
    ],
)
def test_a_person_that_stays_in_one_part_stays_in_both(post: str) -> None:
    found = asked(post)[-1]
    assert (found.prompt + found.question).count("people") == 0


def test_am_i_asks_behind_a_clause() -> None:
    (found,) = asked("When I sail, am I faster than the wind?")
    assert (found.prompt, found.question) == ("When people sail", "Are people faster than the wind?")


def test_if_i_stays_where_the_question_speaks_to_the_person() -> None:
    (found,) = asked("If you wet sails, do you get holes?")
    assert (found.prompt, found.question) == ("If you wet sails", "Do you get holes?")


@pytest.mark.parametrize(
    ("post", "reason"),
    [
        ("If sails tear, why do my legs get tired?", None),
        ("When I open it, the page hangs. Could someone fix this?", "not_a_question"),
        ("Sails are cloth. Do they tear? Or does it depend?", "not_a_question"),
        ("If I want to sail at night, why do sails tear?", None),
        ("If sails tear, the wind wins, right?", "not_a_question"),
        ("Sails are cloth. Wouldn't they tear, right?", None),
        ("Sails are cloth. Why is it red in this video?", "not_a_question"),
        ("Sails are cloth. Are they better in your opinion?", "not_a_question"),
        ("Sails are cloth, but what I don't get is why?", "not_a_question"),
        ("At this point, why do sails tear?", "no_prompt"),
        ("In this video, why do sails tear?", "no_prompt"),
    ],
)
def test_what_a_split_question_must_not_ask(post: str, reason: str | None) -> None:
    assert asked(post)[-1].reason == reason


def test_a_prompt_that_editing_empties() -> None:
    (found,) = asked("Basically, anyway, Why do sails tear?")
    assert found.reason == "empty_after_editing"


def test_a_question_behind_the_part_that_is_read() -> None:
    (found,) = asked("Sails tear. " * 2_000 + "Why do sails tear?")
    assert found.reason == "no_prompt"
