"""Names of authors in text: what goes, what stays, and that ingest asks for every lesson by itself."""

from time import perf_counter

import pytest

from transforms.authors import Names

LESSON = "Radium. Marie Curie found it together with Pierre. It is no dark matter."
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
    "Bo",
    "Maria de la Cruz",
    "ludwig van dijk",
    "محمد علي",
    "इन्दु शर्मा",
    "d'Artagnan",
    "Иван Петров",
    "José García",
    "Karl Weiß",
    "Ann",
    "Will",
    "Grace",
    "王小明",
    "田中",
    "No Name",
    "J K",
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
        # Every name of several words, however it is written.
        ("I agree with janet quux, JANET QUUX", "I agree with [user], [user]"),
        ("Quux, Janet or https://x.org/janet-quux/3 or janetquux", "[user] or https://x.org/[user]/3 or [user]"),
        ("Ask Maria de la Cruz, Ludwig van Dijk or karl weiß", "Ask [user], [user] or [user]"),
        ("قال محمد علي ذلك", "قال [user] ذلك"),
        ("मैं इन्दु शर्मा हूँ", "मैं [user] हूँ"),
        ("Ask d’Artagnan, иван петров or Jose Garcia", "Ask [user], [user] or [user]"),
        ("李老师，王小明说得对。谢谢田中", "李老师，[user]说得对。谢谢[user]"),
        # Single words, where they are people.
        ("Thanks Li! @Bo: why? Hi bo,", "Thanks [user]! [user]: why? Hi [user],"),
        ("It glows.\n- Ann", "It glows.\n- [user]"),
        ("Ann: it glows. As Ann said, no", "[user]: it glows. As [user] said, no"),
        ("My name is Ann. In reply to Will: no", "My name is [user]. In reply to [user]: no"),
        ("thanks, will! hi thanks Grace", "thanks, [user]! hi thanks [user]"),
        ("I'm Grace, Dr. Quux. Best regards, Will", "I'm [user], Dr. [user]. Best regards, [user]"),
        ("Ann's answer and janet's", "[user]'s answer and janet's"),
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
        "Will it glow? It will. Thanks will do. By grace of it, as will said",
        "Thanks, Li is an alkali metal, and Bo is none; it has no name",
        "5 J K, and the tomb of Ann Arbor",
        "Thank you all: my name is Radium",
        "",
    ],
)
def test_what_stays(text: str) -> None:
    assert NAMES.without(text) == text


def test_a_hostile_text_takes_no_longer_than_its_length() -> None:
    begun = perf_counter()
    for piece in ("Hi ", "- ", "thanks, ", "Ann", "~ \t", "@", "a_", "as Ann ", "Janet ", "Ann: \n"):
        NAMES.without("Ann " + piece * (100_000 // len(piece)))
    assert perf_counter() - begun < 10


def test_nobody_has_no_name() -> None:
    assert Names([], LESSON).without("Thanks, Janet") == "Thanks, Janet"
