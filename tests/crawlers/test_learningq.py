"""The archive of LearningQ: folders in `pages/learningq/`."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from crawlers import run
from crawlers.learningq.pages import hint, transcript, without_title
from crawlers.learningq.reader import MAX_BYTES, read_learningq
from crawlers.page import PageError
from crawlers.spec import Spec, SpecError

FOLDER = Path(__file__).parent / "pages" / "learningq"
ARCHIVE = FOLDER / "archive"


def found(path: Path) -> dict[str, list[Any]]:
    entries = list(read_learningq(path, {}))
    return {
        **{f"{kind}s": [e["body"] for e in entries if e["type"] == kind] for kind in ("lesson", "quiz", "post")},
        "rejects": [e["body"]["reason"] for e in entries if e["type"] == "reject"],
    }


@pytest.mark.parametrize("folder", sorted(FOLDER.iterdir()), ids=lambda folder: folder.name)
def test_archive_gives_expected_records(folder: Path) -> None:
    expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    assert found(folder) == expected


def test_folder_may_be_given_at_any_level_and_under_its_older_names(tmp_path: Path) -> None:
    expected = found(ARCHIVE)
    assert found(ARCHIVE / "data") == expected
    older = tmp_path / "LearningQ"
    shutil.copytree(ARCHIVE, older)
    for site in ("khan", "teded"):
        (older / "data" / site / "crawled_data").rename(older / "data" / site / f"{site}_crawled_data")
        (older / "data" / site / f"{site}_crawled_data" / ".DS_Store").write_bytes(b"\x00\x01")
    (older / "data" / "teded" / "teded_crawled_data" / "videos" / ".DS_Store").write_bytes(b"\x00\x01")
    assert found(tmp_path) == found(older) == expected


def test_one_site_is_enough_and_none_is_an_error(tmp_path: Path) -> None:
    shutil.copytree(ARCHIVE / "data" / "teded", tmp_path / "teded")
    assert len(found(tmp_path)["quizs"]) == 2
    with pytest.raises(PageError) as caught:
        list(read_learningq(tmp_path / "teded", {}))
    assert caught.value.reason == "no_archive"


def test_archive_is_read_into_records(tmp_path: Path) -> None:
    spec = {"kind": "learningq", "name": "l", "url": str(ARCHIVE), "records": str(tmp_path / "out"), "warc": "w"}
    summary = run.crawl(Spec.read(spec))
    assert summary["finished"], summary
    assert summary["rejects"] == {"bad_json": 1, "html_instead_of_json": 1, "repeated_quiz": 1}
    types = [json.loads(line)["type"] for line in (tmp_path / "out").read_text(encoding="utf-8").splitlines()]
    assert {kind: types.count(kind) for kind in set(types)} == {"lesson": 6, "post": 6, "quiz": 2, "reject": 3}


def test_options_that_mean_nothing_are_refused() -> None:
    with pytest.raises(SpecError, match="license"):
        list(read_learningq(ARCHIVE, {"license": "x", "min_share": 0}))


def test_bad_files_are_counted(tmp_path: Path) -> None:
    folder = tmp_path / "khan" / "crawled_data"
    files = {
        "all_article_links": b"[1]",
        "all_video_links": b"{",
        "articles/deep": b"[" * 100_000,
        "articles/huge": b"{}",
        "articles/list": b"[]",
        "articles/odd": b'{"translated_perseus_content": "[{"}',
        "topic_videos/t": b"nothing",
        "transcripts/v": b"0:01\n\xff?",
        "video_discussions/v": b'{"question": "no list"}',
    }
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    with (folder / "articles" / "huge").open("r+b") as file:
        file.truncate(MAX_BYTES + 1)
    result = found(tmp_path)
    assert sorted(result["rejects"]) == ["bad_json", "bad_json", "bad_json", "nested_too_deeply", "too_large",
                                         "unexpected_page", "unexpected_page"]  # fmt: skip
    assert [lesson["lesson_id"] for lesson in result["lessons"]] == [
        "khan-article-deep", "khan-article-huge", "khan-article-list", "khan-article-odd", "khan-video-v",
    ]  # fmt: skip
    assert result["lessons"][-1]["captions"] == [{"start": 1.0, "text": "\ufffd?"}]


def test_transcripts() -> None:
    assert transcript("No times at all.\nNone.") == {"text": "No times at all.\nNone."}
    assert transcript("Intro\n1:01:01\nLate") == {"captions": [{"start": 3661.0, "text": "Late"}]}
    assert without_title("No title here\n\nbut text") == "No title here\n\nbut text"
    assert without_title("Title: One\r\n\r\nText") == "Text"
    assert transcript("1:" * 100_000 + "\n" + "0:" * 100_000)["text"].startswith("1:1:")


@pytest.mark.parametrize(("value", "second"), [("95", 95.0), ("", None), (None, None), ("nan", None), (-1, None)])
def test_hint(value: object, second: float | None) -> None:
    assert hint(value) == second
