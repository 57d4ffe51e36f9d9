"""Rules that look back: each source by itself, against the kept snapshots that were made from it, too."""

import os
from pathlib import Path
from typing import Any

import pytest
from poison import Poison

from expectations import TABLES
from expectations.contract import Table, TableRule
from flows.gate import history, measure
from flows.settings import Settings
from flows.store import snapshots
from flows.store.home import open_home
from flows.store.snapshots import Manifest

POSTS, SCORES = TABLES["posts"], TABLES["scores"]


def manifest(posts: dict[str, int], sources: str | None = None, accepted: str = "", **content: Any) -> Manifest:
    """A snapshot with so many posts of each source; other sources are named where they have none."""
    named = [{"name": name, "kind": "jsonl", "language": "en"} for name in (sources or " ".join(posts)).split()]
    checks = [{"table": "posts", "rule": accepted, "result": "accepted"}] if accepted else []
    found = {"sources": named, "counts": {"posts": posts}, "shares": {}, "checks": checks, "models": {}}
    return snapshots.make({**found, **content})


def failing(table: Table, candidate: Manifest, *past: Manifest) -> dict[str, str]:
    checks = history.check_history(table, candidate, past)
    return {check.rule: str(check.observed) for check in checks if check.stops}


@pytest.mark.parametrize(
    ("now", "past", "observed"),
    [
        # A whole source is gone, and the other one hides it by its size.
        (manifest({"a": 900}, "a b"), [manifest({"a": 900, "b": 150})], "b: 150 rows before, 0 now"),
        # A source that was added excuses nothing.
        (manifest({"a": 4, "b": 500}), [manifest({"a": 200})], "a: 200 rows before, 4 now"),
        # Each night is more than half of the one before.
        (manifest({"a": 121}), [manifest({"a": 220}), manifest({"a": 400})], "a: 400 rows before, 121 now"),
        (manifest({"a": 0}), [manifest({"a": 39})], "a: 39 rows before, 0 now"),
        (manifest({"a": 9, "b": 3}), [manifest({"a": 90, "b": 300})],
         "b: 300 rows before, 3 now; a: 90 rows before, 9 now"),
    ],
)  # fmt: skip
def test_a_source_has_shrunk(now: Manifest, past: list[Manifest], observed: str) -> None:
    assert failing(POSTS, now, *past) == {"posts_not_shrunk": observed}


@pytest.mark.parametrize(
    ("now", "past"),
    [
        (manifest({"a": 4}), []),
        (manifest({"a": 110}), [manifest({"a": 200})]),
        (manifest({"a": 2}), [manifest({"a": 39})]),
        (manifest({}, "a"), [manifest({"a": 9})]),
        (manifest({"a": 90}), [manifest({"a": 90, "b": 500})]),  # b was taken out of the settings
        (manifest({"renamed": 4}), [manifest({"a": 200})]),
        (manifest({"a": 4}), [manifest({"a": 200}, counts={})]),  # made by a version that did not count
        # Somebody knew that it is smaller now.
        (manifest({"a": 30}), [manifest({"a": 40}, accepted="posts_not_shrunk"), manifest({"a": 400})]),
    ],
)
def test_a_source_has_not_shrunk(now: Manifest, past: list[Manifest]) -> None:
    assert failing(POSTS, now, *past) == {}


@pytest.mark.parametrize(
    ("now", "then", "observed"),
    [(150, 200, "a: 200 rows before, 150 now"), (165, 200, None), (99, 200, None), (20, 39, None), (220, 200, None)],
)
def test_a_fifth_fewer_warns_where_nothing_stops(now: int, then: int, observed: str | None) -> None:
    checks = history.check_history(POSTS, manifest({"a": now}), [manifest({"a": then})])
    (found,) = [check for check in checks if check.rule == "posts_not_fewer"]
    assert not found.stops
    assert found.observed == observed


def test_what_left_with_a_source_is_told() -> None:
    before = manifest({"a": 9, "b": 1500}, counts={"lessons": {"a": 1, "b": 20}, "posts": {"a": 9, "b": 1500}})
    told = "The settings no longer name b: 20 lessons, 1,500 posts left with it."
    assert history.left_out(manifest({"a": 9}), before) == (told,)
    assert history.left_out(before, before) == history.left_out(before, None) == ()
    assert history.left_out(manifest({"a": 9, "b": 0}), before) == ()


def test_a_source_that_is_another_one_is_told() -> None:
    before = manifest({"a": 180})
    now = snapshots.make(
        {**manifest({"a": 60}).content, "sources": [{**before.content["sources"][0], "language": "de"}]}
    )
    told = "Source a is another one (language en, now de) and was compared with nothing: posts 180, now 60."
    assert history.left_out(now, before) == (told,)


