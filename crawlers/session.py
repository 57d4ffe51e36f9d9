"""Addresses without the number of the visit, which would make every visit's pages, and so their records, new ones."""

import re
from urllib.parse import urlsplit, urlunsplit

# phpBB, PHP, Java; the `s` of vBulletin is any name elsewhere, and a `sid` of digits the story of a news site.
IN_QUERY = re.compile(r"(?:sid=(?![\d/]+$)|phpsessid=|jsessionid=|s=(?=[0-9a-f]{32}$)).*", re.IGNORECASE | re.DOTALL)
IN_PATH = re.compile(r";jsessionid=[^/;?#]*", re.IGNORECASE)


def without_session(url: str) -> str:
    """An address without the number of the visit; the rest of it stays letter by letter."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return url
    query = "&".join(part for part in parts.query.split("&") if not IN_QUERY.fullmatch(part))
    path = IN_PATH.sub("", parts.path)
    return url if (path, query) == (parts.path, parts.query) else urlunsplit(parts._replace(path=path, query=query))
