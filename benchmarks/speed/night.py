"""A night in which 1 % of the lessons changed, beside a full rebuild of the same generated corpus."""

import tempfile
import time
from pathlib import Path

from benchmarks import corpus
from flows.build import build_here
from flows.settings import Settings, Source

POSTS = 100_000


def report() -> None:
    """Print both times and their ratio; neither includes Prefect's start."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        corpus.write(folder / "corpus", POSTS)
        source = Source(name="big", kind="jsonl", path=folder / "corpus")

        def build() -> float:
            settings = Settings(home=folder / "home", buckets=16, pseudonym_key="key", sources=[source])
            started = time.perf_counter()
            build_here(settings, plain=True)
            return time.perf_counter() - started

        full = build()
        print(f"full rebuild of {POSTS:,} posts  {full:6.1f} s, training and imports included")
        quiet = build()
        print(f"nothing changed             {quiet:6.1f} s")
        corpus.edit(folder / "corpus", 0.01)
        night = build()
        print(f"1 % of the lessons changed  {night:6.1f} s, {night / full:.0%} of a full rebuild")
