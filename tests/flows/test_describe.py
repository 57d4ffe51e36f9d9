"""`quarry evaluate describe`: a snapshot, or a file of KhanQ's form."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from commands import Quarry, Row, shown_as_json, triples


def test_describe_a_snapshot(build: Callable, quarry: Quarry) -> None:
    _, outcome = build()
    found = shown_as_json(quarry, "evaluate", "describe", "--at", outcome.manifest.id)
    assert found == shown_as_json(quarry, "evaluate", "describe")
    assert found["triples"]["triples"] == len(triples(quarry))
    corpora = {(c["source"], c["kind"], c["asked_by"]): c for c in found["corpora"]}
    tides = corpora["small", "video", "learners"]
    assert (tides["documents"], tides["questions"], tides["sentences_per_document"]) == (1, 3, 4.0)
    assert corpora["small", "video", "instructors"]["questions"] == 1
    shown = quarry("evaluate", "describe")
    assert shown.exit_code == 0
    assert "document readability" in shown.stdout


def khanq(**changes: Any) -> Row:
    return {"Source": "Ice", "Context": "Salt lowers the freezing point.", "Question": "Why is it spread?",
            "Prompt": {"type": "Condition", "content": "If salt melts ice"}, **changes}  # fmt: skip


def test_describe_a_file_of_khanqs_form_without_a_home(quarry: Quarry, tmp_path: Path) -> None:
    (tmp_path / "khanq.json").write_text(json.dumps([khanq(), khanq(Question="Is it dear?")]))
    found = shown_as_json(quarry, "evaluate", "describe", "--khanq", "khanq.json")
    assert found["corpora"] == []
    described = found["triples"]
    assert described["mean_words"] == {"context": 5.0, "prompt": 4.0, "question": 3.5}
    assert described["prompt_types"] == [{"value": "condition", "rows": 2, "share": 1.0}]
    assert {s["value"] for s in described["reasoning_types"]} == {"cause", "verification"}


@pytest.mark.parametrize(
    "body",
    [
        "{", "{}", "[]", "[1]", "\xff", "[" * 100_000,
        json.dumps([khanq(), khanq(Prompt="If salt melts ice")]),
        json.dumps([khanq(), khanq(Context=None)]),
        json.dumps([khanq(), khanq(Question=" ")]),
        json.dumps([khanq(), khanq(Prompt={"type": "Whim", "content": "If"})]),
        json.dumps([khanq(), khanq(Prompt={"type": None, "content": "If"})]),
    ],
    ids=range(11),
)  # fmt: skip
def test_a_broken_file_of_khanqs_form(quarry: Quarry, tmp_path: Path, body: str) -> None:
    (tmp_path / "khanq.json").write_text(body, encoding="latin-1")
    result = quarry("evaluate", "describe", "--khanq", "khanq.json")
    assert result.exit_code == 2
    assert result.stderr.startswith("quarry: khanq.json")
    assert result.stderr.count("\n") == 1


def test_describe_wants_one_thing_that_is_there(quarry: Quarry) -> None:
    assert quarry("evaluate", "describe", "--khanq", "nowhere.json").exit_code == 2
    assert quarry("evaluate", "describe", "--khanq", "a.json", "--at", "b").exit_code == 2
    assert quarry("evaluate", "describe").exit_code == 2
