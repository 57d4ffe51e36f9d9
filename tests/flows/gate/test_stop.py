"""What a stopped build leaves behind: the old snapshot, the candidate, and words that help."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import LESSONS, POSTS, write_corpus
from typer.testing import CliRunner

from flows.cli.main import app
from flows.errors import GateError
from flows.gate import gate
from flows.gate.check import Check
from flows.pipeline import Outcome
from flows.run import Run
from flows.settings import Settings
from flows.store import journal, snapshots

Build = Callable[..., tuple[Run, Outcome]]


def many_posts(count: int, length: int = 1, **more: Any) -> list[dict[str, Any]]:
    words = "does the tide rise because water near the moon is pulled " * length
    return [
        {"post_id": f"m{n}", "lesson_id": "tides", "kind": "question", "text": f"Number {n}: {words}today?", **more}
        for n in range(count)
    ]


@pytest.fixture
def quarry(settings: Settings, corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Run a command on the home of the test."""
    monkeypatch.setenv("QUARRY_HOME", str(settings.home))
    monkeypatch.setenv("QUARRY_PSEUDONYM_KEY", "secret")
    (tmp_path / "quarry.toml").write_text(f'[[sources]]\nname = "small"\nkind = "jsonl"\npath = "{corpus}"\n')
    return lambda *arguments: CliRunner().invoke(app, list(arguments))


def page(settings: Settings) -> str:
    return (settings.home / "reports" / "quality" / "index.html").read_text()


def test_a_shrunken_source_stops_the_build_until_it_is_accepted(build: Build, settings: Settings, corpus: Path) -> None:
    write_corpus(corpus, LESSONS, [*POSTS, *many_posts(100)])
    run, good = build()
    write_corpus(corpus, LESSONS, POSTS)
    with pytest.raises(GateError, match="posts_not_shrunk"):
        build()
    home = run.home
    assert snapshots.current_id(home) == good.manifest.id
    assert len(list((home / "snapshots" / "candidates").glob("*.json"))) == 1
    assert "posts_not_shrunk" in page(settings)
    assert [row["state"] for row in journal.read(home, "runs")] == ["done", "gated"]
    with pytest.raises(GateError, match=r"rule questions_not_shrunk .* and 1 more rule;") as again:
        build(accept=("posts.posts_not_shrunk",))
    assert "--accept posts.posts_not_shrunk --accept questions.questions_not_shrunk" in str(again.value)
    shrunk = [f"{table}_not_shrunk" for table in ("posts", "questions", "spans")]
    _, accepted = build(accept=("posts.posts_not_shrunk", *shrunk[1:]))
    assert snapshots.current_id(home) == accepted.manifest.id
    marks = [c["rule"] for c in accepted.manifest.content["checks"] if c["result"] == "accepted"]
    assert marks == shrunk
    write_corpus(corpus, LESSONS, [*POSTS, *many_posts(1)])
    build()  # and then it is the standard


def test_a_drifted_table_stops_the_build(build: Build, corpus: Path) -> None:
    write_corpus(corpus, LESSONS, [*POSTS, *many_posts(100)])
    build()
    write_corpus(corpus, LESSONS, [*POSTS, *many_posts(100, length=20)])
    with pytest.raises(GateError, match=r"lengths_as_before of table questions failed \(small: before .*; now"):
        build(accept=("usefulness_as_before", "similarity_as_before"))


def test_lost_authors_are_a_drift(build: Build, corpus: Path) -> None:
    write_corpus(corpus, LESSONS, [*POSTS, *many_posts(100, author="Mina")])
    build()
    write_corpus(corpus, LESSONS, [*POSTS, *many_posts(100)])
    with pytest.raises(GateError, match="authors_as_before"):
        build()


def test_other_sources_are_not_compared(build: Build, settings: Settings, corpus: Path) -> None:
    write_corpus(corpus, LESSONS, [*POSTS, *many_posts(100)])
    build()
    write_corpus(corpus, LESSONS, POSTS)
    changed = settings.model_copy(deep=True)
    changed.sources[0].name = "renamed"
    build(changed)


def test_a_stopped_first_build_says_that_nothing_is_current() -> None:
    with pytest.raises(GateError, match="no snapshot is current yet"):
        gate.stop_if_bad([Check("posts", "kind_in_set", "failed", "fail", "small:t1 (rumour)", 1)])


def test_a_warning_does_not_stop() -> None:
    gate.stop_if_bad([Check("posts", "license_known", "failed", "warn", "2", 2)])


