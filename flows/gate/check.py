"""The outcome of one rule on one table."""

from dataclasses import asdict, dataclass
from typing import Any, Literal

from expectations.contract import Severity

CheckResult = Literal["passed", "failed", "broken", "accepted"]


@dataclass(frozen=True)
class Check:
    """One rule, evaluated: a broken check is a fault of the check, never of the data."""

    table: str
    rule: str
    result: CheckResult
    severity: Severity
    observed: str | None = None
    rows_failing: int = 0

    @property
    def stops(self) -> bool:
        """Whether this check keeps a snapshot from being published."""
        return self.severity == "fail" and self.result in ("failed", "broken")

    def as_dict(self) -> dict[str, Any]:
        """Plain data for the journal and the manifest."""
        return asdict(self)
