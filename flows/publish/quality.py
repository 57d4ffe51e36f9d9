"""The quality page: every rule in words, its result, its history and its examples, in one file that works offline."""

from collections import defaultdict
from pathlib import Path
from typing import Any

from expectations import TABLES
from expectations.projection import expectations
from flows.funnel import Level
from flows.gate.check import Check
from flows.store import journal
from flows.store.home import Home, write_text

_RUNS_SHOWN = 30
_WORDS = {
    "ExpectColumnValuesToNotBeNull": "`{column}` is never null.",
    "ExpectColumnValuesToBeInSet": "`{column}` is one of its declared values.",
    "ExpectColumnValuesToMatchRegex": "`{column}` has its declared form.",
}


def rule_in_words(table: str, rule: str) -> str:
    """What a rule says, for people."""
    contract = TABLES[table]
    declared = {r.name: r.meaning for r in contract.row_rules} | {r.name: r.meaning for r in contract.rules}
    if rule in declared:
        return declared[rule]
    for entry in expectations(contract):
        if entry["rule"] == rule:
            return _WORDS[entry["kind"]].format(**entry["arguments"])
    return rule


def write_quality_page(
    home: Home, title: str, checks: list[Check], levels: list[Level], advice: str | None = None
) -> Path:
    """Write `reports/quality/index.html` for one run."""
    from jinja2 import Environment, PackageLoader, select_autoescape

    environment = Environment(loader=PackageLoader("flows.publish", "."), autoescape=select_autoescape(["jinja"]))
    order = {"failed": 0, "broken": 0, "accepted": 1, "passed": 2}
    past = _history(home)
    rows = [
        {**c.as_dict(), "words": rule_in_words(c.table, c.rule), "history": past[c.table, c.rule], "stops": c.stops}
        for c in sorted(checks, key=lambda c: order[c.result])
    ]
    page = environment.get_template("quality.html.jinja").render(
        title=title,
        advice=advice,
        bad=[row for row in rows if row["result"] != "passed"],
        good=[row for row in rows if row["result"] == "passed"],
        levels=levels,
    )
    path = home / "reports" / "quality" / "index.html"
    write_text(path, page)
    return path


def _history(home: Home) -> dict[tuple[str, str], list[str]]:
    """The results of each rule in the last runs, oldest first."""
    rows: list[dict[str, Any]] = journal.read(home, "checks")
    runs = list(dict.fromkeys(row["run_id"] for row in rows))[-_RUNS_SHOWN:]
    found: dict[tuple[str, str], list[str]] = defaultdict(list)
    for row in rows:
        if row["run_id"] in runs:
            found[row["table"], row["rule"]].append(row["result"])
    return found
