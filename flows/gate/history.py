"""Table rules that compare a candidate with the snapshots before it: shrunken tables and drifted distributions.

Each source is compared by itself, and only with snapshots that were made from the same source: another one beside it
changes nothing, and a large one hides nothing. What nothing can be compared with passes.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from expectations.contract import Table, TableRule
from flows.errors import QuarryError
from flows.gate.check import EXAMPLES, Check
from flows.gate.measure import Shares, profile_name
from flows.store import snapshots
from flows.store.home import Home
from flows.store.snapshots import Manifest

# Below this share of the rows that there were a source has shrunk; smaller ones change by half for good reasons,
# but even of these not all rows go at once.
SHRUNK = 0.5
# What has not shrunk, but lost more than a night takes, is worth a look.
FEWER = 0.8
FEWEST_ROWS = 40
FEWEST_TO_VANISH = 10
# Sizes are compared with the largest of a week of changed nights: what loses a third each night has shrunk by the
# second one, and what was true longer ago is no standard for today.
NIGHTS = 7
# A population stability index above this is the field's usual sign of a significant shift.
DRIFTED = 0.25


def earlier(home: Home, before: Manifest | None) -> list[Manifest]:
    """The snapshot that a candidate would replace and the kept ones written before it, newest first.

    Those that are newer were rolled back from: they are no standard.
    """
    if before is None:
        return []
    stored = snapshots.stored(home)
    older = stored[stored.index(before.id) + 1 :] if before.id in stored else []
    return [before, *_readable(home, older[: NIGHTS - 1])]


def _readable(home: Home, ids: Sequence[str]) -> Iterator[Manifest]:
    for snapshot_id in ids:
        try:
            yield snapshots.read(home, snapshot_id)
        except QuarryError:
            continue  # a broken manifest tells nothing; `gc` complains of it


def check_history(table: Table, candidate: Manifest, past: Sequence[Manifest]) -> list[Check]:
    """The rules of one table that look back."""
    return [_JUDGES[rule.check](table, rule, candidate, past) for rule in table.rules if rule.check in _JUDGES]


def _same_sources(candidate: Manifest, before: Manifest) -> list[str]:
    """The sources of a candidate from which an earlier snapshot was made, too."""
    return [source["name"] for source in candidate.content["sources"] if source in before.content["sources"]]


def _shrunk(table: Table, rule: TableRule, candidate: Manifest, past: Sequence[Manifest]) -> Check:
    now = candidate.content["counts"].get(table.name, {})
    then: dict[str, int] = {}
    for before in past:
        rows = before.content.get("counts", {}).get(table.name, {})
        for source in _same_sources(candidate, before):
            then[source] = max(then.get(source, 0), rows.get(source, 0))
        if _accepted(table, rule, before):
            break  # somebody knew that it is smaller now
    fails = _has_shrunk if rule.check == "not_shrunk" else _has_fewer
    lost = {source: rows - now.get(source, 0) for source, rows in then.items() if fails(rows, now.get(source, 0))}
    if not lost:
        return Check(table.name, rule.name, "passed", rule.severity)
    worst = sorted(lost, key=lambda source: -lost[source])[:EXAMPLES]
    observed = "; ".join(f"{source}: {then[source]} rows before, {now.get(source, 0)} now" for source in worst)
    return Check(table.name, rule.name, "failed", rule.severity, observed, sum(lost.values()))


def left_out(manifest: Manifest, before: Manifest | None) -> tuple[str, ...]:
    """What no rule looks at: what left with sources that the settings no longer name, and sources that are others."""
    named = {source["name"] for source in manifest.content["sources"]}
    found: dict[str, list[str]] = {}
    for table, counts in before.content.get("counts", {}).items() if before else ():
        for source in sorted(counts.keys() - named):
            found.setdefault(source, []).append(f"{counts[source]:,} {table}")
    gone = [f"The settings no longer name {name}: {', '.join(rows)} left with it." for name, rows in found.items()]
    return (*gone, *(_not_compared(then, now, before, manifest) for then, now, before in _changed(manifest, before)))


def _changed(manifest: Manifest, before: Manifest | None) -> Iterator[tuple[dict[str, Any], dict[str, Any], Manifest]]:
    """Sources that are others than those of the same name before."""
    for now in manifest.content["sources"]:
        for then in before.content["sources"] if before else ():
            if before and then["name"] == now["name"] and then != now:
                yield then, now, before


def _not_compared(then: dict[str, Any], now: dict[str, Any], before: Manifest, manifest: Manifest) -> str:
    """That no rule looked back, and at what it would have looked."""
    changes = ", ".join(f"{key} {then.get(key)}, now {value}" for key, value in now.items() if then.get(key) != value)
    rows = []
    for table, counts in manifest.content["counts"].items():
        was, is_ = (found.get(now["name"], 0) for found in (before.content.get("counts", {}).get(table, {}), counts))
        rows += [f"{table} {was:,}, now {is_:,}"] if was != is_ else []
    return f"Source {now['name']} is another one ({changes}) and was compared with nothing: {'; '.join(rows)}."


def _has_shrunk(then: int, now: int) -> bool:
    return (then >= FEWEST_ROWS and now < SHRUNK * then) or (then >= FEWEST_TO_VANISH and not now)


def _has_fewer(then: int, now: int) -> bool:
    return then >= FEWEST_ROWS and now < FEWER * then and not _has_shrunk(then, now)


def _accepted(table: Table, rule: TableRule, before: Manifest) -> bool:
    mark = (table.name, rule.name, "accepted")
    return any((c["table"], c["rule"], c["result"]) == mark for c in before.content.get("checks", ()))


def _drifted(table: Table, rule: TableRule, candidate: Manifest, past: Sequence[Manifest]) -> Check:
    passed = Check(table.name, rule.name, "passed", rule.severity)
    if not past or (table.name == "scores" and candidate.content["models"] != past[0].content["models"]):
        return passed
    name = profile_name(table, rule)
    now, then = (manifest.content.get("shares", {}).get(name, {}) for manifest in (candidate, past[0]))
    found = [
        f"{source}: before {_show(then[source])}; now {_show(now[source])}"
        for source in _same_sources(candidate, past[0])
        if _has_drifted(then.get(source, {}), now.get(source, {}))
    ]
    if not found:
        return passed
    return Check(table.name, rule.name, "failed", rule.severity, " | ".join(found[:EXAMPLES]))


def _has_drifted(then: Shares, now: Shares) -> bool:
    if min(sum(now.values()), sum(then.values())) < FEWEST_ROWS:
        return False
    index, allowed = stability(then, now)
    return index > allowed


_JUDGES: dict[str, Callable[[Table, TableRule, Manifest, Sequence[Manifest]], Check]] = {
    "not_shrunk": _shrunk,
    "not_fewer": _shrunk,
    "no_drift": _drifted,
}


def stability(then: Shares, now: Shares) -> tuple[float, float]:
    """The population stability index of two counts, and how large chance and harmless change may make it."""
    groups = set(then) | set(now)
    total_then, total_now = sum(then.values()), sum(now.values())
    index = 0.0
    for group in groups:
        # Half a row in an empty group keeps the logarithm finite.
        a = max(then.get(group, 0), 0.5) / total_then
        b = max(now.get(group, 0), 0.5) / total_now
        index += (b - a) * math.log(b / a)
    return index, DRIFTED + (len(groups) - 1) * (1 / total_then + 1 / total_now)


def _show(counts: dict[str, Any]) -> str:
    total = sum(counts.values())
    return ", ".join(f"{group} {count / total:.0%}" for group, count in sorted(counts.items()))
