"""The outcome of one rule on one table."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields
from typing import Any, Literal

from expectations.contract import Severity

CheckResult = Literal["passed", "failed", "broken", "accepted"]

SCHEMA = "schema_as_declared"
EXAMPLES = 3
# An example is read in a terminal, a table of Prefect's UI and a narrow browser: some words, or an id, or two.
_LONGEST = 60


@dataclass(frozen=True)
class Check:
    """One rule, evaluated: a broken check is a fault of the check, never of the data."""

    table: str
    rule: str
    result: CheckResult
    severity: Severity
    observed: str | None = None
    rows_failing: int = 0

    @classmethod
    def of(cls, row: dict[str, Any]) -> "Check":
        """A check from the manifest or the journal, which may hold more."""
        return cls(**{field.name: row[field.name] for field in fields(cls)})

    @property
    def stops(self) -> bool:
        """Whether this check keeps a snapshot from being published."""
        return self.severity == "fail" and self.result in ("failed", "broken")

    @property
    def acceptable(self) -> bool:
        """Whether an operator may publish knowingly: not where the rule, or all of its table, could not be checked."""
        return self.result in ("failed", "accepted") and self.severity == "fail" and self.rule != SCHEMA

    @property
    def name(self) -> str:
        """How an operator names the rule."""
        return f"{self.table}.{self.rule}"

    @property
    def outcome(self) -> str:
        """What happened, in words; not every rule fails for single rows."""
        if self.result == "broken":
            return f"could not be evaluated ({self.observed})"
        rows = f" for {self.rows_failing:,} row{'s' * (self.rows_failing != 1)}" if self.rows_failing else ""
        return f"{self.result}{rows}" + (f" ({self.observed})" if self.observed else "")

    def as_dict(self) -> dict[str, Any]:
        """Plain data for the journal and the manifest."""
        return asdict(self)


def judged(table: str, rule: str, severity: Severity, rows: int, examples: Iterable[object]) -> Check:
    """Passed without failing rows, else failed with the first examples of them."""
    if not rows:
        return Check(table, rule, "passed", severity)
    return Check(table, rule, "failed", severity, shown(examples), rows)


def shown(examples: Iterable[object]) -> str:
    """The first examples in one line, each cut to what can be taken in at a glance."""
    texts = list(dict.fromkeys(" ".join(str(example).split()) for example in examples))[:EXAMPLES]
    return ", ".join(text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…" for text in texts)
