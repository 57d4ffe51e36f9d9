"""One night on a copy of the campus."""

import filecmp
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from benchmarks.campus_night import POOL, Campus, pool, spend_night
from benchmarks.variety import posts_of, shared_frames
from crawlers.campus.content import DEFAULT_FOLDER, read_campus


def run(target: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "benchmarks.campus_night", str(target), *options]
    return subprocess.run(command, capture_output=True, text=True, cwd=DEFAULT_FOLDER.parents[1])


def posts(folder: Path) -> dict[int, dict[str, Any]]:
    return {post["id"]: post for _, _, post in Campus(folder).posts()}


def copy(target: Path) -> Path:
    return Path(shutil.copytree(DEFAULT_FOLDER, target, ignore=shutil.ignore_patterns(POOL)))


def night(folder: Path, seed: int) -> list[str]:
    campus = Campus(folder)
    said = spend_night(campus, seed)
    campus.write()
    return said


def test_command_changes_one_percent_and_says_so(tmp_path: Path) -> None:
    done = run(tmp_path / "copy")
    assert done.returncode == 0, done.stderr
    *said, summary = done.stdout.splitlines()
    before, after = posts(DEFAULT_FOLDER), posts(tmp_path / "copy")
    new, gone = after.keys() - before.keys(), before.keys() - after.keys()
    edited = {number for number in after.keys() & before.keys() if after[number] != before[number]}
    assert min(len(new), len(gone), len(edited)) >= 1
    assert len(said) == len(new) + len(gone) + len(edited)
    assert 0.005 <= len(said) / len(before) <= 0.015
    assert summary == f"{len(said)} changes in a campus of {len(before)} posts"
    for number in new | gone | edited:
        assert sum(f"{number}" in line.split() for line in said) == 1


def test_same_seed_same_bytes_other_seed_other_changes(tmp_path: Path) -> None:
    first, again, other = (copy(tmp_path / name) for name in ("first", "again", "other"))
    assert night(first, 7) == night(again, 7) != night(other, 8)
    files = [str(path.relative_to(first)) for path in sorted(first.rglob("*")) if path.is_file()]
    assert filecmp.cmpfiles(first, again, files, shallow=False)[1:] == ([], [])


def test_ten_nights_keep_the_campus_whole(tmp_path: Path) -> None:
    folder = copy(tmp_path / "copy")
    newest = max(post["created_at"] for post in posts(folder).values())
    for seed in range(10):
        before = posts(folder)
        assert night(folder, seed)  # when the written texts are used up, there is still something to delete
        new = [post for number, post in posts(folder).items() if number not in before]
        assert all(post["created_at"] > newest for post in new)
        newest = max([newest, *(post["created_at"] for post in new)])
    for lesson in read_campus(folder).values():
        for thread in lesson.threads:
            known = {post["id"] for post in thread["posts"]}
            assert all(post["parent"] is None or post["parent"] in known for post in thread["posts"])


def test_untouched_files_keep_their_bytes(tmp_path: Path) -> None:
    folder = copy(tmp_path / "copy")
    changed = {line.partition(":")[0] for line in night(folder, 1)}
    for path in sorted(folder.rglob("threads.json")):
        name = path.parent.relative_to(folder)
        assert (path.read_bytes() == (DEFAULT_FOLDER / name / path.name).read_bytes()) == (str(name) not in changed)


def test_every_change_of_the_pool_fits_the_campus() -> None:
    known, lessons = posts(DEFAULT_FOLDER), read_campus(DEFAULT_FOLDER)
    changes = pool()
    assert len(changes) >= 40
    for change in changes:
        if change["do"] == "ask":
            assert change["lesson"] in lessons
        else:
            assert change["post"] in known
        if change["do"] == "edit":
            assert known[change["post"]]["body"].count(change["old"]) == 1
            assert change["new"] != change["old"]
        elif change["do"] == "reply":
            assert change["kind"] in ("answer", "comment")


def test_new_posts_are_written_too() -> None:
    texts = [change["body"] for change in pool() if "body" in change]
    assert list(shared_frames(posts_of(DEFAULT_FOLDER) + texts)) == []


@pytest.mark.parametrize("target", ["bundled", "empty"])
def test_wrong_targets_are_refused(tmp_path: Path, target: str) -> None:
    before = json.dumps([post["body"] for post in posts(DEFAULT_FOLDER).values()])
    done = run(DEFAULT_FOLDER if target == "bundled" else tmp_path)
    assert done.returncode == 2
    assert "usage" in done.stderr
    assert json.dumps([post["body"] for post in posts(DEFAULT_FOLDER).values()]) == before
