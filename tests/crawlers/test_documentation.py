"""Every kind of source has a page in docs/sources with a configuration that works as it stands."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from crawlers.learningq.reader import read_learningq
from crawlers.run import KINDS, READERS
from crawlers.spec import Spec
from crawlers.stackexchange.reader import check
from crawlers.state import State

ROOT = Path(__file__).parents[2]
PAGES = sorted((ROOT / "docs" / "sources").glob("*.md"))


def configured(page: Path) -> list[dict[str, Any]]:
    """The sources that a page configures; a block without `[[sources]]` shows other options of the first one."""
    blocks = [tomllib.loads(block) for block in re.findall(r"```toml\n(.*?)```", page.read_text("utf-8"), re.DOTALL)]
    first: dict[str, Any] = blocks[0]["sources"][0]
    return [block["sources"][0] if "sources" in block else first | block for block in blocks]


def test_every_kind_has_a_page_and_a_row_in_the_readme() -> None:
    kinds = {*KINDS, *READERS, "jsonl"} - {"campus"}
    assert {page.stem for page in PAGES} == kinds
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert [kind for kind in sorted(kinds) if f"docs/sources/{kind}.md" not in readme] == []


@pytest.mark.parametrize("page", [page for page in PAGES if page.stem != "jsonl"], ids=lambda page: page.stem)
def test_configuration_of_the_page_is_accepted(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WAVES_MOODLE_TOKEN", "0123456789abcdef")
    for source in configured(page):
        assert source["kind"] == page.stem
        accept(source)


def accept(source: dict[str, Any]) -> None:
    """Begin with a source as it is configured."""
    given = {"url": source.get("path")} | {name: value for name, value in source.items() if name != "path"}
    spec = Spec.read(given | {"records": "r", "warc": "w"})
    if source["kind"] in KINDS:
        spec.check_contact()
        spider = KINDS[source["kind"]](spec, State(None), lambda _: None)
        assert list(spider.first())
    elif READERS[source["kind"]] is read_learningq:
        assert spec.options == {}
    else:
        check(spec.options)


def test_every_row_of_the_readme_is_a_configuration(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MOODLE_TOKEN", "0123456789abcdef")
    rows = [
        line.split(" | ") for line in (ROOT / "README.md").read_text("utf-8").splitlines() if line.startswith("| `")
    ]
    written = {row[0].strip("| `"): "\n".join(re.findall(r"`([^`]+)`", row[2])) for row in rows if len(row) == 4}
    assert set(written) == {*KINDS, *READERS, "jsonl"}
    for kind, text in written.items():
        source = {"kind": kind, "name": "mine", "contact": "mailto:you@example.org"} | tomllib.loads(text)
        if kind == "jsonl":
            assert set(source) == {"kind", "name", "contact", "path"}
        elif kind != "campus":
            accept(source)
