"""KhanQ A.5: one example of our own for each rule, with what it records."""

import pytest

from transforms.triples.rewrites import rewrite
from transforms.triples.wording import PROMPT_RULES, QUESTION_RULES


@pytest.mark.parametrize(
    ("before", "after", "edit"),
    [
        ("Sand is seperate from silt.", "Sand is separate from silt.", "spelling"),
        ("Okay, sand is wet.", "Sand is wet.", "daily_terms"),
        ("Hello everyone, sand is wet.", "Sand is wet.", "conversation"),
        ("Sand is wet. Hope that helps!", "Sand is wet.", "conversation"),
        ("Good question! Sand is wet.", "Sand is wet.", "conversation"),
        ("Remember, sand is wet.", "Sand is wet.", "conversation"),
        ("Sand is wet :)", "Sand is wet", "conversation"),
        ("But sand is wet.", "Sand is wet.", "leading_conjunction"),
        ("I thought that sand is wet.", "Sand is wet.", "subjective"),
        ("I thought wet sand sticks.", "Wet sand sticks.", "subjective"),
        ("As far as I know, sand is wet.", "Sand is wet.", "subjective"),
        ("The article says that sand is wet.", "Sand is wet.", "quote_cue"),
        ('In the second paragraph, it says "sand is wet".', "Sand is wet.", "quote_cue"),
        ("Sal says wet sand sticks.", "Wet sand sticks.", "quote_cue"),
        ("It says the sand is wet.", "The sand is wet.", "quote_cue"),
        ("My teacher said “sand is wet”.", "Sand is wet.", "quote_cue"),
        ('According to the article, "sand is wet".', "Sand is wet.", "quote_cue"),
        ("It took me a while to figure out that sand is wet.", "Sand is wet.", "subjective"),
        ("I was taught in school that sand is wet.", "Sand is wet.", "subjective"),
        ("In my opinion and experience, sand is wet.", "Sand is wet.", "subjective"),
        ("I know why wet sand sticks.", "Wet sand sticks.", "subjective"),
        ("I read in the comments that sand is wet.", "Sand is wet.", "subjective"),
        ("I heard from my teacher that sand is wet.", "Sand is wet.", "subjective"),
        ("As far as I can tell, sand is wet.", "Sand is wet.", "subjective"),
        ("I was always under the impression that sand is wet.", "Sand is wet.", "subjective"),
        ("From what we've seen, sand is wet.", "Sand is wet.", "subjective"),
        ("If I remember it right, sand is wet.", "Sand is wet.", "subjective"),
        ("In the article they say the sand is wet.", "The sand is wet.", "quote_cue"),
        ("Sal mentions it is wet in spring.", "It is wet in spring.", "quote_cue"),
        ("I know sand sticks when it is wet.", "Sand sticks when it is wet.", "subjective"),
        ("I know plants need wet sand.", "Plants need wet sand.", "subjective"),
        ("I always believed wet sand sticks.", "Wet sand sticks.", "subjective"),
        ("I would have sworn that sand is wet.", "Sand is wet.", "subjective"),
        ("I had thought that sand is wet.", "Sand is wet.", "subjective"),
        ("We all know sand is wet.", "Sand is wet.", "subjective"),
        ("I read somewhere that sand is wet.", "Sand is wet.", "subjective"),
        ("The third paragraph says that sand is wet.", "Sand is wet.", "quote_cue"),
        ("Under 'Wet sand', it says that sand sticks.", "Sand sticks.", "quote_cue"),
        ("It says 'sand is wet'.", "Sand is wet.", "quote_cue"),
        ("In the second diagram of the article it says the sand is wet.", "The sand is wet.", "quote_cue"),
        ("In figure 2 the author says that sand is wet.", "Sand is wet.", "quote_cue"),
        ("From minute 3 on sand is wet.", "Sand is wet.", "timestamp"),
        ("Okay, thanks a lot! Sand is wet.", "Sand is wet.", "conversation"),
        ("I'll try to help. Sand is wet.", "Sand is wet.", "conversation"),
        ("I cannot agree with kim_42. Sand is wet.", "Sand is wet.", "conversation"),
        ("But that sand is wet.", "That sand is wet.", "leading_conjunction"),
        ("First, the sand is wet.", "The sand is wet.", "leading_conjunction"),
        ("Sal said at around 3:05 that sand is wet.", "Sand is wet.", "timestamp"),
        ("The article says 'sand is wet'.", "Sand is wet.", "quote_cue"),
        ("non-porous sand is dry.", "Non-porous sand is dry.", "sentence_case"),
        ("Silt is dry. I know that sand is wet.", "Silt is dry. Sand is wet.", "subjective"),
        ("At 3:05, sand is wet.", "Sand is wet.", "timestamp"),
        ("Sand (at 3:05) is wet.", "Sand is wet.", "timestamp"),
        ("From 1:00 to 2:05 the sand is wet.", "The sand is wet.", "timestamp"),
        ("In the sand @2:05 ,", "In the sand", "timestamp"),
        ("About 5 minutes into the video the sand is wet.", "The sand is wet.", "timestamp"),
        ("Good question! Thanks. Hope this helps. Sand is wet.", "Sand is wet.", "conversation"),
        ("That's a great question, and I'm glad that you asked it. Sand is wet.", "Sand is wet.", "conversation"),
        (
            "I hope that answers it, if not just leave a comment below and I will try again. Sand is wet.",
            "Sand is wet.",
            "conversation",
        ),
        ("Sand is wet. P.S. sorry for my English.", "Sand is wet.", "conversation"),
        ("Sand is wet. Please upvote!", "Sand is wet.", "conversation"),
        ("Well, sand is wet, lol.", "Sand is wet.", "daily_terms"),
        ("So basically, sand is wet.", "Sand is wet.", "leading_conjunction"),
        ("If I pour sand", "If people pour sand", "personal_pronoun"),
        ("Sand at 40 °C", "Sand at 40 degrees Celsius", "symbols"),
        ("Sand is **wet**!!!", "Sand is wet!", "symbols"),
        ("sand is wet.", "Sand is wet.", "sentence_case"),
    ],
)
def test_prompt_rules(before: str, after: str, edit: str) -> None:
    found, edits = rewrite(before, PROMPT_RULES)
    assert found == after
    assert edit in edits


