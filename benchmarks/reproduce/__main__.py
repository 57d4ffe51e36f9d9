"""`python -m benchmarks.reproduce DATA [TOPIC …]` prints how good things are on public data."""

import sys
from pathlib import Path

from benchmarks import reproduce, topics

if __name__ == "__main__":
    if len(sys.argv) < 2 or not Path(sys.argv[1]).is_dir():
        print("name the folder of the public data: make reproduce DATA=folder", file=sys.stderr)
        sys.exit(2)
    sys.exit(topics.run(reproduce, sys.argv[2:], Path(sys.argv[1])))