def test_what_the_commands_say_of_a_stopped_build(build: Build, settings: Settings, corpus: Path, quarry: Any) -> None:
    write_corpus(corpus, LESSONS, [*POSTS, *many_posts(100)])
    run, good = build()
    write_corpus(corpus, LESSONS, POSTS)
    stopped = quarry("build", "--plain")
    assert stopped.exit_code == 3
    (candidate,) = snapshots.candidates(run.home)
    assert candidate in stopped.stderr
    assert "failed for 100 rows (small: 109 rows before, 9 now)" in stopped.stderr
    every = "quarry build " + " ".join(f"--accept {name}.{name}_not_shrunk" for name in ("posts", "questions", "spans"))
    assert f"`{every}`" in stopped.stderr

    shown = quarry("status").stdout
    assert "posts.posts_not_shrunk failed for 100 rows" in shown
    assert f"quarry diff {good.manifest.id} {candidate}" in shown
    assert shown.count(f"`{every}`") == 1 + 3  # in the message, and whichever rule is read first
    journal.append(run.home, "runs", [{"run_id": "later", "flow": "train", "started_at": "2030-01-01T00:00:00+00:00",
                                       "finished_at": "2030-01-01T00:00:00+00:00", "state": "failed",
                                       "snapshot_id": None, "message": "no labels", "stages": "{}"}])  # fmt: skip
    assert json.loads(quarry("status", "--json").stdout)["candidate"] == candidate
    assert candidate in page(settings)
    assert f"<code>{every}</code>" in page(settings)

    count = ("sql", "--json", "select count(*) as n from posts", "--at", candidate[:8])
    assert json.loads(quarry(*count).stdout) == [{"n": 9}]
    assert "questions" in json.loads(quarry("trace", "t1", "--json", "--at", candidate).stdout)
    assert json.loads(quarry("rejects", "--json", "--at", candidate).stdout)
    assert json.loads(quarry("diff", good.manifest.id, candidate, "--json").stdout)["tables"]
    refused = quarry("rollback", candidate)
    assert (refused.exit_code, snapshots.current_id(run.home)) == (2, good.manifest.id)

    write_corpus(corpus, LESSONS, [*POSTS, *many_posts(100)])
    again = quarry("build", "--plain")
    assert again.exit_code == 0
    assert "warning: posts.license_known failed for 108 rows (" in again.stdout
    assert "nothing has changed" in page(settings)
    assert candidate not in page(settings)
    assert json.loads(quarry("status", "--json").stdout)["candidate"] is None


def test_a_broken_check_is_not_accepted() -> None:
    broken = Check("posts", "empty_post", "broken", "fail", "ConversionException")
    shrunk = Check("posts", "posts_not_shrunk", "failed", "fail", "a: 9 rows before, 0 now", 9)
    assert gate.accept([broken, shrunk], ("empty_post", "posts_not_shrunk"))[0] == broken
    with pytest.raises(GateError, match="ConversionException") as stopped:
        gate.stop_if_bad([broken, shrunk])
    assert "--accept" not in str(stopped.value)


def test_a_source_that_was_left_out_is_told(settings: Settings, quarry: Any, corpus: Path, tmp_path: Path) -> None:
    both = (tmp_path / "quarry.toml").read_text()
    (tmp_path / "quarry.toml").write_text(both + f'[[sources]]\nname = "more"\nkind = "jsonl"\npath = "{corpus}"\n')
    assert "no longer name" not in quarry("build", "--plain").stdout
    (tmp_path / "quarry.toml").write_text(both)
    told = "The settings no longer name more: 3 lessons, 9 posts"
    assert f"note: {told}" in quarry("build", "--plain").stdout
    assert told in page(settings)
    assert "no longer name" not in quarry("build", "--plain").stdout


def test_a_wrong_schema_cannot_be_accepted(quarry: Any) -> None:
    refused = quarry("build", "--plain", "--accept", "posts.schema_as_declared")
    assert refused.exit_code == 2
    assert "cannot be accepted" in refused.stderr


def test_verify_knows_what_was_accepted(build: Build, quarry: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    found = [Check("posts", "kind_in_set", "failed", "fail", "small:t1 (rumour)", 1)]
    monkeypatch.setattr(gate, "evaluate", lambda *_: found)
    build(accept=("kind_in_set",))
    verified = quarry("verify")
    assert verified.exit_code == 0
    assert "posts.kind_in_set accepted for 1 row (small:t1 (rumour)), knowingly published" in verified.stdout
    assert "0 of 1 checks passed, 1 were accepted" in verified.stdout
    found[:] = [Check("posts", "kind_in_set", "passed", "fail")]  # as rules that look back do when they are alone
    assert "0 of 1 checks passed, 1 were accepted" in quarry("verify").stdout
    found.append(Check("posts", "language_not_null", "failed", "fail", "small:t1", 1))
    assert quarry("verify").exit_code == 1


def test_rejects_that_do_not_exist(build: Build, quarry: Any) -> None:
    build()
    assert quarry("rejects", "--examples", "-1").exit_code == 2
    unknown = quarry("rejects", "--source", "nosuch")
    assert unknown.exit_code == 2
    assert "choose from small" in unknown.stderr
    none = quarry("rejects", "--reason", "nosuch")
    assert none.exit_code == 0
    assert "nothing was rejected for that; the reasons that there are: bad_field" in none.stdout
    assert json.loads(quarry("rejects", "--reason", "nosuch", "--json").stdout) == []