@pytest.mark.parametrize(
    ("before", "after", "edit"),
    [
        ("so why is sand wet?", "Why is sand wet?", "leading_conjunction"),
        ("Can someone explain why sand is wet?", "Why sand is wet?", "asked_of_someone"),
        ("Please tell me why is sand wet?", "Why is sand wet?", "asked_of_someone"),
        ("Does anyone know why sand is wet?", "Why sand is wet?", "asked_of_someone"),
        ("I was wondering is sand wet?", "Is sand wet?", "asked_of_someone"),
        ("How can I dry sand?", "How to dry sand?", "personal_pronoun"),
        ("Is sand wet or not?", "Is sand wet?", "empty_option"),
        ("Is sand wet, or something else?", "Is sand wet?", "empty_option"),
        ("Is sand wet or is it something else?", "Is sand wet?", "empty_option"),
        ("Is sand wet, or not always?", "Is sand wet?", "empty_option"),
        ("Is sand wet or does it depend?", "Is sand wet?", "empty_option"),
        ("Why is sand wet at 3:05?", "Why is sand wet?", "timestamp"),
        ("Why is sand wet???", "Why is sand wet?", "symbols"),
    ],
)
def test_question_rules(before: str, after: str, edit: str) -> None:
    found, edits = rewrite(before, QUESTION_RULES)
    assert found == after
    assert edit in edits


@pytest.mark.parametrize(
    "question",
    [
        "Why is sand wet?",
        "Then why is sand wet?",
        "Is sand wet or dry?",
        "So that sand is dry, is wind needed?",
        "How do I- and F- differ in the sand?",
        "Would you find gold in sand ?",
        "Does pH matter at 9:30 pm?",
    ],
)
def test_a_clean_question_is_not_touched(question: str) -> None:
    assert rewrite(question, QUESTION_RULES) == (question, [])


@pytest.mark.parametrize(
    "prompt",
    [
        "If I am a digger, my hand is wet.",
        "If you dig, the sand wets you",
        "I see a lot of sand",
        "I know the formula for wet sand.",
        "I know algebra and geometry well.",
        "I know that formula.",
        "I would expect the sand to dry.",
        "She wrote 'sand' on the wall, and at the end 'silt'.",
        "x = 2 m of sand",
        "Take v * t and (a)*t as *given",
        "In the lesson",
        "He says hello to the sand.",
        "He explained it well but the sand is gone.",
        "The teacher said to dry the sand.",
        "Thanks to the wind, sand is dry.",
        "Good luck is needed in the sand.",
        "Feel free to dig in the sand: it is dry.",
        "Well water is clear.",
        "OK Corral was sandy.",
        "The shop opens at 9:30 am.",
        "mRNA is long.",
        "The remembered note is that sand is wet.",
    ],
)
def test_a_clean_prompt_is_not_touched(prompt: str) -> None:
    assert rewrite(prompt, PROMPT_RULES) == (prompt, [])
