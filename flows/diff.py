"""What changed between two snapshots, table by table."""

from dataclasses import asdict, dataclass
from typing import Any

import duckdb

from expectations import TABLES
from flows.store.catalog import literal
from flows.store.home import Home
from flows.store.snapshots import Manifest


@dataclass(frozen=True)
class Difference:
    """Rows of one table, by key."""

    table: str
    before: int
    after: int
    added: int
    removed: int
    changed: int

    def as_dict(self) -> dict[str, Any]:
        """Plain data for scripts."""
        return asdict(self)


def compare(home: Home, old: Manifest, new: Manifest) -> list[Difference]:
    """The differences of every stored table with a key."""
    found = []
    with duckdb.connect() as connection:
        for name, table in TABLES.items():
            if table.stored == "snapshot" and table.key:
                found.append(_difference(connection, home, name, old, new))
    return found


def _difference(
    connection: duckdb.DuckDBPyConnection, home: Home, name: str, old: Manifest, new: Manifest
) -> Difference:
    # Files that both snapshots share hold no difference: only the others are read.
    shared = {f.path for f in old.of_table(name)} & {f.path for f in new.of_table(name)}
    marks = ["", ""]
    if name == "scores" and _threshold(old) != _threshold(new):
        # What is useful depends on a setting that no file holds.
        shared, marks = set(), [f", useful_score >= {_threshold(m)}" for m in (old, new)]
    before, after = (sum(f.rows for f in m.of_table(name)) for m in (old, new))
    a, b = (_rows(home, name, [f.path for f in m.of_table(name) if f.path not in shared]) for m in (old, new))
    key = ", ".join(f'"{column}"' for column in TABLES[name].key)
    found = connection.execute(f"""
        with a as (select {key}, hash(r{marks[0]}) as h from {a} r),
             b as (select {key}, hash(r{marks[1]}) as h from {b} r)
        select count(*) filter (a.h is null), count(*) filter (b.h is null), count(*) filter (a.h <> b.h)
        from a full join b using ({key})
    """).fetchone()
    assert found is not None
    return Difference(name, before, after, *found)


def _threshold(manifest: Manifest) -> float:
    return float(manifest.content["settings"]["usefulness"]["threshold"])


def _rows(home: Home, name: str, paths: list[str]) -> str:
    if not paths:
        key = ", ".join(f'null as "{column}"' for column in TABLES[name].key)
        return f"(select {key} where false)"
    return f"read_parquet([{', '.join(literal(str(home / path)) for path in paths)}])"
