"""Measures how varied the posts of a campus are, and finds templates: `python -m benchmarks.variety [FOLDER]`."""

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass
from itertools import groupby
from pathlib import Path
from statistics import mean, pstdev

from crawlers.campus.content import DEFAULT_FOLDER, read_campus

WORD = re.compile(r"\w+")
SENTENCE_END = re.compile(r"(?<=[.?!])\s+|\n+")
OPENING = 4
# A frame of fewer grammar words ("the _ is the _") is English, not a template.
FRAME = 4
SLOT = "_"
GRAMMAR = """
a an the this that these those and or but nor so yet if then than as at by for from in into of off on onto out
over to under up with without about after before between through during while when where why how what which
who whom whose because since until i you he she it we they me him her us them my your his its our their is are
was were be been being am do does did done has have had having can could will would shall should may might
must not no t s m re ve ll d there here just only also too very more most less least some any all both each
every such same other another own much many few one ever never still again once now really
"""
GRAMMAR_WORDS = frozenset(WORD.findall(GRAMMAR))


@dataclass(frozen=True)
class Variety:
    """What the measures say of a set of posts; a template makes every one of them fall."""

    distinct_trigrams: float
    """Distinct runs of three words, as a share of all."""
    distinct_openings: float
    """Distinct first four words of a sentence, as a share of all sentences of more than four words."""
    length_spread: float
    """Standard deviation of the posts' lengths in words, over their mean."""

    def reaches(self, floors: "Variety") -> bool:
        """Whether no measure is below its floor."""
        return all(value >= floor for value, floor in zip(astuple(self), astuple(floors), strict=True))


def words(text: str) -> list[str]:
    """The lower-cased words of a text."""
    return WORD.findall(text.lower())


def sentences(text: str) -> list[str]:
    """The sentences and lines of a text."""
    return SENTENCE_END.split(text)


def variety(texts: Sequence[str]) -> Variety:
    """The measures of some posts."""
    posts = [words(text) for text in texts]
    trigrams = [tuple(post[start : start + 3]) for post in posts for start in range(len(post) - 2)]
    # A post that repeats another word for word is a duplicate, which forums have; it is not a template.
    said = {tuple(words(sentence)) for text in texts for sentence in sentences(text)}
    openings = [sentence[:OPENING] for sentence in said if len(sentence) > OPENING]
    lengths = [len(post) for post in posts]
    return Variety(
        len(set(trigrams)) / len(trigrams), len(set(openings)) / len(openings), pstdev(lengths) / mean(lengths)
    )


def frame(sentence: str) -> str:
    """The sentence with a slot for each stretch of content words."""
    slotted = (word if word in GRAMMAR_WORDS else SLOT for word in words(sentence))
    return " ".join(word for key, group in groupby(slotted) for word in ([key] if key == SLOT else group))


def shared_frames(texts: Iterable[str]) -> Iterator[tuple[str, str, str]]:
    """Sentences of different posts that differ only in their content words, each with the frame and the first such."""
    first: dict[str, tuple[int, str]] = {}
    for number, text in enumerate(texts):
        for sentence in sentences(text):
            slots = frame(sentence)
            if SLOT in slots and sum(word != SLOT for word in slots.split()) >= FRAME:
                other, earlier = first.setdefault(slots, (number, sentence))
                if other != number and words(earlier) != words(sentence):
                    yield slots, earlier, sentence


def posts_of(folder: Path) -> list[str]:
    """The texts of all posts of a campus."""
    threads = (thread for lesson in read_campus(folder).values() for thread in lesson.threads)
    return [post["body"] for thread in threads for post in thread["posts"]]


def main() -> None:
    """Print the measures and the shared frames."""
    texts = posts_of(Path(sys.argv[1]) if len(sys.argv) > 1 else DEFAULT_FOLDER)
    measured = variety(texts)
    lengths = sorted(len(words(text)) for text in texts)
    quarters = ", ".join(str(lengths[len(lengths) * part // 4]) for part in (1, 2, 3))
    print(f"posts {len(texts)}, words: quartiles {quarters}, longest {lengths[-1]}")
    print(f"distinct trigrams {measured.distinct_trigrams:.3f}, distinct sentence openings "
          f"{measured.distinct_openings:.3f}, length spread {measured.length_spread:.2f}")  # fmt: skip
    shared = list(shared_frames(texts))
    print(f"sentence frames shared by two posts: {len(shared)}")
    for slots, *pair in shared:
        print(f"  {slots}\n    " + "\n    ".join(pair))


if __name__ == "__main__":
    main()
