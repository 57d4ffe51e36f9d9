"""The home: one folder with everything that Quarry keeps, and the rules for writing into it."""

import json
import os
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from flows.errors import ConfigError, HomeVersionError
from flows.settings import MOST_BUCKETS, Settings

FORMAT = 1
_STAGED = ".*.tmp*"  # DuckDB writes a log beside it


@dataclass(frozen=True)
class Home:
    """Paths inside `QUARRY_HOME`, and the number of buckets fixed when it was made."""

    path: Path
    buckets: int

    def __truediv__(self, name: str) -> Path:
        return self.path / name


def open_home(settings: Settings) -> Home:
    """The home, made on first use; a clear error when it cannot be written or has another format."""
    path, mark = settings.home, settings.home / "home.json"
    try:
        for name in ("raw", "lake", "snapshots", "models", "annotations", "journal", "reports", "releases"):
            (path / name).mkdir(parents=True, exist_ok=True)
        probe = path / f".write-{os.getpid()}"
        probe.touch()
        probe.unlink()
    except FileExistsError as problem:
        raise ConfigError(f"{problem.filename} is a file where a folder belongs: move it away") from None
    except OSError as problem:
        raise ConfigError(
            f"the home {path} cannot be written ({problem.strerror}): set QUARRY_HOME to a folder of yours"
        ) from None
    if not mark.exists():
        write_text(mark, json.dumps({"format": FORMAT, "buckets": settings.buckets}))
    return read_home(path)


def read_home(path: Path) -> Home:
    """An existing home, for commands that only read."""
    mark = path / "home.json"
    _check_folder(path)
    if not mark.exists():
        raise ConfigError(f"there is no dataset in {path}: run `quarry build` first")
    try:
        found = parsed(mark.read_text(encoding="utf-8"))
        made, buckets = found["format"], found["buckets"]
        counted = type(buckets) is int and 1 <= buckets <= MOST_BUCKETS
        if type(made) is not int or (made == FORMAT and not counted):
            raise ValueError
    except (OSError, ValueError, KeyError, TypeError):
        raise ConfigError(
            f'{mark} is broken: restore it as {{"format": {FORMAT}, "buckets": 8}}, with the number of buckets '
            f"(1 to {MOST_BUCKETS}) that the home was made with"
        ) from None
    if made != FORMAT:
        raise HomeVersionError(
            f"the home {path} has format {made}, this Quarry reads {FORMAT}: use the version that made it, "
            "or set QUARRY_HOME to a new folder and build again"
        )
    return Home(path, buckets)


def _check_folder(path: Path) -> None:
    """Refuse a home that is no folder, or stands in none."""
    try:
        there = next(place for place in (path, *path.parents) if place.exists())
    except OSError as problem:
        raise ConfigError(f"the home {path} cannot be read ({problem.strerror}): correct QUARRY_HOME") from None
    if not there.is_dir():
        raise ConfigError(f"the home {path} is no folder ({there} is a file): set QUARRY_HOME to a folder of yours")


def pseudonym_key(home: Home, settings: Settings) -> str:
    """The key of author pseudonyms, made when there is none yet."""
    if key := kept_key(home, settings):
        return key
    with staged(home / "pseudonym.key") as temporary:
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT, 0o600)
        with os.fdopen(descriptor, "w") as file:
            file.write(secrets.token_hex(32))
    return pseudonym_key(home, settings)


def kept_key(home: Home, settings: Settings) -> str | None:
    """The key of author pseudonyms, if there is one: from the settings, else a file that only its owner can read."""
    if settings.pseudonym_key:
        return settings.pseudonym_key
    path = home / "pseudonym.key"
    if not path.exists():
        return None
    key = path.read_text(encoding="utf-8", errors="replace").strip()
    if not re.fullmatch(r"[0-9a-f]{64}", key):
        # Without its key every author would become another one, and an empty key hides nobody.
        raise ConfigError(f"{path} holds no key: restore it from a backup, or delete it to begin with new pseudonyms")
    return key


@contextmanager
def staged(path: Path) -> Iterator[Path]:
    """A temporary path that becomes the real one, flushed to disk, only when the block ends well."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}-{secrets.token_hex(4)}.tmp")
    try:
        yield temporary
        with temporary.open("rb") as file:
            os.fsync(file.fileno())
        temporary.replace(path)
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    finally:
        temporary.unlink(missing_ok=True)


def leftovers(home: Home) -> list[Path]:
    """What killed runs left outside the lake of files that they were writing."""
    found = list(home.path.glob(_STAGED))
    for name in ("snapshots", "models", "annotations", "reports", "journal"):
        found += (home / name).rglob(_STAGED)
    return sorted(found)


def write_text(path: Path, text: str) -> None:
    """Write a whole small file at once, or not at all."""
    with staged(path) as temporary:
        temporary.write_text(text, encoding="utf-8")


def parsed(text: str) -> Any:
    """JSON from a file to which anything may have happened: a ValueError for all that is none."""
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None
