"""What determines a stage's result: its source with our modules that it imports, libraries, parameters, model."""

import ast
from functools import cache
from importlib.metadata import version
from pathlib import Path

from flows.settings import PROJECT, Settings
from flows.stages import Stage
from transforms.digest import digest

_OURS = ("expectations", "transforms")


@cache
def source_digest(module: str) -> str:
    """Digest of a module's source and of every module of ours that it imports, directly or not."""
    seen: dict[str, str] = {}
    waiting = [module]
    while waiting:
        name = waiting.pop()
        path = _path(name)
        if name in seen or path is None:
            continue
        body = path.read_text(encoding="utf-8")
        seen[name] = digest(body)
        waiting.extend(_imports(body))
    return digest(sorted(seen.items()))


def _path(module: str) -> Path | None:
    base = PROJECT.joinpath(*module.split("."))
    for path in (base.with_suffix(".py"), base / "__init__.py"):
        if module.split(".")[0] in _OURS and path.is_file():
            return path
    return None


def _imports(source: str) -> list[str]:
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            found += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    return found


def stage_parts(stage: Stage, settings: Settings, models: dict[str, str]) -> dict[str, str]:
    """Each thing that shapes the stage, by name, so that `explain` can say which one changed."""
    return {
        "code": source_digest(stage.module),
        "parameters": digest(stage.params(settings)),
        "libraries": digest([(name, version(name)) for name in stage.libraries]),
        "model": models[stage.model] if stage.model else "",
    }
