"""Folds the state of a crawl into the records file, when the crawl is good enough to replace it."""

import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from crawlers.page import REJECT
from crawlers.state import State

ORDER = ("lesson", "quiz", "post", REJECT)
CHECKED_FROM = 10  # records of a type; of fewer, losing half says nothing


def reached(state: State) -> Counter[str]:
    """How many records of each type this crawl saw or knows to be unchanged."""
    found = state.db.execute(
        "SELECT type, count(*) FROM records WHERE removed_at IS NULL AND type != ?2 AND (seen = ?1 OR EXISTS ("
        " SELECT 1 FROM shows JOIN pages ON pages.key = shows.page JOIN units ON units.key = pages.unit"
        " WHERE shows.record = records.id AND units.linked = ?1)) GROUP BY type",
        (state.crawl, REJECT),
    )
    return Counter(dict(found.fetchall()))


def last_time(state: State, records: Path) -> Counter[str]:
    """How many records of each type the last accepted crawl reached."""
    noted = state.fact("accepted")
    if noted:
        return Counter(json.loads(noted))
    if not records.exists():
        return Counter()
    with records.open(encoding="utf-8") as file:
        kinds = Counter(json.loads(line)["type"] for line in file)
    del kinds[REJECT]
    return kinds


def shortfall(now: Counter[str], before: Counter[str], share: float) -> list[str]:
    """A line for each type of record of which there are far fewer than last time."""
    return [
        f"quality: {now[kind]} {kind} records instead of {count} last time, less than {share:.0%}; the old records"
        f" stay (set the option min_share to 0 for one crawl if the site really lost them)"
        for kind, count in sorted(before.items())
        if count >= CHECKED_FROM and now[kind] < share * count
    ]


def lines(state: State) -> Iterator[str]:
    """All live records as JSON lines: lessons, quizzes, posts, rejects, each by id: what came first does not matter."""
    others = state.db.execute("SELECT DISTINCT type FROM records ORDER BY type").fetchall()
    for kind in [*ORDER, *(kind for (kind,) in others if kind not in ORDER)]:
        found = state.db.execute(
            "SELECT body, fetched_at, verdict FROM records WHERE type = ? AND removed_at IS NULL ORDER BY native",
            (kind,),
        )
        for body, fetched_at, verdict in found:
            yield (
                f'{{"body": {body}, "fetched_at": {json.dumps(fetched_at)}, "type": {json.dumps(kind)},'
                f' "verdict": {json.dumps(verdict)}}}\n'
            )


def write_lines(path: Path, found: Iterable[str]) -> int:
    """Write lines in place of a file, all or nothing; how many there were."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(path.name + ".part")
    count = 0
    with part.open("w", encoding="utf-8", newline="\n") as file:
        for line in found:
            file.write(line)
            count += 1
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)
    return count
