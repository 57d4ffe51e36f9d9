"""What Great Expectations evaluates: faults of its own are no bad data, and its pages are harmless."""

from pathlib import Path

import pyarrow as pa
import pytest

from expectations import table as contract
from flows.errors import GateError
from flows.gate import gate, great


def test_an_expectation_that_raises_is_a_broken_check(monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = [{"rule": "r", "kind": "ExpectColumnValuesToNotBeNull", "severity": "fail",
               "arguments": {"column": "absent"}}]  # fmt: skip
    monkeypatch.setattr(great, "expectations", lambda _: wanted)
    (found,) = great.check_table(contract("lessons"), pa.table({"lesson_id": ["a"]}))
    assert found.result == "broken"
    with pytest.raises(GateError, match="could not be evaluated"):
        gate.stop_if_bad([found])


def test_data_docs_show_hostile_values_as_text(tmp_path: Path) -> None:
    rows = pa.table({"post_id": ["<script>alert(1)</script>"] * 2})
    found = great.check_table(contract("posts"), rows, tmp_path)
    assert "unique_key" in {check.rule for check in found if check.result == "failed"}
    page = (tmp_path / "posts.html").read_text()
    assert "&lt;script&gt;alert" in page
    assert "<script>alert" not in page
