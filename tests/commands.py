"""What tests of the command line share: the types of its fixtures, and how its output is read."""

import json
from collections.abc import Callable
from typing import Any

from click.testing import Result

from flows.settings import Settings

Row = dict[str, Any]
Quarry = Callable[..., Result]
Give = Callable[..., Result]
Tried = Callable[..., tuple[int, str]]


def one_line(error: str) -> bool:
    """Whether a failure was told in one line."""
    return error.startswith("quarry: ") and error.count("\n") == 1


def shown_as_json(quarry: Quarry, *arguments: str) -> Any:
    shown = quarry(*arguments, "--json")
    assert shown.exit_code == 0, shown.stderr
    return json.loads(shown.stdout)


def stored(settings: Settings, name: str) -> list[Row]:
    """The rows of a file of annotations."""
    path = settings.home / "annotations" / f"{name}.jsonl"
    return [json.loads(line) for line in path.read_text().split("\n") if line] if path.exists() else []


def triples(quarry: Quarry) -> dict[str, Row]:
    """The triples of the current snapshot by their ids."""
    query = "select triple_id, context, prompt, question, review, draft from triples order by triple_id"
    return {row["triple_id"]: row for row in json.loads(quarry("sql", query, "--json").stdout)}


def annotation(who: Any, **given: str) -> Row:
    result = [{"from_name": name, "to_name": "text", "type": "choices", "value": {"choices": [value]}}
              for name, value in given.items()]  # fmt: skip
    return {"completed_by": who, "result": result}
