"""Backfills: what a window refuses and covers, what force computes again, and rows that come back."""

import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import duckdb
import pytest
from conftest import LESSONS, POSTS, write_corpus
from typer.testing import CliRunner

from expectations import TABLES
from expectations.contract import RowRule
from flows import fingerprint, pipeline
from flows.backfill import Window, covered, forced_stages, foresee
from flows.build import Job, build_here, run_job
from flows.cli.main import app
from flows.conduct import Plain
from flows.errors import ConfigError
from flows.settings import Settings, Source
from flows.stages import STAGES
from flows.store import catalog, snapshots
from flows.store.home import Home, read_home

Build = Callable[..., tuple[Any, Any]]
Quarry = Callable[..., tuple[int, str]]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory, trained: Path) -> Settings:
    """The settings of a home with a snapshot, for tests that change nothing."""
    folder = tmp_path_factory.mktemp("backfill")
    shutil.copytree(trained, folder / "home" / "models")
    source = Source(name="small", kind="jsonl", path=write_corpus(folder / "corpus", LESSONS, POSTS))
    settings = Settings(home=folder / "home", buckets=3, pseudonym_key="secret", sources=[source])
    build_here(settings, plain=True)
    return settings


@pytest.fixture
def quarry(built: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Quarry:
    """Run `quarry backfill` in a folder whose settings name the built home; exit code and standard error."""
    (tmp_path / "quarry.toml").write_text(
        f'home = "{built.home}"\nbuckets = 3\n[[sources]]\nname = "small"\nkind = "jsonl"\n'
        f'path = "{built.sources[0].path}"\n'
    )
    monkeypatch.setenv("QUARRY_PSEUDONYM_KEY", "secret")

    def run(*arguments: str) -> tuple[int, str]:
        result = CliRunner().invoke(app, ["backfill", *arguments])
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result.exit_code, result.stderr

    return run


def everything(home: Path) -> dict[str, tuple[int, bytes]]:
    """Every file of the store with its time of writing and its bytes."""
    kept = [path for name in ("lake", "snapshots", "journal", "models") for path in (home / name).rglob("*")]
    return {str(path): (path.stat().st_mtime_ns, path.read_bytes()) for path in kept if path.is_file()}


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (["--since", "2026-02-01", "--until", "2026-01-01"], "swap the dates"),
        (["--from", "2026-02-01", "--to", "2026-01-01"], "swap the dates"),
        (["--stage", "tripels", "--force"], "choose from ingest, sentences"),
        (["--source", "physics"], "choose from small"),
        (["--lesson", "small:nowhere"], "no lesson small:nowhere"),
        (["--lesson", "small:nowhere", "--force"], "no lesson small:nowhere"),
        (["--lesson", "small:nowhere", "--since", "2024-01-01", "--dry-run"], "no lesson small:nowhere"),
    ],
)
def test_what_cannot_be_meant_is_refused(arguments: list[str], hint: str, built: Settings, quarry: Quarry) -> None:
    before = everything(built.home)
    code, error = quarry("--plain", *arguments)
    assert code == 2
    assert error.startswith("quarry: ")
    assert error.count("\n") == 1
    assert hint in error
    assert everything(built.home) == before


def test_a_day_that_is_none_is_refused(quarry: Quarry) -> None:
    code, error = quarry("--since", "2026-02-30")
    assert code == 2
    assert "2026-02-30" in error


