"""The accounting law: counts in the manifest, rows in the tables and rejects agree."""

import pytest
from poison import Poison

from expectations import table as contract
from flows.gate import gate
from flows.store import files, snapshots


def test_a_lost_reject(poison: Poison) -> None:
    candidate = poison.candidate("rejects", lambda rows: rows[1:])
    assert poison.stopping(candidate) == ["rejects.every_row_accounted_for"]


@pytest.mark.parametrize(
    ("name", "stage"), [("posts", "ingest"), ("quizzes", "ingest"), ("questions", "questions"), ("spans", "spans")]
)
def test_a_file_with_fewer_rows(poison: Poison, name: str, stage: str) -> None:
    found = {c.name: c for c in poison.stops(poison.candidate(name, lambda rows: rows[1:]))}
    observed = str(found.pop("rejects.every_row_accounted_for").observed)
    counts = poison.content["stages"][stage]
    assert observed.startswith(f"{stage}: {counts['rows_in']} in, {counts['kept']} kept")
    assert f"but {counts['kept'] - 1} rows" in observed
    assert all(rule.endswith("_exists") for rule in found)  # of what belonged to the lost row


def test_an_empty_table_warns(poison: Poison) -> None:
    content, empty = poison.content, ("triples", "wordings", "clusters", "splits", "signatures")
    refs = [f for f in content["files"] if f["table"] not in empty]
    for name in empty:
        path, footer = poison.home / "lake" / name / "empty.parquet", {"stage": name, "bucket": "all"}
        files.write(path, contract(name).empty(), name, footer)
        refs.append(files.reference(poison.home.path, path, name, footer).as_dict())
    checks = gate.evaluate(poison.home, snapshots.make({**content, "files": refs}))
    (found,) = [c for c in checks if c.table == "triples" and c.result == "failed"]
    assert (found.rule, found.observed) == ("triples_present", "0 rows")
    assert not any(c.stops for c in checks)
