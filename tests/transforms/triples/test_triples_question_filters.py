"""KhanQ A.1: each criterion has a question that trips it, and one like it that passes."""

import pytest

from transforms.triples.calculation import needs_calculation
from transforms.triples.off_subject import (
    asks_what_to_do,
    is_request,
    not_a_question,
    off_subject,
    seeks_consent,
    seeks_opinion,
)
from transforms.triples.question_filters import (
    cites_missing_media,
    is_definition,
    not_understood,
    question_reason,
)


@pytest.mark.parametrize(
    "text",
    [
        "Right?",
        "Any ideas?",
        "Am I right?",
        "Does that make sense?",
        "Can someone please help me with this?",
        "What am I doing wrong?",
        "Why is my answer marked wrong?",
        "Why?",
        "The moons (?)",
        "Do you know a good book?",
        "Now what?",
        "Aren't they?",
        "[user], could you move the video?",
        "Could you make one about kites?",
        "Or after it?",
        "I.e. the moon?",
        "When will we ever use this?",
        "Anyone else?",
        "Right or wrong?",
        "How do you all remember which side is wet?",
        "Do I hand it in on paper?",
        "Is there anyone I can call about this?",
        "Who else is reading this at night?",
        "Is it only me or is this lesson long?",
        "Can anybody please fix the link?",
        "Am I really the only one?",
        "Did I get this wrong?",
    ],
)
def test_chatter_and_requests_ask_nothing_about_the_subject(text: str) -> None:
    assert not_a_question(text)


@pytest.mark.parametrize(
    "text",
    [
        "Why do moons not fall down?",
        "Can someone explain why moons do not fall down?",
        "What happens?",
        "Do you have to stir the tea clockwise?",
        "Why is I- heavier than F-?",
        "Is this kite heavier than air?",
        "Why do my legs get tired?",
        "Or does it fall?",
        "What we call wind is air?",
        "Who else saw this moon before Galileo?",
        "Am I lighter on the moon?",
        "Have I more weight there?",
        "Can they help the moons to stay up?",
        "Or does it depend on the moon?",
    ],
)
def test_questions_about_the_subject_pass(text: str) -> None:
    assert not not_a_question(text)


def test_a_statement_with_a_tag_seeks_consent() -> None:
    assert seeks_consent("Moons are round, right?")
    assert seeks_consent("Moons fall, don't they? (slowly)")
    assert not seeks_consent("Do moons fall, right?")
    assert not seeks_consent("Are moons round?")


def test_opinions_and_the_site_are_off_the_subject() -> None:
    assert seeks_opinion("Sails are cloth, but in your opinion, are they light?")
    assert off_subject("Why is the moon red in this video?")
    assert off_subject("How does Khan Academy count points?")
    assert off_subject("Is it the video or my ears?")
    assert off_subject("Is the moon essay due on Friday or the one after?")
    assert off_subject("Is the essay on the moon due on the 12th?")
    assert off_subject("Until which date can we hand in the drawing of the moon?")
    assert not off_subject("Is the tide due to the moon?")
    assert not off_subject("Why does the video say that moons fall?")
    assert not off_subject("Do video signals reach the moon?")


def test_what_to_do_needs_something_to_do_it_with() -> None:
    assert asks_what_to_do("When it rains", "What do you do?")
    assert not asks_what_to_do("When the moon hides a planet behind clouds", "What can we do?")
    assert not asks_what_to_do("When it rains", "What do moons do?")


def test_a_request_is_put_to_a_person() -> None:
    assert is_request("Can someone explain this to me?")
    assert not is_request("Can someone explain why moons fall?")


@pytest.mark.parametrize(
    "text",
    [
        "A tram drives 12 km in 20 minutes. What is the average speed of the tram?",
        "A baker fills 14 trays per hour. How long does it take to fill 70 trays?",
        "Flour costs 2 dollars per kilo, with 10% off. What would be the price of 5 kilos?",
        "A tram drives 12 km in two hours. Find its mean velocity?",
        "A tray holds 12 rolls. He fills 4 trays. How many rolls does he bake?",
        "A baker has 30 rolls and sells 12. How many are left?",
        "A lamp of 20 ohms is put to 12 V. What current flows?",
        "A roll is thrown up at 9 m/s. How high does it go?",
        "If a cart weighs 30 kg and a mule pulls with 60 N, what is the deceleration?",
        "A tram drives forty kilometers in two hours. What is its mean speed?",
        "If a field has sides of 5, 12 and 13, what will be its perimeter?",
        "A mill had 90 rolls in 1890 and twice as many after 5 years, what was the number in 1900?",
        "If a baker earns 20 dollars and works 3 days, what is his wage?",
        "Solve 4y - 2 = 10, what is y?",
        "Convert 12 km to miles, how many miles is that?",
        "If m = 3 kg and v = 2 m/s, what is the momentum?",
        "A tram starts 9 km behind a bus that drives 30 km/h. When will it catch the bus?",
    ],
)
def test_numbers_and_a_quantity_need_a_calculation(text: str) -> None:
    assert needs_calculation(text)


@pytest.mark.parametrize(
    "text",
    [
        "With v = s / t, a tram drives 12 km in 20 minutes. What is the average speed of the tram?",
        "Water boils at 100 degrees. Why does it boil at a lower temperature on a mountain?",
        "How many legs has a spider with 3 legs missing?",
        "In his time there were 2 mills with 30 wheels. How many people could read?",
        "In 1812 he had 600,000 men and lost all but 20,000. How many of the men fell ill?",
        "If E = 1/2 mv^2, and a roll of 2 kg flies at 9 m/s, what is its energy?",
        "Dough rises at 30 degrees and dies at 60 degrees. What is the reason for that?",
        "If bread has 3 layers and cake has 5, what is the purpose of so many?",
        "Dough rises at 30 degrees and dies at 60 degrees. What is the temperature in between called?",
        "Dough rests for 2 hours and bakes for 1 hour. What is the crust, and why is it hard?",
    ],
)
def test_a_formula_or_no_quantity_needs_none(text: str) -> None:
    assert not needs_calculation(text)


