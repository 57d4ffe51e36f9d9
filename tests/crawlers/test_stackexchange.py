"""Stack Exchange's data dump: folders in `pages/stackexchange/`, archives, and files that mean harm."""

import json
import shutil
import tracemalloc
from pathlib import Path
from typing import Any

import py7zr
import pytest

from crawlers import run
from crawlers.page import PageError
from crawlers.spec import Spec, SpecError
from crawlers.stackexchange.dump import rows, site_name
from crawlers.stackexchange.pages import license_of, tags_of, with_text
from crawlers.stackexchange.places import ACCEPTED, SHOWN, Places
from crawlers.stackexchange.reader import markup, read_stackexchange

FOLDER = Path(__file__).parent / "pages" / "stackexchange"
KITCHEN = FOLDER / "kitchen"
SITE = {"site": "cooking.stackexchange.com"}


def found(path: Path, **options: Any) -> dict[str, list[Any]]:
    entries = list(read_stackexchange(path, options))
    return {
        "lessons": [entry["body"] for entry in entries if entry["type"] == "lesson"],
        "posts": [entry["body"] for entry in entries if entry["type"] == "post"],
        "rejects": [[body["reason"], body["detail"]] for body in (e["body"] for e in entries if e["type"] == "reject")],
    }


@pytest.mark.parametrize("folder", sorted(FOLDER.iterdir()), ids=lambda folder: folder.name)
def test_dump_gives_expected_records(folder: Path) -> None:
    expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    assert found(folder, **SITE) == expected


def test_a_question_that_is_only_its_title() -> None:
    assert with_text({"post_id": "1", "title": "Why? ", "html": "<p> </p>", "url": None})["text"] == "Why?"


def test_packed_dumps_give_the_same(tmp_path: Path) -> None:
    whole = tmp_path / "cooking.stackexchange.com.7z"
    with py7zr.SevenZipFile(whole, "w") as archive:
        for name in ("Posts", "Tags", "Comments"):
            archive.write(KITCHEN / f"{name}.xml", f"{name}.xml")
        archive.writestr("never read", "Users.xml")
    parts = tmp_path / "parts"
    parts.mkdir()
    for name in ("Posts", "Tags", "Comments"):
        with py7zr.SevenZipFile(parts / f"cooking.stackexchange.com-{name}.7z", "w") as archive:
            archive.write(KITCHEN / f"{name}.xml", f"{name}.xml")
    expected = found(KITCHEN, **SITE)
    assert found(whole) == expected  # the site is known by the archive's name
    assert found(parts, **SITE) == expected


def test_archive_that_is_none_or_cut_off_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "cut.7z"
    with py7zr.SevenZipFile(file, "w") as archive:
        archive.write(KITCHEN / "Posts.xml", "Posts.xml")
    for content in (file.read_bytes()[:-40], b"PK\x03\x04 not a 7z", b""):
        file.write_bytes(content)
        with pytest.raises(PageError) as caught:
            list(read_stackexchange(file, {}))
        assert caught.value.reason == "bad_archive"


def test_tables_in_folders_of_an_archive_are_not_the_dump(tmp_path: Path) -> None:
    file = tmp_path / "other.7z"
    with py7zr.SevenZipFile(file, "w") as archive:
        archive.write(KITCHEN / "Posts.xml", "elsewhere/Posts.xml")
    with pytest.raises(PageError) as caught:
        list(read_stackexchange(file, {}))
    assert caught.value.reason == "no_dump"


def test_folder_without_posts_is_no_dump(tmp_path: Path) -> None:
    with pytest.raises(PageError) as caught:
        list(read_stackexchange(tmp_path, {}))
    assert caught.value.reason == "no_dump"


BOMB = '<!DOCTYPE posts [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>'


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (f'<?xml version="1.0"?>{BOMB}<posts><row Id="1" Body="&b;" /></posts>'.encode(), "xml_doctype"),
        (f'<?xml version="1.0"?><!-- x -->{BOMB}<posts><row Id="&b;" /></posts>'.encode(), "xml_doctype"),
        (f"{BOMB}<posts />".encode("utf-16"), "xml_doctype"),
        ('<?xml version="1.0" encoding="utf-7"?><posts />'.encode("utf-7"), "xml_doctype"),
        (b"<html><body>Too many requests</body></html>", "xml_doctype"),
        (b'<posts><row Id="1" PostTypeId="1" Body="cut o', "bad_xml"),
        (b'<posts><row Id="1" Body="&undeclared;" /></posts>', "bad_xml"),
        (b"<posts>" + b"<row>" * 5000, "bad_xml"),
        (b'<posts><row Id="1" Body="' + b"x" * 11_000_000 + b'" /></posts>', "bad_xml"),
    ],
    ids=("bomb", "after_comment", "utf16", "utf7", "html", "cut", "entity", "deep", "long"),
)
def test_hostile_xml_is_refused(tmp_path: Path, content: bytes, reason: str) -> None:
    (tmp_path / "Posts.xml").write_bytes(content)
    with pytest.raises(PageError) as caught:
        list(read_stackexchange(tmp_path, {}))
    assert caught.value.reason == reason


