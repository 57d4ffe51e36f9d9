"""`python -m benchmarks [TOPIC …]` prints how fast things are."""

import sys

from benchmarks import speed, topics

if __name__ == "__main__":
    sys.exit(topics.run(speed, sys.argv[1:]))
