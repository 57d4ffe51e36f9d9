"""Divide triples into train, dev and test so that no lesson and no near-duplicate stands in two parts."""

import hashlib

from transforms.clusters import components
from transforms.result import Ledger, Params, Result, Tables


def part(name: str, shares: tuple[float, float, float]) -> str:
    """The part of a group, by a stable hash of its name."""
    point = int(hashlib.sha256(f"split:{name}".encode()).hexdigest()[:12], 16) / 16**12
    if point < shares[0]:
        return "train"
    return "dev" if point < shares[0] + shares[1] else "test"


def split_triples(inputs: Tables, params: Params, model: object = None) -> Result:
    """Input: clusters of all lessons. Output: splits. Rejects: none.

    Lessons that share a cluster are one group. The group is named by its smallest lesson, so that a new triple
    never moves its lesson to another part.
    """
    ledger = Ledger("splits")
    rows = inputs["clusters"].sort_by("triple_id").to_pylist()
    by_lesson: dict[str, set[str]] = {}
    for row in rows:
        by_lesson.setdefault(row["lesson_id"], set()).add(row["cluster_id"])
    if params["method"] == "random":  # LearningQ's random split, which leaks
        names = {row["triple_id"]: row["triple_id"] for row in rows}
    else:
        groups = components((lesson, sorted(found)) for lesson, found in sorted(by_lesson.items()))
        names = {row["triple_id"]: groups[row["lesson_id"]] for row in rows}
    shares = tuple(params["shares"])
    for row in rows:
        ledger.add("splits", {**row, "split": part(names[row["triple_id"]], (shares[0], shares[1], shares[2]))})
        ledger.keep(row["lesson_id"])
    return ledger.result("splits")
