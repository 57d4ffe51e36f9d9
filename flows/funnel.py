"""The funnel of a snapshot: for each stage the rows in, kept, merged, and rejected by reason."""

from dataclasses import dataclass
from typing import Any

from flows.stages import STAGES
from flows.store.snapshots import Manifest


@dataclass(frozen=True)
class Level:
    """One stage of the funnel."""

    stage: str
    rows_in: int
    kept: int
    merged: int
    rejected: dict[str, int]

    @property
    def rejected_rows(self) -> int:
        """All rejected rows of the stage."""
        return sum(self.rejected.values())

    @property
    def reasons(self) -> str:
        """The reasons in words, the most frequent first."""
        ordered = sorted(self.rejected.items(), key=lambda item: (-item[1], item[0]))
        return ", ".join(f"{reason} {count}" for reason, count in ordered)

    def as_dict(self) -> dict[str, Any]:
        """Plain data for scripts."""
        return {"stage": self.stage, "rows_in": self.rows_in, "kept": self.kept, "merged": self.merged,
                "rejected": self.rejected}  # fmt: skip


def funnel(manifest: Manifest) -> list[Level]:
    """The funnel in the order of the stages."""
    found = manifest.content["stages"]
    return [
        Level(s.name, *(found[s.name][key] for key in ("rows_in", "kept", "merged", "rejected")))
        for s in STAGES
        if s.name in found
    ]
