"""Several annotators: how far they agree beyond chance, where they do not, and what to label next."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations


@dataclass(frozen=True)
class Vote:
    """What one annotator said of one record."""

    record_id: str
    annotator: str
    label: str


@dataclass(frozen=True)
class Agreement:
    """Two annotators on the records that both labelled."""

    first: str
    second: str
    records: int
    agreed: float  # share of records with the same label
    kappa: float | None  # null when chance alone would agree always, or nothing is doubly labelled


@dataclass(frozen=True)
class Disagreement:
    """A record on which annotators differ, with each one's label."""

    record_id: str
    labels: tuple[tuple[str, str], ...]


def cohen_kappa(first: list[str], second: list[str]) -> float | None:
    """(observed - expected) / (1 - expected) agreement (Cohen 1960); null where that is undefined."""
    if len(first) != len(second):
        raise ValueError(f"two lists of labels of the same records are needed, not {len(first)} and {len(second)}")
    if not first:
        return None
    total = len(first)
    observed = sum(a == b for a, b in zip(first, second, strict=True)) / total
    one, other = Counter(first), Counter(second)
    expected = sum(one[label] * other[label] for label in one) / total**2
    return None if expected == 1 else (observed - expected) / (1 - expected)


def _by_record(votes: Iterable[Vote]) -> dict[str, dict[str, str]]:
    """The last vote of an annotator on a record counts."""
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for vote in votes:
        found[vote.record_id][vote.annotator] = vote.label
    return found


def agreements(votes: Iterable[Vote]) -> list[Agreement]:
    """Every pair of annotators that share a record, by name."""
    pairs: dict[tuple[str, str], list[tuple[str, str]]] = defaultdict(list)
    for labels in _by_record(votes).values():
        for first, second in combinations(sorted(labels), 2):
            pairs[first, second].append((labels[first], labels[second]))
    found = []
    for (first, second), both in sorted(pairs.items()):
        one, other = [a for a, _ in both], [b for _, b in both]
        agreed = sum(a == b for a, b in both) / len(both)
        found.append(Agreement(first, second, len(both), agreed, cohen_kappa(one, other)))
    return found


def disagreements(votes: Iterable[Vote]) -> list[Disagreement]:
    """Records with more than one label, by id."""
    found = sorted(_by_record(votes).items())
    return [Disagreement(name, tuple(sorted(each.items()))) for name, each in found if len(set(each.values())) > 1]


def most_uncertain_first(scores: Mapping[str, float], labelled: Iterable[str] = ()) -> list[str]:
    """Ids of records not labelled yet, those nearest to 0.5 first: where a label teaches most."""
    known = set(labelled)
    return sorted((name for name in scores if name not in known), key=lambda name: (abs(scores[name] - 0.5), name))
