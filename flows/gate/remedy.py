"""What to do about a rule that did not pass, by its kind."""

from collections.abc import Iterable

from expectations import TABLES
from flows.gate.check import Check
from flows.stages import WRITER

_BROKEN = "this says nothing about the data: `quarry verify` finds damaged files; if there are none, report the message"
_STAGE = "a stage wrote what its contract forbids: mend it, then `quarry backfill{stage} --force`"
_LOST = "rows were lost or mixed up behind their stage: `quarry verify --repair`, then `quarry backfill{stage} --force`"
_BEFORE = (
    "is the export whole, did the site or its parser change? `quarry diff {current} {candidate}` counts what is gone"
)
_BY_CHECK = {
    "schema": "the files were written by other code: `quarry backfill{stage} --force` makes them again",
    "unique": "one id names two records: `quarry trace ID --at {candidate}` shows them; correct the source",
    "foreign_key": _LOST,
    "complete": _LOST,
    "accounting": _LOST,
    "no_leakage": "what is learnt would be tested: `quarry backfill{stage} --force` divides again",
    "no_personal_data": "the scrubber passed it over: `quarry takedown ID` leaves the record out; report its form",
    "not_shrunk": _BEFORE,
    "not_fewer": _BEFORE,
    "no_drift": _BEFORE,
    "not_empty": "see where the rows went: `quarry rejects --at {candidate}`",
    "known": "ask the source for its licence and give it in the export: a release refuses rows without one",
}


def acceptance(checks: Iterable[Check]) -> str | None:
    """The command that publishes all the same: it names every rule that stops, and those that were accepted before."""
    known = [check for check in checks if check.stops or check.result == "accepted"]
    if not known or not all(check.acceptable for check in known):
        return None
    return " ".join(["quarry build", *(f"--accept {check.name}" for check in known)])


def remedy(check: Check, checks: Iterable[Check], candidate: str, current: str | None = None) -> str:
    """What an operator can do, in one line; the checks are all of those of `candidate`."""
    if check.result == "broken":
        return _BROKEN
    kinds: dict[str, str] = {rule.name: rule.check for rule in TABLES[check.table].rules}
    stage = f" --stage {WRITER[check.table].name}" if check.table in WRITER else ""
    todo = _BY_CHECK.get(kinds.get(check.rule, ""), _STAGE)
    todo = todo.format(stage=stage, candidate=candidate, current=current or "OLDER")
    accepting = acceptance(checks) if check.stops else None
    return f"{todo}; if the data is right, publish it knowingly: `{accepting}`" if accepting else todo
