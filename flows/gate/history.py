"""Table rules that compare a candidate with the snapshot before it: shrunken tables and drifted distributions.

They judge only against a snapshot of the same sources; without one they pass.
"""

import math

import duckdb

from expectations.contract import PROSE, Column, Table, TableRule
from flows.gate.check import Check
from flows.store.snapshots import Manifest

# Below this share of last time's rows a table has shrunk; smaller tables change by half for good reasons.
SHRUNK = 0.5
FEWEST_ROWS = 40
# A population stability index above this is the field's usual sign of a significant shift.
DRIFTED = 0.25
Shares = dict[str, int]


def comparable(candidate: Manifest, before: Manifest | None) -> Manifest | None:
    """The earlier snapshot, if it was made from the same sources."""
    if before is None or before.content["sources"] != candidate.content["sources"]:
        return None
    return before


def check_history(table: Table, candidate: Manifest, before: Manifest | None) -> list[Check]:
    """The rules of one table that look back."""
    found = []
    for rule in table.rules:
        if rule.check == "not_shrunk":
            found.append(_shrunk(table, rule, candidate, before))
        elif rule.check == "no_drift":
            found.append(_drifted(table, rule, candidate, before))
    return found


def _shrunk(table: Table, rule: TableRule, candidate: Manifest, before: Manifest | None) -> Check:
    now = sum(ref.rows for ref in candidate.of_table(table.name))
    then = sum(ref.rows for ref in before.of_table(table.name)) if before else 0
    if then >= FEWEST_ROWS and now < SHRUNK * then:
        return Check(table.name, rule.name, "failed", rule.severity, f"{then} rows before, {now} now", then - now)
    return Check(table.name, rule.name, "passed", rule.severity)


def _drifted(table: Table, rule: TableRule, candidate: Manifest, before: Manifest | None) -> Check:
    passed = Check(table.name, rule.name, "passed", rule.severity)
    if before is None or (table.name == "scores" and candidate.content["models"] != before.content["models"]):
        return passed
    name = profile_name(table, rule)
    now, then = candidate.content["profile"].get(name, {}), before.content.get("profile", {}).get(name, {})
    if min(sum(now.values()), sum(then.values())) < FEWEST_ROWS:
        return passed
    index, allowed = stability(then, now)
    if index <= allowed:
        return passed
    return Check(table.name, rule.name, "failed", rule.severity, f"before {_show(then)}; now {_show(now)}")


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


def _show(counts: Shares) -> str:
    total = sum(counts.values())
    return ", ".join(f"{group} {count / total:.0%}" for group, count in sorted(counts.items()))


def profile_name(table: Table, rule: TableRule) -> str:
    """Where the manifest keeps the distribution that a rule looks at."""
    return f"{table.name}.{rule.columns[0]}"


def profile(connection: duckdb.DuckDBPyConnection, tables: list[Table]) -> dict[str, Shares]:
    """The distributions that drift rules look at."""
    found = {}
    for table in tables:
        for rule in table.rules:
            if rule.check == "no_drift":
                (column,) = (c for c in table.columns if c.name in rule.columns)
                query = f'select {_group(column)}, count(*) from "{table.name}" group by 1 order by 1'
                found[profile_name(table, rule)] = dict(connection.execute(query).fetchall())
    return found


def _group(column: Column) -> str:
    """Categories count as they are, numbers in tenths, prose by its length, all else by being there or not."""
    name = f'"{column.name}"'
    if column.values:
        group = name
    elif column.type == "number":
        group = f"printf('%.1f', floor({name} * 10) / 10)"
    elif column.name in PROSE:
        group = f"printf('%d+ characters', (2 ** least(floor(log2(length({name}) + 1)), 10))::int)"
    else:
        group = f"case when {name} is not null then 'known' end"
    return f"coalesce({group}, 'null')"
