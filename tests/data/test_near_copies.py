"""No two bundled texts are near-copies, except where that is meant."""

import subprocess
import sys
from itertools import combinations
from random import Random

import pytest

from benchmarks.variety import INTENDED, NEAR, SHORTEST, named_labels, named_posts, near_copies, unintended_copies
from crawlers.campus.content import DEFAULT_FOLDER

BUNDLED = named_posts(DEFAULT_FOLDER) | named_labels()


def found_with(text: str) -> list[tuple[str, str]]:
    return unintended_copies(BUNDLED | {"planted": text})


def test_bundled_texts_are_no_near_copies() -> None:
    assert len(BUNDLED) >= 3000
    assert unintended_copies(BUNDLED) == []


def test_every_exception_is_still_needed() -> None:
    copies = [set(pair) for pair in near_copies(BUNDLED)]
    for group in INTENDED:
        assert group <= set().union(*(pair for pair in copies if pair <= group)), group


@pytest.mark.parametrize(
    ("name", "planted"),
    [
        ("usefulness/earth-science:109", "Why is the sky so red at sunset but not at noon?"),
        ("reasoning_type/chemistry:66", "why does my shower head grow such a crust every single month"),
        ("reasoning_type/history:29", "So how much did a knight's plate armour weigh before gunpowder, roughly?"),
        ("80421", "Each time I pause, the playback speed jumps back to where it was an hour ago, any cure for that?"),
    ],
)
def test_planted_near_copy_is_found(name: str, planted: str) -> None:
    assert found_with(planted) == [(name, "planted")]


@pytest.mark.parametrize(
    "planted",
    [
        "> Each time I pause, the playback speed jumps back to 1x, and I need 0.75 to take notes.\n\nNot here.",
        "Look at https://campus.example.org/lessons/chemistry/acids-bases-and-buffers/discussion#post-20023 first.",
        "Did I get that right?",
        "What is the difference between a fjord and a ria?",
        "",
    ],
)
def test_quotations_links_and_idioms_are_no_copies(planted: str) -> None:
    assert found_with(planted) == []


def test_no_pair_is_missed() -> None:
    random = Random(5)
    said = {f"{n}": random.choices("abcdefghijkl", k=random.randrange(4, 14)) for n in range(150)}
    sets = {name: set(letters) for name, letters in said.items() if len(set(letters)) >= SHORTEST}
    near = {(a, b) for a, b in combinations(sets, 2) if len(sets[a] & sets[b]) >= NEAR * len(sets[a] | sets[b])}
    assert len(near) > 100
    assert near <= set(near_copies({name: " ".join(letters) for name, letters in said.items()}))


def test_command_counts_them() -> None:
    command = [sys.executable, "-m", "benchmarks.variety"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=DEFAULT_FOLDER.parents[1])
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("near-copies among posts and labels: 0\n")
