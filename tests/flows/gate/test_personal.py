"""Personal data: what is scrubbed from a file is what the gate looks for, in every column that people fill."""

from typing import Any

import pyarrow as pa
import pytest
from poison import Poison, first

from expectations import TABLES
from expectations.prose import EXEMPT
from flows.gate.contents import check_contents, merge
from flows.gate.personal import without

SECRETS = ["write to ann.lee@mail.example.com", "call +49 30 5550 1234", "ask @annlee99"]
SEARCHED = [(t, name) for t in TABLES.values() for name in t.prose]
RULE = "no_personal_data"


def holding(kind: str, text: str) -> Any:
    """A value of a column of this type that holds a text; a null beside it hides nothing."""
    return {"text": text, "texts": ["fine", None, text], "captions": [{"start": 0.0, "text": text}]}[kind]


@pytest.mark.parametrize(("table", "name"), SEARCHED, ids=lambda x: getattr(x, "name", x))
@pytest.mark.parametrize("secret", SECRETS)
def test_every_column_of_prose_is_searched_and_scrubbed(table: Any, name: str, secret: str) -> None:
    (kind,) = (column.type for column in table.columns if column.name == name)
    good, bad = ({name: holding(kind, text)} for text in ("Why?", f"Why? {secret}"))
    rows = pa.Table.from_pylist([good, bad, good], schema=table.schema)
    (found,) = [check for check in merge(table, [check_contents(table, rows)]) if check.rule == RULE]
    assert (found.result, found.rows_failing) == ("failed", 1)
    assert secret not in str(found.observed)
    clean = without(rows, table)
    assert clean.schema.equals(table.schema)
    assert clean.slice(0, 1).equals(rows.slice(0, 1))
    assert secret not in str(clean.to_pylist())
    (found,) = [check for check in merge(table, [check_contents(table, clean)]) if check.rule == RULE]
    assert found.result == "passed"


def test_other_text_is_left_out_for_a_reason() -> None:
    tables = [table for table in TABLES.values() if table.stored == "snapshot"]
    textual = {c.name for t in tables for c in t.columns if c.type in ("text", "texts", "captions")}
    searched = {name for table in tables for name in table.prose}
    declared = {c.name for t in tables for c in t.columns if c.values or c.pattern or c.joined}
    assert textual - searched <= set(EXEMPT) | declared
    assert searched.isdisjoint(EXEMPT)


@pytest.mark.parametrize(
    ("name", "column"),
    [("lessons", "text"), ("posts", "license"), ("questions", "text"), ("triples", "context"), ("rejects", "text")],
)
def test_personal_data_stops_a_build(poison: Poison, name: str, column: str) -> None:
    (found,) = poison.stops(poison.candidate(name, first(**{column: f"Why? {SECRETS[0]}"})))
    assert found.name == f"{name}.{RULE}"
    assert found.rows_failing == 1


@pytest.mark.parametrize(
    ("url", "kept"),
    [
        ("mailto:ann@mail.example.com", False),
        (" MailTo:ann@mail.example.com?subject=tides", False),
        ("tel:+49-30-5550-1234", False),
        ("https://forum.example.org/u?mail=ann@mail.example.com", False),
        ("https://forum.example.org/u?mail=ann%40mail.example.com", False),
        ("https://pages.example.org/npm/react@18.2.0/index.js", True),
        ("https://forum.example.org/@annlee99/555-0199", True),
        ("urn:isbn:9780131103627", True),
        (None, True),
    ],
)
@pytest.mark.parametrize("name", ["lessons", "posts"])
def test_an_address_of_a_person_is_dropped(name: str, url: str | None, kept: bool) -> None:
    table = TABLES[name]
    rows = pa.Table.from_pylist([{"url": url}], schema=table.schema)
    (found,) = [check for check in merge(table, [check_contents(table, rows)]) if check.rule == RULE]
    assert found.result == ("passed" if kept else "failed")
    assert without(rows, table)["url"].to_pylist() == [url if kept else None]


def test_ids_are_kept(poison: Poison) -> None:
    # They say which record is meant: a message id stays what the source's own addresses say.
    table = TABLES["posts"]
    rows = pa.Table.from_pylist([{"post_id": "list:a1@mail.example.com"}], schema=table.schema)
    assert without(rows, table).equals(rows)
