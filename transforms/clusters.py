"""Group near-duplicate triples: sketches for each lesson, then one cheap union over all of them."""

from collections.abc import Iterable

import numpy as np

from transforms.digest import digest
from transforms.near_duplicates import alike, sketch, words_of
from transforms.result import Ledger, Params, Result, Tables
from transforms.wordings import PARTS

# Of a shorter question, such as `Why is that so?`, near-duplicates mean nothing without its prompt.
_SAYS_ENOUGH = 5


def sign_triples(inputs: Tables, params: Params, model: object = None) -> Result:
    """Input: triples, wordings. Output: signatures, of the text that is published. Rejects: none."""
    ledger = Ledger("signatures")
    edited = {row["triple_id"]: row for row in inputs["wordings"].select(["triple_id", *PARTS]).to_pylist()}
    for row in inputs["triples"].select(["triple_id", "lesson_id", *PARTS]).to_pylist():
        context, prompt, question = (edited[row["triple_id"]][name] or row[name] for name in PARTS)
        compared = f"{prompt} {question}" if len(question.split()) < _SAYS_ENOUGH else question
        found = {"triple_id": row["triple_id"], "lesson_id": row["lesson_id"], "asked": digest(words_of(question))}
        ledger.add("signatures", {**found, "question": sketch(compared), "context": sketch(context)})
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
    rows = inputs["signatures"].sort_by("triple_id")
    ids = rows["triple_id"].to_pylist()
    # Equal questions are together, however short they are: `What happens?` must not train and test.
    links = [[f"asked {asked}"] for asked in rows["asked"].to_pylist()]
    for part in ("question", "context") if ids else ():
        sketches = np.array(rows[part].to_pylist(), dtype=np.uint64)
        for one, other in alike(sketches):
            links[other].append(ids[one])
            links[one].append(ids[one])
    groups = components(zip(ids, links, strict=True))
    for triple_id, lesson_id in zip(ids, rows["lesson_id"].to_pylist(), strict=True):
        row = {"triple_id": triple_id, "lesson_id": lesson_id, "cluster_id": groups[triple_id]}
        ledger.add("clusters", row)
        ledger.keep(lesson_id)
    return ledger.result("clusters")
