"""What a crawl says about itself when it ends."""

from typing import Any

from crawlers.fold import last_time, reached, shortfall
from crawlers.page import REJECT
from crawlers.spec import Spec, absolute
from crawlers.state import FAILED, State

SHOWN = 50  # rejects in the summary
SHOWN_DRY = 1000  # addresses of a dry run
REFUSED = "refused/"
STATUS = "status/"
# Pages that this crawl could not take, then what it could not take of the pages that it read.
REJECTS = f"""
    SELECT url, reason, detail FROM rejects WHERE crawl = ?1 UNION ALL
    SELECT json_extract(body, '$.url'), json_extract(body, '$.reason'), json_extract(body, '$.detail')
    FROM records WHERE type = '{REJECT}' AND removed_at IS NULL AND written = ?1
"""
Summary = dict[str, Any]


def summary(spec: Spec, reason: str, errors: list[str], state: State) -> Summary:
    """The outcome of a crawl, with everything that it did not keep counted by reason."""
    rows = state.db.execute(f"SELECT reason, count(*) FROM ({REJECTS}) GROUP BY reason", (state.crawl,))
    reasons = dict(sorted(rows.fetchall()))
    refused = {name.removeprefix(REFUSED): count for name, count in reasons.items() if name.startswith(REFUSED)}
    if state.counts["offsite"]:
        refused["offsite_links"] = state.counts["offsite"]
    shown = state.db.execute(f"{REJECTS} LIMIT ?2", (state.crawl, SHOWN))
    items = state.db.execute("SELECT count(*) FROM records WHERE removed_at IS NULL AND type != ?", (REJECT,))
    return {
        "finished": not errors and reason in ("finished", "limit"),
        "reason": "failed" if errors and reason == "finished" else reason,
        "pages": state.counts["pages"],
        "items": items.fetchone()[0],
        "errors": errors,
        "crawl": state.crawl,
        "changes": {name: state.counts[name] for name in ("new", "changed", "removed", "returned")},
        "unchanged_pages": state.counts["unchanged"],
        "repaired_pages": state.counts["repaired"],
        "gone_pages": state.counts["gone"],
        "left": state.pending(),
        "responses": {
            name.removeprefix(STATUS): count for name, count in sorted(state.counts.items()) if STATUS in name
        },
        "bytes": state.counts["bytes"],
        "busy": state.counts["busy"],
        "reservations": state.counts["reserved"],
        "refused": refused,
        "rejects": {name: count for name, count in reasons.items() if not name.startswith(REFUSED)},
        "rejected": [{"url": absolute(url, spec.url), "reason": why, "detail": detail} for url, why, detail in shown],
    }


def would_fetch(spec: Spec, state: State) -> list[str]:
    """The pages that a crawl would fetch, as far as the listings show them."""
    waiting = "SELECT json_extract(link, '$.url') FROM frontier WHERE status = 0 ORDER BY id LIMIT ?"
    return [absolute(url, spec.url) for (url,) in state.db.execute(waiting, (spec.limit or SHOWN_DRY,))]


def failure(reason: str, error: Exception) -> Summary:
    """The summary of a crawl that never began."""
    return {"finished": False, "reason": reason, "pages": 0, "items": 0, "errors": [str(error)]}


def shortcomings(spec: Spec, state: State) -> list[str]:
    """Why a crawl that came to its end is not good enough to replace the records of the last one."""
    now = reached(state)
    if not now:
        most = state.db.execute(
            "SELECT reason, count(*) FROM rejects WHERE crawl = ? GROUP BY reason"
            " ORDER BY count(*) DESC, reason LIMIT 1",
            (state.crawl,),
        ).fetchone()
        reason, count = most or ("", 0)
        total = state.db.execute("SELECT count(*) FROM frontier").fetchone()[0]
        why = f"is it a site of the kind {spec.kind}?"
        if 2 * count >= max(total, 1):
            why = f"{count} pages were not taken as {reason}"
        elif count:
            why = f"{count} of {total} pages were not taken as {reason}; {why}"
        return [f"{spec.url}: not one record was found; {why}"]
    statuses = dict(state.db.execute("SELECT status, count(*) FROM frontier GROUP BY status").fetchall())
    total, failed = sum(statuses.values()), statuses.get(FAILED, 0)
    if failed > spec.tuning.max_rejected * total:
        reasons = state.db.execute(
            "SELECT reason FROM rejects WHERE crawl = ? AND reason NOT LIKE 'refused/%' GROUP BY reason"
            " ORDER BY count(*) DESC, reason LIMIT 1",
            (state.crawl,),
        )
        return [
            f"quality: {failed} of {total} pages were rejected, most as {reasons.fetchone()[0]}; the old records stay"
        ]
    return shortfall(now, last_time(state, spec.records), spec.tuning.min_share)