@pytest.mark.parametrize(
    "text",
    [
        "In figure 2 below the arrow is red, why is that?",
        "In the picture the roots are blue. Why are they blue?",
        "At 2:15 the drawing moves. Why does it move?",
        "What is in the attached screenshot?",
        "The leaf is red. Why is it green in the drawing?",
        "In the image, why does the lens bend the light?",
        "The arrow at the top of the picture is red. Why does it point up?",
        "According to the diagram, why is the leaf red?",
        "In the chart, why is the leaf red?",
        "On this slide the leaf is red. Why is it red?",
        "In figure 2 it says that leaves are red. Why is the leaf in figure 3 green?",
    ],
)
def test_a_figure_or_a_time_that_is_not_there(text: str) -> None:
    assert cites_missing_media(text, None)


@pytest.mark.parametrize(
    ("text", "speech_end"),
    [
        ("At 2:15 the wind turns. Why does it turn?", 200.0),
        ("At 2:15 the speaker says that sand is made of tiny shells. Why is it yellow?", None),
        ("Pictures of dunes look alike. Why do they?", None),
        ("The shop opens at 9:30 am. Why not earlier?", None),
        ("If people squint, what happens to the image?", None),
        ("If a mirror is bent, why are there two noses in the picture?", None),
        ("How did the Greeks give life to the drawing of a horse?", None),
        ("When pollen is dried on the slide, why does it shrink?", None),
        ("If I write a line in the chart above another line, which is read first?", None),
        ("When a table shown by a program is sorted, what is lost?", None),
        ("In the second figure it says that leaves turn red. Why do they turn red?", None),
    ],
)
def test_a_time_that_captions_resolve_or_the_asker_quotes_is_no_missing_media(
    text: str, speech_end: float | None
) -> None:
    assert not cites_missing_media(text, speech_end)


def test_code_that_is_not_there_is_missing() -> None:
    assert cites_missing_media("In the code above, why does the wind turn?", None)


def test_a_time_behind_the_end_of_the_captions_is_missing() -> None:
    assert cites_missing_media("At 9:15 the wind turns. Why does it turn?", 200.0)


@pytest.mark.parametrize(
    "text",
    [
        "What is a dune?",
        "What's the meaning of erosion?",
        "What does erosion mean?",
        "What do you mean by erosion?",
        "What are tidal pools?",
        "What does the term erosion refer to?",
        "Could anyone please define erosion?",
        "So what exactly are dunes?",
    ],
)
def test_mere_definitions(text: str) -> None:
    assert is_definition(text)


@pytest.mark.parametrize(
    "text",
    [
        "What is the difference between sand and silt?",
        "What is it made of?",
        "Why is a dune a hill?",
        "What are dunes good for?",
    ],
)
def test_what_is_may_ask_for_more(text: str) -> None:
    assert not is_definition(text)


@pytest.mark.parametrize(
    "answer",
    [
        "Do you mean the red kite?",
        "Are you talking about kites?",
        "I'm not sure what you are asking.",
        "Could you clarify which moon?",
        "Sorry, I didn't get your question.",
        "I don't quite see what you would like to hear about kites.",
        "Your question doesn't make much sense to me.",
        "Which of the two kites are you referring to?",
        "What kind of kite are you thinking of?",
        "I'm a bit lost as to what you're asking.",
        "I am not sure that I understand your question.",
    ],
)
def test_the_answerer_asks_back(answer: str) -> None:
    assert not_understood(answer)


@pytest.mark.parametrize(
    "answer",
    [
        "You can mean either tide here, since both rise.",
        "Your question is clear: tides rise twice.",
        "You can't see what your eye does not send on.",
        "Which tide you mean is clear, and it rises.",
    ],
)
def test_an_answer_that_understood(answer: str) -> None:
    assert not not_understood(answer)


@pytest.mark.parametrize(
    ("prompt", "question", "kind", "reason"),
    [
        ("The dune moves.", "Right?", "citation", "not_a_question"),
        ("In figure 3 the dune moves.", "Why does it move?", "citation", "cites_missing_media"),
        ("A tram drives 12 km in 20 minutes.", "What is the speed of the tram?", "citation", "needs_calculation"),
        ("Dunes move.", "What is a dune?", "citation", "definition"),
        ("If dunes move", "What is a dune?", "condition", None),
        ("Since dunes move", "What is a dune?", "citation", None),
        ("He speaks of dunes.", "What are those?", "citation", "definition"),
        ("There is something called a dune", "What is it?", "citation", "definition"),
        ("I heard about dunes.", "What are they?", "citation", "definition"),
        ("The wind builds something at night.", "What is it?", "citation", None),
        ("Dunes move.", "What exactly is a dune?", "citation", None),
        ("With v = s / t", "What is the speed?", "citation", None),
        ("Dunes move.", "I thought dunes stay in place?", "citation", "not_a_question"),
        ("Dunes move.", "Dunes stay where they are?", "citation", None),
        ("Dunes move.", "Why do dunes move?", "citation", None),
    ],
)
def test_the_first_failed_criterion_is_the_reason(prompt: str, question: str, kind: str, reason: str | None) -> None:
    assert question_reason(prompt, question, kind, None) == reason
