"""Labels through the command line."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from commands import Give, Quarry, annotation, shown_as_json, stored

from flows.labels import LEAST, labels_of
from flows.settings import Settings
from flows.store.home import open_home
from transforms.digest import digest


@pytest.mark.parametrize(
    ("task", "row", "hint"),
    [
        ("usefulness", {"text": "Why?"}, "usefulness label"),
        ("usefulness", {"text": "Why?", "useful": 2}, "usefulness label"),
        ("usefulness", {"useful": 1}, "`text` is missing"),
        ("usefulness", {"text": "  ", "useful": 1}, "`text` is missing"),
        ("usefulness", {"text": "Why?", "useful": 1, "round": "first"}, "round"),
        ("usefulness", {"text": "Why?", "useful": 1, "labelled_at": "yesterday"}, "labelled_at"),
        ("usefulness", "not json", "no JSON object"),
        ("usefulness", "[]", "no JSON object"),
        ("usefulness", '{"a":' * 100_000, "no JSON object"),
        ("usefulness", {"text": "Why \ud800?", "useful": 1}, "`text` holds half of a character"),
        ("usefulness", {"text": "Why?", "useful": 1, "annotator": "\udfff"}, "`annotator` holds half"),
        ("usefulness", {"text": "Why?", "useful": None, "label": None}, "usefulness label"),
        ("usefulness", {"text": "Why?", "useful": 1, "round": 10**30}, "round"),
        ("usefulness", {"text": "Why?", "useful": 1, "label": "not useful"}, "`label` says 'not useful'"),
        ("usefulness", {"text": "Why?", "useful": 1, "annotator": ["ada"]}, "neither a text nor a number"),
        ("usefulness", {"text": "Why?", "useful": 1, "annotator": True}, "neither a text nor a number"),
        ("reasoning_type", {"text": "Why?", "label": "whim"}, "none of verification"),
        ("reasoning_type", {"text": "Why?"}, "none of verification"),
    ],
)
def test_one_wrong_row_and_nothing_is_imported(give: Give, settings: Settings, task: str, row: Any, hint: str) -> None:
    good = {"text": "Why is rust red?", "useful": 1, "label": "1" if task == "usefulness" else "cause"}
    result = give(task, good, row)
    assert result.exit_code == 2
    assert "line 2" in result.stderr
    assert hint in result.stderr
    assert stored(settings, "labels") == []


def test_files_and_tasks_that_do_not_exist(quarry: Quarry, give: Give, tmp_path: Path) -> None:
    assert give("wisdom", {"text": "Why?", "useful": 1}).exit_code == 2
    assert quarry("labels", "import", "--task", "usefulness", "nowhere.jsonl").exit_code == 2
    (tmp_path / "empty.jsonl").write_text("\n")
    assert "no rows" in quarry("labels", "import", "--task", "usefulness", "empty.jsonl").stderr
    (tmp_path / "latin.jsonl").write_bytes('{"text": "é"}'.encode("latin-1"))
    assert quarry("labels", "import", "--task", "usefulness", "latin.jsonl").exit_code == 2
    lost = quarry("labels", "export", "--task", "usefulness", "--config", "--out", "nowhere/labels.xml")
    assert lost.exit_code == 2
    assert "nowhere/labels.xml cannot be written (No such file or directory)" in lost.stderr


def test_importing_again_replaces(give: Give, settings: Settings) -> None:
    first = {"text": "Why is rust red?", "useful": 1, "annotator": "ada"}
    other = {"text": "Is this on?", "label": "not useful", "annotator": "ada"}
    assert "imported 2 new rows, replaced 0" in give("usefulness", first, other).stdout
    assert "imported 1 new rows, replaced 1" in give(
        "usefulness", {**first, "useful": 0}, {**first, "annotator": "ben"}).stdout  # fmt: skip
    found = {(row["text"], row["annotator"]): row["label"] for row in stored(settings, "labels")}
    assert found == {
        ("Why is rust red?", "ada"): "0", ("Is this on?", "ada"): "0", ("Why is rust red?", "ben"): "1"}  # fmt: skip


@pytest.mark.parametrize("escaped", [True, False])
def test_line_breaks_of_other_kinds_stand_inside_a_text(
    give: Give, quarry: Quarry, settings: Settings, escaped: bool
) -> None:
    text = "Why is\u2028rust\x85red, and\u2029how\x0b\x0c\x1cfast?"
    result = give("usefulness", json.dumps({"text": text, "useful": 1, "annotator": "ada"}, ensure_ascii=escaped))
    assert "imported 1 new rows" in result.stdout
    assert "imported 1 new rows" in give("usefulness", {"text": "Is this on?", "useful": 0}).stdout
    assert [row["text"] for row in stored(settings, "labels")] == [text, "Is this on?"]
    assert quarry("labels", "agreement", "--task", "usefulness").exit_code == 0


def test_a_question_in_another_case_or_spacing_is_the_same_question(give: Give, settings: Settings) -> None:
    rows = [{"text": "Why is rust red?", "useful": 0}, {"text": "why is  rust red ?", "useful": 1}]
    assert "1 new rows, replaced 1" in give("usefulness", *rows).stdout
    assert [(row["text"], row["label"]) for row in stored(settings, "labels")] == [("why is  rust red ?", "1")]
    assert "0 new rows, replaced 1" in give("usefulness", {"text": "WHY IS RUST RED?", "useful": 1}).stdout


def test_annotators_of_a_question_in_another_spelling_are_counted_together(give: Give, settings: Settings) -> None:
    enough = [{"text": f"Is {n} enough?", "useful": n % 2} for n in range(2 * LEAST)]
    give("usefulness", *enough, {"text": "Why is rust red?", "useful": 1, "annotator": "ada"},
         {"text": "why is rust  red ?", "useful": 0, "annotator": "ben"},
         {"text": "Why isn't it?", "useful": 1, "annotator": "ada"},
         {"text": "why is n't it ?", "useful": 1, "annotator": "ben"},
         {"text": "WHY ISN'T IT?", "useful": 0, "annotator": "cleo"})  # fmt: skip
    found, origin = labels_of(open_home(settings), "usefulness")
    assert origin == "imported"
    assert len(found) == 2 * LEAST + 1
    assert [label for text, label in found if "it" in text.lower()] == ["1"]


def test_labels_stored_when_ids_went_by_the_written_text_are_still_replaced(give: Give, settings: Settings) -> None:
    folder = open_home(settings) / "annotations"
    old = {"task": "usefulness", "text": "Why is rust red?", "label": "1", "annotator": None, "round": None}
    exported = {**old, "record_id": "from-an-export", "text": "Is it on?"}
    rows = [{**old, "record_id": digest("usefulness", old["text"])}, exported]
    (folder / "labels.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert "0 new rows, replaced 1" in give("usefulness", {"text": "Why is rust red?", "useful": 0}).stdout
    assert [(row["text"], row["label"]) for row in stored(settings, "labels")] == [
        ("Why is rust red?", "0"), ("Is it on?", "1")]  # fmt: skip
    less_joined = {**old, "text": "is ( it ) on ?", "record_id": digest("usefulness", "is ( it) on?")}
    (folder / "labels.jsonl").write_text(json.dumps(less_joined) + "\n")
    assert "0 new rows, replaced 1" in give("usefulness", {"text": "Is (it) on?", "useful": 0}).stdout


def test_agreement_of_two_annotators(quarry: Quarry, give: Give) -> None:
    rows = [
        {"text": f"Why {n}?", "label": label, "annotator": who}
        for who, labels in (("ada", "cause cause extent extent"), ("ben", "cause extent extent extent"))
        for n, label in enumerate(labels.split())
    ]
    give("reasoning_type", *rows)
    found = shown_as_json(quarry, "labels", "agreement", "--task", "reasoning_type")
    # Observed 3/4, by chance 1/2 * 1/4 + 1/2 * 3/4 = 1/2.
    assert found["pairs"] == [{"first": "ada", "second": "ben", "records": 4, "agreed": 0.75, "kappa": 0.5}]
    assert [d["text"] for d in found["disagreements"]] == ["Why 1?"]
    assert "0.500" in quarry("labels", "agreement", "--task", "reasoning_type").stdout
    assert "two annotators" in quarry("labels", "agreement", "--task", "usefulness").stdout


def test_what_to_label_next(build: Callable, quarry: Quarry, give: Give) -> None:
    build()
    lines = quarry("labels", "export", "--task", "usefulness").stdout.splitlines()
    rows = [json.loads(line) for line in lines]
    doubts = [abs(row["useful_score"] - 0.5) for row in rows]
    assert doubts == sorted(doubts)
    assert [row["text"] for row in rows].count("Why two tides and not one?") == 1  # though asked about two lessons
    give("usefulness", {"text": rows[0]["text"].upper(), "useful": 1})
    left = quarry("labels", "export", "--task", "usefulness", "--limit", "1").stdout.splitlines()
    assert [json.loads(line)["text"] for line in left] != [rows[0]["text"]]
    tasks = json.loads(quarry("labels", "export", "--task", "usefulness", "--label-studio").stdout)
    assert {task["data"]["text"] for task in tasks} == {row["text"] for row in rows} - {rows[0]["text"]}
    for task in ("usefulness", "triples", "validation"):
        assert quarry("labels", "export", "--task", task, "--limit", "-3").exit_code == 2


@pytest.mark.parametrize("task", ["usefulness", "reasoning_type", "triples", "validation"])
def test_label_studios_configuration_fits_the_import(quarry: Quarry, task: str) -> None:
    from xml.etree import ElementTree

    root = ElementTree.fromstring(quarry("labels", "export", "--task", task, "--config").stdout)
    names = {element.get("name") for element in root.iter() if element.get("name")}
    assert all(element.get("toName") in names for element in root.iter() if element.get("toName"))
    asked = {element.get("name") for element in root.iter("Choices")}
    wanted = {"triples": {"verdict"}, "validation": {"carries", "constrains", "complete"}}
    assert asked == wanted.get(task, {"label"})


def test_an_export_of_label_studio_is_read(quarry: Quarry, settings: Settings, tmp_path: Path) -> None:
    tasks = [
        {"data": {"text": "Why is rust red?"}, "annotations": [
            annotation(3, label="useful"), annotation({"email": "ben@example.org"}, label="not useful")]},
        {"data": {"text": "Is this on?"}, "annotations": [
            annotation(3, label="not useful"), {"completed_by": 4, "result": [], "was_cancelled": True}]},
    ]  # fmt: skip
    (tmp_path / "export.json").write_text(json.dumps(tasks))
    assert quarry("labels", "import", "--task", "usefulness", "export.json").exit_code == 0
    found = {(row["text"], row["annotator"], row["label"]) for row in stored(settings, "labels")}
    assert found == {
        ("Why is rust red?", "label-studio:3", "1"),
        ("Why is rust red?", "label-studio:ben@example.org", "0"),
        ("Is this on?", "label-studio:3", "0"),
    }
    (tmp_path / "broken.json").write_text('[{"data": {}}]')
    assert "Label Studio" in quarry("labels", "import", "--task", "usefulness", "broken.json").stderr


def test_training_on_imported_labels(give: Give, quarry: Quarry) -> None:
    kinds = {"cause": "Why does {} melt?", "procedural": "How do I melt {}?", "verification": "Does {} melt?"}
    things = ("ice", "wax", "tin", "salt", "lead", "snow", "glass", "iron", "sugar", "butter", "gold", "zinc")
    give("reasoning_type", *({"text": text.format(thing), "label": kind}
                             for kind, text in kinds.items() for thing in things))  # fmt: skip
    found = shown_as_json(quarry, "train", "--task", "reasoning_type")
    assert (found["rows"], found["candidate"]["labels"], found["current"]) == (36, "imported", True)
    assert found["why"] == "the labels changed"
    again = shown_as_json(quarry, "train", "--task", "reasoning_type")
    assert again["candidate"]["id"] == found["candidate"]["id"]


def test_training_on_one_class_is_refused(give: Give, quarry: Quarry) -> None:
    give("usefulness", *({"text": f"Why does {n} matter?", "useful": 1} for n in range(20)))
    result = quarry("train")
    assert result.exit_code == 2
    assert "both classes" in result.stderr
    assert quarry("train", "--task", "triples").exit_code == 2


@pytest.mark.parametrize("task", ["usefulness", "reasoning_type"])
def test_a_few_labels_do_not_replace_the_bundled_ones(build: Callable, give: Give, quarry: Quarry, task: str) -> None:
    classes = ("useful", "not useful") if task == "usefulness" else ("cause", "procedural")
    rows = [{"text": f"Is {n} enough for {label}?", "label": label} for n in range(LEAST) for label in classes]
    build()
    before = shown_as_json(quarry, "status")["model"]
    give(task, *rows[:-1])
    for command in (("train",), ("train", "--splits", "2")) if task == "usefulness" else (("train", "--task", task),):
        result = quarry(*command)
        assert result.exit_code == 2
        assert f"needs {LEAST} or more" in result.stderr
        assert f"{LEAST - 1} {classes[1]}" in result.stderr
    built = quarry("build", "--plain")
    assert built.exit_code == 0
    assert f"warning: training on imported {task} labels needs {LEAST}" in built.stdout
    assert shown_as_json(quarry, "status")["model"] == before
    note = shown_as_json(quarry, "status")["advice"]
    assert "bundled demonstration model" in note
    assert f"needs {LEAST}" in note
    give(task, rows[-1])
    assert shown_as_json(quarry, "train", "--task", task)["candidate"]["labels"] == "imported"
    assert f"needs {LEAST}" not in quarry("build", "--plain").stdout


@pytest.mark.parametrize("splits", ["0", "-1", "x"])
def test_the_number_of_splits_is_checked(quarry: Quarry, splits: str) -> None:
    result = quarry("train", "--splits", splits)
    assert result.exit_code == 2
    assert "--splits" in result.stderr