def test_a_backfill_needs_a_dataset(quarry: Quarry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUARRY_HOME", str(tmp_path / "new"))
    code, error = quarry("--plain")
    assert code == 2
    assert "run `quarry build` first" in error


def test_somebody_at_a_terminal_sees_how_far_it_is(quarry: Quarry, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []
    monkeypatch.setattr("flows.cli.operate.progress", lambda *_: seen.append)
    assert quarry("--plain")[0] == 0
    assert "collecting small" in seen


def test_a_window_of_one_day_is_allowed(settings: Settings) -> None:
    Window(since=date(2024, 5, 1), until=date(2024, 5, 1)).check(settings)


@pytest.mark.parametrize(
    ("window", "lessons"),
    [
        (Window(), {"small:tides", "small:rust", "small:7"}),
        (Window(sources=("small",)), {"small:tides", "small:rust", "small:7"}),
        (Window(lessons=("small:rust",)), {"small:rust"}),
        (Window(since=date(2024, 5, 1)), {"small:rust"}),  # the only post with a date
        (Window(until=date(2024, 5, 1)), {"small:rust"}),
        (Window(since=date(2024, 5, 2)), set()),
        (Window(until=date(2024, 4, 30)), set()),
        (Window(lessons=("small:tides",), since=date(2024, 5, 1)), set()),
    ],
)
def test_which_lessons_a_window_covers(window: Window, lessons: set[str], built: Settings) -> None:
    assert covered(read_home(built.home), window) == lessons


def test_days_are_days_of_utc(built: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    connect = duckdb.connect

    def elsewhere(*arguments: Any, **options: Any) -> Any:
        connection = connect(*arguments, **options)
        connection.execute("set timezone = 'Pacific/Kiritimati'")  # there it is the second of May already
        return connection

    home = read_home(built.home)
    catalog.ensure(home)
    monkeypatch.setattr(duckdb, "connect", elsewhere)
    assert covered(home, Window(until=date(2024, 5, 1))) == {"small:rust"}
    assert covered(home, Window(since=date(2024, 5, 2))) == set()


def test_no_stage_named_means_all() -> None:
    assert forced_stages(Window()) == tuple(stage.name for stage in STAGES)
    assert forced_stages(Window(stages=("spans",))) == ("spans",)


def test_force_computes_what_was_chosen_and_gives_the_same_bytes(build: Build, settings: Settings) -> None:
    _, first = build()
    lake = {path: path.read_bytes() for path in (settings.home / "lake").rglob("*.parquet")}
    window = Window(stages=("spans", "triples"), lessons=("small:rust", "small:tides"))
    run, again = build(flow="backfill", from_raw=True, window=window, force=True)
    computed = {name: sum(done.computed for done in stage) for name, stage in run.stages.items()}
    assert computed == {stage.name: 0 for stage in STAGES} | {"spans": 2, "triples": 2}
    assert again.unchanged
    assert again.manifest == first.manifest
    assert {path: path.read_bytes() for path in (settings.home / "lake").rglob("*.parquet")} == lake


def test_without_force_nothing_is_computed_twice(build: Build) -> None:
    build()
    run, again = build(flow="backfill", from_raw=True, window=Window(stages=("triples",)))
    assert again.unchanged
    assert not any(done.computed for stage in run.stages.values() for done in stage)


def test_a_lesson_that_is_none_is_refused_however_it_is_asked(built: Settings) -> None:
    """The UI and the command line do the same job."""
    job = Job("backfill", from_raw=True, window=Window(lessons=("small:nowhere",)))
    before = everything(built.home)
    with pytest.raises(ConfigError, match="no lesson small:nowhere"):
        run_job(built.model_copy(deep=True), job, lambda _: pytest.fail("it was begun"))
    assert everything(built.home) == before


@pytest.mark.parametrize(
    ("job", "asked"),
    [
        ({"flow": "nightly"}, {"small", "other"}),
        ({"flow": "build", "from_raw": True}, set()),
        ({"flow": "backfill", "from_raw": True}, set()),
        ({"flow": "backfill"}, {"small", "other"}),
        ({"flow": "backfill", "window": Window(sources=("other",))}, {"other"}),
    ],
)
def test_which_sources_are_asked_again(
    job: dict[str, Any], asked: set[str], built: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A crawl of one source leaves the others' operators alone."""
    found: dict[str, bool] = {}
    revisited: set[str] = set()

    def collect(_: Home, source: Source, from_raw: bool) -> dict[str, Any]:
        found[source.name] = not from_raw
        revisited.update({source.name} if source.options.get("revisit") else ())
        return {}

    monkeypatch.setattr(pipeline, "collect_source", collect)
    settings = built.model_copy(deep=True)
    settings.sources.append(settings.sources[0].model_copy(update={"name": "other"}))

    def conduct(run: Any) -> Any:
        pipeline.prepare(run, Plain())
        raise ConfigError("enough was seen")

    with pytest.raises(ConfigError, match="enough"):
        run_job(settings, Job(**job), conduct)
    assert {name for name, value in found.items() if value} == asked
    assert revisited == (asked if job["flow"] == "backfill" else set())


def test_a_dry_run_says_what_and_why_and_changes_nothing(built: Settings, quarry: Quarry) -> None:
    before = everything(built.home)
    assert quarry("--dry-run", "--force", "--stage", "triples", "--lesson", "small:rust") == (0, "")
    assert everything(built.home) == before
    window = Window(stages=("triples",), lessons=("small:rust",))
    found = {r.stage: r for r in foresee(read_home(built.home), built, window, force=True)}
    assert (found["triples"].lessons, found["triples"].why) == (1, "forced; nothing changed")
    assert {r.lessons for name, r in found.items() if name != "triples"} == {0}


def test_a_dry_run_refuses_a_home_without_a_dataset(settings: Settings, tmp_path: Path) -> None:
    home = Home(tmp_path / "empty", 3)
    (home / "snapshots").mkdir(parents=True)
    with pytest.raises(ConfigError, match="quarry build"):
        foresee(home, settings, Window(), force=False)


def posts(home: Path) -> set[str]:
    with duckdb.connect(str(catalog.ensure(read_home(home))), read_only=True) as connection:
        return {row[0] for row in connection.execute("select post_id from posts").fetchall()}


def rejected(home: Path, reason: str) -> set[str]:
    with duckdb.connect(str(catalog.ensure(read_home(home))), read_only=True) as connection:
        query = "select record_id from rejects where reason = $1"
        return {row[0] for row in connection.execute(query, [reason]).fetchall()}


def test_a_rejected_row_is_back_when_its_rule_is_mended(
    build: Build, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = TABLES["posts"]
    wrong = RowRule("too_salty", "text not like '%zinc%'", "A rule that somebody wrote by mistake.")
    digest = fingerprint.source_digest
    with monkeypatch.context() as patch:
        patch.setitem(TABLES, "posts", replace(table, row_rules=(*table.row_rules, wrong)))
        # Rules are source text, which determines what is computed again.
        patch.setattr(fingerprint, "source_digest", lambda module: digest(module) + "wrong")
        build()
        assert rejected(settings.home, "too_salty") == {"small:r1", "small:r2"}
        assert not posts(settings.home) & {"small:r1", "small:r2"}
    run, mended = build(flow="backfill", from_raw=True)
    assert any(done.computed for done in run.stages["ingest"])
    assert posts(settings.home) == {f"small:{post['post_id']}" for post in POSTS}
    assert rejected(settings.home, "too_salty") == set()
    assert snapshots.current_id(run.home) == mended.manifest.id


class PowerCut(BaseException):
    """What ends a run in the middle."""


def computed(run: Any) -> dict[str, int]:
    return {name: sum(done.computed for done in stage) for name, stage in run.stages.items()}


def cut_before_the_end(build: Build, monkeypatch: pytest.MonkeyPatch, **job: Any) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(pipeline, "manifest_content", Mock(side_effect=PowerCut))
        with pytest.raises(PowerCut):
            build(flow="backfill", from_raw=True, force=True, **job)


def test_a_backfill_by_force_continues_where_it_was_cut_off(build: Build, monkeypatch: pytest.MonkeyPatch) -> None:
    build()
    again: dict[str, Any] = {"flow": "backfill", "from_raw": True, "force": True, "window": Window(stages=("spans",))}
    made: list[str] = []

    def cut(name: str) -> None:
        made.extend([name] if name == "spans spans written" else [])
        if len(made) == 2:
            raise PowerCut

    with monkeypatch.context() as patch:
        patch.setattr("flows.conduct.ThreadPoolExecutor", lambda _: ThreadPoolExecutor(1))  # one bucket after another
        patch.setattr("flows.runner.point", cut)
        with pytest.raises(PowerCut):
            build(**again)
    rest, _ = build(**again)
    whole, _ = build(**again)
    assert 0 < computed(rest)["spans"] < computed(whole)["spans"] == len(LESSONS)


def test_force_takes_nothing_for_done_that_another_run_made(build: Build, monkeypatch: pytest.MonkeyPatch) -> None:
    build()
    cut_before_the_end(build, monkeypatch)
    build()
    run, _ = build(flow="backfill", from_raw=True, force=True)
    assert computed(run)["spans"] == len(LESSONS)


def test_another_window_is_another_backfill(build: Build, monkeypatch: pytest.MonkeyPatch) -> None:
    build()
    cut_before_the_end(build, monkeypatch)
    run, _ = build(flow="backfill", from_raw=True, force=True, window=Window(stages=("spans",)))
    assert computed(run)["spans"] == len(LESSONS)
