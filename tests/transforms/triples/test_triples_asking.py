"""The questions of one post together (KhanQ A.1, A.2, A.5)."""

import re

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


def test_a_prompt_that_editing_empties() -> None:
    (found,) = asked("Basically, anyway, Why do sails tear?")
    assert found.reason == "empty_after_editing"


def test_a_question_behind_the_part_that_is_read() -> None:
    (found,) = asked("Sails tear. " * 2_000 + "Why do sails tear?")
    assert found.reason == "no_prompt"
