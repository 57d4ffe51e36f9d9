"""Measures how varied the posts of a campus are, and finds templates and near-copies, also among the bundled labels:
`python -m benchmarks.variety [FOLDER]`.
"""

import json
import math
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass
from itertools import combinations, groupby
from pathlib import Path
from statistics import mean, pstdev

from benchmarks.label_agreement import LABELS
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
# Two questions with two thirds of their words in common ask the same thing; "what is the difference between …" alone
# leaves a pair of them below.
NEAR = 0.65
# With five words, a "did I get that right?" is a near-copy of every other one, and people do say it.
SHORTEST = 6
# Six words in a row are still an idiom ("it is of the order of", "what are the side effects of"); seven are a copy.
RUN = 7
# A phrase of three or four words, two of them content words, that is said below three lessons is the habit of one
# writer, or at times an idiom; nobody misses an idiom that had to go.
PHRASES, PLACES = (3, 4), 3
# Lessons on related subjects share some words in their first sentences, but not as many as two that begin alike.
BEGINNING = 60
# Quoting and linking are no copying.
QUOTED = re.compile(r"^>.*$|https?://\S+", re.MULTILINE)
TASKS = ("usefulness", "reasoning_type")  # the second annotator's rows repeat those of the first
INTENDED = (
    # Somebody asks again what has been asked before, as on every forum.
    {"10010", "10110"}, {"20023", "20039"}, {"30309", "30325"}, {"40045", "40047"}, {"50039", "50043"},
    {"60101", "60109"}, {"70408", "70425"}, {"80401", "80407"},
    # A reply takes up the words of the post that it answers.
    {"60117", "60119"}, {"60202", "60203"},
)  # fmt: skip


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


def stock_phrases(places: Iterable[Iterable[str]]) -> dict[str, int]:
    """The phrases said in posts of several places, with the number of places; a longer one takes in the shorter."""
    said = Counter(phrase for texts in places for phrase in set().union(*map(phrases, texts)))
    found = {" ".join(phrase): count for phrase, count in said.items() if count >= PLACES}
    return {phrase: count for phrase, count in found.items() if not any(phrase != o and phrase in o for o in found)}


def phrases(text: str) -> set[tuple[str, ...]]:
    """The short runs of words in a text that hold two content words."""
    spoken = words(QUOTED.sub(" ", text))
    runs = (tuple(spoken[start : start + size]) for size in PHRASES for start in range(len(spoken) - size + 1))
    return {run for run in runs if sum(word not in GRAMMAR_WORDS for word in run) > 1}


def shared_beginnings(texts: Mapping[str, str]) -> list[tuple[int, str, str]]:
    """Pairs of texts with the number of content words that both begin with, most first."""
    begins = {name: frozenset(words(text)[:BEGINNING]) - GRAMMAR_WORDS for name, text in texts.items()}
    return sorted(((len(begins[a] & begins[b]), a, b) for a, b in combinations(begins, 2)), reverse=True)


def near_copies(texts: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Pairs of names whose texts have nearly the same words, or a run of words in common; no pair twice."""
    said = {name: words(QUOTED.sub(" ", text)) for name, text in texts.items()}
    sets = {name: frozenset(found) for name, found in said.items() if len(set(found)) >= SHORTEST}
    frequency = Counter(word for found in sets.values() for word in found)
    by_rare_word: dict[str, list[str]] = defaultdict(list)
    by_run: dict[tuple[str, ...], str] = {}
    for name, spoken in said.items():
        others = set()
        if found := sets.get(name):
            # A set that is near enough holds one of the rarest words of this one: it lacks fewer than there are here.
            rarest = sorted(found, key=lambda word: (frequency[word], word))
            for word in rarest[: len(found) - math.ceil(NEAR * len(found)) + 1]:
                others |= {o for o in by_rare_word[word] if len(found & sets[o]) >= NEAR * len(found | sets[o])}
                by_rare_word[word].append(name)
        runs = (tuple(spoken[start : start + RUN]) for start in range(len(spoken) - RUN + 1))
        others |= {by_run.setdefault(run, name) for run in runs}
        yield from ((other, name) for other in sorted(others - {name}))


def unintended_copies(texts: Mapping[str, str]) -> list[tuple[str, str]]:
    """The near-copies that nobody meant."""
    return [pair for pair in near_copies(texts) if not any(group.issuperset(pair) for group in INTENDED)]


def named_posts(folder: Path) -> dict[str, str]:
    """The texts of all posts of a campus by their ids."""
    threads = (thread for lesson in read_campus(folder).values() for thread in lesson.threads)
    return {str(post["id"]): post["body"] for thread in threads for post in thread["posts"]}


def posts_by_lesson(folder: Path) -> list[list[str]]:
    """The texts of the posts below each lesson."""
    return [
        [post["body"] for thread in lesson.threads for post in thread["posts"]]
        for lesson in read_campus(folder).values()
    ]


def lesson_texts(folder: Path) -> dict[str, str]:
    """What each lesson says, written or spoken."""
    lessons = read_campus(folder).items()
    return {name: " ".join([lesson.body, *(caption.text for caption in lesson.captions)]) for name, lesson in lessons}


def posts_of(folder: Path) -> list[str]:
    """The texts of all posts of a campus."""
    return list(named_posts(folder).values())


def named_labels() -> dict[str, str]:
    """The labelled texts by file and line, such as `usefulness/biology:3`."""
    paths = [path for task in TASKS for path in sorted((LABELS / task).glob("*.jsonl"))]
    return {
        f"{path.parent.name}/{path.stem}:{number}": json.loads(line)["text"]
        for path in paths
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
    }


def main() -> None:
    """Print the measures, the shared frames, the stock phrases and the near-copies."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else DEFAULT_FOLDER
    texts = posts_of(folder)
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
    stock = stock_phrases(posts_by_lesson(folder))
    print(f"stock phrases, said in {PLACES} lessons or more: {len(stock)}")
    for phrase, count in sorted(stock.items(), key=lambda item: (-item[1], item[0])):
        print(f"  {phrase} ({count})")
    count, *pair = shared_beginnings(lesson_texts(folder))[0]
    print(f"content words that two lessons begin with: {count} ({', '.join(pair)})")
    named = named_posts(folder) | named_labels()
    copies = unintended_copies(named)
    print(f"near-copies among posts and labels: {len(copies)}")
    for names in copies:
        print("".join(f"\n    {name}  {named[name]}" for name in names))


if __name__ == "__main__":
    main()
