"""Word vectors from a file that the settings name, whatever its form.

A model is bound to the contents of the file: another file under the same name is noticed, and the same one may move.
`models/vectors.json` remembers what was seen where, so that a file of gigabytes is not read on every command.
"""

import hashlib
import json
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flows.errors import ConfigError
from flows.store.home import write_text

if TYPE_CHECKING:
    from transforms.usefulness.vectors import TableVectors


def digest_of(home: Path, path: Path) -> str:
    """A file's form and the digest of its contents; it is read again only when its size or its times change."""
    if not path.is_file():
        raise ConfigError(f"usefulness.vectors names {path}, which is not a file: correct it")
    state = path.stat()
    known, seen = _known(home), [state.st_size, state.st_mtime_ns, state.st_ctime_ns]
    entry = known.get(str(path), {})
    if entry.get("seen") == seen:
        return str(entry["digest"])
    try:
        with path.open("rb") as file:
            found = f"{_form(path)}-{hashlib.file_digest(file, 'sha256').hexdigest()}"
    except OSError as problem:
        raise ConfigError(f"usefulness.vectors: {path} cannot be read ({problem.strerror})") from None
    entries = {**known, str(path): {"seen": seen, "digest": found}}
    write_text(_memory(home), json.dumps(entries, indent=1, sort_keys=True))
    return found


def read_vectors(home: Path, digest: str) -> "TableVectors":
    """The table in the file with these contents, wherever it was seen."""
    for name, entry in _known(home).items():
        path = Path(name)
        if entry.get("digest") == digest and path.is_file() and digest_of(home, path) == digest:
            return _read(path, digest)
    raise ConfigError(
        f"the file of word vectors that the model was trained on ({digest[:20]}…) is not where it was: "
        "name it in usefulness.vectors, or train another model (`quarry train`)"
    )


@lru_cache(maxsize=1)
def _read(path: Path, digest: str) -> "TableVectors":
    """`digest` is there for the cache: another file may take the place of the first."""
    from transforms.usefulness.readers import read_text, read_word2vec

    try:
        with path.open("rb") as file:
            return read_word2vec(file) if _form(path) == "binary" else read_text(file)
    except (OSError, ValueError) as problem:
        raise ConfigError(f"usefulness.vectors: {path}: {problem}") from None


def _form(path: Path) -> str:
    return "binary" if path.suffix.lower() == ".bin" else "text"


def _memory(home: Path) -> Path:
    return home / "models" / "vectors.json"


def _known(home: Path) -> dict[str, dict[str, Any]]:
    try:
        found = json.loads(_memory(home).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}  # it is only a memory: the files are read again
    return {name: entry for name, entry in found.items() if isinstance(entry, dict)} if isinstance(found, dict) else {}
