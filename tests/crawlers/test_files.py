"""Sources that are files."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from crawlers.files import read_source
from crawlers.page import Record, reject
from crawlers.spec import Spec


def numbers(path: Path, options: dict[str, Any]) -> Iterator[Record]:
    """Posts from the lines of a file; a line that is no number is rejected."""
    for line in path.read_text().split():
        if line.isdigit():
            yield {"type": "post", "body": {"post_id": line, "text": options.get("text", "\ud800 why?")}}
        else:
            yield {"type": "reject", "body": reject(line, "no_number", f"{line} is no number")}


def read(folder: Path, how: str = "options", **options: Any) -> dict[str, Any]:
    spec = {"kind": "numbers", "name": "n", "url": str(folder / "in"), "records": str(folder / "out"), "warc": "w"}
    return read_source(Spec.read(spec | {"options": options} | ({how: True} if how != "options" else {})), numbers)


def test_file_is_read_and_what_is_wrong_counted(tmp_path: Path) -> None:
    (tmp_path / "in").write_text("\n".join([*map(str, range(30)), "x"]))
    summary = read(tmp_path)
    assert (summary["finished"], summary["items"], summary["rejects"]) == (True, 30, {"no_number": 1})
    lines = [json.loads(line) for line in (tmp_path / "out").read_text(encoding="utf-8").splitlines()]
    assert lines[0] == {
        "type": "post", "body": {"post_id": "0", "text": "\ufffd why?"}, "fetched_at": None, "verdict": None,
    }  # fmt: skip


def test_far_fewer_records_leave_the_old_ones(tmp_path: Path) -> None:
    (tmp_path / "in").write_text("\n".join(map(str, range(30))))
    read(tmp_path)
    for left in ("1 2 3", ""):
        (tmp_path / "in").write_text(left)
        assert not read(tmp_path)["finished"]
    assert len((tmp_path / "out").read_text().splitlines()) == 30
    (tmp_path / "in").write_text("1 2 3")
    assert read(tmp_path, min_share=0)["items"] == 3
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in", "out"]


def test_dry_run_and_rebuild_leave_the_records_as_they_are(tmp_path: Path) -> None:
    (tmp_path / "in").write_text("1 2 3")
    assert read(tmp_path, "dry_run")["would_fetch"] == [str(tmp_path / "in")]
    assert not read(tmp_path, "from_raw")["finished"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in"]
    read(tmp_path)
    before = (tmp_path / "out").read_bytes()
    (tmp_path / "in").unlink()
    assert (read(tmp_path, "from_raw")["finished"], read(tmp_path, "from_raw")["items"]) == (True, 3)
    assert "in" in read(tmp_path, "dry_run")["errors"][0]
    assert (tmp_path / "out").read_bytes() == before
