"""What Prefect's UI shows of a run beside its tasks: funnel, checks, the quality page, buckets that failed."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import httpx
from prefect.artifacts import create_markdown_artifact, create_table_artifact

from flows.chain import Chain, StageFailed
from flows.errors import QuarryError
from flows.explanations import of_the_disk
from flows.funnel import funnel
from flows.health import reports_url
from flows.pipeline import Outcome
from flows.run import Run

_SHOWN_LESSONS = 500


def show(run: Run, outcome: Outcome) -> None:
    """The funnel and the quality result."""
    rows = [{"stage": x.stage, "in": x.rows_in, "kept": x.kept, "merged": x.merged, "rejected": x.rejected_rows,
             "why": x.reasons} for x in funnel(outcome.manifest)]  # fmt: skip
    create_table_artifact(rows, key="funnel", description=f"Rows through the stages of snapshot {outcome.manifest.id}")
    state = "unchanged" if outcome.unchanged else "published"
    show_quality(run, outcome.manifest.content["checks"], f"Snapshot `{outcome.manifest.id}` {state}.")


def show_quality(run: Run, checks: list[dict[str, Any]], verdict: str) -> None:
    """The rules that did not pass, the verdict, and a link to the quality page."""
    bad = [c for c in checks if c["result"] != "passed"]
    create_table_artifact(bad or [{"result": "passed", "rules": len(checks)}], key="checks",
                          description="Rules that did not pass")  # fmt: skip
    where = f"`{run.home / 'reports' / 'quality' / 'index.html'}`"
    if url := reports_url(run.home):
        where = f"[quality/index.html]({url}quality/index.html) ({where})"
    passed = f"{len(checks) - len(bad)} of {len(checks)} rules passed"
    create_markdown_artifact(f"{verdict} {passed}. The quality page is {where}.", key="quality")


def affected(failed: Sequence[tuple[Chain, Exception]], buckets: int) -> Exception:
    """What failed, with the lessons of those buckets; all of them are in the artifact `affected`."""
    lessons = sorted({lesson for chain, _ in failed for lesson in chain.works[0].lessons})
    problems = [p if isinstance(p, StageFailed) else StageFailed("", p) for _, p in failed]
    rows = [{"bucket": chain.bucket, "stage": p.stage, "problem": str(p.problem)[:500],
             "lessons": len(chain.works[0].lessons), "ids": ", ".join(sorted(chain.works[0].lessons)[:_SHOWN_LESSONS])}
            for (chain, _), p in zip(failed, problems, strict=True)]  # fmt: skip
    with suppress(httpx.HTTPError):
        create_table_artifact(rows, key="affected", description="Buckets that failed, in which stage, and why")
    first = problems[0].problem
    if of_the_disk(first) or isinstance(first, httpx.HTTPError):
        return first  # no fault of these lessons, and explained where it is told
    stages = ", ".join(dict.fromkeys(p.stage for p in problems if p.stage)) or "(none begun)"
    more = f" and {len(lessons) - 3} more" if len(lessons) > 3 else ""
    message = (
        f"stage {stages} failed for {len(failed)} of {buckets} buckets ({str(first) or type(first).__name__}); "
        f"affected are the lessons {', '.join(lessons[:3])}{more}; what is finished is kept, run it again"
    )
    return (type(first) if isinstance(first, QuarryError) else QuarryError)(message)
