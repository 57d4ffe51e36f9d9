"""KhanQ A.4, external information."""

import pytest

from transforms.triples.external import delete_contacts, delete_links
from transforms.triples.rewrites import tidy


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Kites fly. See https://example.org/w for a table.", "Kites fly."),
        ("See https://example.org/w or mail me at kite@example.org or call +1 555 123 4567. Kites fly.", "Kites fly."),
        ("Source: https://example.org/k?x=1&y=2. Kites fly.", "Kites fly."),
        ("Kites fly (see https://example.org/kite_(toy)). They do.", "Kites fly. They do."),
        ("Kites fly (https://example.org). They do.", "Kites fly. They do."),
        ("Read [this](https://example.org/w) for more. Kites fly.", "Kites fly."),
        ("Kites fly, says [a book](https://example.org/w).", "Kites fly, says a book."),
        ("Kites fly. You can find more about it under https://example.org/w", "Kites fly."),
        ("Kites fly. For a longer explanation see www.example.org/w or mail me at kite@example.org.", "Kites fly."),
        ("Kites fly. One may learn more at https://example.org/w or mail me at [email].", "Kites fly."),
        ("Kites fly. (Re)View https://example.org/w It takes a minute.", "Kites fly."),
        ("See how kites fly.", "See how kites fly."),
        ("Kites fly. The sheet itself is at https://example.org/w. They do.", "Kites fly. They do."),
        ("Call the desk at https://example.org/w and ask for a kite.", "Call the desk and ask for a kite."),
        ("They do. According to https://example.org/w, kites fly.", "They do. Kites fly."),
    ],
)
def test_links(before: str, after: str) -> None:
    assert tidy(delete_links(before)) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Email me at kite@example.org. Kites fly.", "Kites fly."),
        ("Kites fly. Write to [email] for more.", "Kites fly."),
        ("Kites fly. kite@example.org", "Kites fly."),
        ("I would not go that far, [user]. Kites fly.", "I would not go that far. Kites fly."),
        ("What [user] describes is lift, as [user] said.", "What someone describes is lift, as someone said."),
        ("Kites fly. [user] is right, [user]'s kite flew.", "Kites fly. Someone is right, someone's kite flew."),
        ("[user], Kites need wind and [user]!", "Kites need wind and someone!"),
        ("Kites fly. Just call me at +1 555 123 4567 if they do not.", "Kites fly."),
        ("Kites fly @ night.", "Kites fly @ night."),
    ],
)
def test_contacts(before: str, after: str) -> None:
    assert tidy(delete_contacts(before)) == after
