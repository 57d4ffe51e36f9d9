"""The quality page: every rule in words, its result, its history and its examples, in one file that works offline."""

import re
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

from markupsafe import Markup, escape

from expectations import TABLES
from expectations.projection import expectations
from flows.funnel import funnel
from flows.gate.check import Check
from flows.gate.remedy import remedy
from flows.printable import printable
from flows.store import journal, snapshots
from flows.store.home import Home, write_text
from flows.store.snapshots import Manifest

_RUNS_SHOWN = 30
# What shows a result where colours are not seen.
_SHAPES = {"passed": "■", "warns": "▲", "failed": "✖", "broken": "?", "accepted": "◆"}
_ORDER = {"failed": 0, "broken": 0, "accepted": 1, "passed": 2}
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


def write_quality_page(home: Home, title: str, manifest: Manifest, note: str | None = None) -> Path:
    """Write `reports/quality/index.html` about a snapshot or a stopped candidate; the title says what became of it."""
    from jinja2 import Environment, PackageLoader, select_autoescape

    environment = Environment(loader=PackageLoader("flows.publish", "."), autoescape=select_autoescape(["jinja"]))
    environment.filters["code"] = _code
    environment.finalize = lambda value: printable(value) if type(value) is str else value
    checks = sorted(map(Check.of, manifest.content["checks"]), key=lambda c: (not c.stops, _ORDER[c.result]))
    rows = [_row(home, manifest, check, checks) for check in checks]
    page = environment.get_template("quality.html.jinja").render(
        title=title,
        note=note,
        bad=[row for row in rows if row["result"] != "passed"],
        good=[row for row in rows if row["result"] == "passed"],
        history=_history(home),
        shapes=_SHAPES,
        in_words=_in_words,
        levels=funnel(manifest),
    )
    path = home / "reports" / "quality" / "index.html"
    write_text(path, page)
    return path


def _row(home: Home, manifest: Manifest, check: Check, checks: list[Check]) -> dict[str, Any]:
    bad = check.result in ("failed", "broken")
    todo = remedy(check, checks, manifest.id, snapshots.current_id(home)) if bad else None
    return {
        **check.as_dict(),
        "shown": _shown_result(check),
        "words": rule_in_words(check.table, check.rule),
        "remedy": todo,
    }


def _shown_result(check: Check) -> str:
    """What the page calls a result: a failure that stops nothing warns."""
    return "warns" if check.result == "failed" and not check.stops else check.result


def _in_words(results: list[tuple[str, str]]) -> str:
    """How the last runs went, for those to whom the page is read."""
    counts = Counter(result for result, _ in results)
    return ", ".join(f"{result} {count} time{'s' * (count != 1)}" for result, count in counts.most_common())


def _code(text: str) -> Markup:
    """Text in which what stands between backticks is code."""
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(printable(text)))))


def _history(home: Home) -> dict[tuple[str, str], list[tuple[str, str]]]:
    """The results of each rule in the last runs, oldest first, each with what it says when it is pointed at."""
    rows: list[dict[str, Any]] = journal.read(home, "checks")
    runs = set(list(dict.fromkeys(row["run_id"] for row in rows))[-_RUNS_SHOWN:])
    found: dict[tuple[str, str], list[tuple[str, str]]] = defaultdict(list)
    for check, run_id in ((Check.of(row), row["run_id"]) for row in rows):
        if run_id in runs:
            found[check.table, check.rule].append((_shown_result(check), f"run {run_id}: {check.outcome}"))
    return found
