"""What `quarry doctor` looks at: the machine, the settings, the home."""

import os
import platform
import shutil
import sys
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from crawlers.spec import is_loopback
from flows.collect import check_files
from flows.errors import ConfigError, QuarryError
from flows.settings import CAMPUS, Settings, Source, config_path, load_settings
from flows.store import snapshots
from flows.store.home import open_home
from flows.store.lease import writer

_PACKAGES = ("quarry-datasets", "prefect", "scrapy", "pyarrow", "duckdb", "torch", "great-expectations")
_SPARE_BYTES = 1 << 30


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at."""

    what: str
    finding: str
    good: bool = True

    def as_dict(self) -> dict[str, Any]:
        """Plain data for scripts."""
        return asdict(self)


def examine() -> list[Finding]:
    """All findings; a bad one says what to do."""
    found = [Finding("python", f"{platform.python_version()} at {sys.executable}"), *_packages()]
    found.append(Finding("campus site", "bundled" if CAMPUS.is_dir() else "missing: clone the repository again",
                         CAMPUS.is_dir()))  # fmt: skip
    try:
        settings = load_settings()
        found.append(Finding("settings", str(config_path() or "defaults")))
        found += _sources(settings)
        found += _home(settings)
    except QuarryError as problem:
        found.append(Finding("settings or home", str(problem), good=False))
    server = os.environ.get("PREFECT_API_URL") or "none configured: every build starts its own"
    return [*found, Finding("prefect server", server)]


def _sources(settings: Settings) -> list[Finding]:
    found = []
    for source in settings.sources:
        what = f"source {source.name}"
        if source.path and not source.path.exists():
            found.append(Finding(what, f"{source.path} does not exist: correct its path", good=False))
        elif source.url and not source.contact and not is_loopback(source.url):
            advice = 'no contact: add contact = "mailto:you@example.org"'
            found.append(Finding(what, advice, good=False))
        elif problem := _missing_file(source):
            found.append(Finding(what, problem, good=False))
        else:
            found.append(Finding(what, source.kind))
    return found


def _missing_file(source: Source) -> str | None:
    try:
        if source.kind == "jsonl":
            check_files(source)
    except ConfigError as problem:
        return str(problem)
    return None


def _packages() -> list[Finding]:
    found = []
    for name in _PACKAGES:
        try:
            found.append(Finding(name, version(name)))
        except PackageNotFoundError:
            found.append(Finding(name, "missing: run `make setup`", good=False))
    return found


def _home(settings: Settings) -> list[Finding]:
    home = open_home(settings)
    free = shutil.disk_usage(home.path).free
    holder = writer(home)
    found = [
        Finding("home", f"{home.path}, {home.buckets} buckets"),
        Finding("disk", f"{free / 1e9:.1f} GB free" + ("" if free > _SPARE_BYTES else ": free some space"),
                free > _SPARE_BYTES),
        Finding("writer", f"`quarry {holder['command']}`, process {holder['pid']}" if holder else "none"),
    ]  # fmt: skip
    if broken := snapshots.broken(home):
        advice = f"{', '.join(broken)} have broken manifests: restore them from a backup, or remove them"
        found.append(Finding("snapshots", advice, good=False))
    current = snapshots.current_id(home)
    if current is None:
        return [*found, Finding("snapshot", "none yet: run `quarry build`")]
    return [*found, Finding("snapshot", f"{snapshots.current(home).id} is current and its manifest is whole")]
