"""What all checks of a build cost beside it; `python -m benchmarks.speed.quality POSTS` for other sizes."""

import multiprocessing
import sys
import tempfile
import time
from pathlib import Path

from benchmarks import corpus
from flows.build import build_here
from flows.gate import gate, great
from flows.gate.rows import first_broken
from flows.settings import Settings, Source
from flows.store import files, snapshots
from flows.store.home import Home, read_home

POSTS = 100_000


def report(posts: int = POSTS) -> None:
    """Print the time of a full build, and the time and memory of its checks in a process of their own."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        corpus.write(folder / "corpus", posts)
        source = Source(name="big", kind="jsonl", path=folder / "corpus")
        started = time.perf_counter()
        build_here(Settings(home=folder / "home", buckets=16, pseudonym_key="key", sources=[source]), plain=True)
        whole = time.perf_counter() - started
        print(f"full build of {posts:,} posts   {whole:6.1f} s, all checks included")
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            rows, checks, imports, beyond = pool.apply(_checks, (folder / "home",))
    print(f"row rules, as files are written {rows:6.1f} s, {rows / whole:.1%}")
    print(f"gate, before the pointer moves  {checks:6.1f} s, {checks / whole:.1%}; {beyond:.0f} MiB beyond the imports")
    print(f"importing Great Expectations    {imports:6.1f} s, which a build does beside its stages")


def _checks(path: Path) -> tuple[float, float, float, float]:
    home = read_home(path)
    manifest = snapshots.current(home)
    started = time.perf_counter()
    great.load()
    imports = time.perf_counter() - started
    base = _peak(since_now=True)
    rows = _row_rules(home, manifest)
    started = time.perf_counter()
    gate.evaluate(home, manifest)
    return rows, time.perf_counter() - started, imports, _peak() - base


def _row_rules(home: Home, manifest: snapshots.Manifest) -> float:
    seconds = 0.0
    for table in (table for table in gate.CHECKED if table.row_rules):
        for ref in manifest.of_table(table.name):
            rows = files.read(home / ref.path)
            started = time.perf_counter()
            first_broken(rows, table.row_rules)
            seconds += time.perf_counter() - started
    return seconds


def _peak(since_now: bool = False) -> float:
    """The largest resident size; the usual `getrusage` would count what the parent process once held."""
    if since_now:
        Path("/proc/self/clear_refs").write_text("5")
    (line,) = (line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) / 1024


if __name__ == "__main__":
    report(int(sys.argv[1]))
