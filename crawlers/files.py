"""Sources that are files on this disk: read once from beginning to end, straight into the records file."""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from crawlers.fold import last_time, shortfall, write_lines
from crawlers.page import REJECT, Record, storable
from crawlers.spec import Spec
from crawlers.state import State
from crawlers.summary import SHOWN, Summary

# Yields records (`{"type", "body"}`), for what it cannot read those of the type `reject`; the options are the source's.
Reader = Callable[[Path, dict[str, Any]], Iterator[Record]]


def read_source(spec: Spec, reader: Reader) -> Summary:
    """Read a source in bounded memory and put its records in place of the old ones, if there are not far fewer."""
    if spec.dry_run or spec.from_raw:
        return unread(spec)
    kinds: Counter[str] = Counter()
    rejects: Counter[str] = Counter()
    rejected: list[dict[str, str]] = []

    def lines() -> Iterator[str]:
        for entry in reader(Path(spec.url.removeprefix("file://")), spec.options):
            if entry["type"] == REJECT:
                rejects[entry["body"]["reason"]] += 1
                if len(rejected) < SHOWN:
                    rejected.append({"url": spec.url} | {name: entry["body"][name] for name in ("reason", "detail")})
            else:
                kinds[entry["type"]] += 1
            text = json.dumps(entry | {"fetched_at": None, "verdict": None}, ensure_ascii=False, sort_keys=True)
            yield storable(text) + "\n"

    before = last_time(State(None), spec.records)
    fresh = spec.records.with_name(spec.records.name + ".new")
    write_lines(fresh, lines())
    errors = shortfall(kinds, before, spec.tuning.min_share)
    if not kinds:
        errors = [f"{spec.url}: not one record was found; is it a source of the kind {spec.kind}?"]
    if errors:
        fresh.unlink()
    else:
        fresh.replace(spec.records)
    return {
        "finished": not errors, "reason": "failed" if errors else "finished", "pages": 1, "items": kinds.total(),
        "errors": errors, "rejects": dict(sorted(rejects.items())), "rejected": rejected,
    }  # fmt: skip


def unread(spec: Spec) -> Summary:
    """What a dry run would read; what is in raw is all that a rebuild from it needs."""
    count = sum(last_time(State(None), spec.records).values())
    errors = [f"{spec.name} was never read: there is no {spec.records}"] if spec.from_raw and not count else []
    if spec.dry_run and not Path(spec.url.removeprefix("file://")).exists():
        errors = [f"there is no {spec.url}"]
    would = {"would_fetch": [spec.url]} if spec.dry_run else {}
    return {
        "finished": not errors, "reason": "failed" if errors else "finished", "pages": 0, "items": count,
        "errors": errors, **would,
    }  # fmt: skip
