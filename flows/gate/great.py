"""Table rules that Great Expectations evaluates, on the columns that its expectations name.

The import takes seconds, so it happens only here and is begun early, beside other work (`warm_up`).
"""

import html
import logging
import os
import threading
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from expectations.contract import VISIBLE, Severity, Table
from expectations.projection import expectations
from flows.gate.check import Check, judged
from flows.gate.contents import keys, naming
from flows.store.home import write_text

os.environ.setdefault("GX_ANALYTICS_ENABLED", "false")
_PRESENCE = "ExpectColumnValuesToNotBeNull"
# The same and another expectation as results name them.
_NULL, _SET = "expect_column_values_to_not_be_null", "expect_column_values_to_be_in_set"


@cache
def warm_up() -> None:
    """Begin to import Great Expectations in the background, once."""
    threading.Thread(target=load, daemon=True).start()


def load() -> Any:
    """Great Expectations, imported quietly."""
    logger = logging.getLogger("great_expectations")
    logger.setLevel(logging.WARNING)  # it tells of every decorator
    import great_expectations

    logger.setLevel(logging.WARNING)  # and sets its own level while it is imported
    return great_expectations


def _context() -> tuple[Any, Any]:
    """A context in memory; by default Great Expectations leaves a temporary folder behind for each."""
    gx = load()
    from great_expectations.data_context.types import base

    defaults = base.InMemoryStoreBackendDefaults(init_temp_docs_sites=False)
    context = gx.get_context(mode="ephemeral", project_config=base.DataContextConfig(store_backend_defaults=defaults))
    context.variables.progress_bars = {"globally": False}
    return gx, context


def narrowed(table: Table, rows: pa.Table) -> pa.Table:
    """The columns that name a row or that expectations name; of those whose presence alone matters, a mark.

    What has to be known is not there if it is blank.
    """
    valued: set[str] = set(naming(table))
    present: set[str] = set()
    for entry in expectations(table):
        arguments = entry["arguments"]
        columns = set(arguments.get("column_list", ())) | ({arguments["column"]} if "column" in arguments else set())
        (present if entry["kind"] == _PRESENCE else valued).update(columns)
    shown = {name: rows[name] for name in rows.column_names if name in valued}
    known = {name for rule in table.rules if rule.check == "known" for name in rule.columns}
    for name in sorted((present - valued) & set(rows.column_names)):
        there = pc.match_substring_regex(rows[name], VISIBLE) if name in known else pc.is_valid(rows[name])
        shown[name] = pc.if_else(pc.fill_null(there, False), 1, None)
    return pa.table(shown)


def check_table(table: Table, rows: pa.Table, data_docs: Path | None = None) -> list[Check]:
    """All expectations of one contract over the table's narrowed rows; Data Docs go to the folder if one is given."""
    wanted = expectations(table)
    if not wanted:
        return []
    gx, context = _context()
    asset = context.data_sources.add_pandas("candidate").add_dataframe_asset(table.name)
    batch = asset.add_batch_definition_whole_dataframe("all").get_batch({"dataframe": rows.to_pandas()})

    def validate(entries: list[dict[str, Any]], result_format: str) -> Any:
        suite = gx.ExpectationSuite(name=table.name)
        for entry in entries:
            kind = getattr(gx.expectations, entry["kind"])
            suite.add_expectation(kind(**entry["arguments"], meta={"rule": entry["rule"]}))
        return batch.validate(suite, result_format=result_format)

    # Nearly all hold, and whether they do is told in half the time: only those that do not are asked for examples.
    found = {_rule(result): result for result in validate(wanted, "BOOLEAN_ONLY").results}
    if failing := [entry for entry in wanted if not found[entry["rule"]].success]:
        found |= {_rule(result): result for result in validate(failing, "SUMMARY").results}
    if data_docs:
        write_text(data_docs / f"{table.name}.html", _page(validate(wanted, "SUMMARY")))
    return [_check(table, rows, found[entry["rule"]], entry["severity"]) for entry in wanted]


def _rule(result: Any) -> str:
    rule: str = result.expectation_config.meta["rule"]
    return rule


def _page(validation: Any) -> str:
    """Great Expectations' own page of a validation."""
    from great_expectations.render.renderer import ValidationResultsPageRenderer
    from great_expectations.render.view import DefaultJinjaPageView

    for result in validation.results:
        result.result = _escaped(result.result)
    page: str = DefaultJinjaPageView().render(ValidationResultsPageRenderer().render(validation))
    return page


def _escaped(value: Any) -> Any:
    """The same value with harmless text: Great Expectations writes what it found into the page as it is."""
    if isinstance(value, str):
        return html.escape(value)
    if isinstance(value, dict):
        return {key: _escaped(one) for key, one in value.items()}
    return [_escaped(one) for one in value] if isinstance(value, list | tuple) else value


def _check(table: Table, rows: pa.Table, result: Any, severity: Severity) -> Check:
    rule = _rule(result)
    raised = [info for info in _exceptions(result.exception_info) if info.get("raised_exception")]
    if raised:
        message = str(raised[0].get("exception_message") or "the check raised an exception")
        return Check(table.name, rule, "broken", severity, message.splitlines()[0])
    if result.success:
        return Check(table.name, rule, "passed", severity)
    if "unexpected_count" not in result.result:  # it is about the table as a whole
        return Check(table.name, rule, "failed", severity, f"{result.result['observed_value']} rows")
    examples = _examples(table, rows, result)
    return judged(table.name, rule, severity, int(result.result["unexpected_count"]), examples)


def _examples(table: Table, rows: pa.Table, result: Any) -> list[str]:
    """The names of the first failing rows.

    Great Expectations would name them itself, but gathers all of them for that. Values are shown only where they are
    out of a declared set: what has not the form of a pseudonym may be a name.
    """
    config, seen = result.expectation_config, result.result.get("partial_unexpected_list") or []
    column = config.kwargs.get("column")
    if column is None:
        return ["/".join(str(value) for value in each.values()) for each in seen]
    if config.type == _NULL:
        return keys(table, rows.filter(pc.is_null(rows[column])))
    failing = rows.filter(pc.is_in(rows[column], pa.array(list(dict.fromkeys(seen)), rows[column].type)))
    names = keys(table, failing)
    if config.type != _SET:
        return names
    return [f"{name} ({value})" for name, value in zip(names, failing[column].to_pylist(), strict=False)]


def _exceptions(info: Any) -> list[dict[str, Any]]:
    """Great Expectations reports one exception, or one for each metric."""
    if not isinstance(info, dict):
        return []
    return [info] if "raised_exception" in info else [entry for entry in info.values() if isinstance(entry, dict)]
