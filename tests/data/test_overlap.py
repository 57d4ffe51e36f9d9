"""The check for runs of words that the bundled data shares with other texts."""

import io
import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from benchmarks.overlap import BUNDLED, bundled_files, files, overlaps, runs, texts, words

SENTENCE = "Why isn't the second bulge of water as high as the first one?"


def written(name: str, text: str) -> bytes:
    if name.endswith("zip"):
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w") as archive:
            archive.writestr("inner/talk.txt", text)
        return buffer.getvalue()
    if name.endswith("xml"):
        return f'<posts><row Body="&lt;p&gt;{text}&lt;/p&gt;"/></posts>'.encode()
    if name.endswith("jsonl"):
        return (json.dumps({"id": 1}) + "\n" + json.dumps({"deep": [{"text": text}]}) + "\n").encode()
    if name.endswith("json"):
        return json.dumps([text.split()[:3], {"a": text.split()}]).encode()
    if name.endswith("csv"):
        return f'1,"{text}"\n'.encode()
    if name.endswith(("srt", "vtt")):
        first, last = text[:20], text[20:]
        return f"1\n00:00:01,000 --> 00:00:02,000\n{first}\n\n2\n00:00:02,000 --> 00:00:03,000\n{last}\n".encode()
    return text.encode()


@pytest.mark.parametrize("name", ["a.zip", "a.xml", "a.jsonl", "a.json", "a.csv", "a.srt", "a.vtt", "a.txt", "a.md"])
def test_shared_runs_are_found_in_every_format(tmp_path: Path, name: str) -> None:
    ours, theirs = tmp_path / "ours.txt", tmp_path / name
    ours.write_text(f"Nothing before it. {SENTENCE} And nothing after it.", encoding="utf-8")
    theirs.write_bytes(written(name, SENTENCE))
    found = {run for run, _, _ in overlaps([ours], [theirs])}
    assert found == set(runs(SENTENCE))
    assert len(found) == 9


def test_five_words_are_no_run(tmp_path: Path) -> None:
    ours, theirs = tmp_path / "ours.txt", tmp_path / "theirs.txt"
    ours.write_text("the second bulge of water", encoding="utf-8")
    theirs.write_text("and the second bulge of water rose", encoding="utf-8")
    assert list(overlaps([ours], [theirs])) == []


@pytest.mark.parametrize(
    ("plain", "tokenised"),
    [("It isn't", "it is n't"), ("I can\u2019t, he's", "i ca n't , he 's"), ("we cannot", "we can not")],
)
def test_tokenised_text_has_the_same_words(plain: str, tokenised: str) -> None:
    assert words(plain) == words(tokenised)


def test_hostile_text_is_read_in_one_pass() -> None:
    assert words("<" * 100_000) == []
    assert next(texts("a.srt", b"1\n" * 50_000)).strip() == ""


def test_bundled_files_are_the_committed_ones() -> None:
    names = {path.relative_to(BUNDLED).parts[0] for path in bundled_files()}
    assert names == {"README.md", "campus", "labels"}


def test_command_says_what_is_shared(tmp_path: Path) -> None:
    text = next(texts("README.md", (BUNDLED / "README.md").read_bytes()))
    (tmp_path / "other.txt").write_text(" ".join(words(text)[:6]), encoding="utf-8")
    command = [sys.executable, "-m", "benchmarks.overlap", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=BUNDLED.parent)
    assert done.returncode == 1
    assert done.stdout.startswith("README.md\t")
    assert done.stdout.endswith(f"1 runs of 6 words shared with {tmp_path}\n")
    assert [path.name for path in files(tmp_path)] == ["other.txt"]
