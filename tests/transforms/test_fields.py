"""Single fields of raw records, whatever a source puts into them."""

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
