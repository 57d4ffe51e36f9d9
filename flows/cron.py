"""Cron lines as Prefect reads them, whose parser is loaded alone: importing Prefect takes seconds."""

import importlib.util
import re
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

# With a sixth field Prefect would count seconds; its random and hashed fields mean another time whenever they are read.
_FIVE_FIELDS = re.compile(r"(?:\s*[^\srh@]\S*){5}\s*", re.IGNORECASE)


@cache
def parser() -> Any:
    """Prefect's own class of cron lines, so that both mean the same nights."""
    prefect = importlib.util.find_spec("prefect")
    assert prefect is not None
    assert prefect.submodule_search_locations is not None
    path = Path(prefect.submodule_search_locations[0]) / "_vendor" / "croniter" / "croniter.py"
    spec = importlib.util.spec_from_file_location("croniter", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.croniter


def check_cron(line: str) -> None:
    """A ValueError for a line that is none, or that never comes."""
    try:
        if not _FIVE_FIELDS.fullmatch(line):
            raise ValueError("five fields are needed")
        parser()(line, datetime(2026, 1, 1)).get_next(datetime)
    except ValueError as problem:  # of which Prefect's are a kind
        raise ValueError(f"it is no cron line ({problem}): minute hour day month weekday, as in `0 3 * * *`") from None
