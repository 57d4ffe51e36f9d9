"""Descriptions of triples and corpora, and the readability in them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from transforms.describe import Measured, Share, count_words, describe_corpus, describe_triples
from transforms.readability import reading_ease, syllables

TRIPLES = [
    {"context": "Salt lowers the freezing point.", "prompt": "If salt melts ice", "question": "Why is it used in snow?",
     "prompt_type": "condition", "reasoning_type": "cause"},
    {"context": "Sand only adds grip, it melts nothing.", "prompt": "Sand is cheap.", "question": "Why is salt bought?",
     "prompt_type": "citation", "reasoning_type": "cause"},
    {"context": "It does.", "prompt": "In the sea", "question": "why is ice rare?",
     "prompt_type": "preposition", "reasoning_type": "verification"},
    {"context": "Yes.", "prompt": "In a pan", "question": "Boiling?", "prompt_type": "preposition",
     "reasoning_type": None},
]  # fmt: skip


def test_counts_and_mean_words_of_triples() -> None:
    found = describe_triples(TRIPLES)
    assert found.triples == 4
    assert found.mean_words == {"context": 3.75, "prompt": 3.25, "question": 3.75}


def test_leading_bigrams_mind_the_case_and_take_what_stands_between_blanks() -> None:
    found = describe_triples(TRIPLES).leading_bigrams
    assert found == [Share("Why is", 2, 0.5), Share("Boiling?", 1, 0.25), Share("why is", 1, 0.25)]
    assert describe_triples(TRIPLES, bigrams=1).leading_bigrams == found[:1]


def test_shares_of_types_and_a_type_nobody_knows() -> None:
    found = describe_triples(TRIPLES)
    assert [(s.value, s.share) for s in found.prompt_types] == [
        ("preposition", 0.5), ("citation", 0.25), ("condition", 0.25)]  # fmt: skip
    assert [(s.value, s.rows) for s in found.reasoning_types] == [("cause", 2), ("unknown", 1), ("verification", 1)]
    assert found.deep_share == pytest.approx(2 / 3, abs=1e-4)


def test_the_order_of_the_rows_does_not_matter() -> None:
    assert describe_triples(TRIPLES) == describe_triples(reversed(TRIPLES))


def test_no_triples() -> None:
    found = describe_triples([])
    assert found.triples == 0
    assert found.mean_words["context"] is None
    assert found.leading_bigrams == []
    assert found.deep_share is None


def test_words_are_runs_of_letters_and_digits() -> None:
    assert count_words("It's 3.5 m/s, isn't it?") == 9


def test_a_column_of_the_table() -> None:
    documents, questions = Measured(), Measured()
    documents.add(["The cat sat.", "It slept on the mat."], "en")
    documents.add(["The cat sat. ", "It slept on  the mat."], "en")  # the same text
    documents.add(["Dogs run."], "en")
    for lesson, text in (("a", "Why did it sleep?"), ("a", "why did it sleep?"), ("b", "Why did it sleep?")):
        questions.add([text], "en", scope=lesson)
    questions.add(["It sat.", "Where?"], "en", scope="a")
    found = describe_corpus(documents, questions)
    assert (found.documents, found.questions, found.questions_per_document) == (2, 3, 1.5)
    assert (found.words_per_document, found.sentences_per_document, found.words_per_sentence) == (5.0, 1.5, 3.3333)
    assert (found.words_per_question, found.sentences_per_question) == (3.6667, 1.3333)
    # 206.835 - 1.015 * 4 - 84.6 * 1 and 206.835 - 1.015 * 2 - 84.6 * 1 for texts of one-syllable words
    assert found.document_readability == pytest.approx((118.175 + 120.205) / 2, abs=1e-3)


def test_readability_only_of_english() -> None:
    documents = Measured()
    documents.add(["Eisen rostet."], "de")
    found = describe_corpus(documents, Measured())
    assert found.documents == 1
    assert found.document_readability is None
    assert found.words_per_question is None


@pytest.mark.parametrize(
    ("word", "count"),
    [
        ("cat", 1), ("water", 2), ("cake", 1), ("makes", 1), ("table", 2), ("tables", 2), ("whole", 1), ("rules", 1),
        ("jumped", 1), ("wanted", 2), ("boxes", 2), ("safely", 2), ("movement", 2), ("something", 2), ("science", 2),
        ("radio", 3), ("material", 4), ("nation", 2), ("special", 2), ("various", 3), ("quick", 1), ("guard", 1),
        ("prism", 2), ("rhythm", 2), ("doesn't", 2), ("don’t", 1), ("there's", 1), ("seeing", 2), ("photosynthesis", 5),
        ("naïve", 1), ("x", 1), ("42", 1), ("水", 1),
    ],
)  # fmt: skip
def test_syllables(word: str, count: int) -> None:
    assert syllables(word) == count


def test_reading_ease_falls_with_longer_words_and_sentences() -> None:
    easy = reading_ease(["The sea is cold.", "Ice can float."])
    long_words = reading_ease(["The oceanic temperature is considerably inferior."])
    long_sentence = reading_ease(["The sea is cold and so the ice can float on it for a long time in the dark."])
    assert easy is not None
    assert long_words is not None
    assert long_sentence is not None
    assert easy > long_sentence > long_words
    assert reading_ease(["…", "?!"]) is None
    assert reading_ease([]) is None


@given(st.lists(st.text()))
def test_any_text_can_be_read(sentences: list[str]) -> None:
    found = Measured()
    found.add(sentences, "en")
    assert found.texts == int(any(sentences))
    assert describe_corpus(found, Measured()).questions == 0


def test_hostile_words_are_cheap() -> None:
    for part in ("ia", "a'", "gu", "e", "ed"):
        assert syllables(part * 50_000) <= 61
