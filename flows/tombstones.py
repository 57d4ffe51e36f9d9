"""Records that a site showed once and shows no more: what its crawls still know of them."""

import sqlite3
from typing import Any

from crawlers.state import removed
from flows.store.home import Home


def tombstones(home: Home, wanted: str) -> list[dict[str, Any]]:
    """The removed records with an id (as in the tables, or as in the source) or an address; never what they said."""
    found = []
    for file in sorted((home / "raw").glob("*/state/crawl.sqlite3")):
        source = file.parent.parent.name
        try:
            rows = removed(file, {wanted, wanted.removeprefix(f"{source}:")})
        except sqlite3.Error:
            continue  # a state that cannot be read knows nothing; the next crawl says what is wrong with it
        found += [{"record_id": f"{source}:{row.pop('native')}", **row} for row in rows]
    return found