def test_failed_reading_keeps_the_old_records(tmp_path: Path) -> None:
    source = tmp_path / "cooking.stackexchange.com"
    shutil.copytree(KITCHEN, source)
    spec = {"kind": "stackexchange", "name": "s", "url": str(source), "records": str(tmp_path / "out"), "warc": "w"}
    summary = run.crawl(Spec.read(spec))
    assert summary["finished"]
    assert summary["rejects"] == {"bad_row": 1, "neither_question_nor_answer": 1, "no_post": 2, "no_question": 1}
    before = (tmp_path / "out").read_bytes()
    (source / "Posts.xml").write_bytes((source / "Posts.xml").read_bytes()[:2000])
    with pytest.raises(PageError):
        run.crawl(Spec.read(spec))
    assert (tmp_path / "out").read_bytes() == before


def test_comments_can_be_left_out_and_other_tables_may_be_missing(tmp_path: Path) -> None:
    kinds = {post["kind"] for post in found(KITCHEN, comments=False)["posts"]}
    assert kinds == {"question", "answer"}
    shutil.copy(KITCHEN / "Posts.xml", tmp_path)
    alone = found(tmp_path)
    assert [lesson["lesson_id"] for lesson in alone["lessons"]] == ["bread", "yeast", "untagged"]
    assert {lesson["text"] for lesson in alone["lessons"]} == {""}
    assert alone["posts"][0]["url"] is None


@pytest.mark.parametrize("options", [{"sites": "x"}, {"site": 1}, {"comments": "no"}])
def test_options_are_checked(options: dict[str, Any]) -> None:
    with pytest.raises(SpecError, match="site"):
        list(read_stackexchange(KITCHEN, options))


def test_memory_does_not_grow_with_the_dump(tmp_path: Path) -> None:
    def peak(count: int) -> int:
        with (tmp_path / "Posts.xml").open("w") as file:
            file.write("<posts>\n")
            for number in range(1, count):
                file.write(
                    f'<row Id="{number}" PostTypeId="1" Tags="|a|" Title="t" Body="{"x" * 500}" /><junk>y</junk>\n'
                )
            file.write("</posts>")
        tracemalloc.start()
        total = sum(1 for _ in markup(tmp_path, {}))
        size = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert total == count  # a lesson and the questions
        return size

    assert peak(8000) < peak(500) + 200_000


def test_rows_do_not_stay_in_the_tree(tmp_path: Path) -> None:
    (tmp_path / "Posts.xml").write_text("<posts>" + '<row Id="1" /><other /> ' * 1000 + "</posts>")
    assert sum(1 for _ in rows(tmp_path / "Posts.xml")) == 1000


def test_places() -> None:
    places = Places()
    assert places.get(5) is None
    places.put(5, 4, 0, ACCEPTED)
    places.put(3_000_000, 9, 70_000, SHOWN)
    assert places.get(5) == (4, 0, ACCEPTED)
    assert places.get(3_000_000) == (9, 70_000, SHOWN)
    assert places.get(3_000_001) is None
    assert places.get(10**12) is None
    places.close()


@pytest.mark.parametrize(
    ("created", "license"),
    [("2011-04-07T23:59:59.999", "2.5"), ("2011-04-08T00:00:00.000", "3.0"), ("2018-05-01T23:59:59.999", "3.0"),
     ("2018-05-02T00:00:00.000", "4.0"), ("2020-13-45T00:00:00", None), ("garbage", None), ("", None)],
)  # fmt: skip
def test_license_by_date(created: str, license: str | None) -> None:
    assert license_of({"CreationDate": created}) == (license and f"CC BY-SA {license}")
    assert license_of({"CreationDate": created, "ContentLicense": "CC0"}) == "CC0"


def test_ids_are_numbers_however_they_are_written(tmp_path: Path) -> None:
    row = (
        '<row Id="{}" PostTypeId="{}" ParentId="{}" CreationDate="2020-01-01T00:00:00" Title="T" Body="B" Tags="|a|" />'
    )
    rows = [row.format(*values) for values in (("010", 1, ""), ("10", 1, ""), ("11", 2, "0010"), ("x", 1, ""))]
    (tmp_path / "Posts.xml").write_text("<posts>" + "".join([*rows, *rows]) + "</posts>")
    (tmp_path / "Comments.xml").write_text('<comments><row Id="07" PostId="011" Text="C" /></comments>')
    result = found(tmp_path)
    assert [(post["post_id"], post["parent_id"]) for post in result["posts"]] == [
        ("10", None), ("10", None), ("11", "10"), ("10", None), ("10", None), ("11", "10"), ("comment-7", "11"),
    ]  # fmt: skip
    assert [reason for reason, _ in result["rejects"]] == ["bad_row", "bad_row"]
    entries = [entry["body"] for entry in read_stackexchange(tmp_path, {}) if entry["type"] == "reject"]
    assert len({body["reject_id"] for body in entries}) == 2  # rows that say the same are two all the same


def test_tags_of_both_generations() -> None:
    assert tags_of({"Tags": "<c++><a-b>"}) == tags_of({"Tags": "|c++|a-b|"}) == ["c++", "a-b"]
    assert tags_of({}) == []


def test_site_by_name(tmp_path: Path) -> None:
    assert site_name(tmp_path / "bicycles.meta.stackexchange.com") == "bicycles.meta.stackexchange.com"
    (tmp_path / "stackoverflow.com-Posts.7z").touch()
    assert site_name(tmp_path / "stackoverflow.com-Posts.7z") == "stackoverflow.com"
    assert site_name(tmp_path / "dump") is None
