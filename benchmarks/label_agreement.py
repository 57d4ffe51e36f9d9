"""Prints how far the bundled usefulness labels agree with those of other annotators."""

import json
from collections.abc import Sequence
from pathlib import Path

LABELS = Path(__file__).resolve().parents[1] / "data" / "labels"


def read_labels(folder: Path) -> dict[tuple[str, str], int]:
    """The label of each text of each subject."""
    rows = ((path.stem, json.loads(line)) for path in sorted(folder.glob("*.jsonl")) for line in path.open())
    return {(subject, row["text"]): row["useful"] for subject, row in rows}


def kappa(first: Sequence[int], second: Sequence[int]) -> float:
    """Cohen's kappa of two annotators' labels of the same rows."""
    rows = len(first)
    observed = sum(a == b for a, b in zip(first, second, strict=True)) / rows
    expected = sum(first.count(label) * second.count(label) for label in {*first, *second}) / rows**2
    return 1.0 if expected == 1 else (observed - expected) / (1 - expected)


def main() -> None:
    """Print the agreement and every row on which the annotators differ."""
    first, second = read_labels(LABELS / "usefulness"), read_labels(LABELS / "usefulness_second")
    pairs = [(first[row], second[row]) for row in second]
    differing = [row for row in second if first[row] != second[row]]
    print(f"rows labelled twice: {len(pairs)}, useful by the first {sum(a for a, _ in pairs)}, "
          f"by the second {sum(b for _, b in pairs)}")  # fmt: skip
    print(f"Cohen's kappa {kappa([a for a, _ in pairs], [b for _, b in pairs]):.3f}, {len(differing)} rows differ")
    for subject, text in differing:
        print(f"  {subject}: {text} (first {first[subject, text]}, second {second[subject, text]})")


if __name__ == "__main__":
    main()
