"""Names of authors in text: what goes, what stays, and that ingest asks for every lesson by itself."""

import pytest

from transforms.authors import Names

LESSON = "Radium. Marie Curie found it together with Pierre."
AUTHORS = [
    "Janet Quux",
    "mina_k",
    "TomB",
    "Ödön",
    "Marie Curie",
    "Pierre",
    "Why",
    "dark matter",
    "ann99",
    "",
    "-",
    "Li",
    "1984",
]
NAMES = Names(AUTHORS, LESSON)


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("As Janet Quux said, it glows.", "As [user] said, it glows."),
        ("@Janet Quux, mina_k and ann99: why?", "[user], [user] and [user]: why?"),
        ("TomB's answer is better.", "[user]'s answer is better."),
        (
            "Thanks, Janet! Hello Ödön, thank you so much Janet",
            "Thanks, [user]! Hello [user], thank you so much [user]",
        ),
        ("Ödön wrote: it glows", "[user] wrote: it glows"),
        ("It glows.\nJanet", "It glows.\n[user]"),
        ("It glows. -- Ödön", "It glows. -- [user]"),
    ],
)
def test_what_goes(text: str, clean: str) -> None:
    assert NAMES.without(text) == clean


@pytest.mark.parametrize(
    "text",
    [
        "Did Marie Curie know? Thanks Pierre wrote: no",  # the lesson is about them
        "Why, then, is dark matter dark? Is Janet a moon?",
        "In 1984, Annex 99, TomBola and mina_kay are other words.",
        "Hi Liza, thanks Lithium",
        "",
    ],
)
def test_what_stays(text: str) -> None:
    assert NAMES.without(text) == text


def test_nobody_has_no_name() -> None:
    assert Names([], LESSON).without("Thanks, Janet") == "Thanks, Janet"
