"""Wall time and memory of whole builds of the campus site, and of the commands that people type most."""

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

QUARRY = [sys.executable, "-m", "flows.cli.main"]


def timed(*arguments: str, home: str) -> float:
    """Seconds that a command takes; it must end well."""
    started = time.perf_counter()
    environment = {**os.environ, "QUARRY_HOME": home}
    subprocess.run([*QUARRY, *arguments], check=True, stdout=subprocess.DEVNULL, env=environment)
    return time.perf_counter() - started


def report() -> None:
    """Print the figures of the foundation: goals in brackets."""
    with tempfile.TemporaryDirectory() as home:
        print(f"first build      {timed('build', home=home):6.1f} s  (at most 90)")
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1e6
        print(f"peak memory      {peak:6.2f} GB (at most 2, largest process)")
        print(f"second build     {timed('build', home=home):6.1f} s  (at most 30)")
        print(f"  without Prefect{timed('build', '--plain', home=home):6.1f} s")
        print(f"quarry sql       {timed('sql', 'select 1', home=home):6.2f} s  (at most 2)")
        print(f"quarry --help    {timed('--help', home=home):6.2f} s  (at most 0.7)")
        size = sum(path.stat().st_size for path in Path(home, "lake").rglob("*.parquet"))
        print(f"lake             {size / 1e6:6.2f} MB")
