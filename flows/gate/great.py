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

from expectations.contract import Table
from expectations.projection import expectations
from flows.gate.check import Check
from flows.store.home import write_text

os.environ.setdefault("GX_ANALYTICS_ENABLED", "false")
_PRESENCE = "ExpectColumnValuesToNotBeNull"


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
    """The columns that expectations name; text of which only the presence matters becomes a mark."""
    valued: set[str] = set()
    present: set[str] = set()
    for entry in expectations(table):
        arguments = entry["arguments"]
        columns = set(arguments.get("column_list", ())) | ({arguments["column"]} if "column" in arguments else set())
        (present if entry["kind"] == _PRESENCE else valued).update(columns)
    shown = {name: rows[name] for name in rows.column_names if name in valued}
    for name in sorted((present - valued) & set(rows.column_names)):
        shown[name] = pc.if_else(pc.is_valid(rows[name]), 1, None)
    return pa.table(shown)


def check_table(table: Table, rows: pa.Table, data_docs: Path | None = None) -> list[Check]:
    """All expectations of one contract over the table's narrowed rows; Data Docs go to the folder if one is given."""
    wanted = expectations(table)
    if not wanted:
        return []
    gx, context = _context()
    batch = context.data_sources.add_pandas("candidate").add_dataframe_asset(table.name)
    definition = batch.add_batch_definition_whole_dataframe("all")
    suite = gx.ExpectationSuite(name=table.name)
    for entry in wanted:
        suite.add_expectation(
            getattr(gx.expectations, entry["kind"])(**entry["arguments"], meta={"rule": entry["rule"]})
        )
    found = definition.get_batch({"dataframe": rows.to_pandas()}).validate(suite, result_format="SUMMARY")
    severities = {entry["rule"]: entry["severity"] for entry in wanted}
    checks = [_check(table.name, result, severities) for result in found.results]
    if data_docs:
        write_text(data_docs / f"{table.name}.html", _page(found))
    return checks


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


def _check(table: str, result: Any, severities: dict[str, Any]) -> Check:
    rule = result.expectation_config.meta["rule"]
    raised = [info for info in _exceptions(result.exception_info) if info.get("raised_exception")]
    if raised:
        message = str(raised[0].get("exception_message") or "the check raised an exception")
        return Check(table, rule, "broken", severities[rule], message.splitlines()[0])
    if result.success:
        return Check(table, rule, "passed", severities[rule])
    # pandas shows a null as a number that does not equal itself: no example worth reading.
    examples = [e for e in result.result.get("partial_unexpected_list") or [] if e is not None and e == e]
    observed = ", ".join(str(e) for e in examples[:3])
    if not observed:
        seen = result.result.get("observed_value")
        observed = "null" if seen is None else str(seen)
    return Check(
        table, rule, "failed", severities[rule], observed[:500], int(result.result.get("unexpected_count") or 0)
    )


def _exceptions(info: Any) -> list[dict[str, Any]]:
    """Great Expectations reports one exception, or one for each metric."""
    if not isinstance(info, dict):
        return []
    return [info] if "raised_exception" in info else [entry for entry in info.values() if isinstance(entry, dict)]
