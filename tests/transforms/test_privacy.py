"""Personal data: what is scrubbed, what stays, and that Arrow's quick look misses nothing."""

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from transforms.privacy import scrub, scrub_columns, scrubbed


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("Write to mina.k+forum@mail.example.org!", "Write to [email]!"),
        ("Write to mina.k (at) example (dot) org or mina[AT]mail.example.org.", "Write to [email] or [email]."),
        ("Thanks @élodie and @Żaneta_k!", "Thanks [user] and [user]!"),
        ("Call 555-0123, or (030) 555 0199.", "Call [phone], or [phone]."),
        ("Call +49 30 1234567 now", "Call [phone] now"),
        ("Call 555\n123 4567 now", "Call [phone] now"),
        ("Thanks @mina_k, that helps", "Thanks [user], that helps"),
        ("Thanks @ann@bob, that helps", "Thanks [user][user], that helps"),
        ("Ring 020 7946 0958.", "Ring [phone]."),
        ("06 12 34 56 78, 06.12.34.56.78 or 06-12-34-56-78", "[phone], [phone] or [phone]"),
        ("Tel.: 0171-1234567 (mornings)", "Tel.: [phone] (mornings)"),
        ("(030) 123456-78, (030)/123456 or 030 / 123 456", "[phone], [phone] or [phone]"),
        ("07911 123456\n0171 123-4567", "[phone]\n[phone]"),
        ("0171 123-4567", "[phone]"),
        ("555-0123 020 7946 0958", "[phone] [phone]"),
        ("See http://x.org/users/123/janet-quux.", "See http://x.org/users/[user]."),
        ("(https://forum.x.org/f/u/Janet.Quux/summary)", "(https://forum.x.org/f/u/[user]/summary)"),
        ("x.org/profile/janet and /u/janet, /profile/janet", "x.org/profile/[user] and /u/[user], /profile/[user]"),
        ("[J](https://x.org/members/janet.12/)", "[J](https://x.org/members/[user]/)"),
    ],
)
def test_what_goes(text: str, clean: str) -> None:
    assert scrub(text) == clean


@pytest.mark.parametrize(
    "text",
    [
        "In 1945 there were 12 345 678 of them.",
        "pi is 3.141592653589793",
        "Take a[i] @ b in NumPy.",
        "It is 9-10 km.",
        "x = +3.4 - 12.5 - 7 and y +10 - 2 - 3.5, so the limit is +1 (2) (3) 4",
        "Look (at) this. Then look [at] me, or f(at) = 2.",
        "0 123 456 789 or 0.123-456, 0.0171 1234567 and 05.1234567",
        "x=0171 1234567, y = 0171 1234567, a0171-1234567",
        "from 01.02.2024 to 05.03.2024, 01-02-2024 12:30, 01/2023-02/2024, 05.2019-06.2020",
        "0900-1700, 0100 - 0200",
        "RA 05 35 17.30, -05 23 28; or 05 35 17 05 23 28",
        "after 05 10 15 20 25 minutes, at 00 05 10 15 20",
        "0101 1100 1010",
        "doi:10.1007/0387-1234567 and 10:0171 1234567",
        "12 020 7946 0958 and 020 7946 0958 2",
        "the ratio du/u/dv, m/u/sec and /u/v of users/members/all",
        "GET /users/list of https://x.org/tags/users",
    ],
)
def test_what_stays(text: str) -> None:
    assert scrub(text) == text


PIECES = st.sampled_from(
    ["a", "ann", "é", "@", ".", "-", "+", "(", ")", " ", "\n", "\u00a0", "\u2009", "\x1c", "\x85", "1", "23", "٤٥٦",
     "555", "0123", "[user]", "_", "/", "\0", "0", "020", "06", "(030)", "7946", "1234567", "=", ",", ":", "\x0b",
     "/u/", "/users/", "https://", "x.org", "janet", "(at)", " [dot] "]
)  # fmt: skip
TEXTS = st.lists(PIECES, max_size=24).map("".join)


@settings(deadline=None, max_examples=500)
@given(TEXTS)
def test_arrow_finds_whatever_the_scrubber_changes(text: str) -> None:
    changed = scrubbed(pa.chunked_array([[text, None]], pa.string()))
    assert changed == ({0: scrub(text)} if scrub(text) != text else {})


@settings(deadline=None, max_examples=500)
@given(TEXTS)
def test_scrubbing_twice_changes_nothing_more(text: str) -> None:
    assert scrub(scrub(text)) == scrub(text)


def test_texts_that_give_a_number_only_together() -> None:
    rows = pa.table({"text": ["call 555 123 4567", "calm"], "options": [["me@example.org", "b"], ["555", "123-45"]]})
    clean = scrub_columns(rows, ("text", "options"))
    assert clean.to_pylist() == [
        {"text": "call [phone]", "options": ["[email]", "b"]},
        {"text": "calm", "options": ["555", "123-45"]},
    ]
    assert clean.schema == rows.schema
