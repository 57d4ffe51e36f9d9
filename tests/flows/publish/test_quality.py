"""The quality page: what it calls a result, then and now, and that what was seen is shown as text."""

from pathlib import Path

from flows.gate.check import Check
from flows.publish.quality import write_quality_page
from flows.settings import Settings
from flows.store import journal, snapshots
from flows.store.home import open_home


def test_warnings_are_no_failures_and_hostile_text_is_text(tmp_path: Path) -> None:
    home = open_home(Settings(home=tmp_path / "home", sources=[]))
    hostile = "<img src=x onerror=alert(1)> {{7*7}} `rm`"
    checks = [
        Check("posts", "license_known", "failed", "warn", hostile, 1200).as_dict(),
        Check("posts", "unique_key", "failed", "fail", '"><script>\u202e\u009b31m', 1).as_dict(),
        Check("posts", "empty_post", "passed", "fail").as_dict(),
    ]
    for run_id in ("first", "second"):
        journal.append(home, "checks", [{"run_id": run_id, **check} for check in checks])
    path = write_quality_page(home, "A *title*", snapshots.make({"checks": checks, "stages": {}}))
    page = path.read_text()
    assert "<img" not in page
    assert "<script" not in page
    assert "&lt;img src=x onerror=alert(1)&gt; {{7*7}} `rm`" in page
    assert page.count('<span class="warns" title="run first: failed for 1,200 rows (&lt;img') == 1
    assert page.count('<span class="failed" title="run ') == 2
    assert page.index("unique_key") < page.index("license_known") < page.index("empty_post")
    assert '1,200<span class="unit"> rows' in page
    assert not set(page) & {"\u202e", "\u009b"}
    assert '">▲</span>' in page
    assert '<span class="spoken">warns 2 times</span>' in page  # for those who see no colours
    assert "http" not in page.replace("http-equiv", "")  # nothing is loaded from anywhere
