"""The rooms of the project and who may enter which."""

import ast
import subprocess
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parent.parent
MAY_IMPORT = {
    "expectations": {"expectations"},
    "crawlers": {"crawlers", "expectations"},
    "transforms": {"transforms", "expectations"},
    "flows": {"flows", "crawlers", "transforms", "expectations"},
}
ORCHESTRATION = {"prefect", "great_expectations", "duckdb"}


def imports(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively"
            found.add((node.module or "").split(".")[0])
    return found


@pytest.mark.parametrize("room", MAY_IMPORT)
def test_a_room_imports_only_what_it_may(room: str) -> None:
    modules = sorted((PROJECT / room).rglob("*.py"))
    assert modules
    for path in modules:
        foreign = (imports(path) & set(MAY_IMPORT)) - MAY_IMPORT[room]
        assert not foreign, f"{path.relative_to(PROJECT)} imports {foreign}"


@pytest.mark.parametrize("room", ["expectations", "crawlers", "transforms"])
def test_only_flows_knows_prefect_great_expectations_and_duckdb(room: str) -> None:
    for path in (PROJECT / room).rglob("*.py"):
        assert not imports(path) & ORCHESTRATION, path.relative_to(PROJECT)


def test_the_root_is_small() -> None:
    listed = subprocess.run(["git", "ls-files"], cwd=PROJECT, capture_output=True, text=True, check=True).stdout
    shown = {line.split("/")[0] for line in listed.splitlines() if not line.startswith(".")}
    assert "flows" in shown
    assert len(shown) <= 14, shown


def test_flow_modules_have_no_postponed_annotations() -> None:
    # With them every deployed Prefect run fails.
    for path in (PROJECT / "flows").rglob("*.py"):
        assert "__future__" not in imports(path), path
