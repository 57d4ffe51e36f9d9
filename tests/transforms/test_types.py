import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from expectations import table
from expectations.types import BLOOM_LEVELS, QUESTION_TYPES, REASONING_TYPES
from transforms.types import suggest_types
from transforms.types.bloom import bloom_levels
from transforms.types.interrogative import question_type
from transforms.types.rules import read, reasoning_type
from transforms.types.wording import clause, normal


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Who discovered radium?", "who"),
        ("whose notebook is still radioactive?", "who"),
        ("To whom did the land belong?", "who"),
        ("Where does the sap go in winter?", "where"),
        ("So where is the error?", "where"),
        ("Where's the focus of this ellipse?", "where"),
        ("When was the treaty signed?", "when"),
        ("Since the war ended in May, when did the troops leave?", "when"),
        ("when do tides turn", "when"),
        ("Which of the two is heavier?", "which"),
        ("In which layer do planes fly?", "which"),
        ("which gas is it?", "which"),
        ("What is a catalyst?", "what"),
        ("whats the unit of charge?", "what"),
        ("If the rope is cut, what happens to the weight?", "what"),
        ("Why do leaves turn red?", "why"),
        ("How come the moon does not fall?", "why"),
        ("Can anyone tell me why salt melts ice?", "why"),
        ("How many moons has Mars?", "how many"),
        ("how long is a generation?", "how many"),
        ("How far away is it?", "how many"),
        ("How do I balance this?", "how"),
        ("And how is steel made?", "how"),
        ("I don't understand how the sign changed?", "how"),
        ("Is glass a liquid?", "yes/no"),
        ("Doesn't that break the rule?", "yes/no"),
        ("can't we just divide by x?", "yes/no"),
        ("So the mass stays the same, right?", "yes/no"),
        ("Is that the cell which divides?", "yes/no"),
        ("Really?", "other"),
        ("And the negative root?", "other"),
        ("huh?", "other"),
    ],
)
def test_question_type(text, expected):
    assert question_type(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Is a tomato a fruit?", "verification"),
        ("does sound travel through steel?", "verification"),
        ("Can a proton decay?", "verification"),
        ("Is a virus alive or dead?", "disjunction"),
        ("Does the current flow left or right?", "disjunction"),
        ("Are whales fish or mammals?", "disjunction"),
        ("What is osmosis?", "concept"),
        ("What does the word isotope mean?", "concept"),
        ("Who was the first consul?", "concept"),
        ("How many bones does a shark have?", "extent"),
        ("How hot is the core?", "extent"),
        ("What is the boiling temperature of mercury?", "concept"),
        ("At what speed does it leave the ramp?", "extent"),
        ("What are some examples of weak acids?", "example"),
        ("Can anyone recommend a book on knots?", "example"),
        ("What's the strangest fossil ever found?", "example"),
        ("What is the difference between mass and weight?", "comparison"),
        ("How does RNA differ from DNA?", "comparison"),
        ("Is copper a better conductor than iron?", "comparison"),
        ("Why is the night sky dark?", "cause"),
        ("What causes the tides?", "cause"),
        ("how come ice is slippery?", "cause"),
        ("What happens if you heat it further?", "consequence"),
        ("What if the earth stopped turning?", "consequence"),
        ("What are the effects of acid rain?", "consequence"),
        ("How do I factor this polynomial?", "procedural"),
        ("How is paper made?", "procedural"),
        ("If both roots are negative, how can we tell?", "procedural"),
        ("Do you think zoos are cruel?", "judgmental"),
        ("Should maths be taught without calculators?", "judgmental"),
        ("What is your opinion on nuclear power?", "judgmental"),
    ],
)
def test_reasoning_type_by_rules(text, expected):
    assert reasoning_type(read(text)) == expected


def test_the_asking_clause_is_found():
    assert clause(normal("Hi, if it's cold, why doesn't it freeze?")) == "why does not it freeze?"
    assert clause(normal("does anybody know what a quark is?")) == "what a quark is?"
    assert clause(normal("What 's wrong, is n't it ?")) == "what is wrong, is not it ?"


@pytest.mark.parametrize(
    ("text", "reasoning", "expected"),
    [
        ("Why is it warm?", "cause", ["understanding", "analyzing"]),
        ("How do I solve for x?", "procedural", ["applying"]),
        ("What is a prime?", "concept", ["remembering"]),
        ("Should we design a new test?", "judgmental", ["evaluating", "creating"]),
        ("Is it the same?", "verification", ["understanding"]),
    ],
)
def test_bloom_levels(text, reasoning, expected):
    assert bloom_levels(text, reasoning) == expected


@given(st.text(), st.sampled_from(REASONING_TYPES))
def test_any_text_has_types(text, reasoning):
    assert question_type(text) in QUESTION_TYPES
    assert reasoning_type(read(text)) in REASONING_TYPES
    levels = bloom_levels(text, reasoning)
    assert levels
    assert set(levels) <= set(BLOOM_LEVELS)


@pytest.mark.parametrize("unit", ["if a, ", "what ", "so ", "how ", "is ", "more er ", ",", "or "])
def test_hostile_text_is_read_in_part(unit):
    assert reasoning_type(read(unit * 100_000)) in REASONING_TYPES
    assert question_type(unit * 100_000) in QUESTION_TYPES


def questions(*texts):
    rows = [
        {"question_id": f"q{n}", "post_id": "p", "lesson_id": f"l{n % 2}", "question_no": n, "text": text,
         "start_char": 0, "end_char": 1} for n, text in enumerate(texts)
    ]  # fmt: skip
    return {"questions": pa.Table.from_pylist(rows, schema=table("questions").schema)}


def test_every_question_gets_a_row():
    result = suggest_types(questions("Why is it so?", "Is it?", "What is it?"), {})
    assert result.tables["types"].to_pylist()[0] == {
        "question_id": "q0", "lesson_id": "l0", "question_type": "why", "reasoning_type": "cause", "deep": True,
        "bloom_levels": ["understanding", "analyzing"],
    }  # fmt: skip
    assert result.tables["types"].schema == table("types").schema
    assert {name: (unit.rows_in, unit.kept) for name, unit in result.units.items()} == {"l0": (2, 2), "l1": (1, 1)}
    assert result.rejects.num_rows == 0


def test_no_questions_give_a_typed_empty_table():
    assert suggest_types(questions(), {}).tables["types"].schema == table("types").schema
