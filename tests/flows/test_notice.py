"""The webhook: told of a failed run, and never the reason that a failure is not seen."""

import logging
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hook import Hook

from flows.errors import ConfigError
from flows.notice import tell
from flows.settings import Settings
from flows.store import journal
from flows.store.home import read_home

Build = Callable[..., tuple[Any, Any]]


@pytest.fixture
def hook() -> Iterator[Hook]:
    found = Hook()
    yield found
    found.close()


def fail(build: Build, settings: Settings, webhook: str) -> str:
    """Let a build fail; its message."""
    assert settings.sources[0].path is not None
    (settings.sources[0].path / "posts.jsonl").unlink(missing_ok=True)
    with pytest.raises(ConfigError, match=r"posts\.jsonl is missing") as caught:
        build(settings.model_copy(deep=True, update={"webhook": webhook}))
    return str(caught.value)


def test_a_failed_run_is_told_as_json(hook: Hook, build: Build, settings: Settings) -> None:
    message = fail(build, settings, hook.url)
    (run,) = journal.read(read_home(settings.home), "runs")
    told = {"run_id": run["run_id"], "flow": "build", "state": "failed", "message": message}
    assert hook.told == [("/hooks/secret-token", "application/json", told)]


def test_a_good_run_is_not_told(hook: Hook, build: Build, settings: Settings) -> None:
    build(settings.model_copy(deep=True, update={"webhook": hook.url}))
    assert hook.told == []


def unreachable() -> str:
    hook = Hook()
    hook.close()
    return hook.url


@pytest.mark.parametrize(
    "webhook",
    [None, "no address", "http://127.0.0.1:1/with a space", "http://[half/open", "ftp://x@127.0.0.1:1/secret"],
)
def test_a_webhook_that_cannot_be_reached_does_not_hide_the_failure(
    webhook: str | None, build: Build, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING, "flows.notice"):
        message = fail(build, settings, webhook or unreachable())
    (run,) = journal.read(read_home(settings.home), "runs")
    assert (run["state"], run["message"]) == ("failed", message)
    assert "could not be told" in caplog.text
    assert "secret" not in caplog.text


def test_a_webhook_that_refuses_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    hook = Hook(status=500)
    with caplog.at_level(logging.WARNING, "flows.notice"):
        tell(hook.url, {"state": "failed"})
    hook.close()
    assert [body for _, _, body in hook.told] == [{"state": "failed"}]
    assert "500" in caplog.text
    assert "secret-token" not in caplog.text
