"""The answers to one question together (KhanQ A.3, several answers)."""

from transforms.triples.pairing import make_contexts

TOPIC = "If sails are wet Why do sails tear at the seam?"
LONG = (
    "Thread swells when it is wet and cuts the cloth beside it, so that sails tear along the seam first and only then"
    " in the middle of the cloth."
)


def made(*answers: str) -> tuple[list[tuple[list[str], str]], list[tuple[str, str]]]:
    rows = [{"post_id": str(i), "text": text} for i, text in enumerate(answers)]
    found = make_contexts(rows, "Why do sails tear at the seam?", TOPIC, 16)
    kept = [([a["post_id"] for a in c.answers], c.text) for c in found.kept]
    return kept, [(row["post_id"], reason) for row, reason in found.dropped]


def test_each_kept_answer_is_a_context_of_its_own() -> None:
    other = LONG.replace("Thread", "Yarn")
    assert made(LONG, other) == ([(["0"], LONG), (["1"], other)], [])


def test_short_answers_are_joined() -> None:
    kept, dropped = made("Seams tear first as thread swells.", "Wet sails are heavy and pull at the seam all night.")
    assert kept == [
        (["0", "1"], "Seams tear first as thread swells. Wet sails are heavy and pull at the seam all night.")
    ]
    assert dropped == []


def test_the_joined_answers_pass_the_filters_again() -> None:
    kept, dropped = made("Seams tear.", "Sails pull.")
    assert kept == []
    assert dropped == [("0", "answer_too_short"), ("1", "answer_too_short")]


def test_contradicting_answers_are_not_joined() -> None:
    kept, dropped = made("Yes, wet seams of sails tear first of all.", "No, wet seams of sails hold longer than cloth.")
    assert kept == []
    assert [reason for _, reason in dropped] == ["answer_too_short", "answer_too_short"]


def test_answers_that_say_opposite_things_are_not_joined() -> None:
    kept, dropped = made("The seam of a wet sail tears first.", "The seam never tears, wet sails tear in the middle.")
    assert kept == []
    assert [reason for _, reason in dropped] == ["answer_too_short", "answer_too_short"]


def test_talk_that_shares_words_is_never_joined() -> None:
    kept, dropped = made(
        "Wet seams of sails tear first, at night.",
        "Sails pull at the seam all day, too.",
        "I love sails with a seam! Subscribe to my channel about sails!",
    )
    assert [ids for ids, _ in kept] == [["0", "1"]]
    assert dropped == [("2", "answer_does_not_answer")]


def test_off_topic_answers_are_never_joined() -> None:
    kept, dropped = made(
        "Wet seams of sails tear first, at night.", "Pancakes!", "Sails pull at the seam all day, too."
    )
    assert [ids for ids, _ in kept] == [["0", "2"]]
    assert dropped == [("1", "answer_does_not_answer")]


def test_short_answers_in_other_words_are_joined_when_they_share_words() -> None:
    kept, dropped = made(
        "Wet seams swell and cut the cloth.", "Cloth that swells is weak where needles made holes in it."
    )
    assert [ids for ids, _ in kept] == [["0", "1"]]
    assert dropped == []


def test_a_refusal_is_never_joined() -> None:
    kept, dropped = made(
        "Wet seams swell and cut the cloth.",
        "Seams cut cloth where it swells, that much is known here.",
        "No idea, seams swell.",
    )
    assert [ids for ids, _ in kept] == [["0", "1"]]
    assert dropped == [("2", "answer_does_not_answer")]


def test_the_answerer_who_asks_back() -> None:
    assert made("Do you mean the seam? " + LONG) == ([], [("0", "not_understood")])


def test_the_same_answer_twice_is_merged() -> None:
    rows = [{"post_id": str(i), "text": LONG} for i in range(2)]
    found = make_contexts(rows, "", TOPIC, 16)
    assert [(row["post_id"], ordinal) for row, ordinal in found.merged] == [("1", 0)]


def test_a_hundred_short_answers_give_a_paragraph() -> None:
    kept, dropped = made(*(f"Sails tear at seam number {i}." for i in range(100)))
    assert len(kept) == 1
    assert len(kept[0][1]) <= 1_100
    assert len(kept[0][0]) + len(dropped) == 100