@pytest.mark.parametrize("name", ["sentences", "quizzes", "spans", "quiz_spans"])
def test_a_table_that_vanishes_has_shrunk(name: str) -> None:
    now, then = (manifest({}, "a", counts={name: {"a": count}}) for count in (0, 60))
    assert failing(TABLES[name], now, then) == {f"{name}_not_shrunk": "a: 60 rows before, 0 now"}


def test_another_kind_of_source_is_another_source() -> None:
    before = manifest({"a": 200})
    (source,) = before.content["sources"]
    crawled = snapshots.make({**before.content, "sources": [{**source, "kind": "html"}]})
    assert failing(POSTS, manifest({"a": 4}), crawled) == {}


def drifting(a: dict[str, int], b: dict[str, int]) -> Manifest:
    return manifest({"a": 1000, "b": 50}, shares={"posts.author": {"a": a, "b": b}})


def test_a_large_source_hides_no_drift_of_a_small_one() -> None:
    before = drifting({"known": 1000}, {"known": 50})
    found = failing(POSTS, drifting({"known": 1000}, {"null": 50}), before)
    assert found == {"authors_as_before": "b: before known 100%; now null 100%"}
    assert failing(POSTS, drifting({"known": 1000}, {"known": 45, "null": 5}), before) == {}


def test_an_added_source_is_no_drift() -> None:
    before = manifest({"a": 100}, shares={"posts.author": {"a": {"known": 100}}})
    assert failing(POSTS, drifting({"known": 100}, {"null": 900}), before) == {}


def test_scores_of_another_model_are_not_compared() -> None:
    now, then = ({"scores.useful_score": {"a": {"0.1": x, "0.9": 100 - x}}} for x in (90, 10))
    before = manifest({"a": 100}, shares=then)
    assert "usefulness_as_before" in failing(SCORES, manifest({"a": 100}, shares=now), before)
    assert failing(SCORES, manifest({"a": 100}, shares=now, models={"usefulness": "other"}), before) == {}


def test_what_counts_as_earlier(tmp_path: Path) -> None:
    home = open_home(Settings(home=tmp_path / "home", buckets=1))
    nights = [manifest({"a": number}) for number in range(history.NIGHTS + 4)]
    for number, night in enumerate(nights):
        snapshots.write(home, night)
        os.utime(home / "snapshots" / f"{night.id}.json", (number, number))
    assert history.earlier(home, None) == []
    assert history.earlier(home, nights[-1]) == nights[:3:-1]
    # The two newest were rolled back from.
    assert history.earlier(home, nights[-3]) == nights[-3:1:-1]
    broken = home / "snapshots" / f"{nights[-2].id}.json"
    broken.write_text("half a mani")
    os.utime(broken, (len(nights) - 2, len(nights) - 2))
    assert [m.content["counts"]["posts"]["a"] for m in history.earlier(home, nights[-1])] == [10, 8, 7, 6, 5, 4]


LOOKING_BACK = [(t, rule) for t in TABLES.values() for rule in t.rules if rule.check in ("not_shrunk", "no_drift")]


@pytest.mark.parametrize(("table", "rule"), LOOKING_BACK, ids=lambda x: x.name)
def test_every_rule_that_looks_back_stops_its_own_table(poison: Poison, table: Table, rule: TableRule) -> None:
    content = poison.content
    candidate = snapshots.make(content)
    if rule.check == "not_shrunk":
        counts = content["counts"][table.name]
        assert counts == {"small": sum(ref.rows for ref in poison.manifest.of_table(table.name))}
        more = {**content["counts"], table.name: {"small": counts["small"] + 500}}
        before = snapshots.make({**content, "counts": more})
    else:
        name = measure.profile_name(table, rule)
        assert sum(content["shares"][name]["small"].values()) > 0
        now, then = ({"small": {"a": share, "b": 100 - share}} for share in (90, 10))
        candidate = snapshots.make({**content, "shares": {**content["shares"], name: now}})
        before = snapshots.make({**content, "shares": {**content["shares"], name: then}})
    assert poison.stopping(candidate, before) == [f"{table.name}.{rule.name}"]


def test_chance_is_no_drift() -> None:
    index, allowed = history.stability({"a": 30, "b": 30}, {"a": 24, "b": 36})
    assert index < allowed
    index, allowed = history.stability({"a": 300, "b": 300}, {"a": 60, "b": 540})
    assert index > allowed
