"""Reviews and validations of triples through the command line."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from commands import Give, Quarry, annotation, shown_as_json, stored, triples

from flows.settings import Settings


def test_reviews_change_the_view_and_an_edited_text_wins(build: Callable, quarry: Quarry, give: Give) -> None:
    build()
    before = triples(quarry)
    assert len(before) >= 2
    assert {row["review"] for row in before.values()} == {"draft"}
    first, second = list(before)[:2]
    give("triples", {"triple_id": first, "verdict": "accepted", "annotator": "ada"},
         {"triple_id": second, "verdict": "rejected", "annotator": "ada"})  # fmt: skip
    found = triples(quarry)
    assert (found[first]["review"], found[second]["review"]) == ("accepted", "rejected")
    give("triples", {"triple_id": first, "verdict": "edited", "prompt": "If the zinc is gone", "annotator": "ada"})
    build()
    found = triples(quarry)
    assert found[first] == {**before[first], "prompt": "If the zinc is gone", "review": "edited"}
    left = quarry("labels", "export", "--task", "triples").stdout.splitlines()
    assert {json.loads(line)["triple_id"] for line in left} == set(before) - {first, second}


def test_a_verdict_lapses_when_the_draft_changes(build: Callable, quarry: Quarry, give: Give, corpus: Path) -> None:
    build()
    query = "select t.triple_id from triples t join questions q using (question_id) where q.post_id = 'small:r1'"
    ((name,),) = [row.values() for row in json.loads(quarry("sql", query, "--json").stdout)]
    give("triples", {"triple_id": name, "verdict": "edited", "context": "Zinc protects the iron for a while."})
    assert triples(quarry)[name]["review"] == "edited"
    posts = (corpus / "posts.jsonl").read_text()
    # The answer changes, the question and its answers do not: the triple keeps its id and gets another draft.
    (corpus / "posts.jsonl").write_text(posts.replace("the iron does not lose its own", "the iron keeps its own"))
    build()
    found = triples(quarry)[name]
    assert found["review"] == "draft"
    assert "the iron keeps its own" in found["context"]


def test_an_edited_text_outlives_a_change_of_the_rules(
    build: Callable, quarry: Quarry, give: Give, monkeypatch: pytest.MonkeyPatch
) -> None:
    build()
    (name, other) = list(before := triples(quarry))[:2]
    give("triples", {"triple_id": name, "verdict": "edited", "prompt": "If the zinc is gone", "annotator": 7},
         {"triple_id": other, "verdict": "accepted", "annotator": 8})  # fmt: skip
    from transforms.triples import build as stage

    make = stage.make_contexts

    def with_another_rule(*arguments: Any) -> Any:
        found = make(*arguments)
        found.kept = [replace(context, text=f"{context.text} Indeed.") for context in found.kept]
        return found

    monkeypatch.setattr(stage, "make_contexts", with_another_rule)
    build(force=True)
    found = triples(quarry)
    assert found[other]["context"].endswith("Indeed.")
    assert found[other]["review"] == "draft"  # what was accepted is not what the rules make now
    edited = {**before[name], "prompt": "If the zinc is gone", "review": "edited", "draft": found[name]["draft"]}
    assert found[name] == edited


def test_an_edited_text_has_its_own_types_and_its_own_part(build: Callable, quarry: Quarry, give: Give) -> None:
    build()
    query = "select triple_id, lesson_id, cluster_id, split, prompt_type, question_type, question from triples"
    rows = {row["triple_id"]: row for row in shown_as_json(quarry, "sql", query)}
    one, other = next((a, b) for a in rows for b in rows if rows[a]["cluster_id"] != rows[b]["cluster_id"])
    asked = f"  {rows[other]['question'].upper()} "
    give("triples", {"triple_id": one, "verdict": "edited", "prompt": "In winter", "question": asked})
    run, outcome = build()
    assert not outcome.unchanged
    computed = {name: sum(d.computed for d in done) for name, done in run.stages.items()}
    assert {name for name, lessons in computed.items() if lessons} == {"wordings", "signatures", "clusters", "splits"}
    assert computed["wordings"] == 1
    found = {row["triple_id"]: row for row in shown_as_json(quarry, "sql", query)}
    assert found[one]["prompt_type"] == "preposition"
    assert found[one]["question_type"] == found[other]["question_type"]
    assert found[one]["cluster_id"] == found[other]["cluster_id"]
    assert found[one]["split"] == found[other]["split"]
    texts = (
        "select w.prompt, t.prompt as shown from wordings w join triples t using (triple_id) where w.prompt is not null"
    )
    assert shown_as_json(quarry, "sql", texts) == [{"prompt": "In winter", "shown": "In winter"}]


def test_accepting_a_changed_text_in_label_studio_means_the_changed_text(
    build: Callable, quarry: Quarry, tmp_path: Path
) -> None:
    build()
    (task, *_) = json.loads(quarry("labels", "export", "--task", "triples", "--label-studio").stdout)
    given = [{"from_name": "verdict", "value": {"choices": ["accepted"]}},
             {"from_name": "prompt", "value": {"text": ["If the zinc is gone"]}}]  # fmt: skip
    (tmp_path / "done.json").write_text(json.dumps([{**task, "annotations": [{"completed_by": 3, "result": given}]}]))
    assert quarry("labels", "import", "--task", "triples", "done.json").exit_code == 0
    row = triples(quarry)[task["data"]["triple_id"]]
    assert (row["review"], row["prompt"]) == ("edited", "If the zinc is gone")


def test_a_wrong_verdict_imports_nothing(build: Callable, give: Give, quarry: Quarry, settings: Settings) -> None:
    build()
    good = {"triple_id": next(iter(triples(quarry))), "verdict": "accepted"}
    for change in ({"verdict": "fine"}, {"triple_id": "nothing"}, {"triple_id": None}, {"verdict": "edited"}):
        result = give("triples", good, {**good, **change})
        assert result.exit_code == 2, change
        assert "line 2" in result.stderr
        assert stored(settings, "reviews") == []


def test_quality_of_annotators_and_of_triples(build: Callable, quarry: Quarry, give: Give) -> None:
    build()
    assert "nobody reviewed" in quarry("labels", "quality").stdout
    first, second = list(triples(quarry))[:2]
    give("triples", *({"triple_id": name, "verdict": "accepted", "annotator": "ada"} for name in (first, second)))
    yes = {"carries": 1, "constrains": 1, "complete": 1}
    give("validation", {"triple_id": first, "annotator": "cleo", **yes},
         {"triple_id": first, "annotator": "ada", **yes},
         {"triple_id": second, "annotator": "cleo", **yes, "carries": 0})  # fmt: skip
    found = shown_as_json(quarry, "labels", "quality")
    (ada,) = found["annotators"]
    assert (ada["reviewed"], ada["first"], ada["gate"], ada["state"]) == (2, 1, "approved", "retrain")
    validation = found["validation"]
    assert (validation["triples"]["checked"], validation["triples"]["rate"], validation["ignored"]) == (2, 0.5, 1)
    assert validation["failed"] == {"carries": 1, "constrains": 0, "complete": 0}
    assert validation["failing"] == [second]
    shown = quarry("labels", "quality", "--assigned", "40").stdout
    assert "redo" in shown  # of forty tasks the second is one of the first tenth
    assert "1 of 2 triples pass, 50.0 %" in shown
    # An edit of the text makes the answers about it void.
    give("triples", {"triple_id": second, "verdict": "edited", "prompt": "In salt water", "annotator": "ada"})
    assert shown_as_json(quarry, "labels", "quality")["validation"]["triples"]["checked"] == 1
    assert shown_as_json(quarry, "sql", "select carries from validations where not carries") == [{"carries": False}]
    pairs = shown_as_json(quarry, "labels", "agreement", "--task", "validation")["pairs"]
    assert [(p["first"], p["second"], p["records"]) for p in pairs] == [("ada", "cleo", 1)]


def test_what_to_validate_next(build: Callable, quarry: Quarry, give: Give, tmp_path: Path, settings: Settings) -> None:
    build()
    names = list(triples(quarry))
    give("triples", {"triple_id": names[-1], "verdict": "edited", "prompt": "In salt water", "annotator": "ada"},
         {"triple_id": names[0], "verdict": "rejected", "annotator": "ada"})  # fmt: skip
    tasks = json.loads(quarry("labels", "export", "--task", "validation", "--label-studio").stdout)
    assert tasks[0]["data"]["triple_id"] == names[-1]
    assert tasks[0]["data"]["prompt"] == "In salt water"
    assert names[0] not in {task["data"]["triple_id"] for task in tasks}
    tasks[0]["annotations"] = [annotation(3, carries="yes", constrains="no", complete="yes")]
    (tmp_path / "export.json").write_text(json.dumps(tasks[:1]))
    assert quarry("labels", "import", "--task", "validation", "export.json").exit_code == 0
    (row,) = stored(settings, "validations")
    assert (row["annotator"], row["carries"], row["constrains"], row["complete"]) == (
        "label-studio:3", True, False, True)  # fmt: skip
    assert row["shown"] == tasks[0]["data"]["shown"]


def test_a_wrong_answer_imports_nothing(build: Callable, give: Give, quarry: Quarry, settings: Settings) -> None:
    build()
    good = {"triple_id": next(iter(triples(quarry))), "annotator": "cleo", "carries": 1, "constrains": 0, "complete": 1}
    for change in ({"carries": 2}, {"complete": None}, {"annotator": " "}, {"triple_id": "nothing"}, {"round": 1.5}):
        result = give("validation", good, {**good, **change})
        assert result.exit_code == 2, change
        assert "line 2" in result.stderr
        assert stored(settings, "validations") == []


def test_a_broken_file_of_annotations(build: Callable, give: Give, quarry: Quarry, settings: Settings) -> None:
    build()
    (settings.home / "annotations" / "reviews.jsonl").write_text('{"half')
    result = quarry("labels", "quality")
    assert result.exit_code == 1
    assert "reviews.jsonl is broken" in result.stderr


@pytest.mark.parametrize("part", ["context", "prompt", "question"])
def test_an_edited_text_without_one_of_its_parts(build: Callable, give: Give, quarry: Quarry, part: str) -> None:
    build()
    row = {
        "triple_id": next(iter(triples(quarry))),
        "verdict": "edited",
        "context": "Zinc.",
        "prompt": "If so",
        part: " ",
    }
    result = give("triples", row)
    assert result.exit_code == 2
    assert f"line 1: the edited `{part}` is empty" in result.stderr
    assert give("triples", {**row, part: None}).exit_code == 0
