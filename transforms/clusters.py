"""Group near-duplicate triples: MinHash bands for each lesson, then one cheap union over all of them."""

import re
from collections.abc import Iterable

from rensa import RMinHash

from transforms.digest import digest
from transforms.result import Ledger, Params, Result, Tables

_WORD = re.compile(r"\w+")
# 64 hashes in 8 bands of 8: texts that share about 77 % of their shingles meet in a band half of the time.
HASHES, BANDS = 64, 8


def bands(text: str, kind: str) -> list[str]:
    """The hashed bands of a text; an exact copy always shares all of them."""
    words = _WORD.findall(text.lower())
    shingles = [" ".join(words[i : i + 2]) for i in range(max(len(words) - 1, 1))]
    sketch = RMinHash(num_perm=HASHES, seed=42)
    sketch.update(shingles)
    values, size = sketch.digest(), HASHES // BANDS
    return [digest(kind, i, values[i * size : (i + 1) * size], length=12) for i in range(BANDS)]


def sign_triples(inputs: Tables, params: Params, model: object = None) -> Result:
    """Input: triples. Output: signatures. Rejects: none."""
    ledger = Ledger("signatures")
    for row in inputs["triples"].select(["triple_id", "lesson_id", "question", "context"]).to_pylist():
        found = bands(row["question"], "question") + bands(row["context"], "context")
        ledger.add("signatures", {"triple_id": row["triple_id"], "lesson_id": row["lesson_id"], "bands": found})
        ledger.keep(row["lesson_id"])
    return ledger.result("signatures")


def components(groups: Iterable[tuple[str, Iterable[str]]]) -> dict[str, str]:
    """Each member's group: members that share a label, directly or through others, get one representative."""
    parent: dict[str, str] = {}

    def root(node: str) -> str:
        while parent[node] != node:
            parent[node] = parent[parent[node]]
            node = parent[node]
        return node

    members = []
    for member, labels in groups:
        members.append(member)
        parent.setdefault("m" + member, "m" + member)
        for label in labels:
            parent.setdefault("l" + label, "l" + label)
            parent[root("l" + label)] = root("m" + member)
    smallest: dict[str, str] = {}
    for member in sorted(members):
        smallest.setdefault(root("m" + member), member)
    return {member: smallest[root("m" + member)] for member in members}


def cluster_triples(inputs: Tables, params: Params, model: object = None) -> Result:
    """Input: signatures of all lessons. Output: clusters. Rejects: none."""
    ledger = Ledger("clusters")
    rows = inputs["signatures"].sort_by("triple_id").to_pylist()
    groups = components((r["triple_id"], r["bands"]) for r in rows)
    for row in rows:
        triple_id = row["triple_id"]
        ledger.add(
            "clusters",
            {"triple_id": triple_id, "lesson_id": row["lesson_id"], "cluster_id": groups[triple_id]},
        )
        ledger.keep(row["lesson_id"])
    return ledger.result("clusters")
