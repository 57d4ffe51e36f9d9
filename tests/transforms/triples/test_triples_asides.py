"""What answerers say of themselves and of their post (KhanQ A.5, conversation)."""

import pytest

from transforms.triples.asides import delete_asides
from transforms.triples.rewrites import tidy


@pytest.mark.parametrize(
    "aside",
    [
        "Tom, great question!",
        "Haha, good one.",
        "My name is Ada from the fifth grade.",
        "I am a retired physics teacher.",
        "EDIT: fixed a typo.",
        "Edit 3: thanks for all the votes!",
        "P.S. cool profile picture!",
        "PS: sorry for my English.",
        "Source: my old physics book.",
        "Just message me if anything is unclear.",
    ],
)
def test_asides(aside: str) -> None:
    assert tidy(delete_asides(f"{aside} Kites fly.")) == "Kites fly."
    assert tidy(delete_asides(f"Kites fly. {aside}")) == "Kites fly."


def test_what_an_added_remark_tells_stays() -> None:
    assert delete_asides("Kites fly. Edit: wet ones do not.") == "Kites fly. Wet ones do not."
    assert delete_asides("Kites fly. P.S. wet ones do not.") == "Kites fly. Wet ones do not."


@pytest.mark.parametrize(
    "text",
    [
        "A good question is half of a kite.",
        "I am a nurse, and we give it slowly, as a student learns.",
        "Edit-distance counts letters.",
        "Psalms are songs.",
        "Call it a kite.",
        "Great thought went into kites.",
    ],
)
def test_what_looks_like_one_stays(text: str) -> None:
    assert delete_asides(text) == text
