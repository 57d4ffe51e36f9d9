"""What every stage returns, and the bookkeeping that makes each input row accountable."""

from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from expectations import table

Params = dict[str, Any]
Tables = dict[str, pa.Table]


@dataclass(frozen=True)
class Units:
    """How many units of work a stage saw and kept, for one lesson."""

    rows_in: int = 0
    kept: int = 0

    def __add__(self, other: "Units") -> "Units":
        return Units(self.rows_in + other.rows_in, self.kept + other.kept)


@dataclass(frozen=True)
class Result:
    """Kept rows for each table, rejected rows, and the units behind them for each lesson."""

    tables: Tables
    rejects: pa.Table
    units: dict[str, Units]


@dataclass
class Ledger:
    """Collects kept and rejected rows while a stage runs, and counts each unit exactly once."""

    stage: str
    rows: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    rejected: list[dict[str, Any]] = field(default_factory=list)
    units: dict[str, Units] = field(default_factory=dict)

    def add(self, name: str, row: dict[str, Any]) -> None:
        """Put one row into an output table, without counting a unit."""
        self.rows.setdefault(name, []).append(row)

    def keep(self, lesson_id: str, units: int = 1) -> None:
        """Count units of this lesson as kept."""
        self.units[lesson_id] = self.units.get(lesson_id, Units()) + Units(units, units)

    def reject(
        self,
        lesson_id: str,
        record_id: str,
        reason: str,
        *,
        detail: str | None = None,
        text: str | None = None,
        merged_into: str | None = None,
    ) -> None:
        """Count one unit of this lesson as dropped or merged, and write down why."""
        self.units[lesson_id] = self.units.get(lesson_id, Units()) + Units(1, 0)
        self.rejected.append(
            {
                "stage": self.stage,
                "record_id": record_id,
                "lesson_id": lesson_id,
                "reason": reason,
                "detail": detail,
                "merged_into": merged_into,
                "text": text,
            }
        )

    def result(self, *names: str) -> Result:
        """Typed tables for the named outputs, empty ones included."""
        tables = {name: pa.Table.from_pylist(self.rows.get(name, []), schema=table(name).schema) for name in names}
        rejects = pa.Table.from_pylist(self.rejected, schema=table("rejects").schema)
        return Result(tables, rejects, self.units)
