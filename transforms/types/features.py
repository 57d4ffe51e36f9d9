"""What the linear model sees of a question: the rules' cues, how the clause opens, its words, and pairs of hints."""

from itertools import combinations, pairwise

from transforms.types.rules import SUPERLATIVE, Reading, reasoning_type
from transforms.types.wording import tokens

CUE_WEIGHT = 2.0  # cues come from rules and carry more than a word does
RULE_FEATURES = ("type:", "cue:")

# Words that shape a question; all others are seen by their ending only where structure counts.
_KEPT = frozenset(
    """a an the this that these those some any no every each all both either many much more most less least few several
    other another such same i me my you your he him his she her it its we us our they them their one someone
    anyone something anything everything nothing people person thing things who whom whose which what when where
    why how is are was were be been being am do does did doing done have has had having can could will would
    shall should may might must not never ever just only even still also too very really so as than then if
    unless whether because since until while but and or of in on at to for from by with without about into over
    under between among against during before after through out off up down like there here again always often
    best worst better worse good bad favorite favourite think feel believe prefer know tell explain mean means
    define definition difference differences different similar compare example examples kind kinds type types
    sort way ways name reason reasons cause causes effect effects affect impact result happen happens happened
    make makes made get go take use used work need want long far old big fast likely hard easy important
    possible true safe legal worth number amount rate cost price time year day called purpose role function
    steps process method advice tips recommend idea opinion thoughts rather choose pros cons benefits advantages
    problem""".split()  # noqa: SIM905
)
_HINTS = {
    "you": {"you", "your"},
    "i": {"i", "my"},
    "or": {"or"},
    "ever": {"ever"},
    "if": {"if"},
    "would": {"would"},
    "should": {"should"},
    "some": {"some", "any"},
    "that": {"that"},
    "people": {"people"},
    "more": {"better", "worse", "more", "less", "than"},
}


def features(reading: Reading) -> dict[str, float]:
    """Named features with their weight, before the row is scaled to length one."""
    asking, whole = tokens(reading.clause), tokens(reading.whole)
    shapes = [shape(word) for word in asking]
    opener = reading.opener
    cues = sorted(reading.cues)
    found = {f"type:{reasoning_type(reading)}": CUE_WEIGHT, **{f"cue:{cue}": CUE_WEIGHT for cue in cues}}
    names = [f"opener:{opener}", *(f"cues:{a}:{b}" for a, b in combinations(cues, 2))]
    names += [f"shapes:{' '.join(shapes[:n])}" for n in range(1, 6)]
    names += [f"words:{' '.join(asking[:n])}" for n in range(1, 5)]
    names += [f"word:{word}" for word in whole]
    names += [f"pair:{a} {b}" for a, b in pairwise(whole)]
    frame = ["<", *map(shape, whole), ">"]
    names += [f"frame:{' '.join(frame[i : i + n])}" for n in (2, 3) for i in range(len(frame) - n + 1)]
    hints = [hint for hint, words in _HINTS.items() if not words.isdisjoint(whole)]
    hints += ["superlative"] if SUPERLATIVE.search(reading.clause) else []
    names += [f"hint:{hint}" for hint in hints] + [f"hint:{hint}:{opener}" for hint in hints]
    names += [f"hints:{a}:{b}:{opener}" for a, b in combinations(hints, 2)]
    length = min(len(whole) // 4, 6)
    names += [f"length:{length}", f"length:{opener}:{min(length, 4)}", *_alternatives(asking, shapes, opener)]
    return {**dict.fromkeys(names, 1.0), **found}


def shape(word: str) -> str:
    """The word itself if it shapes questions, else its ending."""
    if word in _KEPT or not word[0].isalpha():
        return "#" if word[0].isdigit() else word
    for ending, least in (("est", 5), ("ing", 5), ("ed", 4), ("ly", 3), ("er", 5)):
        if word.endswith(ending) and len(word) >= least:
            return f"X{ending}"
    return "Xs" if word.endswith("s") and not word.endswith("ss") else "X"


def _alternatives(asking: list[str], shapes: list[str], opener: str) -> list[str]:
    """How the last "or" stands: alternatives of the whole question come late and look alike."""
    if "or" not in asking:
        return []
    place = len(asking) - 1 - asking[::-1].index("or")
    before = shapes[place - 1] if place else ""
    behind = shapes[place + 1] if place + 1 < len(shapes) else ""
    rest = sum(word != "?" for word in asking[place + 1 :])
    found = [f"or:rest:{min(rest, 7)}", f"or:behind:{behind}", f"or:before:{before}", f"or:opener:{opener}"]
    return [*found, f"or:place:{4 * place // len(asking)}", *(["or:alike"] if before == behind else [])]
