"""Single fields of raw records, whatever a source puts into them."""

from datetime import UTC, datetime

import pytest

from transforms import fields


@pytest.mark.parametrize(
    ("given", "code"),
    [("en", "en"), ("en-US", "en"), ("PT_br", "pt"), (" de ", "de"), ("eng", None), ("English", None), ("", None),
     (None, None), ("é1", None)],
)  # fmt: skip
def test_languages_are_codes_of_two_letters(given: str | None, code: str | None) -> None:
    assert fields.language({"language": given}, "language") == code


def test_control_characters_go_and_separators_part_words() -> None:
    assert fields.clean("a\x0bb\x0cc\x1fd\x00e\x7ff\r\ng\th") == "a b c def\ng\th"


@pytest.mark.parametrize(
    ("given", "found"),
    [("17", "17"), (17, "17"), (17.0, "17"), (2**64 - 1, "18446744073709551615"), (1.5, None), (True, None),
     # A whole number of more than 64 bits comes as a decimal one, which its neighbours share.
     (1.2345678901234568e29, None)],
)  # fmt: skip
def test_an_id_is_exact_or_none(given: object, found: str | None) -> None:
    assert fields.optional_id({"post_id": given}, "post_id") == found


@pytest.mark.parametrize(
    ("given", "found"),
    [(True, True), (False, False), (1, True), (0, False), (1.0, True), ("true", True), (" False ", False), ("1", True),
     ("", None), (None, None)],
)  # fmt: skip
def test_what_tables_without_booleans_write(given: object, found: bool | None) -> None:
    assert fields.boolean({"accepted": given}, "accepted") is found


@pytest.mark.parametrize("given", [2, -1, "maybe", [], {}, 10**400, float("nan")])
def test_what_is_neither_true_nor_false(given: object) -> None:
    with pytest.raises(fields.BadField, match="accepted"):
        fields.boolean({"accepted": given}, "accepted")


@pytest.mark.parametrize(
    "given",
    ["2024-05-01T10:00:00Z", "2024-05-01 10:00:00", "2024-05-01 12:00:00+02:00", "2024-05-01 10:00:00 UTC",
     "20240501T100000", 1714557600, 1714557600.0, "1714557600", 1714557600000, "1714557600000"],
)  # fmt: skip
def test_a_time_in_the_forms_of_exports(given: object) -> None:
    assert fields.time({"created_at": given}, "created_at") == datetime(2024, 5, 1, 10, tzinfo=UTC)


def test_eight_digits_are_a_day_and_small_numbers_are_seconds() -> None:
    assert fields.time({"created_at": "20240501"}, "created_at") == datetime(2024, 5, 1, tzinfo=UTC)
    assert fields.time({"created_at": 86400}, "created_at") == datetime(1970, 1, 2, tzinfo=UTC)


@pytest.mark.parametrize("given", ["yesterday", "2024", "17", "nan", "inf", True, [1], {}, 10**400, 1e300, "24:00"])
def test_what_is_no_time(given: object) -> None:
    with pytest.raises(fields.BadField, match="created_at"):
        fields.time({"created_at": given}, "created_at")


@pytest.mark.parametrize(
    ("given", "found"), [(4711, "4711"), (4711.0, "4711"), (" Mina ", "Mina"), ("", None), (None, None)]
)
def test_a_name_may_be_the_number_of_an_account(given: object, found: str | None) -> None:
    assert fields.optional_name({"author": given}, "author") == found


@pytest.mark.parametrize("given", [True, {"name": "Mina"}, ["Mina"]])
def test_what_is_no_name(given: object) -> None:
    with pytest.raises(fields.BadField, match="author"):
        fields.optional_name({"author": given}, "author")


def test_options_may_be_numbers() -> None:
    assert fields.texts({"options": [2, 0.5, "none"]}, "options") == ["2", "0.5", "none"]
    for wrong in ("none", [None], [True], [["a"]]):
        with pytest.raises(fields.BadField, match="options"):
            fields.texts({"options": wrong}, "options")


def test_choices_in_whatever_case() -> None:
    assert fields.choice({"kind": "Question"}, "kind", ("question", "answer"), "answer") == "question"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("It doesnâ€™t melt at 25Â\xa0Â°C, says the â€œcafÃ©â€\x9d.", "It doesn’t melt at 25\xa0°C, says the “café”."),
        ("x â‰¤ 5 â†’ ðŸ˜€", "x ≤ 5 → 😀"),
        ("A pâté at 25 °C, Ångström’s “â”, Ã and ê ≈ 4 %.", "A pâté at 25 °C, Ångström’s “â”, Ã and ê ≈ 4 %."),
    ],
)
def test_text_that_was_decoded_wrongly_is_decoded_again(before: str, after: str) -> None:
    assert fields.clean(before) == after
